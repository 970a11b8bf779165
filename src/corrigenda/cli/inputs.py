"""The options by which every command takes a corpus and systems."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli.outputs import GivenFile
from corrigenda.errors import CorrigendaError, UsageError
from corrigenda.formats.registry import CORPUS_FORMATS

if TYPE_CHECKING:
    from corrigenda.core.evaluate import Block
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.tokens import Retokeniser


_EDITS_SUFFIX = ".m2"


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """Where sources and references come from: text, an M2 file, or JSON lines."""
    group = parser.add_argument_group("the corpus (text, M2 or JSON lines; '-' is standard input)")
    group.add_argument(
        "--source", "-s", metavar="FILE", help="source sentences, one tokenised sentence per line"
    )
    group.add_argument(
        "--refs",
        "-r",
        nargs="+",
        metavar="FILE",
        default=[],
        help="reference texts, one file per reference",
    )
    for each in CORPUS_FORMATS.values():
        group.add_argument(f"--{each.option}", metavar=each.example, help=each.explanation)
    add_tokenise(group)
    group.add_argument(
        "--normalise",
        choices=("none", "nfc"),
        default="none",
        help="bring all texts into Unicode's normal form C (default: none)",
    )
    group.add_argument(
        "--missing-refs",
        choices=("empty", "none", "error"),
        default="empty",
        help="an empty reference is an empty text, no reference, or an error (default: empty)",
    )
    parser.set_defaults(hyps=[])  # for commands that take no systems


def add_tokenise(group: argparse._ArgumentGroup) -> None:
    """How words are made of raw text."""
    group.add_argument(
        "--tokenise",
        metavar="HOW",
        default="none",
        help="make words of raw text: auto (as the source has them), intl, char, zh, spacy or "
        "spacy:MODEL (default: none, blanks separate words)",
    )


def add_system_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the outputs of systems come from."""
    group = parser.add_argument_group("the systems")
    group.add_argument(
        "--hyps",
        nargs="+",
        metavar="[NAME=]FILE",
        default=[],
        help="outputs, one file per system (text, or .m2 for given edits); "
        "without NAME a system has the name of its file; NAME=FILE,FILE,… are several runs of one "
        "system",
    )


def add_sidecar_argument(group: argparse._ArgumentGroup, use: str) -> None:
    """Where columns about the sentences come from."""
    group.add_argument(
        "--sidecar", metavar="FILE", help=f"JSON lines, one object per sentence; {use}"
    )


def sidecar_columns(corpus: Corpus, args: argparse.Namespace) -> Mapping[str, Sequence[object]]:
    """The columns of the sidecar, or of the JSON lines that hold the corpus."""
    from corrigenda.formats.sidecar import read_sidecar

    path = args.sidecar or (args.jsonl if args.jsonl != "-" else None)
    return read_sidecar(path, len(corpus)) if path else {}


def check_corpus_arguments(args: argparse.Namespace) -> None:
    """Exactly one way of giving the corpus, and standard input at most once."""
    if bool(args.source or args.refs) + len(_in_one_file(args)) != 1:
        ways = ", or ".join(f"--{each.option} {each.example}" for each in CORPUS_FORMATS.values())
        raise UsageError(
            "give the corpus in exactly one way", remedy=f"--source FILE --refs FILE…, or {ways}."
        )
    if args.refs and not args.source:
        raise UsageError("--source is missing", remedy="--refs needs --source FILE.")
    if [given.path for given in given_files(args)].count("-") > 1:
        raise UsageError("standard input ('-') can be read only once")


def _in_one_file(args: argparse.Namespace) -> dict[str, str]:
    """The formats whose option is given, each with its file."""
    given = {name: getattr(args, each.option) for name, each in CORPUS_FORMATS.items()}
    return {name: path for name, path in given.items() if path is not None}


