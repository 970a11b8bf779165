"""Reads partitions: lines of text and of JSON from a given byte on, Parquet by row groups."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.line_source import LineSource, RawLines, next_lines
from corrigenda.bulk.parquet_reader import parquet_blocks
from corrigenda.bulk.partitions import Partition, unreadable
from corrigenda.bulk.rows import REFERENCES_AT_ONCE, MaybeText, Reasons, RowBlock, decoded
from corrigenda.bulk.settings import BulkSettings
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.errors import AlignmentError, CorrigendaError, Location
from corrigenda.formats.edited_texts import MOST_REFERENCES, too_many_references
from corrigenda.formats.json_text import JsonError, parsed_object
from corrigenda.kernels.json_rows import json_texts
from corrigenda.text.sentences import LONE_SURROGATE, problem_of

LineBlocks = Iterator[list[RawLines]]
JsonRow = Mapping[str, object]
_LONGEST_PLAIN = 1_000_000
"""Longer lines of JSON are parsed one by one, with all limits."""


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
    first_row = partition.cut.first_row
    for lines in _line_blocks(partition, size):
        yield _packed_block(lines, first_row) or _decoded_block(lines, first_row)
        first_row += len(lines[0])


def _packed_block(lines: Sequence[RawLines], first_row: int) -> RowBlock | None:
    """A block whose texts stay bytes; None if a line is not a valid sentence."""
    packed = [found for each in lines if (found := each.sentences()) is not None]
    if len(packed) < len(lines):
        return None
    sources, hypotheses, *references = packed
    texts = ReferenceTexts(references, len(sources))
    return RowBlock(first_row, sources, hypotheses, texts, is_checked=True)


def _decoded_block(lines: Sequence[RawLines], first_row: int) -> RowBlock:
    """A block of strings: what is wrong with a line is known."""
    rejected: Reasons = {}
    sources, hypotheses, *texts = (_decoded_lines(of_file, rejected) for of_file in lines)
    references = [
        tuple(text for text in of_row if text is not None) for of_row in zip(*texts, strict=True)
    ]
    return RowBlock(
        first_row, sources, hypotheses, references or [()] * len(sources), rejected=rejected
    )


def _decoded_lines(lines: Iterable[bytes], rejected: Reasons) -> list[MaybeText]:
    texts: list[MaybeText] = []
    for place, raw in enumerate(lines):
        text, problem = decoded(raw)
        if problem is not None:
            rejected.setdefault(place, problem)
        texts.append(text)
    return texts


def _json_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    first_row = partition.cut.first_row
    for (lines,) in _line_blocks(partition, size):
        plain = _plain_json_block(lines, columns, first_row)
        if plain is not None:
            yield plain
        else:
            yield from _parsed_json_blocks(lines, columns, first_row)
        first_row += len(lines)


def _plain_json_block(lines: RawLines, columns: Columns, first_row: int) -> RowBlock | None:
    """A block whose texts stay bytes; None if a line is not of the plain kind."""
    found = json_texts(
        lines.data,
        lines.begins,
        lines.ends,
        texts=(columns.source, columns.hypothesis),
        references=columns.references,
        keys=() if columns.key is None else (columns.key,),
        longest=_LONGEST_PLAIN,
        most_references=min(MOST_REFERENCES, REFERENCES_AT_ONCE // len(lines)),
    )
    if found is None:
        return None
    (sources, hypotheses), references, keys = found
    texts = ReferenceTexts(references, len(lines))
    of_rows = list(keys[0]) if keys else None
    return RowBlock(first_row, sources, hypotheses, texts, of_rows, is_checked=True)


def _parsed_json_blocks(lines: RawLines, columns: Columns, first_row: int) -> Iterator[RowBlock]:
    """Blocks of strings: what is wrong with a line is known."""
    block = _GrowingBlock(first_row, columns)
    for raw in lines:
        block.add(raw)
        if block.is_full:
            yield block.made()
            block = _GrowingBlock(block.next_row, columns)
    if block.sources:
        yield block.made()


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
        sources = [
            LineSource(stack.enter_context(storage.opened(file)), file, start)
            for file, start in zip(files, partition.cut.starts, strict=True)
        ]
        left = partition.cut.rows
        while left is None or left > 0:
            block = next_lines(sources, size if left is None else min(size, left))
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
