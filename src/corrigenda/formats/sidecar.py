"""A sidecar: JSON lines with an object for each sentence, whose columns say whatever is known of it."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

from corrigenda.errors import AlignmentError, FormatError, Location
from corrigenda.formats import text
from corrigenda.text.sentences import Path

_CORPUS_COLUMNS = ("source", "references", "hypotheses", "edits")
_SHAPE = '{"level": "B1", "topics": ["travel", "food"]}'


def read_sidecar(path: Path, sentences: int) -> dict[str, list[Any]]:
    """The columns of a sidecar of so many sentences; what a line does not have is None.

    A file of JSON lines that holds the corpus itself will do: the columns of the corpus are left out.
    """
    with ExitStack() as stack:
        stream = text.lines(text.open_binary(path, stack), text.shown(path))
        rows = [
            _parsed(line, Location(text.shown(path), number))
            for number, line in enumerate(stream, 1)
        ]
    if len(rows) != sentences:
        raise AlignmentError(
            f"it has {len(rows)} lines, and the corpus {sentences} sentences",
            at=Location(text.shown(path)),
            remedy="Line i of a sidecar belongs to sentence i; of a sentence with nothing to say it is {}.",
        )
    names = dict.fromkeys(name for row in rows for name in row if name not in _CORPUS_COLUMNS)
    return {name: [row.get(name) for row in rows] for name in names}


def _parsed(line: str, at: Location) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"not JSON: {error.msg} (column {error.colno})", at=at, remedy=f"Write {_SHAPE}."
        ) from error
    if not isinstance(data, dict):
        raise FormatError("the line is not a JSON object", at=at, remedy=f"Write {_SHAPE}.")
    for name, value in data.items():
        items = value if isinstance(value, list) else [value]
        if name not in _CORPUS_COLUMNS and any(isinstance(item, list | dict) for item in items):
            raise FormatError(
                f"the column {name!r} holds an object",
                at=at,
                remedy="A column holds a text, a number, true or false, null, or a list of them.",
            )
    return data
