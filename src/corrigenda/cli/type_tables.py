"""Scores by error type: a table a system on the terminal, or rows of CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from corrigenda.cli.render import latex_escaped, markdown_escaped
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
        {"table": _table, "markdown": _markdown, "latex": _latex}[style](result, tier)


def _headers(result: Result, tier: str) -> list[str]:
    first: dict[str, Any] = next(iter(result.types[tier].values()), {"counts": {}})
    return [tier if tier != "both" else "type", *(name.upper() for name in first["counts"]), "P", "R", "F"]


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
            writer.writerow([result.system, result.metric, error_type, *entry["counts"].values(), *scores])


def _table(result: Result, tier: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=Text(_title(result)), title_justify="left")
    for place, header in enumerate(_headers(result, tier)):
        table.add_column(header, justify="right" if place else "left")
    for row in _rows(result, tier):
        table.add_row(*map(Text, row))
    Console(width=None if sys.stdout.isatty() else 1000, highlight=False).print(table)


def _title(result: Result) -> str:
    return f"{result.system}, {result.metric}"


def _markdown(result: Result, tier: str) -> None:
    headers = _headers(result, tier)
    print(f"\n{markdown_escaped(_title(result))}\n")
    print(f"| {' | '.join(headers)} |")
    print(f"|:--|{'--:|' * (len(headers) - 1)}")
    for row in _rows(result, tier):
        print(f"| {' | '.join(map(markdown_escaped, row))} |")


def _latex(result: Result, tier: str) -> None:
    headers = _headers(result, tier)
    print(f"% {_title(result)}")
    print(rf"\begin{{tabular}}{{l{'r' * (len(headers) - 1)}}}")
    print(r"\toprule")
    print(" & ".join(headers) + r" \\")
    print(r"\midrule")
    for row in _rows(result, tier):
        print(" & ".join(map(latex_escaped, row)) + r" \\")
    print(r"\bottomrule")
    print(r"\end{tabular}")
