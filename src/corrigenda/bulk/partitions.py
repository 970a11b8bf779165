"""Parts of the inputs, small enough for one worker at a time."""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError, Location
from corrigenda.formats import text
from corrigenda.formats.json_text import JsonError, parsed_object

InputFormat = Literal["parquet", "jsonl", "text"]
_CHUNK = 1 << 23
_LINE_END = 10
_BYTES_OF_FIRST_ROWS = 1 << 20
"""How much is read to see whether a name is mistyped."""


class PlainShard(TypedDict):
    """A shard as JSON has it."""

    format: InputFormat
    label: str
    files: list[str]
    sizes: list[int]
    stamps: list[str]


class PlainCut(TypedDict):
    """A cut as JSON has it."""

    first_row: int
    rows: int | None
    starts: list[int]
    row_groups: list[int]
    key_type: str


class PlainPartition(TypedDict):
    """A partition as JSON has it."""

    place: int
    number: int
    shard: PlainShard
    cut: PlainCut


@dataclass(frozen=True)
class Shard:
    """One input: a file, or the files of parallel text (source, hypothesis, references)."""

    format: InputFormat
    label: str
    """The name that the user gave."""
    files: tuple[str, ...]
    sizes: tuple[int, ...]
    stamps: tuple[str, ...]
    """The time of change of each file, or another tag of its content."""

    @classmethod
    def from_plain(cls, data: PlainShard) -> Shard:
        """The shard that JSON holds."""
        return cls(
            data["format"],
            data["label"],
            tuple(data["files"]),
            tuple(data["sizes"]),
            tuple(data["stamps"]),
        )


@dataclass(frozen=True)
class Cut:
    """Where a partition begins and ends in its shard."""

    first_row: int
    rows: int | None
    """None: all rows that follow. The number is unknown before a compressed file is read."""
    starts: tuple[int, ...] = ()
    """The byte at which the first row begins, in each file."""
    row_groups: tuple[int, int] = (0, 0)
    """The first row group of a Parquet file, and the one after the last."""
    key_type: str = ""
    """The type of the key's column in a Parquet file."""

    @classmethod
    def from_plain(cls, data: PlainCut) -> Cut:
        """The cut that JSON holds."""
        begin, end = data["row_groups"]
        starts = tuple(data["starts"])
        return cls(data["first_row"], data["rows"], starts, (begin, end), data["key_type"])


@dataclass(frozen=True)
class Partition:
    """Consecutive rows of a shard."""

    place: int
    """The place of the shard among the inputs."""
    number: int
    """The number of the partition in its shard."""
    shard: Shard
    cut: Cut

    @property
    def name(self) -> str:
        """The name of its files. It sorts in the order of the inputs, and never changes."""
        return f"part-{self.place:05d}-{self.number:05d}"

    @property
    def label(self) -> str:
        """The name that the user gave to the shard."""
        return self.shard.label

    @classmethod
    def from_plain(cls, data: PlainPartition) -> Partition:
        """The partition that JSON holds."""
        shard, cut = Shard.from_plain(data["shard"]), Cut.from_plain(data["cut"])
        return cls(data["place"], data["number"], shard, cut)


def cuts_of(shard: Shard, rows: int, columns: Columns, reference_metric: str | None) -> list[Cut]:
    """Cut a shard into partitions of about `rows` rows.

    `reference_metric` names a metric that needs references; None if no metric needs them.
    """
    try:
        if shard.format == "parquet":
            from corrigenda.bulk.parquet_reader import row_groups

            return _cut_parquet(rows, *row_groups(shard, columns, reference_metric))
        if shard.format == "jsonl":
            _check_names(shard, columns)
        if shard.format == "text" and reference_metric is not None and len(shard.files) == 2:
            raise FormatError(
                f"there is no file of references, but {reference_metric} needs references",
                at=Location(shard.label),
                remedy="Add the file and run the same command again; finished work is kept.",
            )
        return _cut_lines(shard, rows)
    except CorrigendaError:
        raise
    except Exception as error:
        raise unreadable(shard.label, error) from error


