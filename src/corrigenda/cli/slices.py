"""`corrigenda slices`: scores on parts of a corpus, and where one system beats another most."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, options, render
from corrigenda.cli.products import single_threaded_products

if TYPE_CHECKING:
    from corrigenda.analysis.slices import Slice, SliceDifference
    from corrigenda.calls.slicing import SliceRow
    from corrigenda.cli.tables import Records, Row, Table
    from corrigenda.core.result import Result

HELP = "score slices of a corpus, and find where systems differ most"
EXAMPLES = f"""\
examples:
  corrigenda slices --gold gold.m2 --hyps baseline.txt ours.txt --by length edits
  corrigenda slices --source src.txt --refs ref.txt --hyps a.txt b.txt --by type --types errant
  corrigenda slices --gold errant.m2 --hyps base.txt ours.txt --by type --category 2 --metrics m2
  corrigenda slices --gold gold.m2 --hyps ours.txt --by level topics --sidecar sentences.jsonl
  corrigenda slices --source src.txt --refs ref.txt --hyps a.txt b.txt --bounds 5 15 25 --format csv

The first system is the baseline. Each other system is tested against it on every slice with
--min-sentences or more. The p-values are corrected over all these tests. The references that were
chosen on the whole corpus are kept. A sidecar has one JSON object per line, one for each sentence;
with --jsonl, further columns of that file can be used. Markdown and LaTeX mark significant
differences. CSV has one row per slice, metric and system; --table differences has the tests.

{options.WIDTH_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    _add_slice_arguments(parser.add_argument_group("the slices"))
    group = parser.add_argument_group("what to compute and print")
    options.add_metrics(group)
    options.add_level(group)
    options.add_test(group)
    options.add_resamples(group, least=0, without="; 0: no tests")
    options.add_seed(group)
    options.add_confidence(group)
    options.add_correction(group)
    options.add_min_sentences(group)
    options.add_whole_number(
        group, "--top", "differences per table (default: 10)", least=1, default=10
    )
    options.add_format(group, tables=("scores", "differences"))
    options.add_threads(group)
    options.add_no_cache(group)
    options.add_models(parser)


def _add_slice_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--by",
        nargs="+",
        metavar="WHAT",
        default=["length"],
        help="length, edits, type or names of columns (default: length)",
    )
    inputs.add_sidecar_argument(group, "--by can name its columns")
    group.add_argument(
        "--bounds",
        nargs="+",
        type=options.whole_number("--bounds", least=0),
        metavar="N",
        help="the last number of each slice by length or edits",
    )
    group.add_argument(
        "--types",
        metavar="NAME",
        default="gold",
        help="error types of the gold edits (gold, the default), of ERRANT (errant), or of another "
        "annotator: any, ud, zh",
    )
    group.add_argument(
        "--category",
        type=int,
        choices=(1, 2, 3),
        default=3,
        help="part of ERRANT's types: operation, category, or both (default: 3)",
    )


def run(args: argparse.Namespace) -> None:
    """Score all systems once, then weigh their sentences by slice."""
    single_threaded_products()
    from corrigenda.calls.slicing import slices

    inputs.require_systems(args)
    metrics = options.metrics_of(args)
    corpus, systems = inputs.read_corpus(args)
    with options.working(args):
        found = slices(
            corpus,
            systems,
            metrics,
            by=args.by,
            columns=inputs.sidecar_columns(corpus, args),
            bounds=args.bounds,
            types=args.types,
            category=args.category,
            level=args.level,
            test=args.test,
            resamples=args.resamples,
            seed=args.seed,
            confidence=args.confidence,
            correction=args.correction,
            min_sentences=args.min_sentences,
            threads=args.threads,
        )
    by_metric, parts = found.by_metric, list(found.slices)
    rows, tested = list(found.rows), list(found.differences)
    render.output(
        args,
        data=lambda: _data(by_metric, rows, tested, args),
        records={
            "scores": lambda: _score_records(rows),
            "differences": lambda: _difference_records(tested),
        },
        tables=lambda: _tables(by_metric, parts, rows, tested, args),
    )


def _data(
    by_metric: Sequence[Sequence[Result]],
    rows: list[SliceRow],
    tested: list[SliceDifference],
    args: argparse.Namespace,
) -> object:
    return {
        "level": args.level,
        "slices": [asdict(row) for row in rows],
        "differences": [asdict(difference) for difference in tested],
        "test": args.test if tested else None,
        "correction": args.correction,
        "signatures": [f"{results[0].signature}|choice:frozen" for results in by_metric],
    }


