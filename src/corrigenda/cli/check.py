"""`corrigenda check`: is a submission what it should be?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corrigenda._version import __version__
from corrigenda.cli import findings, inputs, options, render
from corrigenda.cli.display import say
from corrigenda.errors import CorrigendaError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.health.finding import Finding

HELP = "examine outputs before they are scored"
EXAMPLES = """\
examples:
  corrigenda check --source src.txt --hyps submission.txt
  corrigenda check --gold gold.m2 --hyps submission.txt --format json
  corrigenda check --source src.txt --refs ref0.txt ref1.txt --hyps out/*.txt

The command looks for what would make a score meaningless: lines out of step with the source,
other tokens, subword marks, markup, empty or cut lines, exchanged files, and more. The exit code is
0 if nothing is found and 1 if something is. A file with the wrong number of lines is an error, too.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("how to print")
    options.add_text_format(group)
    options.add_threads(group)


def run(args: argparse.Namespace) -> None:
    """Examine, print, and end with exit code 1 if anything was found."""
    from corrigenda.health import examine

    corpus, systems = inputs.read_corpus(args)
    if not len(corpus):
        raise CorrigendaError(
            "there are no sentences to check", remedy="The files are empty; check their paths."
        )
    found = examine(corpus, systems, threads=args.threads)
    if args.format == "json":
        render.print_json(_data(corpus, systems, found))
    else:
        _print(corpus, systems, found)
    if found:
        raise SystemExit(1)


def _data(
    corpus: Corpus, systems: Sequence[Hypotheses], found: Sequence[Finding]
) -> dict[str, object]:
    return {
        "version": __version__,
        "corpus": {"sentences": len(corpus), "references": corpus.reference_range[1]},
        "systems": [system.name for system in systems],
        "ok": not found,
        "health": [finding.to_dict() for finding in found],
    }


def _print(corpus: Corpus, systems: Sequence[Hypotheses], found: Sequence[Finding]) -> None:
    from corrigenda.cli.display import printable

    for finding in found:
        say(printable(findings.line_of(finding)))
    concerned = {finding.system for finding in found}
    fine = [printable(system.name) for system in systems if system.name not in concerned]
    if fine:
        say(f"Nothing found: {', '.join(fine)}.")
    elif not systems and not found:
        say("Nothing found in the corpus.")
    say(f"Sentences: {len(corpus):,}; systems: {len(systems)}; findings: {len(found)}.")
