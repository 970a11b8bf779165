"""How ρ and τ of a few systems are distributed, and the exact interval that follows.

Two scores have a *normal copula* if some increasing functions of them are normal together, with a
correlation θ. Ranks do not change under increasing functions. So the distributions of Spearman's ρ
and of Kendall's τ depend on θ and on the number of systems alone, and heavy tails of the scores do
not matter. There is no formula. The distributions are simulated: for each θ of a grid, 10,000 sets
of systems with fixed seeds. The same number of systems gives the same distribution everywhere.

Blaker (2000) makes an interval from a discrete distribution: it has all θ under which a value as
far out as the observed one is not rarer than α. It is never empty, it covers at least as often as
promised, and it lies inside the interval of Clopper and Pearson.

Of up to 7 systems ρ and τ have so few values that this covers up to .98. Two things help. Rankings
with the same ρ or τ are told apart by the correlation of their normal scores, and the observed
outcome counts half (mid-p). Then it covers about as often as promised, sometimes a little less.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
RankCoefficient = Literal["spearman", "kendall"]
_DRAWS = 10_000
_MOST_SCORES = 400_000
"""Of many systems fewer sets are drawn: at most so many scores per θ, and at least 1,000 sets."""
_STEP, _LAST = 0.1, 6.0
"""The grid has artanh θ from 0 to 6. Negative θ have the mirrored distributions."""
_ROUNDING = 1e-9
MOST_FOR_MID_P = 7
_TIE_BREAK = 1e-4
"""How much the normal scores count: less than any step between two values of ρ or τ."""


def blaker_interval(
    value: float, systems: int, coefficient: RankCoefficient, *, alpha: float
) -> tuple[float, float]:
    """The exact interval of the population's ρ or τ under a normal copula."""
    table = _distributions(systems, coefficient)
    return _accepted_interval(table.acceptability(value), coefficient, alpha)


def mid_p_interval(
    value: float, first: Floats, second: Floats, coefficient: RankCoefficient, *, alpha: float
) -> tuple[float, float]:
    """The mid-p interval of ρ or τ of up to 7 systems; `value` is the coefficient of the scores."""
    keys, table = _told_apart(len(first), coefficient)
    key = value + _TIE_BREAK * _normal_score_correlation(_ranks(first), _ranks(second))
    accepted = table.acceptability_between(
        int(np.searchsorted(keys, key - _ROUNDING)),
        int(np.searchsorted(keys, key + _ROUNDING)) - 1,
    )
    return _accepted_interval(accepted, coefficient, alpha)


def _accepted_interval(
    accepted: Floats, coefficient: RankCoefficient, alpha: float
) -> tuple[float, float]:
    inside = np.flatnonzero(accepted > alpha)
    if not len(inside):
        inside = np.array([int(accepted.argmax())])
    low = _crossing(accepted, int(inside[0]), -1, alpha)
    high = _crossing(accepted, int(inside[-1]), +1, alpha)
    return _population(low, coefficient), _population(high, coefficient)


def _grid() -> Floats:
    half = np.arange(0, _LAST + _STEP / 2, _STEP)
    return np.concatenate([-half[:0:-1], half])


def _crossing(accepted: Floats, inside: int, direction: int, alpha: float) -> float:
    """The θ between a point of the grid and the next one where the acceptability is α."""
    grid = _grid()
    outside = inside + direction
    if not 0 <= outside < len(grid):
        return float(direction)
    share = (accepted[inside] - alpha) / (accepted[inside] - accepted[outside])
    share = min(max(float(share), 0.0), 1.0)
    return math.tanh(grid[inside] + share * (grid[outside] - grid[inside]))


def _population(theta: float, coefficient: RankCoefficient) -> float:
    """ρ or τ of a normal population with this correlation."""
    if coefficient == "spearman":
        return 6 / math.pi * math.asin(theta / 2)
    return 2 / math.pi * math.asin(theta)


@dataclass(frozen=True)
class _Distributions:
    """The chance of at most, and of at least, each possible value: [grid, values]."""

    at_most: Floats
    at_least: Floats

    def acceptability(self, value: float) -> Floats:
        """Blaker's acceptability of each θ: how often a value is as far out as this one."""
        place = (value + 1) / 2 * (self.at_most.shape[1] - 1)
        below = self.at_most[:, math.floor(place + _ROUNDING)]
        above = self.at_least[:, math.ceil(place - _ROUNDING)]
        return self._as_far_out(below, above)

    def acceptability_between(self, first: int, last: int) -> Floats:
        """Blaker's acceptability less half of the chance of the outcomes `first` to `last`."""
        none = np.zeros(len(self.at_most))
        below = self.at_most[:, last] if last >= 0 else none
        above = self.at_least[:, first] if first < self.at_least.shape[1] else none
        observed = np.maximum(0.0, below + above - 1)
        return np.asarray(self._as_far_out(below, above) - observed / 2)

    def _as_far_out(self, below: Floats, above: Floats) -> Floats:
        tail = np.minimum(below, above)
        other = np.where(
            above <= below, _largest(self.at_most, tail), _largest(self.at_least, tail)
        )
        return np.asarray(np.minimum(1.0, tail + other))


