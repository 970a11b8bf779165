"""The network of a spaCy model gives the same numbers when it computes each window once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.annotation import windows
from corrigenda.annotation.english import EnglishAnnotator
from corrigenda.annotation.request import Request
from corrigenda.annotation.spacy_annotator import loaded
from corrigenda.annotation.spacy_model import find_spacy_model
from corrigenda.annotation.universal import UniversalAnnotator
from corrigenda.annotation.windows import share_windows
from errant_model import find_model
from examples import examples

pytestmark = pytest.mark.model

# Few words, so that windows are repeated; one of them is in no list of the model.
WORDS = ("the", "cat", "cats", "sat", "sits", "on", "Ωmega", ".", "!", "It", "'s", "123")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def pipelines():
    spacy = pytest.importorskip("spacy")
    folder = find_spacy_model(find_model()).folder
    plain, sharing = (spacy.load(folder, exclude=["ner"]) for _ in range(2))
    share_windows(sharing)
    return plain, sharing


@settings(max_examples=examples(100))
@given(texts=TEXTS)
def test_same_vectors_and_parses(pipelines, texts):
    from spacy.tokens import Doc

    plain, sharing = ([Doc(nlp.vocab, words) for words in texts] for nlp in pipelines)
    # Sentence by sentence, and all at once.
    ones = [pipelines[0](document) for document in plain]
    others = list(pipelines[1].pipe(sharing))
    for one, other in zip(ones, others, strict=True):
        assert one.tensor.shape[0] == other.tensor.shape[0] == len(one)
        assert np.allclose(one.tensor, other.tensor, rtol=0, atol=1e-5)
        facts = (
            [(t.tag_, t.pos_, t.lemma_, t.dep_, t.head.i, str(t.morph)) for t in document]
            for document in (one, other)
        )
        assert next(facts) == next(facts)


def test_rows_are_computed_once(pipelines, monkeypatch):
    from spacy.tokens import Doc

    tok2vec = pipelines[1].get_pipe("tok2vec")
    counted = []
    keys = windows._rows_of_keys
    monkeypatch.setattr(
        windows, "_rows_of_keys", lambda of, count: counted.append(len(of)) or keys(of, count)
    )
    words = ["The", "cat", "sat", "on", "the", "mat", "."]
    for copies in (2, 20):
        tok2vec.predict([Doc(pipelines[1].vocab, words) for _ in range(copies)])
    layers = len(counted) // 2
    assert layers == 4
    assert counted[layers:] == counted[:layers]


def test_both_networks_are_shared(pipelines):
    plain, sharing = pipelines
    assert "predict" in vars(sharing.get_pipe("tok2vec"))
    assert "predict" not in vars(plain.get_pipe("tok2vec"))
    first_layers = [nlp.get_pipe("parser").model.layers[1]._func for nlp in pipelines]
    assert first_layers[0] is not first_layers[1]


def test_a_long_batch_is_left_to_spacy(pipelines, monkeypatch):
    from spacy.tokens import Doc

    document = Doc(pipelines[1].vocab, ["a", "b", "c"])
    tok2vec = pipelines[1].get_pipe("tok2vec")
    (shared,) = tok2vec.predict([document])
    monkeypatch.setattr(windows, "_MOST_ROWS", 4)
    monkeypatch.setattr(windows, "_places", None)
    (plain,) = tok2vec.predict([document])
    assert np.allclose(plain, shared, rtol=0, atol=1e-5)


def test_empty_texts(pipelines):
    from spacy.tokens import Doc

    tok2vec = pipelines[1].get_pipe("tok2vec")
    shapes = [
        array.shape for array in tok2vec.predict([Doc(pipelines[1].vocab, []) for _ in range(2)])
    ]
    assert shapes == [(0, 96), (0, 96)]


def test_another_network_stays_as_it_is():
    """A window of two words on each side, and layers that do not see empty places between texts."""
    spacy = pytest.importorskip("spacy")
    for name, encoder in (
        ("two", {"@architectures": "spacy.MaxoutWindowEncoder.v2", "maxout_pieces": 2,
                 "window_size": 2}),
        ("mish", {"@architectures": "spacy.MishWindowEncoder.v2", "window_size": 1}),
    ):  # fmt: skip
        nlp = spacy.blank("en")
        embed = {
            "@architectures": "spacy.MultiHashEmbed.v2", "width": 8, "attrs": ["NORM"],
            "rows": [50], "include_static_vectors": False,
        }  # fmt: skip
        model = {
            "@architectures": "spacy.Tok2Vec.v2",
            "embed": embed,
            "encode": {"width": 8, "depth": 2, **encoder},
        }
        component = nlp.add_pipe("tok2vec", name, config={"model": model})
        nlp.initialize()
        share_windows(nlp)
        assert "predict" not in vars(component), name


@pytest.mark.parametrize(
    ("annotator", "merger"), [(EnglishAnnotator, "rules"), (UniversalAnnotator, "all-split")]
)
def test_annotators_share(annotator, merger):
    maker = loaded(annotator, find_spacy_model(find_model()).folder, merger)
    assert "predict" in vars(maker._nlp.get_pipe("tok2vec"))


def test_an_edit():
    maker = loaded(EnglishAnnotator, find_spacy_model(find_model()).folder, "rules")
    (edits,) = maker.edits([Request("The cat sit .", "The cat sits .")])
    assert [(edit.start, edit.end, edit.correction, edit.type) for edit in edits] == [
        (2, 3, "sits", "R:VERB:SVA")
    ]
