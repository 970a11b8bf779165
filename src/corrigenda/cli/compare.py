"""`corrigenda compare`: is a system really better than the baseline?"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corrigenda.cli import inputs
from corrigenda.cli.model_options import add_model_arguments, model_settings
from corrigenda.cli.progress_bar import bars
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.analysis.significance import SystemComparison
    from corrigenda.core.result import Result

HELP = "test whether systems differ from a baseline"
EXAMPLES = """\
examples:
  corrigenda compare baseline.txt ours.txt --gold gold.m2
  corrigenda compare base.txt a.txt b.txt c.txt --source src.txt --refs ref0.txt ref1.txt --metrics green m2
  corrigenda compare base.txt ours.txt --gold gold.m2 --test bootstrap --resamples 5000 --format json
  corrigenda compare a.txt b.txt c.txt d.txt --gold gold.m2 --metrics m2 --pairs

The first system is the baseline. The p-values are two-sided, of a paired test over sentences, and are
corrected for the number of comparisons by each metric. The references chosen on the whole corpus stay.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "systems", nargs="*", metavar="[NAME=]FILE", help="outputs; the first is the baseline"
    )
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("the test")
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
        help="exchange the systems' outputs at random, or resample sentences (default: permutation)",
    )
    group.add_argument("--resamples", type=int, default=1000, metavar="N", help="(default: 1000)")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="of intervals (default: 0.95)"
    )
    group.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="for many comparisons: Holm, Benjamini-Hochberg, or none (default: holm)",
    )
    group.add_argument(
        "--pairs",
        action="store_true",
        help="every pair of systems: p-values, ranges of ranks, and clusters",
    )
    group.add_argument(
        "--format", "-f", choices=("table", "json"), default="table", help="(default: table)"
    )
    group.add_argument(
        "--threads", type=int, metavar="N", help="threads of the kernels (default: all cores)"
    )
    add_model_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Score all systems, then test each against the first."""
    from corrigenda.cli import compare_pairs
    from corrigenda.cli.products import single_threaded_products

    single_threaded_products()
    args.hyps = [*args.systems, *args.hyps]
    _check(args)
    from corrigenda.metrics import default_metrics, metric
    from corrigenda.scoring import evaluate

    corpus, systems = inputs.read_corpus(args)
    if len(systems) < 2:
        raise UsageError(
            "a comparison needs two systems or more",
            remedy="Give the baseline first, then the others.",
        )
    metrics = [metric(text) for text in args.metrics] if args.metrics else default_metrics()
    with bars(), model_settings(args):
        results = evaluate(corpus, systems, metrics, level=args.level, threads=args.threads)
    by_metric = [results[index :: len(metrics)] for index in range(len(metrics))]
    if args.pairs:
        compare_pairs.run(by_metric, args)
        return
    rows = [row for of_metric in by_metric for row in _compared(of_metric, args)]
    if args.format == "json":
        json.dump({"comparisons": rows}, sys.stdout, ensure_ascii=False, indent=2)
        print()
    else:
        for of_metric in by_metric:
            _print(
                of_metric, [row for row in rows if row["metric"] == str(of_metric[0].metric)], args
            )


def _check(args: argparse.Namespace) -> None:
    if args.resamples < 1:
        raise UsageError(
            f"--resamples is {args.resamples}",
            remedy="It takes a whole number from 1 on, e.g. 1000.",
        )
    if not 0 < args.confidence < 1:
        raise UsageError(
            f"--confidence is {args.confidence}",
            remedy="It takes a number between 0 and 1, e.g. 0.95.",
        )
    if args.seed < 0:
        raise UsageError(f"--seed is {args.seed}", remedy="It takes a whole number from 0 on.")


def _compared(results: list[Result], args: argparse.Namespace) -> list[dict[str, Any]]:
    """Each system against the first, by one metric."""
    from corrigenda.analysis.significance import adjusted, compare

    baseline, *others = results
    comparisons: list[SystemComparison] = [
        compare(
            other,
            baseline,
            test=args.test,
            resamples=args.resamples,
            seed=args.seed,
            confidence=args.confidence,
        )
        for other in others
    ]
    corrected = adjusted([comparison.p_value for comparison in comparisons], args.correction)
    return [
        {
            "system": comparison.system,
            "baseline": comparison.baseline,
            "metric": comparison.metric,
            "level": args.level,
            "score": other.score,
            "baseline_score": baseline.score,
            "difference": comparison.difference,
            "interval": asdict(comparison.interval),
            "p_value": comparison.p_value,
            "corrected_p_value": p_value,
            "correction": args.correction,
            "test": args.test,
            "signature": f"{other.signature}|test:{args.test}|resamples:{args.resamples}|seed:{args.seed}|choice:frozen",
        }
        for other, comparison, p_value in zip(others, comparisons, corrected, strict=True)
    ]


def _print(results: list[Result], rows: list[dict[str, Any]], args: argparse.Namespace) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from corrigenda.cli.leaderboard import percent

    baseline = results[0]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("system", overflow="fold")
    for header in (
        str(baseline.metric),
        "difference",
        f"{100 * args.confidence:g} % interval",
        "p",
    ):
        table.add_column(Text(header), justify="right")
    table.add_column("")
    table.add_row(Text(f"{baseline.system} (baseline)"), percent(baseline.score), "", "", "", "")
    for row in sorted(rows, key=lambda row: -row["score"]):
        p_value = row["corrected_p_value"]
        significant = p_value < 1 - args.confidence
        better = row["difference"] > 0
        verdict = ("better", "bold green") if better else ("worse", "bold red")
        table.add_row(
            Text(row["system"]),
            percent(row["score"]),
            f"{100 * row['difference']:+.2f}",
            f"[{100 * row['interval']['low']:+.2f}, {100 * row['interval']['high']:+.2f}]".replace(
                "[", "\\["
            ),
            f"{p_value:.4f}",
            Text(*verdict) if significant else Text("no significant difference", "dim"),
        )
    console = Console(width=None if sys.stdout.isatty() else 1000, highlight=False)
    console.print(table)
    for row in rows[:1]:
        console.print(
            Text(f"{row['signature']}|correction:{args.correction}"), style="dim", soft_wrap=True
        )
