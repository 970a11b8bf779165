"""`corrigenda demo`: the main job, on the bundled sample."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus, Hypotheses

HELP = "score the bundled sample, show the leaderboard and write its report"
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
        default="corrigenda-demo-report.html",
        help="where to write the report (default: corrigenda-demo-report.html in the current folder)",
    )


def run(args: argparse.Namespace) -> None:
    """Score the sample's five systems by the default metrics; table on the terminal, report in a file."""
    from corrigenda.cli import render
    from corrigenda.data import SAMPLE, SAMPLE_SYSTEMS, sample_corpus, sample_systems
    from corrigenda.metrics import default_metrics
    from corrigenda.scoring import evaluate

    corpus, systems = sample_corpus(), sample_systems()
    results = evaluate(corpus, systems, default_metrics())
    print(f"Five invented systems on {len(corpus)} invented sentences, two or three references each.\n")
    render.results(results, len(corpus), corpus.reference_range[1], "table")
    files = " ".join(f"{name}.txt" for name in SAMPLE_SYSTEMS)
    print(f"\nThe same by hand, in {SAMPLE}:\n  corrigenda score --gold gold.m2 --hyps {files}")
    _write_report(args.report, corpus, systems, results)
    print("Next: corrigenda metrics; corrigenda score --help")


def _write_report(path: str, corpus: Corpus, systems: list[Hypotheses], results: list[Result]) -> None:
    from corrigenda.data import SAMPLE
    from corrigenda.report import ReportOptions, write_report
    from corrigenda.report.human import from_judgments

    options = ReportOptions(title="The bundled sample")
    human = from_judgments(SAMPLE / "judgments.xml")
    write_report(path, corpus, systems, results, options=options, human=human)
    print(f"\nA report on it, for the browser: {path}")
