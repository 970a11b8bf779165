"""The merging of long stretches gives what the package's gives, which is only slower."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.annotation.merging import merged_long

spacy = pytest.importorskip("spacy")
merger = pytest.importorskip("errant.en.merger")

from spacy.tokens import Doc  # noqa: E402

VOCABULARY = spacy.blank("en").vocab
TOKENS = st.tuples(
    st.sampled_from(
        ["cat", "Cat", "ca", "t", "-", "'s", ",", ".", "The", "the", "eat", "eaten", "()"]
    ),
    st.sampled_from(["NOUN", "VERB", "AUX", "PART", "DET", "PUNCT", "ADP"]),
    st.sampled_from(["POS", "NN", "NN", "NN", "NN", "NN"]),
)


class Aligned:
    """What the package's merger looks at."""

    def __init__(self, source: Doc, target: Doc) -> None:
        self.orig, self.cor = source, target


def document(tokens) -> Doc:
    words, classes, tags = (
        (list(column) for column in zip(*tokens, strict=True)) if tokens else ([], [], [])
    )
    return Doc(VOCABULARY, words=words, pos=classes, tags=tags)


def steps_of(operations):
    """A stretch of steps from the first words on."""
    steps, source, target = [], 0, 0
    for operation in operations:
        down, right = int(operation != "I"), int(operation != "D")
        steps.append((operation, source, source + down, target, target + right))
        source, target = source + down, target + right
    return steps, source, target


@st.composite
def stretches(draw, max_size=9):
    steps, source, target = steps_of(draw(st.lists(st.sampled_from("SSSID"), max_size=max_size)))
    documents = [
        document(draw(st.lists(TOKENS, min_size=size, max_size=size))) for size in (source, target)
    ]
    return steps, *documents


@settings(max_examples=200)
@given(stretches())
def test_same_edits_as_the_package(stretch):
    steps, source, target = stretch
    expected = merger.process_seq(steps, Aligned(source, target))
    found = merged_long(steps, source, target, merger.char_cost)
    assert [step[1:] for step in found] == [step[1:] for step in expected]


def test_a_very_long_stretch_takes_no_time_to_speak_of():
    steps, source, target = steps_of("SI" * 500)
    documents = document([("dog", "NOUN", "NN")] * source), document([("of", "ADP", "NN")] * target)
    begin = time.process_time()
    assert merged_long(steps, *documents, merger.char_cost)
    assert time.process_time() - begin < 30
