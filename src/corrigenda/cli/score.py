"""`corrigenda score`: systems by metrics, as a leaderboard or as data."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corrigenda.cli import inputs
from corrigenda.cli.model_options import add_model_arguments, model_settings
from corrigenda.cli.progress_bar import counting_sentences
from corrigenda.errors import CorrigendaError, UsageError

if TYPE_CHECKING:
    from corrigenda.core.evaluate import Block

HELP = "score systems by one or more metrics"
EXAMPLES = """\
examples:
  corrigenda score --source src.txt --refs ref0.txt ref1.txt --hyps ours.txt theirs.txt
  corrigenda score --gold gold.m2 --hyps ours.txt baseline=out/b.txt --metrics green gleu:variant=paper bleu
  corrigenda score --gold gold.m2 --hyps ours.txt --metrics green:unit=char,beta=1 --level sentence
  corrigenda score --gold gold.m2 --hyps ours.txt --per-sentence --format json > scores.json
  corrigenda score --gold gold.m2 --hyps ours.txt --metrics errant --by-type 2
  corrigenda score --gold gold.m2 --hyps ours.txt theirs.txt --metrics imeasure --details
  my-system < src.txt | corrigenda score --source src.txt --refs ref.txt --hyps ours=-

`corrigenda metrics` lists the metrics and their parameters.
"""
FORMATS = ("table", "json", "csv", "markdown", "latex")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("what to compute and print")
    group.add_argument(
        "--metrics",
        "-m",
        nargs="+",
        metavar="METRIC",
        help="e.g. green gleu:variant=paper bleu (default: all that need no extra)",
    )
    group.add_argument(
        "--level",
        choices=("corpus", "sentence"),
        default="corpus",
        help="sum the counts over the corpus, or average the scores of its sentences (default: corpus)",
    )
    group.add_argument(
        "--per-sentence", action="store_true", help="also the scores and counts of each sentence"
    )
    group.add_argument(
        "--by-type",
        choices=("1", "2", "3"),
        help="also by error type (errant): 1 operation, 2 type, 3 both; JSON always has all three",
    )
    group.add_argument(
        "--details",
        action="store_true",
        help="also tables of all counts and measures; JSON always has them",
    )
    group.add_argument("--format", "-f", choices=FORMATS, default="table", help="(default: table)")
    add_bootstrap_arguments(group)
    group.add_argument(
        "--threads", type=int, metavar="N", help="threads of the kernels (default: all cores)"
    )
    group.add_argument(
        "--no-cache", action="store_true", help="neither read nor keep annotations on disk"
    )
    add_model_arguments(parser)


def add_bootstrap_arguments(group: argparse._ArgumentGroup) -> None:
    """How intervals are made."""
    group.add_argument(
        "--bootstrap", type=int, metavar="N", help="confidence intervals from N resamples"
    )
    group.add_argument(
        "--interval",
        choices=("percentile", "bca"),
        default="percentile",
        help="(default: percentile)",
    )
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="of intervals (default: 0.95)"
    )
    group.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of resampling (default: 0)"
    )


def check_bootstrap_arguments(args: argparse.Namespace) -> None:
    """Numbers that make sense."""
    if args.bootstrap is not None and args.bootstrap < 1:
        raise UsageError(
            f"--bootstrap is {args.bootstrap}",
            remedy="It takes a whole number from 1 on, e.g. 1000.",
        )
    if not 0 < args.confidence < 1:
        raise UsageError(
            f"--confidence is {args.confidence}",
            remedy="It takes a number between 0 and 1, e.g. 0.95.",
        )
    if args.seed < 0:
        raise UsageError(f"--seed is {args.seed}", remedy="It takes a whole number from 0 on.")


def run(args: argparse.Namespace) -> None:
    """Score, then print."""
    from corrigenda.cache import folder as cache_folder
    from corrigenda.cli import render
    from corrigenda.core.evaluate import evaluate
    from corrigenda.metrics import default_metrics, metric

    inputs.check_corpus_arguments(args)
    inputs.require_systems(args)
    if args.per_sentence and args.format not in ("json", "csv"):
        raise UsageError(
            "--per-sentence needs a format that holds it",
            remedy="Add --format json or --format csv.",
        )
    if args.details and args.format == "csv":
        raise UsageError(
            "--details are several tables", remedy="Add --format json, which always has all of it."
        )
    if args.threads is not None and args.threads < 1:
        raise UsageError(
            f"--threads is {args.threads}", remedy="It takes a whole number from 1 on."
        )
    check_bootstrap_arguments(args)
    metrics = [metric(text) for text in args.metrics] if args.metrics else default_metrics()
    if args.by_type and args.per_sentence and args.format == "csv":
        raise UsageError(
            "--by-type and --per-sentence are two CSV files",
            remedy="Ask for one, or add --format json.",
        )
    seen = _Seen(inputs.read_blocks(args))
    with (
        counting_sentences() as progress,
        cache_folder.disabled(args.no_cache),
        model_settings(args),
    ):
        results = evaluate(
            seen.blocks(),
            metrics,
            level=args.level,
            threads=args.threads,
            keep_statistics=args.per_sentence or args.bootstrap is not None,
            progress=progress,
        )
    if not seen.sentences:
        raise CorrigendaError(
            "there are no sentences to score", remedy="The files are empty; check their paths."
        )
    if not results:
        raise UsageError(
            "no system to score",
            remedy="Give at least one output: --hyps FILE or --hyps NAME=FILE.",
        )
    if args.bootstrap is not None:
        from corrigenda.analysis.significance import with_interval

        settings = {"resamples": args.bootstrap, "seed": args.seed, "confidence": args.confidence}
        results = [with_interval(result, method=args.interval, **settings) for result in results]
    if args.by_type and not any(result.types for result in results):
        raise UsageError(
            "--by-type needs a metric that knows error types", remedy="Add --metrics errant."
        )
    if not (args.by_type and args.format == "csv"):
        render.results(
            results, seen.sentences, seen.references, args.format, per_sentence=args.per_sentence
        )
    if args.details and args.format != "json":
        from corrigenda.cli.detail_tables import details

        details(results, args.format)
    if args.by_type and args.format != "json":
        from corrigenda.cli.type_tables import by_type

        by_type(results, args.by_type, args.format)


class _Seen:
    """Passes blocks on and remembers how much there was."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self.sentences = 0
        self.references = 0

    def blocks(self) -> Iterator[Block]:
        for block in self._blocks:
            self.sentences += len(block.corpus)
            self.references = max(self.references, block.corpus.reference_range[1])
            yield block
