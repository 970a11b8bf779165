"""Sampled references are drawn exactly as `random` of Python 2 or Python 3 draws them."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.core.choice import SeededDraws
from corrigenda.core.statistics import Statistics

STEP = 101


def statistics_of(references: list[int]) -> Statistics:
    offsets = np.cumsum([0, *references]).astype(np.int64)
    return Statistics(np.arange(offsets[-1], dtype=np.int64)[:, np.newaxis], offsets)


def randint_of_python2(generator: random.Random, largest: int) -> int:
    """Python 2's `randint(0, largest)`; it uses up a random number even if largest is 0."""
    return int(generator.random() * (largest + 1))


def expected(references: list[int], draws: int) -> list[list[int]]:
    generators = [random.Random(draw * STEP) for draw in range(draws)]
    return [[randint_of_python2(generator, m - 1) for m in references] for generator in generators]


def drawn(references: list[int], draws: int) -> list[list[int]]:
    statistics = statistics_of(references)
    rows = SeededDraws(draws, STEP).choose(statistics).rows
    return (np.broadcast_to(rows, (draws, len(references))) - statistics.offsets[:-1]).tolist()


@given(st.integers(2, 5), st.integers(0, 60), st.integers(1, 8))
def test_draws_of_equally_many_references(m, sentences, draws):
    assert drawn([m] * sentences, draws) == expected([m] * sentences, draws)


@given(st.lists(st.integers(1, 4), max_size=30), st.integers(1, 6))
def test_draws_of_ragged_references(references, draws):
    """For each sentence one `randint(0, m - 1)`, in corpus order, as the definition says."""
    assert drawn(references, draws) == expected(references, draws)


def test_all_500_draws_of_a_corpus():
    references = [2] * 1312
    assert drawn(references, 500) == expected(references, 500)


def test_two_draws_differ():
    first, second = drawn([2] * 64, 2)
    assert first != second


# --- Python 3 -------------------------------------------------------------------------------------


def drawn_by_python3(blocks: list[list[int]], draws: int) -> list[list[int]]:
    chooser = SeededDraws(draws, STEP, "python3").start()
    parts = []
    for references in blocks:
        statistics = statistics_of(references)
        rows = np.broadcast_to(chooser(statistics).rows, (draws, len(references)))
        parts.append(rows - statistics.offsets[:-1])
    return np.concatenate(parts, axis=1).tolist()


@given(st.lists(st.lists(st.integers(1, 9), max_size=30), min_size=1, max_size=4))
def test_draws_of_python3(blocks):
    """The interpreter that runs this test is Python 3: its own `random` is the oracle."""
    generators = [random.Random(draw * STEP) for draw in range(5)]
    references = [m for block in blocks for m in block]
    wanted = [[generator.randint(0, m - 1) for m in references] for generator in generators]
    assert drawn_by_python3(blocks, 5) == wanted


def test_all_500_draws_of_a_corpus_by_python3():
    generators = [random.Random(draw * STEP) for draw in range(500)]
    wanted = [[generator.randint(0, 3) for _ in range(747)] for generator in generators]
    assert drawn_by_python3([[4] * 747], 500) == wanted
