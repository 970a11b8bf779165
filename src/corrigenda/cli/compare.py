"""`corrigenda compare`: is a system really better than the baseline?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from corrigenda.cli import findings, gate_output, inputs, options, render
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.analysis.power import Power
    from corrigenda.cli.tables import Cell, Mark, Records, Row, Table
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Interval, Result

HELP = "test whether systems differ from a baseline"
EXAMPLES = f"""\
examples:
  corrigenda compare baseline.txt ours.txt --gold gold.m2
  corrigenda compare base.txt a.txt b.txt --source src.txt --refs ref0.txt ref1.txt --metrics green
  corrigenda compare base.txt ours.txt --gold gold.m2 --test bootstrap --resamples 5000
  corrigenda compare base.txt a.txt b.txt --gold gold.m2 --metrics m2 --format latex
  corrigenda compare a.txt b.txt c.txt d.txt --gold gold.m2 --metrics m2 --pairs
  corrigenda compare old.txt new.txt --gold gold.m2 --metrics m2 --fail-if-worse --margin 0.5

The first system is the baseline. The p-values are two-sided, from a paired test over sentences, and
are corrected for the number of comparisons by each metric. Each resample keeps the references that
were chosen on the whole corpus. Markdown and LaTeX mark systems that differ from the baseline.

CSV has one row per metric and system without the baseline. With --pairs, --table chooses: one row
per system with its ranks, or one row per pair.

{gate_output.HELP_TEXT}

