"""Several runs of one system, and the human ceiling: what `score` and `compare` print of them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from corrigenda.cli import render
from corrigenda.cli.labels import labels
from corrigenda.cli.tables import Cell, Column, Records, Row, Table, key_column, percent, text

if TYPE_CHECKING:
    from corrigenda.analysis.ceiling import Ceiling
    from corrigenda.analysis.runs import RunComparison
    from corrigenda.core.result import Result


def runs_table(results: Sequence[Result], runs: Mapping[str, Sequence[str]]) -> Table:
    """Mean and spread over the runs of each system that has several, by each metric."""
    from corrigenda.analysis.runs import run_scores

    metrics = list(dict.fromkeys(result.metric for result in results))
    headings = labels(metrics)
    rows = []
    for system, names in runs.items():
        cells: list[Cell] = [text(system), text(str(len(names)))]
        for metric in metrics:
            of_runs = [
                result for result in results if result.metric == metric and result.system in names
            ]
            found = run_scores(system, of_runs)
            spread = 0.0 if found.spread is None else found.spread
            cells.append(text(f"{100 * found.mean:.2f} ± {100 * spread:.2f}"))
        rows.append(Row(tuple(cells)))
    return Table(
        (
            key_column("system"),
            Column("runs"),
            *(Column(headings[str(metric)]) for metric in metrics),
        ),
        tuple(rows),
        title="mean ± standard deviation over runs",
    )


def ceiling_table(found: Sequence[Ceiling]) -> Table:
    """The human ceiling, and the systems against the same subsets of references."""
    systems = list(found[0].systems)
    rows = [
        Row(
            (text("human ceiling"), *(percent(each.human) for each in found)),
            ends_section=True,
        ),
        *(
            Row((text(system), *(percent(each.systems[system]) for each in found)))
            for system in systems
        ),
    ]
    return Table(
        (key_column("system"), *(Column(each.metric) for each in found)),
        tuple(rows),
        title="human ceiling: each reference against the others",
        notes=(
            f"means over {len(found[0].by_reference)} subsets of references, on "
            f"{found[0].sentences:,} sentences with two references or more; systems are scored "
            "against the same subsets, so their scores are not those above",
        ),
    )


def compare_runs(by_metric: list[list[Result]], args: argparse.Namespace) -> None:
    """Test each system against the first, with its runs, and print."""
    from corrigenda.analysis import runs as library

    run_of = {name: system for system, names in args.runs.items() for name in names}
    compared: list[RunComparison] = []
    for results in by_metric:
        grouped: dict[str, list[Result]] = {}
        for result in results:
            grouped.setdefault(run_of.get(result.system, result.system), []).append(result)
        compared += library.compare_runs(
            grouped,
            next(iter(grouped)),
            resamples=args.resamples,
            seed=args.seed,
            confidence=args.confidence,
            correction=args.correction,
        )
    render.output(
        args,
        data=lambda: {"runs": [asdict(row) for row in compared]},
        records={"runs": lambda: _records(compared)},
        tables=lambda: [
            _table([row for row in compared if row.system.metric == str(results[0].metric)], args)
            for results in by_metric
        ],
    )


def _records(compared: Sequence[RunComparison]) -> Records:
    return Records(
        (
            "system", "baseline", "metric", "runs", "mean", "spread", "difference", "low", "high",
            "p_value", "corrected_p_value",
        ),
        [
            (
                row.system.system, row.baseline.system, row.system.metric, len(row.system.scores),
                row.system.mean, row.system.spread, row.difference, row.interval.low,
                row.interval.high, row.p_value, row.corrected_p_value,
            )
            for row in compared
        ],
    )  # fmt: skip


def _table(rows: Sequence[RunComparison], args: argparse.Namespace) -> Table:
    from corrigenda.analysis.resolution import is_significant
    from corrigenda.cli.compare import significance_mark, verdict
    from corrigenda.cli.tables import bounds, probability

    base = rows[0].baseline
    first = Row(
        (
            text(base.system),
            text(str(len(base.scores))),
            percent(base.mean),
            text("" if base.spread is None else f"± {100 * base.spread:.2f}"),
            *[Cell("")] * 3,
            text("(baseline)"),
        )
    )
    others = []
    for row in rows:
        significant = is_significant(row.corrected_p_value, args.confidence)
        ours = row.system
        others.append(
            Row(
                (
                    text(ours.system),
                    text(str(len(ours.scores))),
                    percent(ours.mean),
                    text("" if ours.spread is None else f"± {100 * ours.spread:.2f}"),
                    percent(row.difference, signed=True, significant=significant),
                    bounds(row.interval, signed=True),
                    probability(row.corrected_p_value, 4),
                    verdict(row.difference, significant),
                )
            )
        )
    args.test = "bootstrap"
    return Table(
        (
            key_column("system"),
            Column("runs"),
            Column(rows[0].system.metric),
            Column("over runs"),
            Column("difference", attached=True),
            Column(f"{100 * args.confidence:g} % interval"),
            Column("p"),
            Column("", left=True, screen_only=True),
        ),
        (first, *others),
        notes=(
            "means over runs, × 100; intervals and p count the spread over runs and over "
            f"sentences (Student's t; {rows[0].interval.resamples:,} resamples of sentences, seed "
            f"{args.seed})",
        ),
        mark=significance_mark(f"differs from {base.system}", args),
    )
