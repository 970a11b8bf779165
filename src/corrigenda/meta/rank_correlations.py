"""How ρ and τ of a few systems are distributed, and the interval that follows.

Two scores have a *normal copula* if some increasing functions of them are normal together, with a
correlation θ. Ranks do not change under increasing functions. So the distributions of Spearman's ρ
and of Kendall's τ depend on θ and on the number of systems alone, and heavy tails of the scores do
not matter. There is no formula. The distributions are simulated: for each θ of a grid, 10,000 sets
of systems (20,000 of few systems) with fixed seeds. The same number of systems gives the same
distribution everywhere.

ρ and τ of a few systems have few values. Three steps make an interval that covers about as often as
it promises. Orders of the systems with the same ρ or τ are told apart by the correlation of their
normal scores. The interval has all θ under which an order as far out as the observed one is not
rarer than α (Blaker 2000), so it is never empty. And the observed order counts half (mid-p).
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
RankCoefficient = Literal["spearman", "kendall"]
_DRAWS, _DRAWS_OF_FEW, _FEW = 10_000, 20_000, 7
_MOST_SCORES = 400_000
"""Of many systems fewer sets are drawn: at most this many scores per θ, and at least 1,000 sets."""
_STEP, _LAST = 0.1, 6.0
"""The grid has artanh θ from 0 to 6. Negative θ have the mirrored distributions."""
_ROUNDING = 1e-9
_DIGITS = 9
_TIE_BREAK = 1e-4
"""How much the normal scores count: less than any step between two values of ρ or τ."""


def mid_p_interval(
    value: float, first: Floats, second: Floats, coefficient: RankCoefficient, *, alpha: float
) -> tuple[float, float]:
    """The mid-p interval of the population's ρ or τ; `value` is the coefficient of the scores."""
    key = value + _TIE_BREAK * _normal_score_correlation(_ranks(first), _ranks(second))
    accepted = acceptability(round(key, _DIGITS), len(first), coefficient)
    inside = np.flatnonzero(accepted > alpha)
    if not len(inside):
        inside = np.array([int(accepted.argmax())])
    low = _crossing(accepted, int(inside[0]), -1, alpha)
    high = _crossing(accepted, int(inside[-1]), +1, alpha)
    return _population(low, coefficient), _population(high, coefficient)


def acceptability(key: float, systems: int, coefficient: RankCoefficient) -> Floats:
    """For each θ, how often an order is as far out as that of `key`, which itself counts half.

    An order is as far out if its smaller tail is no larger (Blaker 2000).
    """
    drawn = _drawn_keys(systems, coefficient)
    positive = [_as_far_out(key, row) for row in drawn]
    # Under -θ a key is as far out as its negative is under θ.
    negative = [_as_far_out(-key, row) for row in drawn[:0:-1]]
    return np.array(negative + positive)


def _as_far_out(key: float, drawn: Floats) -> float:
    """Blaker's acceptability less half of the chance of the key, by sorted keys."""
    count = len(drawn)
    before = int(np.searchsorted(drawn, key - _ROUNDING, side="left"))
    up_to = int(np.searchsorted(drawn, key + _ROUNDING, side="right"))
    below, above = up_to, count - before
    tail = min(below, above)
    # The other tail is the largest that is no larger. It has whole keys.
    if tail == count:
        other = count
    elif above <= below:
        other = int(np.searchsorted(drawn, drawn[tail] - _ROUNDING, side="left"))
    else:
        inner = drawn[count - tail - 1]
        other = count - int(np.searchsorted(drawn, inner + _ROUNDING, side="right"))
    return min(1.0, (tail + other) / count) - (up_to - before) / (2 * count)


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


@lru_cache(maxsize=8)
def _drawn_keys(systems: int, coefficient: RankCoefficient) -> list[Floats]:
    """For each θ of the grid from 0 on, the keys of drawn sets of systems, in their order."""
    most = _DRAWS_OF_FEW if systems <= _FEW else _DRAWS
    draws = max(1000, min(most, _MOST_SCORES // systems))
    half = _grid()[len(_grid()) // 2 :]
    found = []
    for row, theta in enumerate(np.tanh(half)):
        generator = np.random.default_rng([systems, row])
        first = np.sort(generator.normal(size=(draws, systems)), axis=1)
        noise = generator.normal(size=(draws, systems))
        found.append(np.sort(_keys(theta * first + math.sqrt(1 - theta**2) * noise, coefficient)))
    # The first row is θ = 0, where both directions are the same.
    found[0] = np.sort(np.concatenate([found[0], -found[0]]))
    return found


def _keys(scores: Floats, coefficient: RankCoefficient) -> Floats:
    """ρ or τ, and a little of the correlation of normal scores.

    `scores` [sets, systems] are those of one side, in the order of the other side.
    """
    systems = scores.shape[1]
    order = np.argsort(scores, axis=1)
    if coefficient == "spearman":
        values = 1 - 6 * ((order - np.arange(systems)) ** 2).sum(axis=1) / (systems**3 - systems)
    else:
        values = 2 * _pairs_in_order(scores) / math.comb(systems, 2) - 1
    # An order and its inverse have the same ρ, τ and correlation of normal scores.
    normal = _normal_scores(np.arange(1.0, systems + 1))
    broken = normal[order] @ normal / (normal @ normal)
    return np.asarray(np.round(values + _TIE_BREAK * broken, _DIGITS))


def _pairs_in_order(scores: Floats) -> npt.NDArray[np.int64]:
    """How many pairs of systems are in the right order."""
    right = np.zeros(len(scores), np.int64)
    for apart in range(1, scores.shape[1]):
        right += (scores[:, apart:] > scores[:, :-apart]).sum(axis=1)
    return right


def _normal_scores(ranks: Floats) -> Floats:
    """The normal scores of ranks, with the mean 0."""
    scores = np.array([NormalDist().inv_cdf(rank / (len(ranks) + 1)) for rank in ranks])
    return np.asarray(scores - scores.mean())


def _normal_score_correlation(first: Floats, second: Floats) -> float:
    """Pearson's r of the normal scores of ranks; 0 if all ranks of one side are equal."""
    one, other = _normal_scores(first), _normal_scores(second)
    size = math.sqrt(float((one @ one) * (other @ other)))
    return float(one @ other) / size if size > _ROUNDING else 0.0


def _ranks(scores: Floats) -> Floats:
    """Ranks from 1; equal scores share the mean of their ranks."""
    scores = np.asarray(scores, np.float64)
    smaller = (scores[:, np.newaxis] > scores).sum(axis=1)
    equal = (scores[:, np.newaxis] == scores).sum(axis=1)
    return np.asarray(smaller + (equal + 1) / 2)
