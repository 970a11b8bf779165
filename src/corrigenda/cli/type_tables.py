"""Scores by error type: one table per system, or records of all systems."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.cli.labels import labels
from corrigenda.cli.tables import Column, Records, Row, Table, count, key_column, percent, text
from corrigenda.core.result import Result
from corrigenda.core.types import TIERS, TypeScore

CHOICES = ("1", "2", "3")


def tier_of(choice: str) -> str:
    """`1` is the operation, `2` the type, `3` both."""
    return list(TIERS)[int(choice) - 1]


def type_tables(results: Sequence[Result], choice: str) -> list[Table]:
    """One table for each result that has types."""
    tier = tier_of(choice)
    headings = labels([result.metric for result in results])
    return [
        Table(
            (
                key_column("type" if tier == "both" else tier),
                *(Column(heading) for heading in (*_count_names(result, tier), "P", "R", "F")),
            ),
            tuple(_rows(result, tier)),
            title=f"{result.system}, {headings[str(result.metric)]}",
        )
        for result in results
        if result.types
    ]


def _count_names(result: Result, tier: str) -> list[str]:
    first = next(iter(result.types[tier].values()), None)
    return [] if first is None else [name.upper() for name in _counts(first)]


def _counts(entry: TypeScore) -> dict[str, int | float]:
    """The counts that are single numbers."""
    return {
        name: number for name, number in entry.counts.items() if isinstance(number, int | float)
    }


def _rows(result: Result, tier: str) -> list[Row]:
    return [
        Row(
            (
                text(error_type),
                *(count(number) for number in _counts(entry).values()),
                percent(entry.precision),
                percent(entry.recall),
                percent(entry.score),
            )
        )
        for error_type, entry in result.types[tier].items()
    ]


def type_records(results: Sequence[Result], choice: str) -> Records:
    """One record per system, metric and type."""
    tier = tier_of(choice)
    typed = [result for result in results if result.types]
    names = [name.lower() for name in _count_names(typed[0], tier)]
    return Records(
        ("system", "metric", "type", *names, "precision", "recall", "score"),
        [
            (
                result.system,
                str(result.metric),
                error_type,
                *_counts(entry).values(),
                entry.precision,
                entry.recall,
                entry.score,
            )
            for result in typed
            for error_type, entry in result.types[tier].items()
        ],
    )
