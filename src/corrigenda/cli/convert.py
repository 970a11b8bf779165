"""`corrigenda convert`: a corpus from one format to another."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli import inputs
from corrigenda.cli.outputs import open_output
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.formats.text import Fill

HELP = "convert a corpus between M2, text, JSON lines and the I-measure's XML"
EXAMPLES = """\
examples:
  corrigenda convert --gold gold.m2 --to text --out corpus/        # source.txt, ref0.txt, ref1.txt …
  corrigenda convert --source src.txt --refs ref0.txt ref1.txt --to m2 --out gold.m2
  corrigenda convert --gold gold.m2 --hyps ours.txt --to jsonl > corpus.jsonl
  corrigenda convert --jsonl corpus.jsonl --to m2
  corrigenda convert --gold gold.m2 --to ixml --out gold.xml

Edits of an M2 file made from text come from a minimal word alignment.
"""
TARGETS = ("m2", "text", "jsonl", "ixml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("what to write")
    group.add_argument("--to", choices=TARGETS, required=True, help="the format to write")
    group.add_argument(
        "--out", metavar="PATH", help="a file (default: standard output); for text, a folder"
    )
    group.add_argument(
        "--fill-missing",
        choices=("first", "source"),
        help="with --to text: what stands in for a reference that a sentence has not "
        "(its first reference, or its source)",
    )


def run(args: argparse.Namespace) -> None:
    """Read, then write."""
    corpus, systems = inputs.read_corpus(args)
    if args.fill_missing and args.to != "text":
        raise UsageError(
            "--fill-missing goes with --to text",
            remedy=f"{args.to} needs no reference for every sentence.",
        )
    if args.to == "text":
        _write_text(corpus, systems, args.out, args.fill_missing)
        return
    if args.to in ("m2", "ixml") and systems:
        raise UsageError(
            f"{args.to} files hold no systems", remedy="Leave out --hyps, or write --to jsonl."
        )
    with open_output(args.out) as file:
        if args.to == "m2":
            from corrigenda.formats import m2

            m2.write(m2.from_corpus(corpus), file)
        elif args.to == "ixml":
            from corrigenda.formats import ixml
            from corrigenda.metrics.imeasure_references import gold_sentences

            ixml.write(gold_sentences(corpus), file)
        else:
            from corrigenda.formats import jsonl

            jsonl.write(corpus, systems, file)


def _write_text(
    corpus: Corpus, systems: list[Hypotheses], folder: str | None, fill: Fill | None
) -> None:
    from corrigenda.formats import text

    if folder is None:
        raise UsageError(
            "--to text writes several files", remedy="Say into which folder: --out FOLDER."
        )
    files = text.corpus_texts(corpus, fill=fill)
    for system in systems:
        if Path(system.name).name != system.name or "\\" in system.name:
            raise UsageError(
                f"a system is called {system.name!r}: no name for a file",
                remedy="Rename it: NAME=FILE.",
            )
        if system.name in files:
            raise UsageError(
                f"a system is called {system.name!r}, as another file is",
                remedy="Rename it: NAME=FILE.",
            )
        files[system.name] = system.sentences
    text.write_folder(folder, files)