def has_corpus(args: argparse.Namespace) -> bool:
    """Whether any option about a corpus or systems is given."""
    return bool(args.source or args.refs or args.hyps or _in_one_file(args))


def given_files(args: argparse.Namespace, *more: str) -> list[GivenFile]:
    """The files that the options name, e.g. for --sidecar with `more="sidecar"`."""
    found = []
    for name in ("source", "refs", *(each.option for each in CORPUS_FORMATS.values()), *more):
        value = getattr(args, name)
        paths = value if isinstance(value, list) else [value]
        found += [GivenFile(f"--{name}", path) for path in paths if path is not None]
    for name, path in _in_one_file(args).items():
        if CORPUS_FORMATS[name].has_many_files:
            # The references are beside it. If the path is wrong, the reader says so.
            with suppress(CorrigendaError, OSError):
                beside = CORPUS_FORMATS[name].load_files_module().reference_files(path)
                found += [GivenFile(f"--{CORPUS_FORMATS[name].option}", each) for each in beside]
    return [*found, *(GivenFile("--hyps", path) for _, path in named_systems(args))]


def named_systems(args: argparse.Namespace) -> list[tuple[str, str]]:
    """The systems' names and files; no two may have the same name."""
    from corrigenda.formats import input_file

    systems: list[tuple[str, str]] = []
    args.runs = {}
    for item in args.hyps:
        name, equals, path = item.partition("=")
        named = bool(equals and name) and not _exists(item)
        if named and not path:
            raise UsageError(f"--hyps {item}: no file is named", remedy="Write NAME=FILE.")
        if named and "," in path and not _exists(path):
            runs = [(f"{name} #{number}", one) for number, one in enumerate(path.split(","), 1)]
            args.runs[name] = [run for run, _ in runs]
            systems += runs
            continue
        systems.append((name, path) if named else (input_file.stem(item), item))
    _check_names([name for name, _ in systems])
    return systems


