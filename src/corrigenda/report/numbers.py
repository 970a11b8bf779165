"""Numbers as the data of a report hold them."""

from __future__ import annotations

import math


def short(value: float | None, decimals: int = 6) -> float | None:
    """A rounded number; None if it is missing, infinite or undefined: JSON cannot hold these."""
    return None if value is None or not math.isfinite(value) else round(float(value), decimals)
