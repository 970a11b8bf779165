"""All counts and measures of each metric: tables with a row for each system, best first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corrigenda.cli.leaderboard import percent
from corrigenda.cli.plain_tables import print_table
from corrigenda.core.details import Details
from corrigenda.core.result import Result


def details(results: Sequence[Result], style: str) -> None:
    """Print the tables of every metric, in the order of the metrics."""
    by_metric: dict[str, list[Result]] = {}
    for result in results:
        by_metric.setdefault(str(result.metric), []).append(result)
    for name, of_metric in by_metric.items():
        ordered = sorted(of_metric, key=lambda result: -result.score)
        tables = [
            result.metric.details(result.score, result.measures, result.counts)
            for result in ordered
        ]
        for table in zip(*tables, strict=True):
            title = f"{name}, {table[0].title}" if table[0].title else name
            headers = ["system", *table[0].counts, *table[0].measures]
            rows = [
                [result.system, *_texts(row)] for result, row in zip(ordered, table, strict=True)
            ]
            print_table(title, headers, rows, style)


def _texts(row: Details) -> Iterator[str]:
    """Counts as they are (weighed ones to two decimals), measures times 100."""
    for count in row.counts.values():
        yield str(count) if isinstance(count, int) else f"{count:.2f}"
    yield from map(percent, row.measures.values())
