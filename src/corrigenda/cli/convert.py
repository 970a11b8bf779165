"""`corrigenda convert`: a corpus from one format to another."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, outputs
from corrigenda.errors import UsageError
from corrigenda.formats.registry import CORPUS_FORMATS

if TYPE_CHECKING:
    from corrigenda.corpus import Corpus, Hypotheses

HELP = "convert a corpus between M2, text, JSON lines, XML and essays"
EXAMPLES = """\
examples:
  corrigenda convert --gold gold.m2 --to text --out corpus/     # source.txt, ref0.txt, ref1.txt …
  corrigenda convert --source src.txt --refs ref0.txt ref1.txt --to m2 --out gold.m2
  corrigenda convert --gold gold.m2 --hyps ours.txt --to jsonl > corpus.jsonl
  corrigenda convert --jsonl corpus.jsonl --to m2
  corrigenda convert --gold gold.m2 --to ixml --out gold.xml
  corrigenda convert --cherrant gold.m2 --to jsonl > corpus.jsonl
  corrigenda convert --essays de-orig-dev.md --to jsonl > corpus.jsonl
  corrigenda convert --jsonl corpus.jsonl --to essays --out corpus/     # orig.md, ref1.md …

The edits of an M2 file that is made from text come from a minimal word alignment.
"""
TARGETS = ("text", *CORPUS_FORMATS)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("what to write")
    group.add_argument("--to", choices=TARGETS, required=True, help="the format to write")
    group.add_argument(
        "--out",
        metavar="PATH",
        help="a file (default: standard output); for text and essays, a folder",
    )
    group.add_argument(
        "--fill-missing",
        choices=("first", "source"),
        help="with --to text: what replaces a missing reference (the first reference of the "
        "sentence, or its source)",
    )


def run(args: argparse.Namespace) -> None:
    """Read, then write."""
    _check(args)
    corpus, systems = inputs.read_corpus(args)
    if args.to == "text":
        _write_texts(corpus, systems, args)
        return
    if CORPUS_FORMATS[args.to].has_many_files:
        _write_files(corpus, systems, args)
        return
    if systems and not CORPUS_FORMATS[args.to].holds_systems:
        raise UsageError(
            f"{args.to} files hold no systems", remedy="Leave out --hyps, or write --to jsonl."
        )
    _write_file(corpus, systems, args)


def _check(args: argparse.Namespace) -> None:
    """Refuse what cannot be written before anything is read."""
    inputs.check_corpus_arguments(args)
    if args.to != "text" and not CORPUS_FORMATS[args.to].has_many_files:
        outputs.check_file("--out", args.out, inputs.given_files(args))
    elif args.out is None:
        raise UsageError(
            f"--to {args.to} writes several files", remedy="Say into which folder: --out FOLDER."
        )
    if args.fill_missing and args.to != "text":
        raise UsageError(
            "--fill-missing goes with --to text",
            remedy=f"{args.to} does not need all references of every sentence.",
        )


def _write_file(corpus: Corpus, systems: list[Hypotheses], args: argparse.Namespace) -> None:
    with outputs.open_output(args.out) as file:
        CORPUS_FORMATS[args.to].load_module().save(corpus, systems, file)


def _write_files(corpus: Corpus, systems: list[Hypotheses], args: argparse.Namespace) -> None:
    for system in systems:
        outputs.file_of_system(system.name, "")
    files = CORPUS_FORMATS[args.to].load_files_module().files(corpus, systems)
    outputs.check_folder("--out", args.out, list(files), inputs.given_files(args))
    with outputs.open_together() as opened:
        for name, content in files.items():
            with opened(Path(args.out) / name) as file:
                file.write(content)


def _write_texts(corpus: Corpus, systems: list[Hypotheses], args: argparse.Namespace) -> None:
    from corrigenda.formats import text

    texts = text.corpus_texts(corpus, fill=args.fill_missing)
    _check_systems(systems, texts)
    texts |= {system.name: system.sentences for system in systems}
    names = [f"{name}.txt" for name in texts]
    outputs.check_folder("--out", args.out, names, inputs.given_files(args))
    text.write_folder(args.out, texts)


def _check_systems(systems: list[Hypotheses], texts: Mapping[str, object]) -> None:
    for system in systems:
        outputs.file_of_system(system.name, ".txt")
        if system.name in texts:
            raise UsageError(
                f"a system is called {system.name!r}, which is the name of another file",
                remedy="Give it another name: --hyps NAME=FILE.",
            )
