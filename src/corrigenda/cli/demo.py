"""`corrigenda demo`: the main job, on the bundled sample."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus, Hypotheses

HELP = "score the bundled sample and show the leaderboard"
EXAMPLES = """\
examples:
  corrigenda demo
  corrigenda demo --report /tmp/sample.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Only where the report goes."""
    parser.add_argument(
        "--report",
        metavar="FILE",
        help="also write the report on it, an HTML file for the browser",
    )


def run(args: argparse.Namespace) -> None:
    """Score the sample's five systems by the default metrics; a table, and a report if asked for."""
    from corrigenda.cli import render
    from corrigenda.data import SAMPLE, SAMPLE_SYSTEMS, sample_corpus, sample_systems
    from corrigenda.metrics import default_metrics
    from corrigenda.scoring import evaluate

    corpus, systems = sample_corpus(), sample_systems()
    results = evaluate(corpus, systems, default_metrics())
    print(
        f"Five invented systems on {len(corpus)} invented sentences, two or three references each.\n"
    )
    render.results(results, len(corpus), corpus.reference_range[1], "table")
    files = " ".join(f"{name}.txt" for name in SAMPLE_SYSTEMS)
    print(f"\nThe same by hand, in {SAMPLE}:\n  corrigenda score --gold gold.m2 --hyps {files}")
    if args.report:
        _write_report(args.report, corpus, systems, results)
    print("Next: corrigenda demo --report demo.html; corrigenda metrics; corrigenda score --help")


def _write_report(
    path: str, corpus: Corpus, systems: list[Hypotheses], results: list[Result]
) -> None:
    from corrigenda.data import SAMPLE
    from corrigenda.report import ReportOptions, write_report
    from corrigenda.report.human import from_judgments

    options = ReportOptions(title="The bundled sample")
    human = from_judgments(SAMPLE / "judgments.xml")
    write_report(path, corpus, systems, results, options=options, human=human)
    print(f"\nA report on it, for the browser: {path}")
