"""Correlations over systems, for many rows of scores at once, and tests of their difference.

Every function takes scores [..., systems] and works along the last axis. A correlation is NaN where
all scores of one side are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.student import two_sided_p
from corrigenda.core.statistics import Array
from corrigenda.errors import CorrigendaError

Floats = npt.NDArray[np.float64]
Coefficient = Literal["pearson", "spearman", "kendall"]
DecidingTest = Literal["permutation", "williams"]
MOST_ENUMERATED = 14
_ROUNDING = 1e-12
"""Differences up to this part of the largest score come from rounding; such scores are equal."""


def pearson(first: Array, second: Array) -> Floats:
    """Pearson's r."""
    first, second = _centred(first), _centred(second)
    products = (first * second).sum(axis=-1)
    size = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.clip(np.where(size > 0, products / size, np.nan), -1, 1))


def _centred(values: Array) -> Floats:
    # The order in which numpy adds depends on the layout in memory. With the same layout always, a
    # row gives the same bits alone and among other rows.
    values = np.ascontiguousarray(values, np.float64)
    centred = values - values.mean(axis=-1, keepdims=True)
    largest = np.abs(values).max(axis=-1, keepdims=True, initial=0.0)
    return np.where(np.abs(centred) <= _ROUNDING * largest, 0.0, centred)


def ranks(values: Array) -> Floats:
    """Ranks from 1 (the smallest); equal values share the mean of their ranks."""
    values = np.asarray(values)
    rows, columns = values[..., :, np.newaxis], values[..., np.newaxis, :]
    smaller = (columns < rows).sum(axis=-1)
    equal = (columns == rows).sum(axis=-1)
    return np.asarray(smaller + (equal + 1) / 2)


def spearman(first: Array, second: Array) -> Floats:
    """Spearman's ρ: Pearson's r of the ranks."""
    return pearson(ranks(first), ranks(second))


def kendall(first: Array, second: Array) -> Floats:
    """Kendall's τ-b, which corrects for ties."""
    first, second = np.broadcast_arrays(np.asarray(first), np.asarray(second))
    agreement, of_first, of_second = np.zeros((3, *first.shape[:-1]), np.int64)
    for apart in range(1, first.shape[-1]):
        one, other = _directions(first, apart), _directions(second, apart)
        agreement += (one * other).sum(axis=-1, dtype=np.int64)
        of_first += np.count_nonzero(one, axis=-1)
        of_second += np.count_nonzero(other, axis=-1)
    size = np.sqrt(of_first.astype(np.float64) * of_second)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(size > 0, agreement / size, np.nan))


def _directions(values: Array, apart: int) -> npt.NDArray[np.int8]:
    """The sign of the difference of every two systems that are so many places apart."""
    before, after = values[..., :-apart], values[..., apart:]
    return np.asarray((after > before).view(np.int8) - (after < before).view(np.int8))


