"""The n-gram kernel gives the same counts as the formulas, for any number of threads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import oracle_ngrams
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.kernels import NGRAM_COUNTS, NgramIndex, Ragged

Ids = list[int]


def ragged(sentences: Sequence[Ids]) -> Ragged:
    offsets = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    return Ragged(
        np.array([word for sentence in sentences for word in sentence], np.int32), offsets
    )


def counted(
    rows: Sequence[tuple[Ids, list[Ids], Ids]],
    order: int,
    *,
    pooled: bool,
    threads: int,
    again: int = 1,
) -> np.ndarray:
    index = NgramIndex(
        ragged([source for source, _, _ in rows]),
        ragged([reference for _, references, _ in rows for reference in references]),
        np.cumsum([0, *(len(references) for _, references, _ in rows)]).astype(np.int64),
        order=order,
        pooled=pooled,
        threads=threads,
    )
    hypotheses = ragged([hypothesis for _, _, hypothesis in rows])
    for _ in range(again - 1):
        index.count(hypotheses, threads=threads)
    return index.count(hypotheses, threads=threads)


def expected(rows: Sequence[tuple[Ids, list[Ids], Ids]], order: int, *, pooled: bool) -> np.ndarray:
    values = [
        [[of_n[kind] for kind in NGRAM_COUNTS] for of_n in row]
        for source, references, hypothesis in rows
        for row in oracle_ngrams.rows(source, references, hypothesis, order, pooled=pooled)
    ]
    return np.array(values, np.int64).reshape(-1, order, len(NGRAM_COUNTS))


# Few distinct words, so that n-grams repeat. -1 is a word that is not in the corpus; only a
# hypothesis may have it.
known = st.lists(st.integers(0, 2), max_size=12)
output = st.lists(st.integers(-1, 2), max_size=12)
references_of_one = st.lists(known, min_size=1, max_size=4)
rows_of_corpus = st.lists(st.tuples(known, references_of_one, output), max_size=5)
orders = st.integers(1, 6)


@given(rows_of_corpus, orders, st.booleans(), st.integers(1, 4))
def test_kernel_equals_oracle(rows, order, pooled, threads):
    got = counted(rows, order, pooled=pooled, threads=threads)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got, expected(rows, order, pooled=pooled))


@given(rows_of_corpus, orders, st.booleans())
def test_kernel_forgets_what_it_counted_before(rows, order, pooled):
    once = counted(rows, order, pooled=pooled, threads=1)
    np.testing.assert_array_equal(counted(rows, order, pooled=pooled, threads=1, again=3), once)


@given(st.tuples(known, st.just([]), output), orders)
def test_sentences_without_references_have_no_rows(row, order):
    assert counted([row], order, pooled=False, threads=1).shape == (0, order, len(NGRAM_COUNTS))


@given(st.tuples(known, st.just([]), output), orders)
def test_pooled_without_references_is_an_empty_reference(row, order):
    got = counted([row], order, pooled=True, threads=1)
    np.testing.assert_array_equal(got, expected([(row[0], [[]], row[2])], order, pooled=False))


@pytest.mark.slow
@pytest.mark.parametrize("pooled", [False, True])
def test_any_number_of_threads_gives_the_same(pooled):
    """More sentences than a chunk holds, so that the threads do share the work."""
    random = np.random.default_rng(7)

    def sentence() -> Ids:
        return random.integers(0, 4, random.integers(0, 13)).tolist()

    rows = [(sentence(), [sentence() for _ in range(1 + i % 4)], sentence()) for i in range(1000)]
    single = counted(rows, 4, pooled=pooled, threads=1)
    for threads in (2, 3, 4, 64):
        np.testing.assert_array_equal(counted(rows, 4, pooled=pooled, threads=threads), single)
    some = expected(rows[:100], 4, pooled=pooled)
    np.testing.assert_array_equal(single[: len(some)], some)


def test_ids_of_the_whole_range_are_told_apart():
    """Nothing is folded: ids that agree in their lower bits are different words."""
    words = [0, 1 << 8, 1 << 16, 1 << 24, 1 << 30, (1 << 31) - 1, 65536 + 1, 0x10FFFF]
    rows = [
        (words, [words[::-1], words[:3]], [word ^ 1 for word in words]),
        (words[::2], [words], words),
    ]
    np.testing.assert_array_equal(
        counted(rows, 3, pooled=False, threads=1), expected(rows, 3, pooled=False)
    )


def test_long_sentences():
    """Thousands of distinct n-grams in one trie, and one n-gram thousands of times."""
    random = np.random.default_rng(3)
    source, reference, hypothesis = (random.integers(0, 40, 1500).tolist() for _ in range(3))
    rows = [(source, [reference, source], hypothesis), ([5] * 3000, [[5] * 2999, []], [5] * 3001)]
    np.testing.assert_array_equal(
        counted(rows, 6, pooled=False, threads=2), expected(rows, 6, pooled=False)
    )


def test_wrong_shapes_are_refused():
    texts = ragged([[1], [2]])
    offsets = np.array([0, 1, 2], np.int64)
    with pytest.raises(ValueError, match="references_of_sentence"):
        NgramIndex(texts, texts, offsets[:-1], order=4, pooled=False, threads=1)
    with pytest.raises(ValueError, match="order"):
        NgramIndex(texts, texts, offsets, order=0, pooled=False, threads=1)
    index = NgramIndex(texts, texts, offsets, order=4, pooled=False, threads=1)
    with pytest.raises(ValueError, match="1 hypotheses for 2 sentences"):
        index.count(ragged([[1]]), threads=1)


@pytest.mark.parametrize("offsets", [[0, -1, 2], [0, 2, 1], [1, 2], [0, 3, 2], [0, 1], []])
def test_reference_offsets_that_do_not_rise_are_refused(offsets):
    """Offsets outside the references would make the kernel read memory out of bounds."""
    texts = ragged([[1], [2]])
    with pytest.raises(ValueError, match="references_of_sentence"):
        NgramIndex(texts, texts, np.array(offsets, np.int64), order=2, pooled=False, threads=1)


@pytest.mark.parametrize(
    ("ids", "offsets", "error"),
    [
        (np.zeros(2, np.int64), np.array([0, 2]), TypeError),
        (np.zeros(2, np.int32), np.array([0, 2], np.int32), TypeError),
        (np.zeros((1, 2), np.int32), np.array([0, 2]), ValueError),
        (np.zeros(2, np.int32), np.zeros(0, np.int64), ValueError),
        (np.zeros(2, np.int32), np.array([0, 1]), ValueError),
        (np.zeros(2, np.int32), np.array([1, 2]), ValueError),
        (np.zeros(2, np.int32), np.array([0, 3, 2]), ValueError),
    ],
)
def test_ragged_checks_what_kernels_trust(ids, offsets, error):
    with pytest.raises(error):
        Ragged(ids, offsets)
