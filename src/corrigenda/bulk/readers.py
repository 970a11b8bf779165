"""Reads partitions: parallel text and JSON lines from a byte on, Parquet by its row groups."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.parquet_reader import parquet_blocks
from corrigenda.bulk.partitions import Partition, unreadable
from corrigenda.bulk.rows import LINE_END_OR_NUL, RowBlock, decoded, problem_of
from corrigenda.errors import AlignmentError, CorrigendaError, Location

LineBlocks = Iterator[list[list[bytes]]]


def read_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    """The rows of a partition, at most `size` at a time."""
    reader: Callable[[Partition, Columns, int], Iterator[RowBlock]] = {
        "parquet": parquet_blocks,
        "jsonl": _json_blocks,
        "text": _text_blocks,
    }[partition.format]
    blocks = reader(partition, columns, size)
    while True:
        try:
            block = next(blocks, None)
        except CorrigendaError:
            raise
        except Exception as error:
            raise unreadable(partition.label, error) from error
        if block is None:
            return
        block.check()
        yield block


def _text_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    done = 0
    for lines in _line_blocks(partition, size):
        rejected: dict[int, str] = {}
        texts = [_decoded_lines(of_file, rejected) for of_file in lines]
        references = [
            tuple(text for text in of_row if text is not None)
            for of_row in zip(*texts[2:], strict=True)
        ]
        yield RowBlock(
            partition.first_row + done, texts[0], texts[1], references, rejected=rejected
        )
        done += len(texts[0])


def _decoded_lines(lines: Iterable[bytes], rejected: dict[int, str]) -> list[str | None]:
    texts: list[str | None] = []
    for place, raw in enumerate(lines):
        text, problem = decoded(raw)
        if problem is not None:
            rejected.setdefault(place, problem)
        texts.append(text)
    return texts


def _json_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    done = 0
    for (lines,) in _line_blocks(partition, size):
        rejected: dict[int, str] = {}
        rows = [_json_row(raw, place, rejected) for place, raw in enumerate(lines)]
        block = RowBlock(
            partition.first_row + done,
            [_sentence(row, columns.source, place, rejected) for place, row in enumerate(rows)],
            [_sentence(row, columns.hypothesis, place, rejected) for place, row in enumerate(rows)],
            [_references(row, columns, place, rejected) for place, row in enumerate(rows)],
            None
            if columns.key is None
            else [_key(row.get(columns.key), i, rejected) for i, row in enumerate(rows)],
            rejected,
        )
        yield block
        done += len(rows)


def _json_row(raw: bytes, place: int, rejected: dict[int, str]) -> dict[str, Any]:
    text, problem = decoded(raw)
    row: Any = {}
    if text is not None and not text.strip():
        problem = "the line is empty"
    elif text is not None:
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            problem = f"not JSON: {error}"
        else:
            problem = None if isinstance(row, dict) else "the line is no JSON object"
    if problem is not None:
        rejected[place] = problem
        return {}
    mapping: dict[str, Any] = row
    return mapping


def _sentence(row: dict[str, Any], column: str, place: int, rejected: dict[int, str]) -> str | None:
    value = row.get(column)
    if value is None or isinstance(value, str):
        return value
    rejected.setdefault(place, f"{column!r} is not a string")
    return None


def _references(
    row: dict[str, Any], columns: Columns, place: int, rejected: dict[int, str]
) -> tuple[str, ...]:
    """Strings, or lists of strings; null stands for no reference."""
    found: list[str] = []
    for column in columns.references:
        value = row.get(column)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str):
                found.append(each)
            elif each is not None:
                rejected.setdefault(place, f"{column!r} is neither a string nor a list of strings")
    return tuple(found)


def _key(value: Any, place: int, rejected: dict[int, str]) -> str | None:
    if value is None or not isinstance(value, str):
        return None if value is None else json.dumps(value)
    if problem_of(value) not in (None, LINE_END_OR_NUL):
        rejected.setdefault(place, "the key contains half of a character (a lone surrogate)")
        return None
    return value


def _line_blocks(partition: Partition, size: int) -> LineBlocks:
    """The lines of all files side by side, without their ends."""
    with ExitStack() as stack:
        streams = [
            _lines_from(file, start, stack)
            for file, start in zip(partition.files, partition.starts, strict=True)
        ]
        left = partition.rows
        while left is None or left > 0:
            block = [
                list(islice(stream, size if left is None else min(size, left)))
                for stream in streams
            ]
            counts = [len(lines) for lines in block]
            if len(set(counts)) > 1:
                listing = ", ".join(partition.files)
                raise AlignmentError(
                    f"the files do not have the same number of sentences: {listing}",
                    at=Location(partition.label),
                    remedy="Line i of every file must belong to sentence i; an empty output is an empty line.",
                )
            if not counts[0]:
                if left is not None:
                    raise EOFError(
                        f"the file ends {left} rows too early: it changed while it was read"
                    )
                return
            yield block
            left = None if left is None else left - counts[0]


def _lines_from(url: str, start: int, stack: ExitStack) -> Iterator[bytes]:
    file = stack.enter_context(storage.opened(url))
    if start:
        file.seek(start)
    for number, raw in enumerate(file):
        if number == 0 and start == 0 and raw.startswith(codecs.BOM_UTF8):
            raw = raw[len(codecs.BOM_UTF8) :]
            if not raw:
                return
        if raw.endswith(b"\n"):
            raw = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
        yield raw