def _largest(chances: Floats, bound: Floats) -> Floats:
    """The largest chance of each row that is not above its bound."""
    allowed = chances <= bound[:, np.newaxis] + _ROUNDING
    return np.asarray(np.where(allowed, chances, 0.0).max(axis=1))


@lru_cache(maxsize=64)
def _distributions(systems: int, coefficient: RankCoefficient) -> _Distributions:
    count = _spearman_places if coefficient == "spearman" else _kendall_places
    values = 1 + (
        systems * (systems**2 - 1) // 6 if coefficient == "spearman" else math.comb(systems, 2)
    )
    draws = max(1000, min(_DRAWS, _MOST_SCORES // systems))
    half = _grid()[len(_grid()) // 2 :]
    shares = np.empty((len(half), values))
    for row, theta in enumerate(np.tanh(half)):
        generator = np.random.default_rng([systems, row])
        first = np.sort(generator.normal(size=(draws, systems)), axis=1)
        noise = generator.normal(size=(draws, systems))
        places = count(theta * first + math.sqrt(1 - theta**2) * noise)
        shares[row] = np.bincount(places, minlength=values) / draws
    # The first row is θ = 0, where both directions are the same.
    shares[0] = (shares[0] + shares[0, ::-1]) / 2
    shares = np.concatenate([shares[:0:-1, ::-1], shares])
    at_least = shares[:, ::-1].cumsum(axis=1)[:, ::-1]
    return _Distributions(shares.cumsum(axis=1), at_least)


@lru_cache(maxsize=16)
def _told_apart(systems: int, coefficient: RankCoefficient) -> tuple[Floats, _Distributions]:
    """The outcomes of all orders, and how they are distributed."""
    orders = np.array(list(permutations(range(systems))))
    each = _keys(orders, coefficient)
    keys, outcome = np.unique(each, return_inverse=True)
    digits = systems ** np.arange(systems)
    by_code = np.empty(systems**systems, np.int64)
    by_code[orders @ digits] = outcome.reshape(-1)
    half = _grid()[len(_grid()) // 2 :]
    shares = np.empty((len(half), len(keys)))
    for row, theta in enumerate(np.tanh(half)):
        generator = np.random.default_rng([systems, row])
        first = np.sort(generator.normal(size=(2 * _DRAWS, systems)), axis=1)
        noise = generator.normal(size=(2 * _DRAWS, systems))
        drawn = np.argsort(theta * first + math.sqrt(1 - theta**2) * noise, axis=1)
        shares[row] = np.bincount(by_code[drawn @ digits], minlength=len(keys)) / len(drawn)
    shares[0] = (shares[0] + shares[0, ::-1]) / 2
    shares = np.concatenate([shares[:0:-1, ::-1], shares])
    at_least = shares[:, ::-1].cumsum(axis=1)[:, ::-1]
    return keys, _Distributions(shares.cumsum(axis=1), at_least)


def _keys(orders: npt.NDArray[np.int64], coefficient: RankCoefficient) -> Floats:
    """ρ or τ of each order, and a little of the correlation of its normal scores."""
    systems = orders.shape[1]
    if coefficient == "spearman":
        most = systems * (systems**2 - 1) // 6
        # An order and its inverse have the same ρ, τ and normal scores.
        values = 2 * _spearman_places(orders.astype(np.float64)) / most - 1
    else:
        places = _kendall_places(orders.astype(np.float64))
        values = 2 * places / math.comb(systems, 2) - 1
    ranks = np.arange(1.0, systems + 1)
    broken = [_normal_score_correlation(ranks, order + 1.0) for order in orders]
    return np.asarray(np.round(values + _TIE_BREAK * np.array(broken), 9))


def _normal_score_correlation(first: Floats, second: Floats) -> float:
    """Pearson's r of the normal scores of ranks; 0 if all ranks of one side are equal."""
    scores = [
        np.array([NormalDist().inv_cdf(rank / (len(ranks) + 1)) for rank in ranks])
        for ranks in (first, second)
    ]
    centred = [each - each.mean() for each in scores]
    size = math.sqrt(float((centred[0] ** 2).sum() * (centred[1] ** 2).sum()))
    return float(centred[0] @ centred[1]) / size if size > _ROUNDING else 0.0


def _ranks(scores: Floats) -> Floats:
    """Ranks from 1; equal scores share the mean of their ranks."""
    scores = np.asarray(scores, np.float64)
    smaller = (scores[:, np.newaxis] > scores).sum(axis=1)
    equal = (scores[:, np.newaxis] == scores).sum(axis=1)
    return np.asarray(smaller + (equal + 1) / 2)


def _spearman_places(scores: Floats) -> npt.NDArray[np.int64]:
    """The place of ρ among its possible values, from the scores in the order of the other side."""
    systems = scores.shape[1]
    ordered = np.argsort(scores, axis=1)
    products = ordered @ np.arange(systems)
    most = (systems - 1) * systems * (2 * systems - 1) // 6
    return np.asarray(systems * (systems**2 - 1) // 6 - (most - products))


def _kendall_places(scores: Floats) -> npt.NDArray[np.int64]:
    """The number of pairs in the right order."""
    right = np.zeros(len(scores), np.int64)
    for apart in range(1, scores.shape[1]):
        right += (scores[:, apart:] > scores[:, :-apart]).sum(axis=1)
    return right
