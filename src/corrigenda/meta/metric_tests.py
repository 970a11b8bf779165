"""Tests of two metrics: does one of them agree better with people?

- **PERM-BOTH** and **PERM-SYS** (Deutsch et al. 2021) exchange scores between the two metrics.
- **Williams' test** compares two Pearson correlations with the same human scores. Its p-value from
  Student's t is approximate. Over 4 and 5 systems it is too large, and where scores have heavy
  tails it is too small.
- **Simulated Williams' test**: the same t against its distribution for two metrics that agree
  equally well with people, and with each other as these two do. The scores have heavy tails there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.student import two_sided_p
from corrigenda.core.statistics import Array
from corrigenda.errors import CorrigendaError
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient, pearson

Floats = npt.NDArray[np.float64]
DecidingTest = Literal["permutation", "simulated-williams"]
MOST_ENUMERATED = 14
FEWEST_SIMULATED = 20_000
_FREEDOM = 5
"""Simulated scores have the tails of Student's t with this many degrees of freedom."""
_AT_ONCE = 20_000
_ROUNDING = 1e-12
"""Differences up to this part of the largest score come from rounding; such scores are equal."""


@dataclass(frozen=True)
class CorrelationComparison:
    """Whether one metric correlates better than another: both coefficients, two-sided p-values.

    The corrected p-values account for all pairs of metrics that were tested together.
    """

    first: float
    second: float
    williams_t: float
    williams_p: float
    """By Student's t, as published."""
    permutation_p: float | None = None
    corrected_williams_p: float | None = None
    corrected_permutation_p: float | None = None
    decided_by: DecidingTest = "permutation"
    """`simulated-williams` where the permutation test has too few outcomes to reject."""
    simulated_p: float | None = None
    """Of Williams' t by simulation; None where the permutation test decides."""
    corrected_simulated_p: float | None = None

    @property
    def difference(self) -> float:
        """First minus second."""
        return self.first - self.second

    @property
    def deciding_p(self) -> float | None:
        """The corrected p-value of the test that decides."""
        if self.decided_by == "simulated-williams":
            return self.corrected_simulated_p
        return self.corrected_permutation_p


def williams(first: Array, second: Array, human: Array) -> tuple[float, float]:
    """Williams' test of two Pearson correlations with the same human scores: t, two-sided p."""
    t, *_ = _williams(first, second, human)
    return t, two_sided_p(t, len(human) - 3)


def _williams(first: Array, second: Array, human: Array) -> tuple[float, float, float]:
    """Williams' t, the mean correlation with people, and that of the two metrics."""
    systems = len(human)
    if systems < 4:
        raise CorrigendaError(
            f"Williams' test needs at least 4 systems, not {systems}", remedy="Give more systems."
        )
    one, other, between = (
        pearson(a, b) for a, b in ((human, first), (human, second), (first, second))
    )
    mean = float(one + other) / 2
    if np.isnan([one, other, between]).any():
        return float("nan"), mean, float(between)
    if between > 1 - _ROUNDING:
        # One metric is a linear function of the other: there is no difference to test.
        return 0.0, mean, float(between)
    if between < -1 + _ROUNDING:
        # One metric is the other turned round: t is that of its own correlation.
        with np.errstate(divide="ignore"):
            t = float(one * np.sqrt((systems - 3) / (1 - one**2)))
        return t, 0.0, -1.0
    return float(_williams_t(one, other, between, systems)), mean, float(between)


def _williams_t(one: Floats, other: Floats, between: Floats, systems: int) -> Floats:
    """Williams' t of correlations with people, and of the metrics with each other."""
    determinant = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    spread = (
        2 * np.maximum(determinant, 0) * (systems - 1) / (systems - 3)
        + (one + other) ** 2 / 4 * (1 - between) ** 3
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((one - other) * np.sqrt((systems - 1) * (1 + between) / spread))


def simulated_williams_p(
    first: Array, second: Array, human: Array, *, draws: int = FEWEST_SIMULATED, seed: int = 0
) -> float:
    """How often Williams' t is as large for two metrics that agree equally well with people.

    Sets of systems are drawn (a parametric bootstrap). Both metrics have the mean of the two
    correlations with people, and the correlation with each other that was observed.
    """
    t, mean, between = _williams(first, second, human)
    if np.isnan(t):
        return float("nan")
    rest = 1 - mean**2
    # What the two metrics have in common beside the human score. It is 1 or less by definition.
    alike = float(np.clip((between - mean**2) / rest, -1, 1)) if rest > _ROUNDING else 1.0
    as_large = 0
    for begin in range(0, draws, _AT_ONCE):
        count = min(_AT_ONCE, draws - begin)
        people, own, other = _heavy_tails(len(human), count, seed, begin)
        errors = (own, alike * own + np.sqrt(1 - alike**2) * other)
        drawn = [mean * people + np.sqrt(rest) * each for each in errors]
        found = _williams_t(
            pearson(people, drawn[0]), pearson(people, drawn[1]), pearson(*drawn), len(human)
        )
        as_large += int((np.abs(np.nan_to_num(found)) >= abs(t) * (1 - _ROUNDING)).sum())
    # The observed scores are one of the possible sets, so p is never 0.
    return (as_large + 1) / (draws + 1)


@lru_cache(maxsize=4)
def _heavy_tails(systems: int, count: int, seed: int, begin: int) -> Floats:
    """Three scores of `count` sets of systems: [3, sets, systems]."""
    generator = np.random.default_rng([seed, begin, systems])
    shape = (3, count, systems)
    return np.asarray(
        generator.normal(size=shape) * np.sqrt(_FREEDOM / generator.chisquare(_FREEDOM, shape))
    )


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
