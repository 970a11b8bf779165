"""Numbers as files, forms and servers write them."""

from __future__ import annotations

import math
import re

_WHOLE = re.compile("[0-9]{1,18}")
"""Python would also read "1_0", " 1 " and digits of other scripts, and fails above 4,300 digits."""
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
"""There is one way to match a text, so that a long one that does not match takes no longer."""


def is_plain(written: str) -> bool:
    """Whether a number is written without "_" and without digits of other scripts."""
    return written.isascii() and "_" not in written


def whole_number(written: str) -> int | None:
    """The number, or None if these are not 1 to 18 digits from 0 to 9."""
    return int(written) if _WHOLE.fullmatch(written) else None


def decimal(written: str) -> float | None:
    """The number, or None if it is not written in digits from 0 to 9, or no float can hold it."""
    number = float(written) if _DECIMAL.fullmatch(written) else math.nan
    return number if math.isfinite(number) else None
