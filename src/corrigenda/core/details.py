"""Everything that a metric counted and measured for a system, as rows of tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Details:
    """A system's row of one table: its counts, then its measures (fractions), by the names of their columns."""

    title: str
    counts: dict[str, float]
    measures: dict[str, float]


def plain_details(
    score_name: str, score: float, measures: dict[str, Any], counts: dict[str, Any]
) -> list[Details]:
    """A table of counts, precision, recall and score; what is counted for each n has a table for each n."""
    single = {name: value for name, value in counts.items() if not isinstance(value, list)}
    shares = {
        short: measures[name]
        for name, short in (("precision", "P"), ("recall", "R"))
        if name in measures
    }
    tables = [Details("", single, {**shares, score_name: score})]
    lists = {name: value for name, value in counts.items() if isinstance(value, list)}
    for n, of_n in enumerate(zip(*lists.values(), strict=True), 1):
        tables.append(Details(f"n = {n}", dict(zip(lists, of_n, strict=True)), {}))
    return tables
