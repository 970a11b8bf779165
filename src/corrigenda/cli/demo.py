"""`corrigenda demo`: the main job, on the bundled sample."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corrigenda.cli import options, outputs, render
from corrigenda.cli.display import say

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
    """Score the sample's systems by the default metrics; print a table, and write a report."""
    from corrigenda.cli.leaderboard import leaderboard
    from corrigenda.cli.parsing import folded_command
    from corrigenda.cli.terminal import terminal_width
    from corrigenda.data import SAMPLE, SAMPLE_SYSTEMS, sample_corpus, sample_systems
    from corrigenda.metrics import default_metrics
    from corrigenda.scoring import evaluate

    sample = [outputs.GivenFile("the bundled sample", path) for path in SAMPLE.iterdir()]
    outputs.check_file("--report", args.report, sample)
    corpus, systems = sample_corpus(), sample_systems()
    with options.working(args):
        results = evaluate(corpus, systems, default_metrics(), health="quiet")
    say(
        f"Five invented systems on {len(corpus)} invented sentences, "
        "two or three references each.\n"
    )
    render.print_tables([leaderboard(results)], "table")
    files = " ".join(f"{name}.txt" for name in SAMPLE_SYSTEMS)
    by_hand = folded_command(f"corrigenda score --gold gold.m2 --hyps {files}", terminal_width())
    say(f"\nThe same by hand, in {SAMPLE}:", *by_hand)
    if args.report:
        _write_report(args.report, corpus, systems, results)
    say("\nNext:")
    if not args.report:
        say("  corrigenda demo --report demo.html")
    say("  corrigenda metrics\n  corrigenda score --help")


def _write_report(
    path: str, corpus: Corpus, systems: list[Hypotheses], results: list[Result]
) -> None:
    from corrigenda.data import SAMPLE
    from corrigenda.report import ReportOptions, write_report
    from corrigenda.report.human import from_judgments

    human = from_judgments(SAMPLE / "judgments.xml")
    about = ReportOptions(title="The bundled sample")
    write_report(path, corpus, systems, results, options=about, human=human)
    say(f"\nA report on it, for the browser: {path}")
