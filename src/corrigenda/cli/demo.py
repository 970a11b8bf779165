"""`corrigenda demo`: the main job, on the bundled sample."""

from __future__ import annotations

import argparse

HELP = "score the bundled sample and show the leaderboard"
EXAMPLES = """\
example:
  corrigenda demo
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command takes nothing."""


def run(args: argparse.Namespace) -> None:
    """Score the sample's five systems by the default metrics."""
    from corrigenda.cli import render
    from corrigenda.data import SAMPLE, SAMPLE_SYSTEMS, sample_corpus, sample_systems
    from corrigenda.metrics import default_metrics
    from corrigenda.scoring import evaluate

    corpus = sample_corpus()
    results = evaluate(corpus, sample_systems(), default_metrics(), keep_statistics=False)
    print(f"Five invented systems on {len(corpus)} invented sentences, two or three references each.\n")
    render.results(results, len(corpus), corpus.reference_range[1], "table")
    files = " ".join(f"{name}.txt" for name in SAMPLE_SYSTEMS)
    print(f"\nThe same by hand, in {SAMPLE}:\n  corrigenda score --gold gold.m2 --hyps {files}")
    print("Next: corrigenda metrics; corrigenda score --help")
