"""`corrigenda report`: everything about some systems in one HTML file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corrigenda.cli import inputs
from corrigenda.cli.model_options import add_model_arguments, model_settings
from corrigenda.cli.products import single_threaded_products
from corrigenda.cli.progress_bar import bars
from corrigenda.cli.slices import sidecar_columns
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.report.human import HumanScores

HELP = "write a report on systems as one HTML file"
EXAMPLES = """\
examples:
  corrigenda report --gold gold.m2 --hyps ours.txt theirs.txt --out report.html
  corrigenda report --source src.txt --refs ref0.txt ref1.txt --hyps out/*.txt --metrics green m2 --title "Our task"
  corrigenda report --gold gold.m2 --hyps out/*.txt --judgments judgments.xml
  corrigenda report --gold gold.m2 --hyps out/*.txt --human scores.tsv --sidecar sentences.jsonl

The file needs no network and opens from disk: leaderboard with intervals, significance of every pair of
systems, plots, slices, and every sentence with what each system did to it. The first metric orders the
systems and tests the slices. A file of human scores has a system, a tab and a score on each line.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("what to show")
    group.add_argument(
        "--out", "-o", metavar="FILE", default="report.html", help="(default: report.html)"
    )
    group.add_argument("--title", metavar="TEXT", help="the report's heading")
    group.add_argument(
        "--metrics", "-m", nargs="+", metavar="METRIC", help="(default: all that need no extra)"
    )
    group.add_argument(
        "--level", choices=("corpus", "sentence"), default="corpus", help="(default: corpus)"
    )
    group.add_argument(
        "--sidecar", metavar="FILE", help="JSON lines; each column becomes a slicing"
    )
    group.add_argument(
        "--extractor", metavar="NAME", default="m2", help="which edits to show (default: m2)"
    )
    people = group.add_mutually_exclusive_group()
    people.add_argument(
        "--judgments", metavar="FILE", help="human rankings (XML, CSV or JSON lines): Expected Wins"
    )
    people.add_argument(
        "--human", metavar="FILE", help="human scores: a system, a tab, a score on each line"
    )
    group = parser.add_argument_group("intervals and tests")
    group.add_argument("--resamples", type=int, default=1000, metavar="N", help="(default: 1000)")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="(default: 0.95)"
    )
    group.add_argument(
        "--correction",
        choices=("bh", "holm", "none"),
        default="bh",
        help="for many comparisons: Benjamini-Hochberg, Holm, or none (default: bh)",
    )
    group.add_argument(
        "--min-sentences",
        type=int,
        default=10,
        metavar="N",
        help="test no slice that is smaller (default: 10)",
    )
    group.add_argument(
        "--threads", type=int, metavar="N", help="threads of the kernels (default: all cores)"
    )
    add_model_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Score, gather, write, and say where."""
    single_threaded_products()
    from corrigenda.metrics import default_metrics, metric
    from corrigenda.report import ReportOptions, write_report
    from corrigenda.scoring import evaluate

    _check(args)
    inputs.require_systems(args)
    corpus, systems = inputs.read_corpus(args)
    columns, human = sidecar_columns(corpus, args), _human(args)
    metrics = [metric(text) for text in args.metrics] if args.metrics else default_metrics()
    options = ReportOptions(
        title=args.title or ReportOptions.title,
        resamples=args.resamples,
        seed=args.seed,
        confidence=args.confidence,
        correction=args.correction,
        extractor=args.extractor,
        min_sentences=args.min_sentences,
        threads=args.threads,
    )
    with bars(), model_settings(args):
        results = evaluate(corpus, systems, metrics, level=args.level, threads=args.threads)
        size = write_report(
            args.out, corpus, systems, results, options=options, columns=columns, human=human
        )
    print(
        f"{args.out} ({size / 1e6:.1f} MB): {len(systems)} systems, {len(corpus)} sentences, {len(metrics)} metrics"
    )


def _check(args: argparse.Namespace) -> None:
    from corrigenda.analysis.extraction import EXTRACTORS

    if args.resamples < 1 or args.min_sentences < 1:
        raise UsageError("--resamples and --min-sentences take whole numbers from 1 on")
    if args.seed < 0:
        raise UsageError(f"--seed is {args.seed}", remedy="It takes a whole number from 0 on.")
    if not 0 < args.confidence < 1:
        raise UsageError(
            f"--confidence is {args.confidence}",
            remedy="It takes a number between 0 and 1, e.g. 0.95.",
        )
    if args.extractor not in EXTRACTORS:
        raise UsageError(
            f"there is no extractor {args.extractor!r}",
            remedy=f"It takes one of {', '.join(EXTRACTORS)}.",
        )


def _human(args: argparse.Namespace) -> HumanScores | None:
    from corrigenda.report import human

    if args.judgments:
        return human.from_judgments(args.judgments)
    return human.from_table(args.human) if args.human else None
