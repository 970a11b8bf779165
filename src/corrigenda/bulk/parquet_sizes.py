"""How many rows of a Parquet file may be unpacked at once, whatever the file holds.

A short file may hold very long rows: pages are compressed, a dictionary holds a text once for
many rows, and so does an encoding by shared beginnings. Arrow unpacks the rows of a batch
together. So the headers of all pages are read first, and the longest text of each dictionary.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from corrigenda.bulk import parquet_headers
from corrigenda.bulk.parquet_headers import DATA, DATA_V2, DICTIONARY, Page
from corrigenda.bulk.storage import READ_ONCE
from corrigenda.errors import FormatError, Location
from corrigenda.formats.packed import FREE_BYTES, MOST_EXPANSION
from corrigenda.kernels.parquet_pages import (
    FooterColumns,
    RecordLengths,
    longest_entry,
    longest_record,
)

MOST_AT_ONCE = 1 << 29
"""Pages and rows that are unpacked at the same time have at most this many bytes."""
_MOST_REPEATED = 1 << 26
"""This many bytes of rows may be repetitions: texts of a dictionary, or shared beginnings."""
_PORTION_BYTES = READ_ONCE // 2
_PER_VALUE = 16
"""Bytes of Arrow per value: its levels, its offset or number, whether it is null."""
_NOT_PACKED = 0
_CODECS = {1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}
_TEXT = 6
"""Numbers of Parquet: of ways to pack pages, and of the type of texts."""
PageSizes = npt.NDArray[np.int64]


class _Chunk(NamedTuple):
    """The pages of a column in one row group: where they are, and how they are packed."""

    begin: int
    end: int
    values: int
    codec: int
    is_text: bool
    """Whether its values have their own lengths."""

    @property
    def packed(self) -> int:
        return self.end - self.begin

    def pages(self, file: IO[bytes]) -> Iterator[Page]:
        return parquet_headers.pages(file, self.begin, self.end, self.values)


@dataclass
class ColumnPages:
    """The sizes of the pages of one column in some row groups."""

    name: str
    label: str
    """The name of the file."""
    level_bits: int
    """The bits of a repetition level; 0 if the column has no lists."""
    chunks: list[_Chunk] = field(default_factory=list)
    values: array[int] = field(default_factory=lambda: array("q"))
    """The values of each data page."""
    plain: array[int] = field(default_factory=lambda: array("q"))
    """The bytes of each data page that holds its texts itself."""
    dictionary: int = 0
    """The bytes of the largest dictionary."""
    largest: int = 0
    """The bytes of the largest data page."""
    per_value: int = 0
    """The most bytes of a value that its page does not hold."""
    longest: int | None = None
    """The values of the longest row, as far as it is known."""

    def add(self, page: Page, text: int) -> None:
        """Add a data page; `text` is the longest text of its dictionary."""
        self.values.append(page.values)
        self.plain.append(0 if page.refers else page.unpacked)
        self.largest = max(self.largest, page.unpacked)
        repeated = text if page.refers else page.unpacked if page.repeats else 0
        self.per_value = max(self.per_value, repeated)

    def prepare(self) -> None:
        """Make sums of the sizes of the pages."""
        values: PageSizes = np.array(self.values, np.int64)
        self._ends = np.cumsum(values)
        self._begins = self._ends - values
        self._plain_sums = np.append(0, np.cumsum(np.array(self.plain, np.int64)))
        self._total = int(values.sum())
        if not self.level_bits:
            self.longest = 1

    def bytes_at_once(self, rows: int) -> int:
        """The most bytes that are unpacked while this many rows are read."""
        pages = 2 * self.dictionary + self.largest + self._most_plain(self._values_of(rows))
        return pages + self.repeated_bytes(rows)

    def repeated_bytes(self, rows: int) -> int:
        """The most bytes of this many rows that their pages do not hold."""
        return self._values_of(rows) * (self.per_value + _PER_VALUE)

    def _values_of(self, rows: int) -> int:
        return self._total if self.longest is None else min(self._total, rows * self.longest)

    def _most_plain(self, values: int) -> int:
        """The most bytes of the pages that this many values in a row touch."""
        if not values:
            return 0
        last = np.searchsorted(self._begins, self._ends - 1 + values, "left")
        return int((self._plain_sums[last] - self._plain_sums[:-1]).max(initial=0))

    def count_records(self, file: IO[bytes]) -> None:
        """Find the longest row of a column of lists."""
        lengths = RecordLengths()
        for chunk in self.chunks:
            for page in chunk.pages(file):
                if page.kind in (DATA, DATA_V2):
                    levels = _repetition_levels(file, page, chunk.codec)
                    lengths = longest_record(levels, self.level_bits, page.values, lengths)
        self.longest = lengths.longest


@dataclass(frozen=True)
class Measuring:
    """Measures columns of an open file."""

    file: IO[bytes]
    parquet: pq.ParquetFile
    footer: FooterColumns
    names: Collection[str]
    """The columns that will be read."""
    label: str
    """The name of the file."""

    def __post_init__(self) -> None:
        columns = len(self.parquet.schema)
        if (np.diff(self.footer.offsets) != columns).any():
            raise ValueError("a row group does not have all columns")

    def portions(self, groups: Sequence[int]) -> Iterator[list[int]]:
        """Neighbours of the row groups whose pages are measured and then read together.

        Pages that were measured are still known when they are read, also in a file at a URL.
        """
        portion: list[int] = []
        total = 0
        for group in groups:
            size = sum(self._chunk(group, leaf).packed for leaf in self._leaves)
            if portion and total + size > _PORTION_BYTES:
                yield portion
                portion, total = [], 0
            portion.append(group)
            total += size
        if portion:
            yield portion

    def rows_at_once(self, groups: Sequence[int], most: int) -> int:
        """This many rows may be read at once, at most `most`. Refuses rows that are too large."""
        columns = [self._column(groups, leaf) for leaf in self._leaves]
        rows = _fitting(columns, most)
        if rows < most and any(column.longest is None for column in columns):
            for column in columns:
                if column.longest is None:
                    column.count_records(self.file)
            rows = _fitting(columns, most)
        if not rows:
            largest = max(columns, key=lambda column: column.bytes_at_once(1))
            raise _too_large(largest)
        return rows

    @cached_property
    def _leaves(self) -> list[int]:
        """The places of the columns, or of their parts, in a row group."""
        return [
            leaf
            for leaf in range(len(self.parquet.schema))
            if _is_part(self.parquet.schema.column(leaf).path, self.names)
        ]

    def _chunk(self, group: int, leaf: int) -> _Chunk:
        numbers = self.footer.numbers[self.footer.offsets[group] + leaf].tolist()
        kind, codec, values, packed, begin, dictionary = numbers
        if min(kind, codec, values, packed, begin) < 0:
            raise ValueError("the footer does not describe a column")
        if 0 < dictionary < begin:
            begin = dictionary
        return _Chunk(begin, begin + packed, values, codec, kind == _TEXT)

    def _column(self, groups: Sequence[int], leaf: int) -> ColumnPages:
        described = self.parquet.schema.column(leaf)
        bits = int(described.max_repetition_level).bit_length()
        column = ColumnPages(described.path, self.label, bits)
        for group in groups:
            _add_pages(column, self.file, self._chunk(group, leaf), described.length or 0)
        column.prepare()
        return column


def _is_part(path: str, names: Collection[str]) -> bool:
    return any(path == name or path.startswith(f"{name}.") for name in names)


def _fitting(columns: Sequence[ColumnPages], most: int) -> int:
    """This many rows have few repeated bytes, and all bytes together are below the limit."""
    rows = most
    while rows > 1 and sum(column.repeated_bytes(rows) for column in columns) > _MOST_REPEATED:
        rows //= 2
    while rows and sum(column.bytes_at_once(rows) for column in columns) > MOST_AT_ONCE:
        rows //= 2
    return rows


def _add_pages(column: ColumnPages, file: IO[bytes], chunk: _Chunk, fixed_length: int) -> None:
    longest = packed = unpacked = 0
    column.chunks.append(chunk)
    for page in chunk.pages(file):
        packed, unpacked = packed + page.packed, unpacked + page.unpacked
        if unpacked > FREE_BYTES and unpacked > MOST_EXPANSION * packed:
            raise _too_much_unpacked(column)
        if page.unpacked > MOST_AT_ONCE:
            raise _too_large(column)
        if page.kind == DICTIONARY:
            column.dictionary = max(column.dictionary, page.unpacked)
            longest = _longest_text(file, page, chunk.codec) if chunk.is_text else fixed_length
        elif page.kind != parquet_headers.INDEX:
            column.add(page, longest)


def _longest_text(file: IO[bytes], page: Page, codec: int) -> int:
    content = _unpacked(file, page, codec)
    if content is None:  # packed in a way that only Arrow can unpack
        return max(0, page.unpacked - 4 * page.values)
    return longest_entry(content)


def _repetition_levels(file: IO[bytes], page: Page, codec: int) -> bytes:
    """The repetition levels of a page; no bytes if they are not known."""
    if page.kind == DATA_V2:
        file.seek(page.at)
        return file.read(min(page.levels, page.packed))
    content = _unpacked(file, page, codec)
    if content is None or page.levels_encoding != parquet_headers.RUNS:
        return b""
    return content[4 : 4 + int.from_bytes(content[:4], "little")]


def _unpacked(file: IO[bytes], page: Page, codec: int) -> bytes | None:
    file.seek(page.at)
    content = file.read(page.packed)
    if codec == _NOT_PACKED:
        return content
    try:
        found: bytes = pa.Codec(_CODECS[codec]).decompress(content, page.unpacked, asbytes=True)
    except (KeyError, pa.ArrowException, OSError):
        return None
    return found


def _too_much_unpacked(column: ColumnPages) -> FormatError:
    return FormatError(
        f"the column {column.name!r} becomes more than {MOST_EXPANSION} times as large when it is "
        "unpacked",
        at=Location(column.label),
        remedy="Write the file again without compression if you trust it.",
    )


def _too_large(column: ColumnPages) -> FormatError:
    return FormatError(
        f"a row or a page of the column {column.name!r} may become more than "
        f"{MOST_AT_ONCE >> 20} MB when it is unpacked",
        at=Location(column.label),
        remedy="Give one sentence per row, and write the file with pages of about 1 MB.",
    )
