"""`corrigenda report`: everything about some systems in one HTML file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corrigenda.cli import findings, inputs, options, outputs
from corrigenda.cli.display import say
from corrigenda.cli.products import single_threaded_products

if TYPE_CHECKING:
    from corrigenda.report import ReportOptions
    from corrigenda.report.against import EarlierScores
    from corrigenda.report.human import HumanScores

HELP = "write a report on systems as one HTML file"
EXAMPLES = """\
examples:
  corrigenda report --gold gold.m2 --hyps ours.txt theirs.txt --out report.html
  corrigenda report --source src.txt --refs ref0.txt ref1.txt --hyps out/*.txt --title "Our task"
  corrigenda report --gold gold.m2 --hyps out/*.txt --judgments judgments.xml
  corrigenda report --gold gold.m2 --hyps out/*.txt --against last-month.json
  corrigenda report --gold gold.m2 --hyps out/*.txt --human scores.tsv --sidecar sentences.jsonl
  corrigenda report --gold gold.m2 --hyps out/*.txt --attribute green

The file needs no network and opens from disk. It has a leaderboard with intervals, the significance
of every pair of systems, plots, slices, and every sentence with what each system did to it. The
first metric orders the systems and tests the slices. A file of human scores has a system, a tab and
a score on each line.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("what to show")
    group.add_argument(
        "--out", "-o", metavar="FILE", default="report.html", help="(default: report.html)"
    )
    group.add_argument(
        "--title", metavar="TEXT", help="the report's heading (default: the systems)"
    )
    options.add_metrics(group)
    options.add_level(group)
    inputs.add_sidecar_argument(group, "each column becomes a slicing")
    group.add_argument(
        "--extractor", metavar="NAME", default="m2", help="which edits to show (default: m2)"
    )
    group.add_argument(
        "--attribute",
        metavar="METRIC",
        help="show under each edit what it did to the score of its sentence by this metric",
    )
    group.add_argument(
        "--ceiling",
        action="store_true",
        help="also the human ceiling: each reference against the others, and the systems against "
        "the same references",
    )
    people = group.add_mutually_exclusive_group()
    people.add_argument(
        "--judgments",
        metavar="FILE",
        help="human rankings (XML, CSV or JSON lines), shown as Expected Wins",
    )
    people.add_argument(
        "--human", metavar="FILE", help="human scores: a system, a tab, a score on each line"
    )
    group.add_argument(
        "--against",
        metavar="FILE",
        help="earlier scores (JSON of `corrigenda score`): show what changed since",
    )
    group = parser.add_argument_group("intervals and tests")
    options.add_resamples(group)
    options.add_seed(group)
    options.add_confidence(group)
    options.add_correction(group)
    options.add_min_sentences(group)
    options.add_threads(group)
    options.add_no_cache(group)
    findings.add_arguments(group)
    options.add_models(parser)


def run(args: argparse.Namespace) -> None:
    """Score, gather, write, and say where."""
    single_threaded_products()
    from corrigenda.analysis.extraction import extractor_class
    from corrigenda.report import write_report

    extractor_class(args.extractor)
    inputs.check_corpus_arguments(args)
    inputs.require_systems(args)
    metrics = options.metrics_of(args)
    report_options = _report_options(args)
    given = inputs.given_files(args, "sidecar", "judgments", "human", "against")
    outputs.check_file("--out", args.out, [*given, *options.files_of(metrics)])
    corpus, systems = inputs.read_corpus(args)
    columns, human = inputs.sidecar_columns(corpus, args), _human(args)
    earlier = _earlier(args)
    results = findings.scored(args, corpus, systems, metrics)
    with options.working(args):
        size = write_report(
            args.out,
            corpus,
            systems,
            results,
            options=report_options,
            columns=columns,
            human=human,
            earlier=earlier,
        )
    say(
        f"{args.out} ({size / 1e6:.1f} MB). Systems: {len(systems)}; sentences: {len(corpus)}; "
        f"metrics: {len(metrics)}"
    )


def _report_options(args: argparse.Namespace) -> ReportOptions:
    from corrigenda.analysis.attribution import check_metric
    from corrigenda.metrics import metric
    from corrigenda.report import ReportOptions

    attributed = metric(args.attribute) if args.attribute else None
    if attributed is not None:
        check_metric(attributed)
    return ReportOptions(
        title=args.title or ReportOptions.title,
        resamples=args.resamples,
        seed=args.seed,
        confidence=args.confidence,
        correction=args.correction,
        extractor=args.extractor,
        min_sentences=args.min_sentences,
        ceiling=args.ceiling,
        attribute=attributed,
        threads=args.threads,
    )


def _earlier(args: argparse.Namespace) -> EarlierScores | None:
    from corrigenda.report import against

    return against.from_json(args.against) if args.against else None


def _human(args: argparse.Namespace) -> HumanScores | None:
    from corrigenda.report import human

    if args.judgments:
        return human.from_judgments(args.judgments)
    return human.from_table(args.human) if args.human else None
