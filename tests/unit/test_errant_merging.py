"""Long stretches are merged as in the errant package, only faster."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.annotation.merging import merged_long
from examples import examples

pytestmark = pytest.mark.model

TOKENS = st.tuples(
    st.sampled_from(
        ["cat", "Cat", "ca", "t", "-", "'s", ",", ".", "The", "the", "eat", "eaten", "()"]
    ),
    st.sampled_from(["NOUN", "VERB", "AUX", "PART", "DET", "PUNCT", "ADP"]),
    st.sampled_from(["POS", "NN", "NN", "NN", "NN", "NN"]),
)


@pytest.fixture(scope="module")
def merger():
    """The errant package's merger."""
    return pytest.importorskip("errant.en.merger")


@pytest.fixture(scope="module")
def document():
    """Makes a document from words, parts of speech and tags."""
    vocabulary = pytest.importorskip("spacy").blank("en").vocab
    make_document = pytest.importorskip("spacy.tokens").Doc

    def made(tokens):
        words, classes, tags = (
            (list(column) for column in zip(*tokens, strict=True)) if tokens else ([], [], [])
        )
        return make_document(vocabulary, words=words, pos=classes, tags=tags)

    return made


def steps_of(operations):
    """A stretch of steps that begins with the first words."""
    steps, source, target = [], 0, 0
    for operation in operations:
        down, right = int(operation != "I"), int(operation != "D")
        steps.append((operation, source, source + down, target, target + right))
        source, target = source + down, target + right
    return steps, source, target


@st.composite
def stretches(draw, max_size=9):
    steps, source, target = steps_of(draw(st.lists(st.sampled_from("SSSID"), max_size=max_size)))
    return steps, *(
        draw(st.lists(TOKENS, min_size=size, max_size=size)) for size in (source, target)
    )


@settings(max_examples=examples(200))
@given(stretches())
def test_same_edits_as_the_package(merger, document, stretch):
    steps, source, target = stretch[0], *map(document, stretch[1:])
    expected = merger.process_seq(steps, SimpleNamespace(orig=source, cor=target))
    found = merged_long(steps, source, target, merger.char_cost)
    assert [step[1:] for step in found] == [step[1:] for step in expected]


def test_a_very_long_stretch_is_merged_quickly(merger, document):
    steps, source, target = steps_of("SI" * 500)
    documents = document([("dog", "NOUN", "NN")] * source), document([("of", "ADP", "NN")] * target)
    begin = time.process_time()
    assert merged_long(steps, *documents, merger.char_cost)
    assert time.process_time() - begin < 30
