"""Intervals of correlations over systems, and over systems and sentences (ADR 87).

Over systems:

- **r**: the jackknife of Fisher's z with Student's t. Fisher's own interval assumes normal scores.
- **ρ and τ** of up to 19 systems, which have few values: a mid-p interval of the order of the
  systems.
- **ρ and τ** of 20 systems and more: the jackknife, of z for ρ and of τ itself.

Over systems and sentences: the interval over systems, made wider by what sentences do to all
systems at once. What sentences do to single systems is in the interval over systems already.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.resolution import alpha_of
from corrigenda.analysis.student import t_limit
from corrigenda.core.statistics import Array
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient, without_one
from corrigenda.meta.rank_correlations import mid_p_interval

Floats = npt.NDArray[np.float64]
CorrelationIntervalMethod = Literal[
    "jackknife", "mid-p", "fisher", "none", "boot-both", "boot-input"
]
FEWEST_FOR_JACKKNIFE: dict[Coefficient, int] = {"pearson": 5, "spearman": 20, "kendall": 20}
_MIXING_SEED = 2
"""Draws that each system has alone come from a stream of random numbers of their own."""


@dataclass(frozen=True)
class CorrelationInterval:
    """The bounds, and how they were made."""

    low: float
    high: float
    method: CorrelationIntervalMethod
    """`none`: so few systems, or so equal ones, that nothing between -1 and 1 is excluded."""
    shared_sentences: bool = False
    """Whether the bounds have what sentences do to all systems at once."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Low and high."""
        return self.low, self.high

    @property
    def described(self) -> str:
        """The method in one word, for outputs."""
        return f"{self.method}+sentences" if self.shared_sentences else self.method


def interval_over_systems(
    scores: Array, human: Array, coefficient: Coefficient, *, confidence: float = 0.95
) -> CorrelationInterval:
    """The interval of a correlation if other systems of the same kind were judged."""
    value, systems = float(COEFFICIENTS[coefficient](scores, human)), len(human)
    if math.isnan(value):
        return CorrelationInterval(math.nan, math.nan, "none")
    if coefficient != "pearson" and (
        systems < FEWEST_FOR_JACKKNIFE[coefficient] or abs(value) > 1 - _step(coefficient, systems)
    ):
        bounds = mid_p_interval(value, scores, human, coefficient, alpha=alpha_of(confidence))
        return _holding(value, *bounds, "mid-p")
    if systems < FEWEST_FOR_JACKKNIFE[coefficient]:
        low, high = fisher_interval(value, systems, coefficient, confidence=confidence)
        return CorrelationInterval(low, high, "fisher" if systems > 3 else "none")
    if abs(value) >= 1:
        return CorrelationInterval(value, value, "jackknife")
    return _jackknife(value, scores, human, coefficient, confidence)


def _holding(
    value: float, low: float, high: float, method: CorrelationIntervalMethod
) -> CorrelationInterval:
    return CorrelationInterval(min(low, value), max(high, value), method)


def _step(coefficient: Coefficient, systems: int) -> float:
    """Half of the distance of the possible values next to 1."""
    return {
        "pearson": 0.0,
        "spearman": 6 / (systems * (systems**2 - 1)),
        "kendall": 2 / (systems * (systems - 1)),
    }[coefficient]


def _jackknife(
    value: float, scores: Array, human: Array, coefficient: Coefficient, confidence: float
) -> CorrelationInterval:
    """The jackknife with Student's t; on the scale of z, except for τ."""
    systems = len(human)
    others = without_one(scores, human, coefficient)
    if np.isnan(others).any():
        return CorrelationInterval(-1.0, 1.0, "none")
    with np.errstate(divide="ignore"):
        scaled = others if coefficient == "kendall" else np.arctanh(others)
    if np.isinf(scaled).any():
        return CorrelationInterval(-1.0, 1.0, "none")
    # The jackknife estimates (n - 1)/n of the variance that n - 1 systems have (Efron and Stein
    # 1981). The variance of z is about 1/(n - 3).
    known = systems * (systems - 4) / ((systems - 1) * (systems - 3))
    variance = known * (systems - 1) * float(scaled.var())
    reach = t_limit(alpha_of(confidence), systems - 1) * math.sqrt(variance)
    if coefficient == "kendall":
        return _holding(value, max(-1.0, value - reach), min(1.0, value + reach), "jackknife")
    z = math.atanh(value)
    return _holding(value, math.tanh(z - reach), math.tanh(z + reach), "jackknife")


