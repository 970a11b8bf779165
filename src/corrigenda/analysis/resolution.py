"""The defaults of every interval and test, and how many resamples a family of tests needs.

The command line reads this module without numpy.
"""

from __future__ import annotations

import math
from typing import Literal

Correction = Literal["holm", "bh", "none"]
CORRECTIONS: tuple[Correction, ...] = ("bh", "holm", "none")
DEFAULT_RESAMPLES = 1000
DEFAULT_CORRECTION: Correction = "bh"
DEFAULT_CONFIDENCE = 0.95
FINENESS = 20
"""The smallest p-value that resamples can give, times the number of tests, is α / FINENESS."""
_DIGITS = 12


def alpha_of(confidence: float) -> float:
    """1 - confidence as it is written: 0.1 for 0.9, and not 0.09999999999999998."""
    from decimal import Decimal

    return float(1 - Decimal(repr(float(confidence))))


def is_significant(p_value: float, confidence: float) -> bool:
    """Whether a p-value is below α; rounding of the last digits does not decide."""
    return round(float(p_value), _DIGITS) < alpha_of(confidence)


def enough_resamples(
    resamples: int,
    tests: int,
    correction: Correction = DEFAULT_CORRECTION,
    confidence: float = DEFAULT_CONFIDENCE,
) -> int:
    """At least `resamples`, and so many that a correction over the tests can find a difference.

    The smallest p-value of n resamples is 1/(n + 1). A correction may multiply it by the number of
    tests m, so nothing can be significant where m/(n + 1) ≥ α. The rule is n ≥ 20·m/α.
    """
    family = 1 if correction == "none" else max(1, tests)
    return max(resamples, math.ceil(round(FINENESS * family / alpha_of(confidence), 6)))