COEFFICIENTS: dict[Coefficient, Callable[[Array, Array], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}
SYMBOLS: dict[Coefficient, str] = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


def without_one(scores: Array, human: Array, coefficient: Coefficient) -> Floats:
    """The correlation without each of the systems: [systems]."""
    scores, human = np.asarray(scores), np.asarray(human)
    rest = np.array([np.delete(np.arange(len(human)), place) for place in range(len(human))])
    return COEFFICIENTS[coefficient](scores[rest], human[rest])


def leave_one_out(scores: Array, human: Array, coefficient: Coefficient) -> tuple[float, float]:
    """The smallest and the largest correlation when any one system is left out."""
    values = without_one(scores, human, coefficient)
    if np.isnan(values).all():
        return float("nan"), float("nan")
    return float(np.nanmin(values)), float(np.nanmax(values))


@dataclass(frozen=True)
class CorrelationComparison:
    """Whether one metric correlates better than another: both coefficients, two-sided p-values."""

    first: float
    second: float
    williams_t: float
    williams_p: float
    permutation_p: float | None = None
    corrected_williams_p: float | None = None
    corrected_permutation_p: float | None = None
    """The corrected p-values account for all pairs of metrics that were tested together."""
    decided_by: DecidingTest = "permutation"
    """`williams` where the permutation test has too few outcomes to reject."""

    @property
    def difference(self) -> float:
        """First minus second."""
        return self.first - self.second

    @property
    def deciding_p(self) -> float | None:
        """The corrected p-value of the test that decides."""
        if self.decided_by == "williams":
            return self.corrected_williams_p
        return self.corrected_permutation_p


def williams(first: Array, second: Array, human: Array) -> tuple[float, float]:
    """Williams' test of two Pearson correlations with the same human scores: t, two-sided p."""
    systems = len(human)
    if systems < 4:
        raise CorrigendaError(
            f"Williams' test needs at least 4 systems, not {systems}", remedy="Give more systems."
        )
    one, other, between = (
        float(pearson(a, b)) for a, b in ((human, first), (human, second), (first, second))
    )
    if np.isnan([one, other, between]).any():
        return float("nan"), float("nan")
    determinant = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    spread = (
        2 * max(determinant, 0) * (systems - 1) / (systems - 3)
        + (one + other) ** 2 / 4 * (1 - between) ** 3
    )
    if spread <= 0 or between > 1 - _ROUNDING:
        # One metric is a linear function of the other: there is no difference to test.
        return 0.0, 1.0
    t = (one - other) * np.sqrt((systems - 1) * (1 + between) / spread)
    return float(t), two_sided_p(float(t), systems - 3)


def permutation_of_both(
    first: Array,
    second: Array,
    human: Array,
    coefficient: Coefficient = "pearson",
    *,
    permutations: int = 1000,
    seed: int = 0,
) -> float:
    """The two-sided p-value of the difference, by PERM-BOTH (Deutsch et al. 2021).

    `first` and `second` are scores [systems, sentences]; corpus scores are [systems, 1]. They are
    standardised. Then each score is exchanged between the metrics at random, and the means over the
    sentences are correlated again. Of corpus scores of up to 14 systems all exchanges are made.
    """
    correlate = COEFFICIENTS[coefficient]
    first, second = _standardised(first), _standardised(second)
    given = [correlate(each.mean(axis=1), np.asarray(human)) for each in (first, second)]
    if np.isnan(given).any():
        return float("nan")
    observed = _difference(first.mean(axis=1), second.mean(axis=1), human, correlate)
    gap = (second - first) / first.shape[1]
    exact = gap.shape[1] == 1 and len(gap) <= MOST_ENUMERATED
    exchanged = _all_exchanges(gap) if exact else _exchanges(gap, permutations, seed)
    differences = _difference(
        first.mean(axis=1) + exchanged,
        second.mean(axis=1) - exchanged,
        np.asarray(human),
        correlate,
    )
    as_large = int((np.abs(differences) >= abs(observed) - _ROUNDING).sum())
    if exact:
        return as_large / len(differences)
    # The observed assignment is one of the possible ones, so p is never 0.
    return (as_large + 1) / (permutations + 1)


def smallest_permutation_p(exchanged: Array) -> float:
    """The smallest p-value of PERM-BOTH: of n exchanged scores 2^(1 - n), for the two extremes."""
    return float(2.0 ** (1 - np.asarray(exchanged).size))


def _all_exchanges(gap: Floats) -> Floats:
    """What each system gains under all 2^systems exchanges of corpus scores (PERM-SYS)."""
    numbers = np.arange(2 ** len(gap))[:, np.newaxis]
    return np.asarray((numbers >> np.arange(len(gap)) & 1) * gap[:, 0])


def _exchanges(gap: Floats, permutations: int, seed: int) -> Floats:
    """What each system gains under random exchanges: [permutations, systems]."""
    generator = np.random.default_rng(seed)
    exchanged = np.empty((permutations, len(gap)))
    words = -(-gap.shape[1] // 64)
    for row in range(permutations):
        drawn = generator.integers(0, 2**64, size=(len(gap), words), dtype=np.uint64)
        bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        exchanged[row] = np.einsum("ij,ij->i", gap, bits[:, : gap.shape[1]])
    return exchanged


def _standardised(scores: Array) -> Floats:
    scores = np.asarray(scores, np.float64)
    spread = scores.std()
    return np.asarray((scores - scores.mean()) / (spread if spread > 0 else 1.0))


def _difference(
    first: Array, second: Array, human: Array, correlate: Callable[[Array, Array], Floats]
) -> Array:
    human = np.broadcast_to(human, np.shape(first))
    return np.nan_to_num(correlate(first, human)) - np.nan_to_num(correlate(second, human))