def fisher_interval(
    value: float, systems: int, coefficient: Coefficient, *, confidence: float = 0.95
) -> tuple[float, float]:
    """The interval over systems by Fisher's z, for normal scores.

    The standard error of z is that of Fisher for r, of Bonett and Wright (2000) for ρ, and of
    Fieller et al. (1957) for τ. A perfect ρ or τ has an infinite z; it stands for the values that
    are nearer to 1 than to the next possible value, so its interval has a width.
    """
    if math.isnan(value):
        return float("nan"), float("nan")
    freedom = systems - (4 if coefficient == "kendall" else 3)
    if freedom <= 0:
        return -1.0, 1.0
    step = _step(coefficient, systems)
    inside = min(max(value, -1 + step), 1 - step)
    if abs(inside) >= 1:
        return value, value
    spread = {"pearson": 1.0, "spearman": 1 + inside**2 / 2, "kendall": 0.437}[coefficient]
    reach = NormalDist().inv_cdf(1 - alpha_of(confidence) / 2) * math.sqrt(spread / freedom)
    low, high = math.tanh(math.atanh(inside) - reach), math.tanh(math.atanh(inside) + reach)
    return min(low, value), max(high, value)


def interval_over_both(
    scores: Array,
    human: Array,
    resampled: tuple[Floats, Floats],
    coefficient: Coefficient,
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> CorrelationInterval:
    """The interval if other systems were judged on other sentences.

    `resampled` has the scores of the metric and of people [resamples, systems] on drawn sentences.
    The two sources of error are independent, so the squares of their reaches add up on the scale of
    z (Zou and Donner 2008).
    """
    over_systems = interval_over_systems(scores, human, coefficient, confidence=confidence)
    shared = shared_variance(*resampled, coefficient, seed=seed)
    value = float(COEFFICIENTS[coefficient](scores, human))
    if over_systems.method == "none" or math.isnan(shared):
        return over_systems
    more = NormalDist().inv_cdf(1 - alpha_of(confidence) / 2) ** 2 * shared
    systems = len(human)
    z = float(_bounded_z(np.array(value), coefficient, systems))
    low, high = (
        math.tanh(z + sign * math.sqrt((z - _artanh(bound)) ** 2 + more))
        for sign, bound in ((-1, over_systems.low), (1, over_systems.high))
    )
    return CorrelationInterval(
        min(low, over_systems.low), max(high, over_systems.high), over_systems.method, True
    )


def shared_variance(
    metric: Floats, human: Floats, coefficient: Coefficient, *, seed: int = 0
) -> float:
    """The variance of z from what sentences do to all systems at once.

    It is the variance over draws that all systems share, minus the variance over draws that each
    system has alone. What a sentence adds to all systems alike changes no correlation: it is taken
    away before the draws are mixed.
    """
    draws, systems = metric.shape
    if draws < 2 or systems < 2:
        return 0.0
    generator = np.random.default_rng([seed, _MIXING_SEED])
    places = np.argsort(generator.random((draws, systems)), axis=0)
    alone = [_mixed(values, places) for values in (metric, human)]
    together = _variance(metric, human, coefficient)
    return max(0.0, together - _variance(alone[0], alone[1], coefficient))


def _mixed(values: Floats, places: npt.NDArray[np.int64]) -> Floats:
    """Each system's scores from draws of its own, with the spread that they have alone."""
    systems = values.shape[1]
    values = values - values.mean(axis=1, keepdims=True)
    centre = values.mean(axis=0)
    # Taking the mean of all systems away takes 1/n of the spread away.
    larger = math.sqrt(systems / (systems - 1))
    return np.asarray(centre + larger * (np.take_along_axis(values, places, axis=0) - centre))


def _variance(metric: Floats, human: Floats, coefficient: Coefficient) -> float:
    values = COEFFICIENTS[coefficient](metric, human)
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan
    return float(_bounded_z(values, coefficient, metric.shape[1]).var())


def _bounded_z(values: Floats, coefficient: Coefficient, systems: int) -> Floats:
    """Fisher's z; a perfect correlation stands for values that are nearly perfect."""
    limit = 1 - max(_step(coefficient, systems), 1e-9)
    return np.asarray(np.arctanh(np.clip(values, -limit, limit)))


def _artanh(value: float) -> float:
    return math.copysign(math.inf, value) if abs(value) >= 1 else math.atanh(value)