def unreadable(name: str, error: Exception) -> FormatError:
    """The error for an input that ends too early, or whose content does not fit its name."""
    reason = " ".join(str(error).split()) or type(error).__name__
    return FormatError(
        f"cannot be read: {reason}",
        at=Location(name),
        remedy="Repair or replace the file and run the same command again; finished work is kept.",
    )


def _cut_parquet(rows: int, groups: list[int], key_type: str) -> list[Cut]:
    """Whole row groups, until there are enough rows."""
    cuts: list[Cut] = []
    begin = first_row = pending = 0
    for index, count in enumerate(groups, 1):
        pending += count
        if pending >= rows or (index == len(groups) and pending):
            cuts.append(Cut(first_row, pending, (), (begin, index), key_type))
            begin, first_row, pending = index, first_row + pending, 0
    return cuts


def _check_names(shard: Shard, columns: Columns) -> None:
    """Refuse names that no row has, so that a mistyped one is found at once.

    The first row must have the key. One of the first rows must have each column of references that
    was named: others may have fewer.
    """
    missing = set() if columns.may_lack_references else set(columns.references)
    if columns.key is None and not missing:
        return
    number = 0
    for number, row in _first_rows(shard):
        if number == 1 and columns.key is not None and columns.key not in row:
            raise FormatError(
                f"the first row has no {columns.key!r}",
                at=Location(shard.label, 1),
                remedy=f"Its columns: {', '.join(row)}. Name one of them with --key.",
            )
        missing -= row.keys()
        if not missing:
            return
    if number and missing:
        raise FormatError(
            f"the first rows have no {min(missing)!r}",
            at=Location(shard.label, 1),
            remedy="Name columns of references that exist: --columns references=NAME+NAME. "
            "Write null where a row has no such reference.",
        )


def _first_rows(shard: Shard) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Some rows with their lines. A row that cannot be read is left out: it is rejected later."""
    left = _BYTES_OF_FIRST_ROWS
    with storage.opened(shard.files[0]) as file:
        for number, line in enumerate(text.bounded_lines(file, shard.files[0]), 1):
            with contextlib.suppress(JsonError, UnicodeDecodeError):
                yield number, parsed_object(line.removeprefix(codecs.BOM_UTF8).decode())
            left -= len(line)
            if left < 0:
                return


def _cut_lines(shard: Shard, rows: int) -> list[Cut]:
    if any(storage.is_packed(file) for file in shard.files):
        return [Cut(0, None, (0,) * len(shard.files))]
    found = [line_starts(file, rows) for file in shard.files]
    try:
        text.check_counts(shard.files, [count for _, count in found])
    except AlignmentError as error:
        raise AlignmentError(error.problem, at=Location(shard.label), remedy=error.remedy) from None
    total = found[0][1]
    return [
        Cut(place * rows, min(rows, total - place * rows), starts)
        for place, starts in enumerate(zip(*(starts for starts, _ in found), strict=True))
    ]


def line_starts(url: str, every: int) -> tuple[list[int], int]:
    """The bytes at which line 0, `every`, 2·`every`, … begin, and the number of lines."""
    starts = [0]
    lines = position = 0
    last = b""
    with storage.opened(url) as file:
        while chunk := file.read(_CHUNK):
            here = chunk.count(b"\n")
            wanted = range(len(starts) * every - lines, here + 1, every)
            if wanted:
                ends = np.flatnonzero(np.frombuffer(chunk, np.uint8) == _LINE_END)
                starts += [position + int(ends[number - 1]) + 1 for number in wanted]
            lines += here
            position += len(chunk)
            last = chunk[-1:]
    if last and last != b"\n":
        lines += 1
    if _is_only_a_mark(url, position):
        lines = 0
    # No line begins at the very end of the file.
    return [start for place, start in enumerate(starts) if place * every < lines], lines


def _is_only_a_mark(url: str, length: int) -> bool:
    """Whether a file is only a byte-order mark. Such a file has no lines."""
    if length != len(codecs.BOM_UTF8):
        return False
    with storage.opened(url) as file:
        return file.read() == codecs.BOM_UTF8
