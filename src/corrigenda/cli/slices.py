"""`corrigenda slices`: scores on parts of a corpus, and where one system beats another most."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corrigenda.cli import inputs
from corrigenda.cli.model_options import add_model_arguments, model_settings
from corrigenda.cli.products import single_threaded_products
from corrigenda.cli.progress_bar import bars
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.analysis.slices import Slice, SliceDifference
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus

HELP = "score slices of a corpus, and find where systems differ most"
EXAMPLES = """\
examples:
  corrigenda slices --gold gold.m2 --hyps baseline.txt ours.txt --by length edits
  corrigenda slices --source src.txt --refs ref.txt --hyps baseline.txt ours.txt --by type --types errant
  corrigenda slices --gold errant.m2 --hyps baseline.txt ours.txt --by type --category 2 --metrics m2
  corrigenda slices --gold gold.m2 --hyps ours.txt --by level topics --sidecar sentences.jsonl
  corrigenda slices --source src.txt --refs ref.txt --hyps a.txt b.txt --by length --bounds 5 15 25 --format json

With two systems or more, each is tested against the first, the baseline, on every slice of --min-sentences
or more, and the p-values hold the false discovery rate over all these tests (Benjamini-Hochberg). The
references chosen on the whole corpus stay. A sidecar has a JSON object a line, one for each sentence; with --jsonl, further
columns of that file will do.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("the slices")
    group.add_argument(
        "--by",
        nargs="+",
        metavar="WHAT",
        default=["length"],
        help="length, edits, type or columns (default: length)",
    )
    group.add_argument("--sidecar", metavar="FILE", help="JSON lines whose columns --by may name")
    group.add_argument(
        "--bounds",
        nargs="+",
        type=int,
        metavar="N",
        help="the last number of each slice by length or edits",
    )
    group.add_argument(
        "--types",
        choices=("gold", "errant"),
        default="gold",
        help="error types of the gold edits, or given to them by ERRANT (default: gold)",
    )
    group.add_argument(
        "--category",
        type=int,
        choices=(1, 2, 3),
        default=3,
        help="of ERRANT's types: operation, category, or both (default: 3)",
    )
    group = parser.add_argument_group("what to compute and print")
    group.add_argument(
        "--metrics", "-m", nargs="+", metavar="METRIC", help="(default: all that need no extra)"
    )
    group.add_argument(
        "--level", choices=("corpus", "sentence"), default="corpus", help="(default: corpus)"
    )
    group.add_argument(
        "--test",
        choices=("permutation", "bootstrap"),
        default="permutation",
        help="(default: permutation)",
    )
    group.add_argument(
        "--resamples", type=int, default=1000, metavar="N", help="(default: 1000; 0: no tests)"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="of intervals (default: 0.95)"
    )
    group.add_argument(
        "--correction", choices=("bh", "holm", "none"), default="bh", help="(default: bh)"
    )
    group.add_argument(
        "--min-sentences",
        type=int,
        default=10,
        metavar="N",
        help="test no slice that is smaller (default: 10)",
    )
    group.add_argument(
        "--top", type=int, default=10, metavar="N", help="differences in a table (default: 10)"
    )
    group.add_argument(
        "--format", "-f", choices=("table", "json", "csv"), default="table", help="(default: table)"
    )
    group.add_argument(
        "--threads", type=int, metavar="N", help="threads of the kernels (default: all cores)"
    )
    add_model_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Score all systems once, then weigh their sentences by slice."""
    single_threaded_products()
    from corrigenda.metrics import default_metrics, metric
    from corrigenda.scoring import evaluate

    _check(args)
    inputs.require_systems(args)
    corpus, systems = inputs.read_corpus(args)
    slices = _slices(corpus, args)
    metrics = [metric(text) for text in args.metrics] if args.metrics else default_metrics()
    with bars(), model_settings(args):
        results = evaluate(corpus, systems, metrics, level=args.level, threads=args.threads)
    by_metric = [results[index :: len(metrics)] for index in range(len(metrics))]
    tested = _differences(by_metric, slices, args)
    {"table": _print_tables, "json": _print_json, "csv": _print_csv}[args.format](
        by_metric, slices, tested, args
    )


def _check(args: argparse.Namespace) -> None:
    if args.resamples < 0 or args.seed < 0:
        raise UsageError("--resamples and --seed take whole numbers from 0 on")
    if not 0 < args.confidence < 1:
        raise UsageError(
            f"--confidence is {args.confidence}",
            remedy="It takes a number between 0 and 1, e.g. 0.95.",
        )
    if args.min_sentences < 1 or args.top < 1:
        raise UsageError("--min-sentences and --top take whole numbers from 1 on")


def _slices(corpus: Corpus, args: argparse.Namespace) -> list[Slice]:
    from corrigenda.analysis.slices import errant_edits, slices_by

    columns = sidecar_columns(corpus, args)
    gold = errant_edits(corpus, threads=args.threads) if args.types == "errant" else None
    options = {"bounds": args.bounds, "category": args.category, "gold": gold}
    return [
        part for by in dict.fromkeys(args.by) for part in slices_by(corpus, by, columns, **options)
    ]


def sidecar_columns(corpus: Corpus, args: argparse.Namespace) -> dict[str, list[Any]]:
    """The columns of the sidecar, or of the JSON lines that hold the corpus."""
    from corrigenda.formats.sidecar import read_sidecar

    path = args.sidecar or (args.jsonl if args.jsonl != "-" else None)
    return read_sidecar(path, len(corpus)) if path else {}


def _differences(
    by_metric: list[list[Result]], slices: list[Slice], args: argparse.Namespace
) -> list[SliceDifference]:
    from corrigenda.analysis.slices import differences

    if not args.resamples:
        return []
    return differences(
        [(system, results[0]) for results in by_metric for system in results[1:]],
        slices,
        test=args.test,
        resamples=args.resamples,
        seed=args.seed,
        confidence=args.confidence,
        correction=args.correction,
        min_sentences=args.min_sentences,
    )


def _rows(by_metric: list[list[Result]], slices: list[Slice]) -> list[dict[str, Any]]:
    """A row for each slice, metric and system."""
    from corrigenda.analysis.slices import slice_scores

    return [
        {
            "by": part.by,
            "slice": part.label,
            "sentences": len(part),
            "metric": str(result.metric),
            "system": result.system,
            "score": float(score),
        }
        for results in by_metric
        for result, scores in zip(results, slice_scores(results, slices), strict=True)
        for part, score in zip(slices, scores, strict=True)
    ]


def _print_json(
    by_metric: list[list[Result]],
    slices: list[Slice],
    tested: list[SliceDifference],
    args: argparse.Namespace,
) -> None:
    data = {
        "level": args.level,
        "slices": _rows(by_metric, slices),
        "differences": [asdict(difference) for difference in tested],
        "test": args.test if tested else None,
        "correction": args.correction,
        "signatures": [results[0].signature + "|choice:frozen" for results in by_metric],
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
    print()


def _print_csv(
    by_metric: list[list[Result]],
    slices: list[Slice],
    tested: list[SliceDifference],
    args: argparse.Namespace,
) -> None:
    rows = _rows(by_metric, slices)
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _print_tables(
    by_metric: list[list[Result]],
    slices: list[Slice],
    tested: list[SliceDifference],
    args: argparse.Namespace,
) -> None:
    from rich.console import Console
    from rich.text import Text

    # Piped output must not be folded to 80 columns.
    console = Console(width=None if sys.stdout.isatty() else 1000, highlight=False)
    for results in by_metric:
        console.print(_score_table(results, slices))
        console.print(Text(f"{results[0].signature}|choice:frozen"), style="dim", soft_wrap=True)
        rivals = [(system.system, results[0].system) for system in results[1:]]
        for system, baseline in rivals:
            name = str(results[0].metric)
            rows = [
                row
                for row in tested
                if (row.metric, row.system, row.baseline) == (name, system, baseline)
            ]
            if rows:
                console.print(_difference_table(rows, args))
        console.print()
    small = [part for part in slices if len(part) < args.min_sentences]
    if tested and small:
        console.print(
            f"{len(small)} slices of fewer than {args.min_sentences} sentences were not tested",
            style="dim",
        )


def _score_table(results: list[Result], slices: list[Slice]) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from corrigenda.analysis.slices import slice_scores
    from corrigenda.cli.leaderboard import percent

    table = Table(
        box=SIMPLE_HEAD, pad_edge=False, title=Text(str(results[0].metric)), title_justify="left"
    )
    for header in ("by", "slice"):
        table.add_column(header, overflow="fold")
    for header in ("sentences", *(result.system for result in results)):
        table.add_column(Text(header), justify="right", overflow="fold")
    previous = ""
    for part, scores in zip(slices, slice_scores(results, slices).T.tolist(), strict=True):
        best = max(scores)
        cells = [
            Text(percent(score), "bold green" if score == best and len(scores) > 1 else "")
            for score in scores
        ]
        by = "" if part.by == previous else part.by
        table.add_row(Text(by), Text(part.label), str(len(part)), *cells)
        previous = part.by
    return table


def _difference_table(rows: list[SliceDifference], args: argparse.Namespace) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    title = f"where {rows[0].system} beats {rows[0].baseline} most, and least"
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=Text(title), title_justify="left")
    table.add_column("slice", overflow="fold")
    for header in (
        "sentences",
        "difference",
        f"{100 * args.confidence:g} % interval",
        "p",
        f"p ({args.correction})",
    ):
        table.add_column(header, justify="right")
    table.add_column("")
    for row in _ends(rows, args.top):
        if row is None:
            table.add_row("…", *[""] * 6)
            continue
        low, high = 100 * row.interval.low, 100 * row.interval.high
        table.add_row(
            Text(f"{row.by}: {row.label}"),
            str(row.sentences),
            f"{100 * row.difference:+.2f}",
            Text(f"[{low:+.2f}, {high:+.2f}]"),
            f"{row.p_value:.4f}",
            f"{row.adjusted_p_value:.4f}",
            _verdict(row, 1 - args.confidence),
        )
    return table


def _ends(rows: list[SliceDifference], top: int) -> list[SliceDifference | None]:
    """All rows, or as many as `top` from both ends with a gap between."""
    if len(rows) <= top:
        return list(rows)
    first = (top + 1) // 2
    return [*rows[:first], None, *rows[len(rows) - (top - first) :]]


def _verdict(row: SliceDifference, alpha: float) -> Any:
    from rich.text import Text

    if row.adjusted_p_value >= alpha:
        return Text("no significant difference", "dim")
    return Text("better", "bold green") if row.difference > 0 else Text("worse", "bold red")
