"""Scores by error type: a table a system on the terminal, or rows of CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from corrigenda.cli.plain_tables import print_table
from corrigenda.core.result import Result
from corrigenda.core.types import TIERS

CHOICES = ("1", "2", "3")


def tier_of(choice: str) -> str:
    """`1` is the operation, `2` the type, `3` both."""
    return list(TIERS)[int(choice) - 1]


def by_type(results: Sequence[Result], choice: str, style: str) -> None:
    """Print the types of those results that have any."""
    tier = tier_of(choice)
    typed = [result for result in results if result.types]
    if style == "csv":
        _csv(typed, tier)
        return
    for result in typed:
        print_table(_title(result), _headers(result, tier), list(_rows(result, tier)), style)


def _headers(result: Result, tier: str) -> list[str]:
    first: dict[str, Any] = next(iter(result.types[tier].values()), {"counts": {}})
    return [
        tier if tier != "both" else "type",
        *(name.upper() for name in first["counts"]),
        "P",
        "R",
        "F",
    ]


def _rows(result: Result, tier: str) -> Iterator[list[str]]:
    for error_type, entry in result.types[tier].items():
        scores = [f"{100 * entry[name]:.2f}" for name in ("precision", "recall", "score")]
        yield [error_type, *(f"{count:g}" for count in entry["counts"].values()), *scores]


def _csv(results: Sequence[Result], tier: str) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for number, result in enumerate(results):
        if number == 0:
            names = [header.lower() for header in _headers(result, tier)[1:-3]]
            writer.writerow(["system", "metric", "type", *names, "precision", "recall", "score"])
        for error_type, entry in result.types[tier].items():
            scores = [entry[name] for name in ("precision", "recall", "score")]
            writer.writerow(
                [result.system, result.metric, error_type, *entry["counts"].values(), *scores]
            )


def _title(result: Result) -> str:
    return f"{result.system}, {result.metric}"
