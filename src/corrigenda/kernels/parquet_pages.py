"""What pages of Parquet may unpack to; cpp/parquet_pages.hpp looks at their bytes."""

from __future__ import annotations

from typing import NamedTuple

import corrigenda._kernels as _kernels

_WIDEST = 32


class RecordLengths(NamedTuple):
    """The values of the longest record, and of the last one, which may go on in the next page."""

    longest: int = 0
    open: int = 0


_NOTHING = RecordLengths()


def longest_entry(page: bytes) -> int:
    """The bytes of the longest text of a dictionary page."""
    found: int = _kernels.longest_entry(page)
    return found


def longest_record(
    levels: bytes, width: int, values: int, before: RecordLengths = _NOTHING
) -> RecordLengths:
    """The lengths of the records after one more page, from its repetition levels."""
    if not 1 <= width <= _WIDEST:
        raise ValueError(f"width must be between 1 and {_WIDEST}")
    if values < 0:
        raise ValueError("values must not be negative")
    return RecordLengths(*_kernels.longest_record(levels, width, values, *before))
