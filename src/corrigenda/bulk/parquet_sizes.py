"""How many rows of a Parquet file may be unpacked at once, whatever the file holds.

A short file may hold very long rows: pages are compressed, a dictionary holds a text once for
many rows, and so does an encoding by shared beginnings. Arrow unpacks the rows of a batch
together. So the headers of all pages are read first, and the longest text of each dictionary.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import IO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from corrigenda.bulk import parquet_headers
from corrigenda.bulk.parquet_headers import DATA_V2, DICTIONARY, Page
from corrigenda.errors import FormatError, Location
from corrigenda.formats.text import FREE_BYTES, MOST_EXPANSION
from corrigenda.kernels.parquet_pages import RecordLengths, longest_entry, longest_record

MOST_AT_ONCE = 1 << 29
"""Pages and rows that are unpacked at the same time have at most so many bytes."""
_MOST_REPEATED = 1 << 26
"""So many bytes of rows may be repetitions: texts of a dictionary, or shared beginnings."""
_PER_VALUE = 16
"""Bytes of Arrow per value: its levels, its offset or number, whether it is null."""
_CODECS = {"SNAPPY": "snappy", "GZIP": "gzip", "BROTLI": "brotli", "ZSTD": "zstd", "LZ4": "lz4_raw"}
PageSizes = npt.NDArray[np.int64]


@dataclass
class ColumnPages:
    """The pages of one column in some row groups."""

    name: str
    label: str
    """The name of the file."""
    level_bits: int
    """The bits of a repetition level; 0 if the column has no lists."""
    pages: list[tuple[Page, int, str]] = field(default_factory=list)
    """Data pages, the bytes of the longest text in their dictionary, and their codec."""
    dictionary: int = 0
    """The bytes of the largest dictionary."""
    longest: int | None = None
    """The values of the longest row, as far as it is known."""

    def prepare(self) -> None:
        """Make arrays of the sizes of the pages."""
        self._values: PageSizes = np.array([page.values for page, _, _ in self.pages], np.int64)
        self._plain: PageSizes = np.array(
            [0 if page.refers else page.unpacked for page, _, _ in self.pages], np.int64
        )
        per_value = [
            text if page.refers else page.unpacked if page.repeats else 0
            for page, text, _ in self.pages
        ]
        self._per_value = max(per_value, default=0)
        self._largest = max((page.unpacked for page, _, _ in self.pages), default=0)
        if not self.level_bits:
            self.longest = 1

    def bytes_at_once(self, rows: int) -> int:
        """The most bytes that are unpacked while so many rows are read."""
        pages = 2 * self.dictionary + self._largest + self._most_plain(self._values_of(rows))
        return pages + self.repeated_bytes(rows)

    def repeated_bytes(self, rows: int) -> int:
        """The most bytes of so many rows that their pages do not hold."""
        return self._values_of(rows) * (self._per_value + _PER_VALUE)

    def _values_of(self, rows: int) -> int:
        total = int(self._values.sum())
        return total if self.longest is None else min(total, rows * self.longest)

    def _most_plain(self, values: int) -> int:
        """The most bytes of the pages that so many values in a row touch."""
        if not values:
            return 0
        ends = np.cumsum(self._values)
        begins = ends - self._values
        sums = np.append(0, np.cumsum(self._plain))
        last = np.searchsorted(begins, ends - 1 + values, "left")
        return int((sums[last] - sums[:-1]).max(initial=0))

    def count_records(self, file: IO[bytes]) -> None:
        """Find the longest row of a column of lists."""
        lengths = RecordLengths()
        for page, _, codec in self.pages:
            levels = _repetition_levels(file, page, codec)
            lengths = longest_record(levels, self.level_bits, page.values, lengths)
        self.longest = lengths.longest


def rows_at_once(
    file: IO[bytes],
    parquet: pq.ParquetFile,
    groups: Sequence[int],
    names: Collection[str],
    most: int,
    label: str,
) -> int:
    """So many rows may be read at once, at most `most`. Refuses rows that are too large."""
    columns = [
        _column(file, parquet, groups, leaf, label)
        for leaf in range(len(parquet.schema))
        if _is_part(parquet.schema.column(leaf).path, names)
    ]
    rows = _fitting(columns, most)
    if rows < most and any(column.longest is None for column in columns):
        for column in columns:
            if column.longest is None:
                column.count_records(file)
        rows = _fitting(columns, most)
    if not rows:
        largest = max(columns, key=lambda column: column.bytes_at_once(1))
        raise _too_large(largest)
    return rows


def _is_part(path: str, names: Collection[str]) -> bool:
    return any(path == name or path.startswith(f"{name}.") for name in names)


def _fitting(columns: Sequence[ColumnPages], most: int) -> int:
    """So many rows have few repeated bytes, and all bytes together are below the limit."""
    rows = most
    while rows > 1 and sum(column.repeated_bytes(rows) for column in columns) > _MOST_REPEATED:
        rows //= 2
    while rows and sum(column.bytes_at_once(rows) for column in columns) > MOST_AT_ONCE:
        rows //= 2
    return rows


def _column(
    file: IO[bytes], parquet: pq.ParquetFile, groups: Sequence[int], leaf: int, label: str
) -> ColumnPages:
    described = parquet.schema.column(leaf)
    column = ColumnPages(described.path, label, int(described.max_repetition_level).bit_length())
    for group in groups:
        chunk = parquet.metadata.row_group(group).column(leaf)
        _add_pages(column, file, chunk, described.length or 0)
    column.prepare()
    return column


def _add_pages(
    column: ColumnPages, file: IO[bytes], chunk: pq.ColumnChunkMetaData, fixed_length: int
) -> None:
    begin = chunk.data_page_offset
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < begin:
        begin = chunk.dictionary_page_offset
    longest = packed = unpacked = 0
    end = begin + chunk.total_compressed_size
    for page in parquet_headers.pages(file, begin, end, chunk.num_values):
        packed, unpacked = packed + page.packed, unpacked + page.unpacked
        if unpacked > FREE_BYTES and unpacked > MOST_EXPANSION * packed:
            raise _too_much_unpacked(column)
        if page.unpacked > MOST_AT_ONCE:
            raise _too_large(column)
        if page.kind == DICTIONARY:
            column.dictionary = max(column.dictionary, page.unpacked)
            is_text = chunk.physical_type == "BYTE_ARRAY"
            longest = _longest_text(file, page, chunk.compression) if is_text else fixed_length
        elif page.kind != parquet_headers.INDEX:
            column.pages.append((page, longest, chunk.compression))


def _longest_text(file: IO[bytes], page: Page, codec: str) -> int:
    content = _unpacked(file, page, codec)
    if content is None:  # packed in a way that only Arrow can unpack
        return max(0, page.unpacked - 4 * page.values)
    return longest_entry(content)


def _repetition_levels(file: IO[bytes], page: Page, codec: str) -> bytes:
    """The repetition levels of a page; no bytes if they are not known."""
    if page.kind == DATA_V2:
        file.seek(page.at)
        return file.read(min(page.levels, page.packed))
    content = _unpacked(file, page, codec)
    if content is None or page.levels_encoding != parquet_headers.RUNS:
        return b""
    return content[4 : 4 + int.from_bytes(content[:4], "little")]


def _unpacked(file: IO[bytes], page: Page, codec: str) -> bytes | None:
    file.seek(page.at)
    content = file.read(page.packed)
    if codec == "UNCOMPRESSED":
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
