"""What `corrigenda meta` prints for people."""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from corrigenda.meta.analysis import Correlation, MetaReport
    from corrigenda.meta.correlation import CorrelationComparison


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else 220, highlight=False)


def _table(title: str | None, *headers: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
    for index, header in enumerate(headers):
        table.add_column(Text(header), justify="right" if index else "left", overflow="fold")
    return table


def number(value: float | None, digits: int = 3) -> str:
    """A coefficient as people print it; a dash where it is not defined."""
    return "–" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def print_report(report: MetaReport, args: argparse.Namespace) -> None:
    """The table of correlations, and what else was asked for."""
    from corrigenda.meta.correlation import SYMBOLS

    console = _console()
    settings = report.settings
    console.print(Text(f"{report.benchmark.title}: {len(report.systems)} systems"))
    symbols = [SYMBOLS[name] for name in settings.coefficients]
    headers = [
        header
        for symbol in symbols
        for header in ([symbol, "interval"] if settings.resamples else [symbol])
    ]
    table = _table(None, "metric", "score", *headers, "rank Δ", "accuracy", "pair τ")
    for entry in report.metrics:
        pairs = report.sentences[str(entry.metric)]
        table.add_row(
            Text(str(entry.metric)),
            entry.aggregation,
            *(cell for name in settings.coefficients for cell in _cells(entry.correlations[name])),
            str(report.rank_difference(entry)),
            number(pairs.accuracy),
            number(pairs.tau),
        )
    console.print(table)
    _print_notes(console, report)
    if args.ranks:
        _print_ranks(console, report)
    if args.top_k:
        _print_parts(console, report, "top", "Pearson r over the K best systems by humans")
    if args.window:
        _print_parts(console, report, "windows", "Pearson r over neighbours in the human ranking")


def _cells(correlation: Correlation) -> list[str]:
    cells = [number(correlation.value)]
    if correlation.interval is not None:
        low, high = correlation.interval
        cells.append(f"{number(low, 2)} … {number(high, 2)}")
    return cells


def _print_notes(console: Console, report: MetaReport) -> None:
    settings = report.settings
    decided = next(iter(report.sentences.values())).decided
    if settings.resamples:
        console.print(
            f"{100 * settings.confidence:g}% intervals from {settings.resamples} resamples of systems, seed {settings.seed}",
            style="dim",
        )
    console.print(
        f"accuracy and pair τ: sentence scores against {decided:,} judged pairs that are not ties; "
        "rank Δ: sum of the differences of ranks",
        style="dim",
    )


def _print_ranks(console: Console, report: MetaReport) -> None:
    table = _table("ranks", "system", "human", *(entry.label for entry in report.metrics))
    order = sorted(range(len(report.systems)), key=lambda index: (-report.human[index], index))
    human = report.human_ranks()
    ranks = [entry.ranks() for entry in report.metrics]
    for index in order:
        cells = (_rank_cell(int(of_metric[index]), int(human[index])) for of_metric in ranks)
        table.add_row(Text(report.systems[index]), str(human[index]), *cells)
    table.add_row(
        Text("Δ", "dim"), "", *(str(report.rank_difference(entry)) for entry in report.metrics)
    )
    console.print(table)


def _rank_cell(rank: int, human: int) -> str:
    difference = human - rank
    return f"{rank} ({'=' if not difference else f'{difference:+d}'})"


def _print_parts(console: Console, report: MetaReport, kind: str, title: str) -> None:
    parts = [getattr(entry, kind)["pearson"] for entry in report.metrics]
    headers = [f"{part.first}–{part.last}" for part in parts[0]]
    table = _table(f"{title}: ranks", "metric", *headers)
    for entry, of_metric in zip(report.metrics, parts, strict=True):
        table.add_row(Text(entry.label), *(number(part.value) for part in of_metric))
    console.print(table)


def print_comparisons(comparisons: dict[Any, dict[tuple[str, str], CorrelationComparison]]) -> None:
    """Which metric correlates better, and whether that may be chance."""
    for how, found in comparisons.items():
        if not found:
            continue
        table = _table(
            f"difference of Pearson r ({how})",
            "metrics",
            "r",
            "r",
            "difference",
            "Williams p",
            "permutation p",
        )
        for (first, second), result in found.items():
            table.add_row(
                Text(f"{first} – {second}"),
                number(result.first),
                number(result.second),
                f"{result.difference:+.3f}",
                number(result.williams_p),
                number(result.permutation_p),
            )
        _console().print(table)


def print_curves(betas: list[float], curves: dict[str, list[float]]) -> None:
    """Some points of each curve, and its best."""
    wanted = [beta for beta in (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0) if beta in betas] or betas[
        :8
    ]
    table = _table(
        "Pearson r by β", "metric", *(f"β={beta:g}" for beta in wanted), "best β", "best r"
    )
    for label, values in curves.items():
        defined = [
            (value, -beta)
            for value, beta in zip(values, betas, strict=True)
            if not math.isnan(value)
        ]
        best, place = max(defined, default=(math.nan, math.nan))
        cells = (number(values[betas.index(beta)]) for beta in wanted)
        table.add_row(Text(label), *cells, f"{-place:g}", number(best))
    _console().print(table)
