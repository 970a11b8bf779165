"""The options by which every command takes a corpus and systems."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.core.evaluate import Block
    from corrigenda.corpus import Corpus, Hypotheses


_EDITS_SUFFIX = ".m2"


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """Where sources and references come from: text, an M2 file, or JSON lines."""
    group = parser.add_argument_group("the corpus (text, M2 or JSON lines; '-' is standard input)")
    group.add_argument(
        "--source", "-s", metavar="FILE", help="source sentences, one tokenised sentence a line"
    )
    group.add_argument(
        "--refs", "-r", nargs="+", metavar="FILE", default=[], help="reference texts, one file each"
    )
    group.add_argument("--gold", metavar="M2", help="gold edits; instead of --source and --refs")
    group.add_argument(
        "--ixml", metavar="XML", help="the I-measure's gold errors; instead of --gold"
    )
    group.add_argument(
        "--jsonl", metavar="FILE", help='an object a line with "source", "references", "hypotheses"'
    )


def add_system_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the outputs of systems come from."""
    group = parser.add_argument_group("the systems")
    group.add_argument(
        "--hyps",
        nargs="+",
        metavar="[NAME=]FILE",
        default=[],
        help="outputs, one file a system (text, or .m2 for given edits); named after the file, unless given",
    )


def check_corpus_arguments(args: argparse.Namespace) -> None:
    """Exactly one way of giving the corpus, and standard input at most once."""
    ways = [
        bool(args.source or args.refs),
        *(given is not None for given in (args.gold, args.ixml, args.jsonl)),
    ]
    if sum(ways) != 1:
        raise UsageError(
            "give the corpus in exactly one way",
            remedy="--source FILE --refs FILE…, or --gold FILE.m2, or --ixml FILE.xml, or --jsonl FILE.",
        )
    if ways[0] and not (args.source and args.refs):
        missing = "--source" if not args.source else "--refs"
        raise UsageError(f"{missing} is missing", remedy="--source and --refs go together.")
    files = [
        args.source,
        *args.refs,
        args.gold,
        args.ixml,
        args.jsonl,
        *(path for _, path in named_systems(args)),
    ]
    if files.count("-") > 1:
        raise UsageError("standard input ('-') can be read only once")


def named_systems(args: argparse.Namespace) -> list[tuple[str, str]]:
    """The systems' names and files; no two may have the same name."""
    from corrigenda.formats import text

    systems: list[tuple[str, str]] = []
    for item in getattr(args, "hyps", []):
        name, equals, path = item.partition("=")
        named = bool(equals and name) and not Path(item).exists()
        if named and not path:
            raise UsageError(f"--hyps {item}: no file is named", remedy="Write NAME=FILE.")
        systems.append((name, path) if named else (text.stem(item), item))
    _check_names([name for name, _ in systems])
    return systems


def _check_names(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                f"two systems are called {name!r}",
                remedy="Give them names of their own: --hyps first=a/out.txt …",
            )


def _given_edits(named: list[tuple[str, str]]) -> bool:
    return any(path.endswith(_EDITS_SUFFIX) for _, path in named)


def read_corpus(args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    """The whole corpus and all systems, in memory."""
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.formats import (
        jsonl,
        read_hypotheses,
        read_ixml,
        read_m2,
        read_m2_hypotheses,
        read_text,
        text,
    )

    check_corpus_arguments(args)
    named = named_systems(args)
    if args.source and not _given_edits(named):
        texts = text.read_aligned([args.source, *args.refs, *(path for _, path in named)])
        count = 1 + len(args.refs)
        corpus = Corpus.from_lists(texts[0], texts[1:count], references_by="text")
        outputs = texts[count:]
        return corpus, [
            Hypotheses(name, output) for (name, _), output in zip(named, outputs, strict=True)
        ]
    systems: list[Hypotheses] = []
    if args.gold:
        corpus = read_m2(args.gold)
    elif args.ixml:
        corpus = read_ixml(args.ixml)
    elif args.source:
        corpus = read_text(args.source, args.refs)
    else:
        loaded = jsonl.read(args.jsonl)
        corpus, systems = loaded.corpus, list(loaded.systems)
    for name, path in named:
        if path.endswith(_EDITS_SUFFIX):
            systems.append(read_m2_hypotheses(path, name=name, source=corpus.sources))
        else:
            systems.append(read_hypotheses(path, name=name))
    _check_names([system.name for system in systems])
    gold = args.gold or args.ixml or args.jsonl or args.source
    text.check_counts(
        [gold, *(path for _, path in named)],
        [len(corpus), *map(len, systems[len(systems) - len(named) :])],
    )
    return corpus, systems


def read_blocks(args: argparse.Namespace) -> Iterator[Block]:
    """The corpus block by block: text files are never in memory as a whole."""
    from corrigenda.core.evaluate import BLOCK_SENTENCES, Block, blocks_of
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.formats import text

    check_corpus_arguments(args)
    named = named_systems(args)
    if not args.source or _given_edits(named):
        yield from blocks_of(*read_corpus(args))
        return
    count = 1 + len(args.refs)
    paths = [args.source, *args.refs, *(path for _, path in named)]
    for texts in text.read_blocks(paths, BLOCK_SENTENCES):
        corpus = Corpus.from_lists(texts[0], texts[1:count], references_by="text")
        outputs = zip(named, texts[count:], strict=True)
        yield Block(corpus, [Hypotheses(name, sentences) for (name, _), sentences in outputs])


def require_systems(args: argparse.Namespace) -> None:
    """Some system must be named, unless JSON lines may hold them."""
    if not args.hyps and not args.jsonl:
        raise UsageError(
            "no system to score",
            remedy="Give at least one output: --hyps FILE or --hyps NAME=FILE.",
        )
