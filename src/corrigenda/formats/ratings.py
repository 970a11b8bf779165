"""Ratings of outputs by people: direct assessment, one number per judgment.

A file of ratings is CSV with the columns `sentence`, `judge`, `system` and `score`. GMEG publishes
means: a table with one column per system and one row per sentence, and a table of systems with
their means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from corrigenda.errors import FormatError, Location, brief
from corrigenda.formats import input_file
from corrigenda.formats.csv_rows import csv_rows
from corrigenda.text.numerals import decimal
from corrigenda.text.sentences import Path

COLUMNS = ("sentence", "judge", "system", "score")
_LARGEST = 1e100
"""The squares and the sums of larger numbers may not be numbers any more."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What one judge gave to the output of one system for one sentence."""

    sentence: str
    judge: str
    system: str
    score: float


def read_ratings(path: Path) -> list[Rating]:
    """All ratings of a CSV file with the columns sentence, judge, system and score."""
    rows = csv_rows(path)
    name = input_file.shown(path)
    at, header = next(rows, (Location(name, 1), []))
    if missing := [column for column in COLUMNS if column not in header]:
        raise FormatError(
            f"there is no column {missing[0]!r}",
            at=at,
            remedy=f"The first line names the columns: {','.join(COLUMNS)}",
        )
    places = [header.index(column) for column in COLUMNS]
    found = [_rating([row[place] for place in places], at) for at, row in rows]
    if not found:
        raise FormatError(
            "there are no ratings", at=Location(name), remedy="Give one row per rating."
        )
    return found


def _rating(cells: list[str], at: Location) -> Rating:
    sentence, judge, system, score = cells
    for column, value in zip(COLUMNS, (sentence, judge, system), strict=False):
        if not value.strip():
            raise FormatError(
                f"{column} is empty", at=at, remedy="A rating has a sentence, a judge and a system."
            )
    return Rating(sentence, judge, system, _number(score, "score", at))


def read_score_table(path: Path, sentences: int) -> Mapping[str, list[float]]:
    """A table with one column per system and one row per sentence; an empty cell is NaN."""
    rows = list(csv_rows(path))
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
            _number(row[place], brief(system), at) if row[place].strip() else math.nan
            for at, row in rows[1:]
        ]
        for place, system in enumerate(header)
    }


def read_system_scores(path: Path) -> dict[str, float]:
    """A table of systems with their scores: `system,score`."""
    rows = csv_rows(path)
    at, header = next(rows, (Location(input_file.shown(path), 1), []))
    if header != ["system", "score"]:
        raise FormatError(
            "the first line is not system,score",
            at=at,
            remedy="Give one system and its score per line.",
        )
    scores: dict[str, float] = {}
    for at, (system, score) in rows:
        if system in scores:
            raise FormatError(
                f"the system {brief(system)} occurs twice", at=at, remedy="Give one score each."
            )
        scores[system] = _number(score, brief(system), at)
    return scores


def _number(value: str, what: str, at: Location) -> float:
    number = decimal(value.strip())
    if number is None:
        raise FormatError(
            f"{what} is {brief(value)}, not a number",
            at=at,
            remedy="Write a number in digits from 0 to 9, e.g. 72.5.",
        )
    if abs(number) > _LARGEST:
        raise FormatError(
            f"{what} is {brief(value)}, which is too large",
            at=at,
            remedy=f"Write a number up to {_LARGEST:g}.",
        )
    return number
