"""Random references as `random.randint(0, m - 1)` of Python 2 or Python 3 picks them.

Both versions have the same generator (Mersenne Twister) and the same seeds. They make a number
below m in different ways. cpp/seeded_draws.cpp has the code.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels

DrawsBy = Literal["python2", "python3"]
_MOST = 1 << 31


Picks = npt.NDArray[np.unsignedinteger[Any]]
"""Numbers below limits [draws, limits], of the smallest type that holds them."""


class SeededPicks:
    """One generator per draw. Draw j has the seed j × step."""

    def __init__(self, draws: int, step: int, draws_by: DrawsBy) -> None:
        self._generators = _kernels.SeededGenerators(draws, step, draws_by == "python3")

    def next(self, limits: npt.NDArray[np.int64], skipped: int = 0) -> Picks:
        """One number below each limit, in order, for each draw; without the first `skipped`."""
        picks: Picks = self._generators.next(_checked(limits), skipped)
        return picks


def first_picks(draws: int, step: int, draws_by: DrawsBy, limits: npt.NDArray[np.int64]) -> Picks:
    """What new generators would draw first. One of them is in memory at a time."""
    picks: Picks = _kernels.first_picks(draws, step, draws_by == "python3", _checked(limits))
    return picks


def _checked(limits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    if len(limits) and not 1 <= limits.min() <= limits.max() < _MOST:
        raise ValueError("limits are from 1 to 2^31 - 1")
    return np.ascontiguousarray(limits, np.int64)