def _exists(path: str) -> bool:
    """Whether there is such a file. The names of many files are too long to be one."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def _check_names(names: list[str]) -> None:
    name = next((name for name, number in Counter(names).items() if number > 1), None)
    if name is not None:
        raise UsageError(
            f"two systems are called {name!r}",
            remedy="Give them different names: --hyps first=a/out.txt …",
        )


def read_corpus(args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    """The whole corpus and all systems, in memory."""
    return _as_wanted(*_read_corpus(args), retokeniser(args), args)


def retokeniser(args: argparse.Namespace) -> Retokeniser | None:
    """What makes words of raw text, if --tokenise asks for it. It is the same in all calls."""
    if args.tokenise == "none":
        return None
    from corrigenda.tokens import Retokeniser

    if getattr(args, "retokeniser", None) is None:
        args.retokeniser = Retokeniser(args.tokenise)
    made: Retokeniser = args.retokeniser
    return made


def _as_wanted(
    corpus: Corpus,
    systems: list[Hypotheses],
    tokenise: Retokeniser | None,
    args: argparse.Namespace,
    first_line: int = 1,
) -> tuple[Corpus, list[Hypotheses]]:
    """The texts with their empty references and their words as the options say."""
    from corrigenda.corpus.missing import with_missing

    corpus = with_missing(corpus, args.missing_refs, first_line=first_line)
    if args.normalise == "none":
        return (corpus, systems) if tokenise is None else tokenise(corpus, systems)
    from corrigenda.corpus.normalised import in_normal_form

    # Words are made of what was normalised, so that both say the same in the signature.
    corpus, systems = in_normal_form(corpus, systems)
    if tokenise is None:
        return corpus, systems
    words, outputs = tokenise(corpus, systems)
    return replace(words, tokens=f"{corpus.tokens}+{words.tokens}"), outputs


def _read_corpus(args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    """The texts as they were given."""
    check_corpus_arguments(args)
    named = named_systems(args)
    if _is_text(args, named):
        from corrigenda.formats import text

        paths = [args.source, *args.refs, *(path for _, path in named)]
        return _from_texts(text.read_aligned(paths), len(args.refs), named)
    corpus, systems = _read_gold(args)
    given = [_read_system(name, path, corpus, args) for name, path in named]
    _check_names([system.name for system in (*systems, *given)])
    _check_counts(args, corpus, given)
    return corpus, [*systems, *given]


def _is_text(args: argparse.Namespace, named: list[tuple[str, str]]) -> bool:
    """Whether the corpus and all systems are plain text, which can be read line by line."""
    return bool(args.source) and not any(path.endswith(_EDITS_SUFFIX) for _, path in named)


def _from_texts(
    texts: Sequence[Sequence[str]], references: int, named: list[tuple[str, str]]
) -> tuple[Corpus, list[Hypotheses]]:
    """The corpus and the systems of texts in the order source, references, systems."""
    from corrigenda.corpus import Corpus, Hypotheses

    source, *others = texts
    corpus = Corpus.from_lists(source, others[:references], references_by="text")
    outputs = zip(named, others[references:], strict=True)
    return corpus, [Hypotheses(name, sentences) for (name, _), sentences in outputs]


def _read_gold(args: argparse.Namespace) -> tuple[Corpus, list[Hypotheses]]:
    """The corpus of an option, and the systems that its file holds."""
    for name, path in _in_one_file(args).items():
        corpus, systems = CORPUS_FORMATS[name].load_module().load(path)
        return corpus, list(systems)
    from corrigenda.formats import read_text

    return read_text(args.source, args.refs), []


def _read_system(name: str, path: str, corpus: Corpus, args: argparse.Namespace) -> Hypotheses:
    from corrigenda.formats import read_hypotheses, read_m2_hypotheses

    is_edits = path.endswith(_EDITS_SUFFIX)
    for given in map(CORPUS_FORMATS.__getitem__, _in_one_file(args)):
        if given.has_own_edits if is_edits else given.has_many_files:
            return given.load_files_module().read_system(path, name, corpus)
    if is_edits:
        return read_m2_hypotheses(path, name=name, source=corpus.sources)
    return read_hypotheses(path, name=name)


def _check_counts(args: argparse.Namespace, corpus: Corpus, systems: list[Hypotheses]) -> None:
    from corrigenda.formats import text

    gold = next(iter(_in_one_file(args).values()), args.source)
    text.check_counts(
        [gold, *(path for _, path in named_systems(args))], [len(corpus), *map(len, systems)]
    )


def read_blocks(args: argparse.Namespace) -> Iterator[Block]:
    """The corpus block by block: text files are never in memory as a whole."""
    from corrigenda.core.evaluate import BLOCK_SENTENCES, Block, blocks_of
    from corrigenda.formats import text
    from corrigenda.kernels.limits import SentenceSizeError

    check_corpus_arguments(args)
    named = named_systems(args)
    if not _is_text(args, named):
        yield from blocks_of(*read_corpus(args))
        return
    paths = [args.source, *args.refs, *(path for _, path in named)]
    tokenise, first_line = retokeniser(args), 1
    for texts in text.read_blocks(paths, BLOCK_SENTENCES, ahead=args.threads != 1):
        given = _from_texts(texts, len(args.refs), named)
        try:
            block = Block(*_as_wanted(*given, tokenise, args, first_line))
        except SentenceSizeError as error:
            raise error.after(first_line - 1) from error
        yield block
        first_line += len(texts[0])


def require_systems(args: argparse.Namespace) -> None:
    """At least one system must be named, unless the file of the corpus may hold systems."""
    if not args.hyps and not any(CORPUS_FORMATS[name].holds_systems for name in _in_one_file(args)):
        raise no_system()


def no_system() -> UsageError:
    """The error for a corpus without systems."""
    return UsageError(
        "no system to score", remedy="Give at least one output: --hyps FILE or --hyps NAME=FILE."
    )
