"""A sidecar: JSON lines with one object of facts per sentence; each key is a column.

{"level": "B1", "topics": ["travel", "food"]}
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TypeGuard

from corrigenda.errors import AlignmentError, FormatError, Location, brief
from corrigenda.formats import input_file, text
from corrigenda.formats.json_text import object_of_line
from corrigenda.text.sentences import Path

SidecarValue = str | int | float | bool | None
SidecarCell = SidecarValue | list[SidecarValue]
"""What a column holds for one sentence."""

_CORPUS_COLUMNS = ("source", "references", "annotators", "hypotheses", "edits")
_FREE_CELLS = 10_000_000
_MOST_EMPTY = 20
"""How many times more cells than values the table of all columns may have, above `_FREE_CELLS`."""
_SHAPE = '{"level": "B1", "topics": ["travel", "food"]}'


def read_sidecar(path: Path, sentences: int) -> dict[str, list[SidecarCell]]:
    """The columns of a sidecar of `sentences` lines; a missing value is None.

    The JSON lines of the corpus itself may be the sidecar; the columns of the corpus are left out.
    """
    name = input_file.shown(path)
    with ExitStack() as stack:
        stream = text.lines(input_file.open_binary(path, stack), name)
        rows = [_parsed(line, Location(name, number)) for number, line in enumerate(stream, 1)]
    if len(rows) != sentences:
        raise AlignmentError(
            f"it has {len(rows)} lines, but the corpus has {sentences} sentences",
            at=Location(name),
            remedy="Line i of a sidecar belongs to sentence i; write {} if it has no values.",
        )
    columns = dict.fromkeys(column for row in rows for column in row)
    if len(rows) * len(columns) > max(_FREE_CELLS, _MOST_EMPTY * sum(map(len, rows))):
        raise FormatError(
            f"{len(columns):,} columns of {len(rows):,} lines are nearly empty",
            at=Location(name),
            remedy="Use the same keys in all lines: a key is the name of a column.",
        )
    return {column: [row.get(column) for row in rows] for column in columns}


def _parsed(line: str, at: Location) -> dict[str, SidecarCell]:
    return {
        column: _cell(column, value, at)
        for column, value in object_of_line(line, at, _SHAPE).items()
        if column not in _CORPUS_COLUMNS
    }


def _cell(column: str, value: object, at: Location) -> SidecarCell:
    if not _is_cell(value):
        raise FormatError(
            f"the column {brief(column)} holds an object or a list of lists",
            at=at,
            remedy="A column holds a text, a number, true, false, null, or a list of them.",
        )
    return value


def _is_cell(value: object) -> TypeGuard[SidecarCell]:
    items = value if isinstance(value, list) else [value]
    return not any(isinstance(item, list | dict) for item in items)
