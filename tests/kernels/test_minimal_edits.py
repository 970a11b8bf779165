"""The edits between two texts are those of the plain table, for one pair and for batches."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_minimal_edits import changed_spans

from corrigenda import Corpus
from corrigenda.corpus.gold import extracted_edits, gold_annotations
from corrigenda.edits import extract_edits
from corrigenda.kernels.minimal_edits import minimal_edits
from corrigenda.kernels.ragged import one_reference, single

words = st.lists(st.sampled_from("abc"), max_size=9)


@given(words, words)
def test_one_pair(source: list[str], target: list[str]) -> None:
    expected = [
        (start, end, " ".join(target[begin:finish]))
        for start, end, begin, finish in changed_spans(source, target)
    ]
    assert [
        (edit.start, edit.end, edit.correction) for edit in extract_edits(source, target)
    ] == expected


@pytest.mark.parametrize("size", [20, 63, 64, 65, 90])
def test_more_words_than_the_bits_of_a_number(size: int) -> None:
    """The table is filled bit by bit up to 64 words, and cell by cell above."""
    chance = random.Random(size)
    for alphabet in ("abc", "abcdefghijklmnopqrst"):
        for target_size in (size - 3, size, 2 * size):
            source, target = (
                chance.choices(alphabet, k=size),
                chance.choices(alphabet, k=target_size),
            )
            # The ends differ, so that all words are aligned.
            test_one_pair.hypothesis.inner_test(["x", *source[2:], "x"], ["y", *target[2:], "y"])


@given(
    st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), max_size=6),
    st.integers(1, 3),
)
def test_a_batch(sentences: list[tuple[list[str], list[list[str]]]], threads: int) -> None:
    corpus = Corpus(
        tuple(" ".join(source) for source, _ in sentences),
        tuple(tuple(map(" ".join, references)) for _, references in sentences),
    )
    found = extracted_edits(corpus, threads=threads)
    expected = [
        changed_spans(source, reference)
        for source, references in sentences
        for reference in references
    ]
    assert found.spans.tolist() == [list(span) for spans in expected for span in spans]
    assert np.diff(found.offsets).tolist() == list(map(len, expected))
    for (source, references), annotated in zip(sentences, gold_annotations(corpus), strict=True):
        assert [annotation.edits for annotation in annotated] == [
            extract_edits(source, reference) for reference in references
        ]


@pytest.mark.slow
def test_real_sentences(conll: Corpus) -> None:
    for source, references, annotated in zip(
        conll.sources, conll.references, gold_annotations(conll), strict=True
    ):
        for reference, annotation in zip(references, annotated, strict=True):
            spans = changed_spans(source.split(), reference.split())
            assert [(edit.start, edit.end) for edit in annotation.edits] == [
                span[:2] for span in spans
            ]


def test_offsets_are_checked() -> None:
    with pytest.raises(ValueError, match="references_of_sentence"):
        minimal_edits(single([1, 2]), single([1]), np.array([0, 2], np.int64), threads=1)
    assert minimal_edits(single([]), single([]), one_reference(), threads=1).spans.shape == (0, 4)
