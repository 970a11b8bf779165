"""Expected Wins: how often a system is ranked better than another one (Bojar et al. 2013)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def expected_wins(wins: Array) -> npt.NDArray[np.float64]:
    """The scores [..., systems] of matrices of wins [..., systems, systems].

    The mean over the other systems of the part of decided pairs that was won; ties are left out, and a
    pair of systems that was never decided counts 0.
    """
    wins = np.asarray(wins, np.float64)
    systems = wins.shape[-1]
    if systems < 2:
        return np.zeros(wins.shape[:-1])
    decided = wins + np.swapaxes(wins, -1, -2)
    rates = np.divide(wins, decided, out=np.zeros_like(wins), where=decided > 0)
    return np.asarray(rates.sum(axis=-1) / (systems - 1))


def undecided_pairs(wins: Array) -> list[tuple[int, int]]:
    """The pairs of systems that no judgment decided."""
    decided = np.asarray(wins) + np.asarray(wins).T
    rows, columns = np.nonzero(np.triu(decided == 0, k=1))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
