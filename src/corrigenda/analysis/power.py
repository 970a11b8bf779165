"""How large a difference can be found, and how many sentences or judgments it takes.

The spread of a difference falls with the square root of the number of sentences. So one bootstrap
of the sentences at hand says what more sentences of the same kind would do. A difference is found
with the wanted power if it is as large as the sum of two normal quantiles times its spread.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from corrigenda.analysis.resolution import DEFAULT_CONFIDENCE, alpha_of

WANTED_POWER = 0.8
_ROUNDING = 1e-12
"""A spread up to this part of the difference comes from rounding."""


@dataclass(frozen=True)
class Power:
    """What a two-sided test can find with `units` sentences, and how many it would take.

    Where the resamples do not differ at all, the spread is not known, and nothing follows from it.
    """

    difference: float
    spread: float
    """The standard error of the difference."""
    units: int
    power: float | None
    """The chance to find a true difference of this size with this many units."""
    smallest_difference: float | None
    """The difference that would be found with the wanted power."""
    needed: int | None
    """How many units find a true difference of this size with the wanted power; None if it is 0."""

    @property
    def more(self) -> int | None:
        """How many units are missing."""
        return None if self.needed is None else max(0, self.needed - self.units)


def power_of(
    difference: float,
    spread: float,
    units: int,
    *,
    confidence: float = DEFAULT_CONFIDENCE,
    power: float = WANTED_POWER,
) -> Power:
    """The power of a test of a difference with this standard error over this many units."""
    normal = NormalDist()
    limit = normal.inv_cdf(1 - alpha_of(confidence) / 2)
    reach = limit + normal.inv_cdf(power)
    size = abs(difference)
    if spread <= _ROUNDING * size:
        return Power(difference, spread, units, None, None, None)
    steps = size / spread
    found = normal.cdf(steps - limit) + normal.cdf(-steps - limit)
    needed = math.ceil(units * (reach / steps) ** 2) if size else None
    return Power(difference, spread, units, found, reach * spread, needed)
