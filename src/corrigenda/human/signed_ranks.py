"""Wilcoxon's signed-rank test (Pratt's zeros) of all pairs of systems, many pairs at a time.

Its p-value depends on few numbers alone. With up to 50 sentences without ties and zeros, these are
the number of sentences and the sum of the positive ranks: the test is exact. With ties or zeros it
is exact up to 13 sentences; the sizes of the ranks count, too. Else the sum is taken as normal.
These are the choices of `scipy.stats.wilcoxon`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from corrigenda.errors import MissingExtraError

Floats = npt.NDArray[np.float64]
_MOST_EXACT = 50
_MOST_EXACT_TIED = 13
_CELLS_AT_ONCE = 1_000_000
"""Differences that are ranked at a time."""


def signed_rank_p_values(table: Floats) -> Floats:
    """The two-sided p-value of every pair of rows, in the order of `itertools.combinations`.

    A pair is tested on the columns that both rows have; NaN is a missing value. If nothing differs,
    p is 1.
    """
    tests = _Tests()
    at_once = max(1, _CELLS_AT_ONCE // max(1, table.shape[1]))
    parts = [
        tests.p_values(table[place] - table[begin : begin + at_once])
        for place in range(len(table))
        for begin in range(place + 1, len(table), at_once)
    ]
    return np.concatenate([np.ones(0), *parts])


class _Tests:
    """Tests that share what they compute."""

    def __init__(self) -> None:
        try:
            from scipy.special import ndtr
            from scipy.stats import rankdata, wilcoxon
        except ImportError as error:
            raise MissingExtraError(
                "Wilcoxon's test needs scipy", remedy="pip install 'corrigenda[meta]'."
            ) from error
        self._ndtr, self._rankdata, self._wilcoxon = ndtr, rankdata, wilcoxon
        self._exact: dict[tuple[int, float], float] = {}
        self._tied: dict[tuple[float, ...], Floats] = {}

    def p_values(self, differences: Floats) -> Floats:
        """The p-value of each row of differences; NaN is a missing one."""
        found = np.ones(len(differences))
        known = ~np.isnan(differences)
        numbers = known.sum(axis=1)
        numbers[~(known & (differences != 0)).any(axis=1)] = 0
        for number in np.unique(numbers[numbers > 0]).tolist():
            rows = np.flatnonzero(numbers == number)
            found[rows] = self._of_complete(differences[rows][known[rows]].reshape(-1, number))
        return found

    def _of_complete(self, differences: Floats) -> Floats:
        """The p-values of rows without missing differences."""
        number = differences.shape[1]
        zero = differences == 0
        ranks: Floats = self._rankdata(np.abs(differences), axis=1)
        positive = np.where(differences > 0, ranks, 0.0).sum(axis=1)
        if number > _MOST_EXACT:
            return self._normal(ranks, zero, positive)
        ordered = np.sort(ranks, axis=1)
        tied = zero.any(axis=1) | (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        found = np.empty(len(differences))
        for row in np.flatnonzero(~tied):
            found[row] = self._without_ties(differences[row], positive[row])
        if number > _MOST_EXACT_TIED and tied.any():
            found[tied] = self._normal(ranks[tied], zero[tied], positive[tied])
        else:
            for row in np.flatnonzero(tied):
                sizes = np.sort(ranks[row][~zero[row]])
                found[row] = self._with_ties(tuple(sizes.tolist()), positive[row])
        return found

    def _without_ties(self, differences: Floats, positive: float) -> float:
        key = (len(differences), float(positive))
        if key not in self._exact:
            self._exact[key] = float(self._wilcoxon(differences, zero_method="pratt").pvalue)
        return self._exact[key]

    def _with_ties(self, sizes: tuple[float, ...], positive: float) -> float:
        """How many of all ways to give signs to ranks have a sum as far out as this one."""
        if sizes not in self._tied:
            self._tied[sizes] = _number_of_ways(sizes)
        ways = self._tied[sizes]
        place = round(2 * positive)
        tail = min(ways[: place + 1].sum(), ways[place:].sum())
        return min(1.0, 2 * float(tail) / float(2 ** len(sizes)))

    def _normal(self, ranks: Floats, zero: npt.NDArray[np.bool_], positive: Floats) -> Floats:
        """The normal approximation, corrected for zeros (Cureton 1967) and for ties."""
        number, zeros = ranks.shape[1], zero.sum(axis=1).astype(np.float64)
        mean = number * (number + 1.0) * 0.25 - zeros * (zeros + 1.0) * 0.25
        spread = number * (number + 1.0) * (2.0 * number + 1.0)
        spread = spread - zeros * (zeros + 1.0) * (2.0 * zeros + 1.0)
        # Zeros share a rank, too, but they are no ties.
        ties = _tie_corrections(ranks) - (zeros**3 - zeros)
        z = (positive - mean) / np.sqrt((spread - ties / 2) / 24)
        return np.asarray(2 * self._ndtr(-np.abs(z)))


def _number_of_ways(sizes: tuple[float, ...]) -> Floats:
    """How many subsets of the ranks have each sum, in halves: ranks of ties end with .5."""
    ways = np.zeros(round(2 * sum(sizes)) + 1)
    ways[0] = 1
    for size in sizes:
        step = round(2 * size)
        ways[step:] += ways[:-step].copy()
    return ways


def _tie_corrections(ranks: Floats) -> Floats:
    """For each row the sum of n³ − n over groups of n equal ranks."""
    ordered = np.sort(ranks, axis=1)
    begins = np.ones(ordered.shape, bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    sizes = np.diff(np.append(np.flatnonzero(begins), ordered.size)).astype(np.float64)
    firsts = np.append(0, np.cumsum(begins.sum(axis=1))[:-1])
    return np.asarray(np.add.reduceat(sizes**3 - sizes, firsts))
