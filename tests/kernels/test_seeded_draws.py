"""Draws of references against the generators of Python 3 and numpy."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.kernels.seeded_draws import DrawsBy, SeededPicks

LIMITS = st.lists(st.one_of(st.integers(1, 5), st.integers(1, 2**31 - 1)), max_size=40)
STEPS = st.one_of(st.integers(0, 200), st.integers(0, 2**40))


def _slow(seed: int, limits: list[int], by: DrawsBy) -> list[int]:
    generator = random.Random(seed)
    if by == "python3":
        return [generator.randint(0, limit - 1) for limit in limits]
    return [int(generator.random() * limit) for limit in limits]


@given(st.integers(1, 4), STEPS, st.lists(LIMITS, min_size=1, max_size=4), st.booleans())
def test_blocks_go_on_where_the_last_one_ended(
    draws: int, step: int, blocks: list[list[int]], is_third: bool
) -> None:
    by: DrawsBy = "python3" if is_third else "python2"
    picks = SeededPicks(draws, step, by)
    made = [picks.next(np.array(limits, np.int64)) for limits in blocks]
    joined = np.concatenate(made, axis=1).tolist()
    limits = [limit for block in blocks for limit in block]
    assert joined == [_slow(draw * step, limits, by) for draw in range(draws)]


@pytest.mark.parametrize("by", ["python2", "python3"])
def test_many_numbers(by: DrawsBy) -> None:
    limits = [1 + place % 7 for place in range(3_000)]
    made = SeededPicks(3, 101, by).next(np.array(limits)).tolist()
    assert made == [_slow(draw * 101, limits, by) for draw in range(3)]


@pytest.mark.parametrize("limit", [0, -1, 2**31])
def test_limits_that_no_draw_has(limit: int) -> None:
    with pytest.raises(ValueError, match="limits are from 1"):
        SeededPicks(1, 101, "python3").next(np.array([2, limit]))
