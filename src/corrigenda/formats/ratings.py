"""Ratings of outputs by people: direct assessment, one number per judgment.

A file of ratings is CSV with the columns `sentence`, `judge`, `system` and `score`. GMEG publishes
means: a table with one column per system and one row per sentence, and a table of systems with
their means.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from corrigenda.errors import FormatError, Location
from corrigenda.formats import input_file, text
from corrigenda.text.sentences import Path

COLUMNS = ("sentence", "judge", "system", "score")


@dataclass(frozen=True)
class Rating:
    """What one judge gave to the output of one system for one sentence."""

    sentence: str
    judge: str
    system: str
    score: float


def read_ratings(path: Path) -> list[Rating]:
    """All ratings of a CSV file with the columns sentence, judge, system and score."""
    rows = list(_rows(path))
    name = input_file.shown(path)
    header = rows[0][1] if rows else []
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        raise FormatError(
            f"there is no column {missing[0]!r}",
            at=Location(name, 1),
            remedy=f"The first line names the columns: {','.join(COLUMNS)}",
        )
    found = []
    for line, row in rows[1:]:
        cells = dict(zip(header, row, strict=True))
        at = Location(name, line)
        found.append(
            Rating(
                cells["sentence"],
                cells["judge"],
                cells["system"],
                _number(cells["score"], "score", at),
            )
        )
    if not found:
        raise FormatError(
            "there are no ratings", at=Location(name), remedy="Give one row per rating."
        )
    return found


def read_score_table(path: Path, sentences: int) -> Mapping[str, list[float]]:
    """A table with one column per system and one row per sentence; an empty cell is NaN."""
    rows = list(_rows(path))
    name = input_file.shown(path)
    if len(rows) != sentences + 1:
        raise FormatError(
            f"there are {max(0, len(rows) - 1)} rows of scores for {sentences} sentences",
            at=Location(name),
            remedy="Give one row per sentence, after the names of the systems.",
        )
    header = rows[0][1]
    return {
        system: [
            _number(row[place], system, Location(name, line)) if row[place].strip() else math.nan
            for line, row in rows[1:]
        ]
        for place, system in enumerate(header)
    }


def read_system_scores(path: Path) -> dict[str, float]:
    """A table of systems with their scores: `system,score`."""
    rows = list(_rows(path))
    name = input_file.shown(path)
    if not rows or rows[0][1] != ["system", "score"]:
        raise FormatError(
            "the first line is not system,score",
            at=Location(name, 1),
            remedy="Give one system and its score per line.",
        )
    return {row[0]: _number(row[1], row[0], Location(name, line)) for line, row in rows[1:]}


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows with the numbers of their lines; all are as long as the first."""
    name = input_file.shown(path)
    with ExitStack() as stack:
        reader = csv.reader(text.lines(input_file.open_binary(path, stack), name), strict=True)
        width = None
        try:
            for row in reader:
                width = len(row) if width is None else width
                if len(row) != width:
                    raise FormatError(
                        f"the row has {len(row)} values, but there are {width} columns",
                        at=Location(name, reader.line_num),
                        remedy="Give one value per column.",
                    )
                yield reader.line_num, row
        except csv.Error as error:
            raise FormatError(
                f"not CSV: {error}",
                at=Location(name, reader.line_num),
                remedy="Check the commas and quotation marks of this line.",
            ) from error


def _number(value: str, what: str, at: Location) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FormatError(
            f"{what} is {value!r}, not a number", at=at, remedy="Write a number, e.g. 72.5."
        )
    return number
