"""Whole numbers as files, forms and servers write them."""

from __future__ import annotations

import re

_WHOLE = re.compile("[0-9]{1,18}")
"""Python would also read "1_0", " 1 " and digits of other scripts, and fails above 4,300 digits."""


def whole_number(written: str) -> int | None:
    """The number, or None if these are not 1 to 18 digits from 0 to 9."""
    return int(written) if _WHOLE.fullmatch(written) else None
