"""The attribute ruler gives the same attributes with and without a memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.annotation.ruler import remember_matches
from corrigenda.annotation.spacy_model import find_spacy_model
from errant_model import find_model
from examples import examples

pytestmark = pytest.mark.model

WORDS = (
    "let", "'s", "gon", "na", "y'", "all", "c'm", "on", "ai", "n't", "it", "is", "there", "I",
    "you", "do", "have", "but", "that", "which", "got", "ta", "Do", "IT", "house", ".",
)  # fmt: skip


@pytest.fixture(scope="module")
def pipelines():
    spacy = pytest.importorskip("spacy")
    folder = find_spacy_model(find_model()).folder
    plain, remembering = (spacy.load(folder, exclude=["ner"]) for _ in range(2))
    remember_matches(remembering)
    assert "match" in vars(remembering.get_pipe("attribute_ruler"))
    return plain, remembering


@settings(max_examples=examples(150))
@given(words=st.lists(st.sampled_from(WORDS), max_size=8))
def test_same_attributes(pipelines, words):
    from spacy.tokens import Doc

    one, other = (
        [(t.pos_, t.lemma_, t.tag_, t.dep_, str(t.morph)) for t in nlp(Doc(nlp.vocab, words))]
        for nlp in pipelines
    )
    assert one == other


def test_a_ruler_with_other_rules_stays_as_it_is():
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    remember_matches(nlp)
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": "a", "OP": "+"}]], {"TAG": "DT"})
    remember_matches(nlp)
    assert "match" not in vars(ruler)
