"""Student's t distribution, without scipy: the core of the package has numpy alone."""

from __future__ import annotations

import math
from functools import lru_cache

_PRECISION = 1e-15
_MOST_STEPS = 10_000
_TINY = 1e-300


def two_sided_p(t: float, freedom: float) -> float:
    """How often |T| is at least |t|."""
    if math.isnan(t):
        return float("nan")
    if math.isinf(t):
        return 0.0
    whole = freedom + t * t
    return _incomplete_beta(freedom / 2, 0.5, freedom / whole, t * t / whole)


@lru_cache
def t_limit(alpha: float, freedom: float) -> float:
    """The t whose two-sided p-value is `alpha`."""
    low, high = 0.0, 1.0
    while two_sided_p(high, freedom) > alpha:
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if two_sided_p(middle, freedom) > alpha else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function at x = 1 − rest, by its continued fraction."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        # The fraction converges fast on the other side only.
        return 1 - _incomplete_beta(b, a, rest, x)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(scale + a * math.log(x) + b * math.log(rest)) / a
    return front * _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction 1 / (1 + d₁ / (1 + d₂ / …)), by the method of Lentz."""
    value, above, below = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        half = step // 2
        term = -(a + half) * (a + b + half) if step % 2 else half * (b - half)
        term *= x / ((a + step - 1) * (a + step))
        below = 1 / _not_zero(1 + term * below)
        above = _not_zero(1 + term / above)
        value *= above * below
        if abs(above * below - 1) < _PRECISION:
            break
    return 1 / value


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
