"""Reads partitions: lines of text and of JSON from a given byte on, Parquet by row groups."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.parquet_reader import parquet_blocks
from corrigenda.bulk.partitions import Partition, unreadable
from corrigenda.bulk.rows import REFERENCES_AT_ONCE, MaybeText, Reasons, RowBlock, decoded
from corrigenda.bulk.settings import BulkSettings
from corrigenda.errors import AlignmentError, CorrigendaError, Location
from corrigenda.formats.edited_texts import MOST_REFERENCES, too_many_references
from corrigenda.formats.json_text import JsonError, parsed_object
from corrigenda.text.sentences import LONE_SURROGATE, problem_of

LineBlocks = Iterator[list[list[bytes]]]
JsonRow = Mapping[str, object]
_BLOCK_BYTES = 1 << 26
"""A block of rows has at most about so many bytes of each file."""


def read_blocks(partition: Partition, settings: BulkSettings, size: int) -> Iterator[RowBlock]:
    """The rows of a partition, at most `size` at a time, checked."""
    reader: Callable[[Partition, Columns, int], Iterator[RowBlock]] = {
        "parquet": parquet_blocks,
        "jsonl": _json_blocks,
        "text": _text_blocks,
    }[partition.shard.format]
    blocks = reader(partition, settings.columns, size)
    while True:
        try:
            block = next(blocks, None)
        except CorrigendaError:
            raise
        except Exception as error:
            raise unreadable(partition.label, error) from error
        if block is None:
            return
        block.check(settings.reference_metric)
        yield block


def _text_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    done = 0
    for lines in _line_blocks(partition, size):
        rejected: Reasons = {}
        sources, hypotheses, *texts = (_decoded_lines(of_file, rejected) for of_file in lines)
        references = [
            tuple(text for text in of_row if text is not None)
            for of_row in zip(*texts, strict=True)
        ]
        yield RowBlock(
            partition.cut.first_row + done,
            sources,
            hypotheses,
            references or [()] * len(sources),
            rejected=rejected,
        )
        done += len(sources)


def _decoded_lines(lines: Iterable[bytes], rejected: Reasons) -> list[MaybeText]:
    texts: list[MaybeText] = []
    for place, raw in enumerate(lines):
        text, problem = decoded(raw)
        if problem is not None:
            rejected.setdefault(place, problem)
        texts.append(text)
    return texts


def _json_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    done = 0
    for (lines,) in _line_blocks(partition, size):
        block = _GrowingBlock(partition.cut.first_row + done, columns)
        for raw in lines:
            block.add(raw)
            if block.is_full:
                yield block.made()
                block = _GrowingBlock(block.next_row, columns)
        if block.sources:
            yield block.made()
        done += len(lines)


class _GrowingBlock:
    """Rows of JSON. Of a row, only what is needed is kept."""

    def __init__(self, first_row: int, columns: Columns) -> None:
        self._first_row, self._columns = first_row, columns
        self.sources: list[MaybeText] = []
        self._hypotheses: list[MaybeText] = []
        self._references: list[tuple[str, ...]] = []
        self._keys: list[MaybeText] = []
        self._rejected: Reasons = {}
        self._number_of_references = 0

    def add(self, raw: bytes) -> None:
        columns, place, rejected = self._columns, len(self.sources), self._rejected
        row = _json_row(raw, place, rejected)
        self.sources.append(_sentence(row, columns.source, place, rejected))
        self._hypotheses.append(_sentence(row, columns.hypothesis, place, rejected))
        self._references.append(_references(row, columns, place, rejected))
        self._number_of_references += len(self._references[-1])
        if columns.key is not None:
            self._keys.append(_key(row.get(columns.key), place, rejected))

    @property
    def is_full(self) -> bool:
        return self._number_of_references > REFERENCES_AT_ONCE

    @property
    def next_row(self) -> int:
        return self._first_row + len(self.sources)

    def made(self) -> RowBlock:
        return RowBlock(
            self._first_row,
            self.sources,
            self._hypotheses,
            self._references,
            None if self._columns.key is None else self._keys,
            self._rejected,
        )


def _json_row(raw: bytes, place: int, rejected: Reasons) -> JsonRow:
    text, problem = decoded(raw)
    if text is not None:
        row, problem = json_object(text)
        if row is not None:
            return row
    if problem is not None:
        rejected[place] = problem
    return {}


def json_object(text: str) -> tuple[JsonRow | None, str | None]:
    """The object of a line of JSON, or what is wrong with the line."""
    if not text.strip():
        return None, "the line is empty"
    try:
        return parsed_object(text), None
    except JsonError as error:
        return None, str(error)


def _sentence(row: JsonRow, column: str, place: int, rejected: Reasons) -> MaybeText:
    value = row.get(column)
    if value is None or isinstance(value, str):
        return value
    rejected.setdefault(place, f"{column!r} is not a string")
    return None


def _references(row: JsonRow, columns: Columns, place: int, rejected: Reasons) -> tuple[str, ...]:
    """Strings, or lists of strings. Null stands for no reference."""
    found: list[str] = []
    for column in columns.references:
        value = row.get(column)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str):
                found.append(each)
            elif each is not None:
                rejected.setdefault(place, f"{column!r} is neither a string nor a list of strings")
    if len(found) > MOST_REFERENCES:
        rejected.setdefault(place, too_many_references(len(found)))
        return ()
    return tuple(found)


def _key(value: object, place: int, rejected: Reasons) -> MaybeText:
    if not isinstance(value, str):
        return None if value is None else json.dumps(value)
    if problem_of(value) == LONE_SURROGATE:
        rejected.setdefault(place, "the key contains half of a character (a lone surrogate)")
        return None
    return value


def _line_blocks(partition: Partition, size: int) -> LineBlocks:
    """The lines of all files in parallel, without their line ends."""
    files = partition.shard.files
    with ExitStack() as stack:
        streams = [
            _lines_from(file, start, stack)
            for file, start in zip(files, partition.cut.starts, strict=True)
        ]
        left = partition.cut.rows
        while left is None or left > 0:
            wanted = size if left is None else min(size, left)
            block = _next_lines(streams, wanted)
            counts = [len(lines) for lines in block]
            if len(set(counts)) > 1:
                raise AlignmentError(
                    f"the files do not have the same number of sentences: {', '.join(files)}",
                    at=Location(partition.label),
                    remedy="Line i of every file must belong to sentence i; an empty output is an "
                    "empty line.",
                )
            if not counts[0]:
                if left is not None:
                    raise EOFError(
                        f"the file ends {left} rows too early: it changed while it was read"
                    )
                return
            yield block
            left = None if left is None else left - counts[0]


def _next_lines(streams: list[Iterator[bytes]], wanted: int) -> list[list[bytes]]:
    """The next lines of each file: at most `wanted`, and fewer if they are very long."""
    block: list[list[bytes]] = [[] for _ in streams]
    left = _BLOCK_BYTES
    while wanted > 0 and left > 0:
        row = [next(stream, None) for stream in streams]
        for lines, line in zip(block, row, strict=True):
            if line is not None:
                lines.append(line)
                left -= len(line)
        if None in row:
            break
        wanted -= 1
    return block


def _lines_from(url: str, start: int, stack: ExitStack) -> Iterator[bytes]:
    file = stack.enter_context(storage.opened(url))
    if start:
        file.seek(start)
    for number, raw in enumerate(storage.bounded_lines(file, url)):
        if number == 0 and start == 0 and raw.startswith(codecs.BOM_UTF8):
            raw = raw[len(codecs.BOM_UTF8) :]
            if not raw:
                return
        if raw.endswith(b"\n"):
            raw = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
        yield raw
