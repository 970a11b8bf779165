"""Parts of the inputs, small enough for one worker at a time: where each begins, and how many rows it has."""

from __future__ import annotations

import codecs
import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import numpy as np

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError, Location
from corrigenda.formats import text

InputFormat = Literal["parquet", "jsonl", "text"]
_CHUNK = 1 << 23
_LINE_END = 10


@dataclass(frozen=True)
class Shard:
    """One input: a file, or for parallel text the files of source, hypothesis and references."""

    format: InputFormat
    label: str
    """What the user calls it."""
    files: tuple[str, ...]
    sizes: tuple[int, ...]
    stamps: tuple[str, ...]
    """When each file was changed, or another tag of its content."""


@dataclass(frozen=True)
class Partition:
    """Consecutive rows of a shard."""

    shard: int
    number: int
    format: InputFormat
    label: str
    files: tuple[str, ...]
    sizes: tuple[int, ...]
    stamps: tuple[str, ...]
    first_row: int
    rows: int | None
    """None: all that follow; a compressed file tells only at its end how many there are."""
    starts: tuple[int, ...] = ()
    """The byte at which the first row begins, in each file."""
    row_groups: tuple[int, int] = (0, 0)
    """From one row group of a Parquet file up to another."""
    key_type: str = ""
    """What a Parquet file has in the column of the key."""

    @property
    def name(self) -> str:
        """What its files are called: in the order of the inputs, whatever becomes of other shards."""
        return f"part-{self.shard:05d}-{self.number:05d}"

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Partition:
        """What `to_dict` gave."""
        lists = ("files", "sizes", "stamps", "starts", "row_groups")
        values: dict[str, Any] = {
            name: tuple(value) if name in lists else value for name, value in data.items()
        }
        return cls(**values)


@dataclass(frozen=True)
class _Cut:
    """Where a partition begins and ends."""

    first_row: int
    rows: int | None
    starts: tuple[int, ...] = ()
    row_groups: tuple[int, int] = (0, 0)
    key_type: str = ""


def cut(shard: Shard, index: int, rows: int, columns: Columns) -> list[Partition]:
    """A shard, the one at an index of the inputs, in partitions of about so many rows."""
    try:
        if shard.format == "parquet":
            from corrigenda.bulk.parquet_reader import row_groups

            cuts = _cut_parquet(rows, *row_groups(shard, columns))
        else:
            cuts = _cut_lines(shard, rows)
        if shard.format == "jsonl" and columns.key is not None:
            _check_key(shard, columns.key)
    except CorrigendaError:
        raise
    except Exception as error:
        raise unreadable(shard.label, error) from error
    return [
        Partition(index, number, *_fields(shard), *_fields(each))
        for number, each in enumerate(cuts)
    ]


def _fields(value: Shard | _Cut) -> list[Any]:
    return [getattr(value, field.name) for field in fields(value)]


def unreadable(name: str, error: Exception) -> FormatError:
    """An input that breaks off, or is not what its name says."""
    reason = " ".join(str(error).split()) or type(error).__name__
    return FormatError(
        f"cannot be read: {reason}",
        at=Location(name),
        remedy="Repair or replace the file and run the same command again; what is done is kept.",
    )


def _cut_parquet(rows: int, groups: list[int], key_type: str) -> list[_Cut]:
    """Whole row groups, until there are rows enough."""
    cuts: list[_Cut] = []
    begin = first_row = pending = 0
    for index, count in enumerate(groups, 1):
        pending += count
        if pending >= rows or (index == len(groups) and pending):
            cuts.append(_Cut(first_row, pending, (), (begin, index), key_type))
            begin, first_row, pending = index, first_row + pending, 0
    return cuts


def _check_key(shard: Shard, key: str) -> None:
    """The first row must have the key: a name that was mistyped is better seen now than in the scores."""
    with storage.opened(shard.files[0]) as file:
        first = file.readline().removeprefix(codecs.BOM_UTF8)
    try:
        row = json.loads(first)
    except ValueError:
        return
    if isinstance(row, dict) and key not in row:
        raise FormatError(
            f"the first row has no {key!r}",
            at=Location(shard.label, 1),
            remedy=f"It has: {', '.join(row)}. --key names one of them.",
        )


def _cut_lines(shard: Shard, rows: int) -> list[_Cut]:
    if any(storage.is_compressed(file) for file in shard.files):
        return [_Cut(0, None, (0,) * len(shard.files))]
    found = [line_starts(file, rows) for file in shard.files]
    try:
        text.check_counts(shard.files, [count for _, count in found])
    except AlignmentError as error:
        raise AlignmentError(error.problem, at=Location(shard.label), remedy=error.remedy) from None
    total = found[0][1]
    return [
        _Cut(place * rows, min(rows, total - place * rows), starts)
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
    # A start at the very end of the file begins no line.
    return [start for place, start in enumerate(starts) if place * every < lines], lines


def _is_only_a_mark(url: str, length: int) -> bool:
    """A file of a byte-order mark alone has no line, as everywhere else."""
    if length != len(codecs.BOM_UTF8):
        return False
    with storage.opened(url) as file:
        return file.read() == codecs.BOM_UTF8
