"""Random references as `random.randint(0, m - 1)` of Python 2 or Python 3 picks them.

Both versions have the same generator (Mersenne Twister) and the same seeds. They make a number
below m in different ways. cpp/seeded_draws.cpp has the code.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels

DrawsBy = Literal["python2", "python3"]
_MOST = 1 << 31


class SeededPicks:
    """One generator per draw. Draw j has the seed j × step."""

    def __init__(self, draws: int, step: int, draws_by: DrawsBy) -> None:
        self._generators = _kernels.SeededGenerators(draws, step, draws_by == "python3")

    def next(self, limits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """One number below each limit, in order, for each draw: [draws, limits]."""
        if len(limits) and not 1 <= limits.min() <= limits.max() < _MOST:
            raise ValueError("limits are from 1 to 2^31 - 1")
        picks: npt.NDArray[np.int64] = self._generators.picks(
            np.ascontiguousarray(limits, np.int64)
        ).view(np.int64)
        return picks