def _score_records(rows: Sequence[SliceRow]) -> Records:
    from corrigenda.cli.tables import Records

    header = ("by", "slice", "sentences", "metric", "system", "score")
    return Records(header, [[getattr(row, name) for name in header] for row in rows])


def _difference_records(tested: Sequence[SliceDifference]) -> Records:
    from corrigenda.cli.tables import Records

    names = ("by", "label", "sentences", "metric", "system", "baseline", "difference")
    return Records(
        ("by", "slice", *names[2:], "low", "high", "p_value", "adjusted_p_value"),
        [
            (
                *(getattr(row, name) for name in names),
                row.interval.low,
                row.interval.high,
                row.p_value,
                row.adjusted_p_value,
            )
            for row in tested
        ],
    )


def _tables(
    by_metric: Sequence[Sequence[Result]],
    slices: list[Slice],
    rows: list[SliceRow],
    tested: list[SliceDifference],
    args: argparse.Namespace,
) -> Iterator[Table]:
    """For each metric the scores on slices, then the differences of each system."""
    from corrigenda.cli.labels import labels

    headings = labels([results[0].metric for results in by_metric])
    for results in by_metric:
        name = str(results[0].metric)
        of_metric = [row for row in rows if row.metric == name]
        small = sum(len(part) < args.min_sentences for part in slices) if tested else 0
        yield _score_table(results, of_metric, slices, headings[name], small, args)
        for system in results[1:]:
            found = [row for row in tested if (row.metric, row.system) == (name, system.system)]
            if found:
                yield _difference_table(found, headings[name], args)


def _score_table(
    results: Sequence[Result],
    rows: list[SliceRow],
    slices: list[Slice],
    heading: str,
    small: int,
    args: argparse.Namespace,
) -> Table:
    from corrigenda.cli.labels import experimental_notes
    from corrigenda.cli.tables import Column, Row, Table, key_column, percent, text

    table_rows = []
    previous = ""
    for index, part in enumerate(slices):
        # The rows are in the order of systems, and of slices for each system.
        scores = [row.score for row in rows[index :: len(slices)]]
        best = max(scores) if len(set(scores)) > 1 else None
        cells = [percent(score, best=score == best) for score in scores]
        by = "" if part.by == previous else part.by
        table_rows.append(Row((text(by), text(part.label), text(str(len(part))), *cells)))
        previous = part.by
    untested = f"slices of fewer than {args.min_sentences} sentences were not tested: {small}"
    return Table(
        (
            key_column("by"),
            key_column("slice"),
            Column("sentences", key=True),
            *(Column(result.system) for result in results),
        ),
        tuple(table_rows),
        title=heading,
        notes=(
            f"{args.level} level, scores × 100",
            *([untested] if small else []),
            *experimental_notes([results[0].metric]),
        ),
        signatures=(f"{results[0].signature}|choice:frozen",),
        best_of="row",
    )


def _difference_table(rows: list[SliceDifference], heading: str, args: argparse.Namespace) -> Table:
    from corrigenda.cli.compare import significance_mark
    from corrigenda.cli.tables import Cell, Column, Row, Table, key_column

    system, baseline = rows[0].system, rows[0].baseline
    gap = Row((Cell("…"), *[Cell("")] * 5))
    return Table(
        (
            key_column("slice"),
            Column("sentences"),
            Column("difference"),
            Column(f"{100 * args.confidence:g} % interval"),
            Column("p" if args.correction == "none" else f"p ({args.correction})"),
            Column("", left=True, screen_only=True),
        ),
        tuple(
            gap if row is None else _difference_row(row, args.confidence)
            for row in _ends(rows, args.top)
        ),
        title=f"{heading}: where {system} beats {baseline} most, and least",
        mark=significance_mark(f"{system} differs from {baseline}", args),
    )


def _difference_row(row: SliceDifference, confidence: float) -> Row:
    from corrigenda.analysis.resolution import is_significant
    from corrigenda.cli.compare import verdict
    from corrigenda.cli.tables import Row, bounds, percent, probability, text

    significant = is_significant(row.adjusted_p_value, confidence)
    return Row(
        (
            text(f"{row.by}: {row.label}"),
            text(str(row.sentences)),
            percent(row.difference, signed=True, significant=significant),
            bounds(row.interval, signed=True),
            probability(row.adjusted_p_value, 4),
            verdict(row.difference, significant),
        )
    )


def _ends(rows: list[SliceDifference], top: int) -> list[SliceDifference | None]:
    """All rows, or as many as `top` from both ends with a gap between."""
    if len(rows) <= top:
        return list(rows)
    first = (top + 1) // 2
    return [*rows[:first], None, *rows[len(rows) - (top - first) :]]
