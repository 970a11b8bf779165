"""What pages and footers of Parquet hold; cpp/parquet_pages.hpp and parquet_footer.hpp look."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

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


class FooterColumns(NamedTuple):
    """The columns that the footer of a Parquet file describes."""

    is_damaged: bool
    is_encrypted: bool
    """Whether the description of a column is encrypted."""
    numbers: npt.NDArray[np.int64]
    """Per column in a row group: its physical type, its codec, its values, the bytes of its pages,
    where they begin, and where its dictionary begins; -1 if there is none."""
    offsets: npt.NDArray[np.int64]
    """Where the columns of each row group begin."""


def footer_columns(footer: bytes) -> FooterColumns:
    """The columns of a footer, as far as it can be read."""
    is_damaged, is_encrypted, numbers, offsets = _kernels.footer_columns(footer)
    return FooterColumns(is_damaged, is_encrypted, numbers.reshape(-1, 6), offsets)