{options.WIDTH_HELP}
"""
_CORRECTIONS = {"holm": "Holm's correction", "bh": "Benjamini-Hochberg correction"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "systems", nargs="*", metavar="[NAME=]FILE", help="outputs; the first is the baseline"
    )
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("the test")
    options.add_metrics(group)
    options.add_level(group)
    options.add_test(group)
    options.add_resamples(group)
    options.add_seed(group)
    options.add_confidence(group)
    options.add_correction(group)
    group.add_argument(
        "--pairs",
        action="store_true",
        help="test every pair of systems: p-values, ranges of ranks, and clusters",
    )
    group.add_argument(
        "--power",
        action="store_true",
        help="also how large a difference can be found, and how many sentences it takes",
    )
    options.add_format(group, tables=("systems", "p-values"))
    options.add_sort(group, "each table by its own metric")
    options.add_threads(group)
    options.add_no_cache(group)
    findings.add_arguments(group)
    gate_output.add_gate(parser)
    options.add_models(parser)


def run(args: argparse.Namespace) -> None:
    """Score all systems, then test each against the first, or every pair."""
    from corrigenda.cli.products import single_threaded_products

    single_threaded_products()
    args.hyps = [*args.systems, *args.hyps]
    _check(args)
    metrics = options.metrics_of(args)
    gate_output.check_outputs(metrics, args)
    sort = options.sort_key(args, metrics)
    by_metric = scored_by_metric(metrics, args)
    if args.runs:
        from corrigenda.cli import run_tables

        with options.working(args):
            run_tables.compare_runs(by_metric, args)
        return
    if args.pairs:
        from corrigenda.cli import compare_pairs

        compare_pairs.run(by_metric, args)
        return
    with options.working(args):
        compared = [_compared(of_metric, args) for of_metric in by_metric]
        gate = gate_output.checks(by_metric, args)
    render.output(
        args,
        data=lambda: {
            "health": findings.data(each for results in by_metric for each in results),
            "comparisons": [asdict(row) for rows in compared for row in rows],
            **gate_output.plain(gate),
        },
        records={"comparisons": lambda: _records([row for rows in compared for row in rows])},
        tables=lambda: [*_tables(by_metric, compared, sort, args), *gate_output.tables(gate)],
    )
    gate_output.finish(gate, args)


def _check(args: argparse.Namespace) -> None:
    inputs.check_corpus_arguments(args)
    gate_output.check_options(args)
    if args.runs and (args.pairs or args.power or args.fail_if_worse):
        raise UsageError(
            "--pairs, --power and --fail-if-worse do not go with several runs of a system",
            remedy="Leave them out, or give each run a name of its own.",
        )
    if args.table and not args.pairs:
        raise UsageError("--table chooses what --pairs writes", remedy="Add --pairs.")
    if args.power and args.pairs:
        raise UsageError(
            "--power does not go with --pairs: it is about the baseline",
            remedy="Leave --power or --pairs out.",
        )
    if args.sort and args.pairs:
        raise UsageError(
            "--sort does not go with --pairs: each table is in the order of the ranks",
            remedy="Leave --sort or --pairs out.",
        )


def scored_by_metric(metrics: Sequence[Metric], args: argparse.Namespace) -> list[list[Result]]:
    """The results of all systems, for each metric."""

    corpus, systems = inputs.read_corpus(args)
    if len(systems) < 2:
        raise UsageError(
            "a comparison needs two systems or more",
            remedy="Give the baseline first, then the others.",
        )
    results = findings.scored(args, corpus, systems, metrics)
    return [results[index :: len(metrics)] for index in range(len(metrics))]


@dataclass(frozen=True)
class ComparisonRow:
    """A system against the baseline by one metric; the fields are the keys of the JSON."""

    system: str
    baseline: str
    metric: str
    level: str
    score: float
    baseline_score: float
    difference: float
    interval: Interval
    p_value: float
    corrected_p_value: float
    correction: str
    test: str
    signature: str
    power: Power | None = None


def _compared(results: list[Result], args: argparse.Namespace) -> list[ComparisonRow]:
    """Each system against the first, by one metric."""
    from corrigenda.analysis.significance import adjusted, compare_with_baseline

    baseline, *others = results
    names = ("test", "resamples", "seed", "confidence", "correction")
    comparisons = compare_with_baseline(
        others, baseline, **{name: getattr(args, name) for name in names}
    )
    corrected = adjusted(
        [comparison.p_value for comparison in comparisons],
        args.correction,
        [comparison.hypothesis for comparison in comparisons],
    )
    return [
        ComparisonRow(
            system=comparison.system,
            baseline=comparison.baseline,
            metric=comparison.metric,
            level=args.level,
            score=other.score,
            baseline_score=baseline.score,
            difference=comparison.difference,
            interval=comparison.interval,
            p_value=comparison.p_value,
            corrected_p_value=p_value,
            correction=args.correction,
            test=args.test,
            signature=signature_of_test(other, comparison.resamples, args),
            power=comparison.power if args.power else None,
        )
        for other, comparison, p_value in zip(others, comparisons, corrected, strict=True)
    ]


def signature_of_test(result: Result, resamples: int, args: argparse.Namespace) -> str:
    """How a score and its test were made."""
    how = f"test:{args.test}|resamples:{resamples}|seed:{args.seed}|choice:frozen"
    return f"{result.signature}|{how}|correction:{args.correction}"


def significance_mark(subject: str, args: argparse.Namespace) -> Mark:
    """What the mark of a significant difference means."""
    from corrigenda.analysis.resolution import alpha_of
    from corrigenda.cli.tables import Mark

    corrected = _CORRECTIONS.get(args.correction)
    after = f" after {corrected}" if corrected else ", not corrected"
    alpha = alpha_of(args.confidence)
    return Mark(f"{subject}: p < {alpha:.4g} in a paired {args.test} test{after}")


def _records(rows: Sequence[ComparisonRow]) -> Records:
    from corrigenda.cli.tables import Records

    return Records(
        (
            "system", "baseline", "metric", "level", "score", "baseline_score", "difference", "low",
            "high", "p_value", "corrected_p_value", "correction", "test", "signature",
        ),
        [
            (
                row.system, row.baseline, row.metric, row.level, row.score, row.baseline_score,
                row.difference, row.interval.low, row.interval.high, row.p_value,
                row.corrected_p_value, row.correction, row.test, row.signature,
            )
            for row in rows
        ],
    )  # fmt: skip


def _tables(
    by_metric: list[list[Result]],
    compared: list[list[ComparisonRow]],
    sort: str | None,
    args: argparse.Namespace,
) -> list[Table]:
    """One table per metric, with the baseline first."""
    from corrigenda.cli.labels import labels

    headings = labels([results[0].metric for results in by_metric])
    orders = _orders(by_metric, sort)
    return [
        table
        for results, rows, order in zip(by_metric, compared, orders, strict=True)
        for table in _tables_of_metric(
            results[0], sorted(rows, key=lambda row: order.index(row.system)), headings, args
        )
    ]


def _tables_of_metric(
    baseline: Result, rows: list[ComparisonRow], headings: dict[str, str], args: argparse.Namespace
) -> list[Table]:
    first = _table(baseline, rows, headings, args)
    if not args.power:
        return [first]
    return [first, _power_table(baseline, rows, headings[str(baseline.metric)], args)]


def _power_table(
    baseline: Result, rows: list[ComparisonRow], heading: str, args: argparse.Namespace
) -> Table:
    from corrigenda.analysis.power import WANTED_POWER
    from corrigenda.cli.tables import (
        Column,
        Row,
        Table,
        how_many,
        key_column,
        number,
        percent,
        text,
    )

    made = []
    for row in rows:
        power = row.power
        assert power is not None
        needed = "" if power.needed is None else f"{power.needed:,}"
        made.append(
            Row(
                (
                    text(row.system),
                    percent(row.difference, signed=True),
                    percent(power.spread),
                    number(power.power, 2),
                    percent(power.smallest_difference),
                    text(needed),
                )
            )
        )
    headings = ("difference", "standard error", "power", "can be found", "sentences needed")
    return Table(
        (key_column("system"), *map(Column, headings)),
        tuple(made),
        title=f"{heading}: power against {baseline.system}",
        notes=(
            "power: the chance to find a true difference of this size with "
            f"{how_many(rows[0].power.units, 'sentence')}; can be found, and sentences needed: "
            f"with power {WANTED_POWER:g}, before any correction",
        )
        if rows and rows[0].power
        else (),
    )


def _orders(by_metric: list[list[Result]], sort: str | None) -> list[list[str]]:
    """The order of the systems in each table: by its own metric, or the same for all."""
    from corrigenda.cli.leaderboard import results_by_system, sorted_systems

    by_system = results_by_system(result for results in by_metric for result in results)
    return [sorted_systems(by_system, sort or str(results[0].metric)) for results in by_metric]


def _table(
    baseline: Result, rows: list[ComparisonRow], headings: dict[str, str], args: argparse.Namespace
) -> Table:
    from corrigenda.cli.labels import experimental_notes, gold_notes, heading
    from corrigenda.cli.tables import Cell, Column, Row, Table, key_column, percent, text

    name = str(baseline.metric)
    first = Row(
        (text(baseline.system), percent(baseline.score), *[Cell("")] * 3, text("(baseline)"))
    )
    label = headings[name]
    front = "" if label == name else f"{label}: "
    return Table(
        (
            key_column("system"),
            Column(heading(baseline, headings)),
            Column("difference", attached=True),
            Column(f"{100 * args.confidence:g} % interval"),
            Column("p"),
            Column("", left=True, screen_only=True),
        ),
        (first, *(_row(row, args.confidence) for row in rows)),
        notes=(
            f"{args.level} level, scores × 100; the baseline is {baseline.system}",
            *gold_notes([baseline]),
            *experimental_notes([baseline.metric]),
        ),
        signatures=tuple(f"{front}{row.signature}" for row in rows[:1]),
        mark=significance_mark(f"differs from {baseline.system}", args),
    )


def _row(row: ComparisonRow, confidence: float) -> Row:
    from corrigenda.analysis.resolution import is_significant
    from corrigenda.cli.tables import Row, bounds, percent, probability, text

    significant = is_significant(row.corrected_p_value, confidence)
    return Row(
        (
            text(row.system),
            percent(row.score),
            percent(row.difference, signed=True, significant=significant),
            bounds(row.interval, signed=True),
            probability(row.corrected_p_value, 4),
            verdict(row.difference, significant),
        )
    )


def verdict(difference: float, significant: bool) -> Cell:
    """What a test says, in words."""
    from corrigenda.cli.tables import text

    if not significant:
        return text("not significant", "faint")
    return text("better", "good") if difference > 0 else text("worse", "bad")
