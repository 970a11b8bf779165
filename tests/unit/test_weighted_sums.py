"""Weighted sums of counts: exact, whatever precision the product is computed in."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.core.weighted_sums import weighted_sums


def _slow(weights: np.ndarray, draws: list[np.ndarray]) -> np.ndarray:
    return np.array(
        [
            [
                [
                    sum(int(w) * int(c) for w, c in zip(row, column, strict=True))
                    for column in counts.T
                ]
                for counts in draws
            ]
            for row in weights
        ],
        np.float64,
    )


@given(
    st.integers(0, 2**32),
    st.integers(1, 4),
    st.sampled_from([3, 1000, 2**22, 2**24 + 1, 2**38]),
    st.sampled_from([1, 2, 5000]),
)
def test_sums_are_exact(seed: int, draws: int, largest: int, weight: int) -> None:
    """Up to 2^53, where double precision ends."""
    generator = np.random.default_rng(seed)
    sentences, columns = generator.integers(1, 6, 2)
    weights = generator.integers(0, weight + 1, (3, sentences)).astype(np.float32)
    first = generator.integers(-largest, largest + 1, (sentences, columns))
    counts = [first]
    for _ in range(draws - 1):
        # Some columns are the same in every draw.
        changed = np.where(generator.integers(0, 2, columns), first + 1, first)
        counts.append(changed)
    assert np.array_equal(weighted_sums(weights, counts), _slow(weights, counts))


def test_fractions_are_summed_in_double_precision() -> None:
    counts = np.array([[0.1], [1e-9]])
    sums = weighted_sums(np.ones((1, 2), np.float32), [counts])
    assert sums[0, 0, 0] == 0.1 + 1e-9


def test_no_resample_and_no_sentence() -> None:
    assert weighted_sums(np.zeros((0, 2), np.float32), [np.ones((2, 3), np.int64)]).shape == (
        0,
        1,
        3,
    )
    assert not weighted_sums(np.zeros((2, 0), np.float32), [np.ones((0, 3), np.int64)]).any()
