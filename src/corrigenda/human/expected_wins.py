"""Expected Wins: how often a system is ranked better than another system (Bojar et al. 2013)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from corrigenda.judgments import Pairs


def expected_wins(wins: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The scores [..., systems] of matrices of wins [..., systems, systems].

    A score is the mean, over the other systems, of the share of pairs that the system won. Ties are
    left out. The share is 0 for two systems whose pairs are all ties, or that never met.
    """
    wins = np.asarray(wins, np.float64)
    systems = wins.shape[-1]
    if systems < 2:
        return np.zeros(wins.shape[:-1])
    decided = wins + np.swapaxes(wins, -1, -2)
    rates = np.divide(wins, decided, out=np.zeros_like(wins), where=decided > 0)
    return np.asarray(rates.sum(axis=-1) / (systems - 1))


def undecided_pairs(wins: npt.ArrayLike) -> list[tuple[int, int]]:
    """The pairs of systems without any decided judgment between them."""
    decided = np.asarray(wins) + np.asarray(wins).T
    rows, columns = np.nonzero(np.triu(decided == 0, k=1))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def scores(pairs: Pairs, *, runs: int, seed: int) -> npt.NDArray[np.float64]:
    """The Expected Wins of each system; nothing is random here."""
    return expected_wins(pairs.wins())


def resampled_scores(
    pairs: Pairs, outcomes: Iterable[npt.NDArray[np.int64]], *, seed: int
) -> npt.NDArray[np.float64]:
    """The Expected Wins [resamples, systems] of resampled wins and ties."""
    return np.concatenate([expected_wins(batch[..., 0]) for batch in outcomes])
