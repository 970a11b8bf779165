"""`corrigenda m2`: what people do with M2 files: validate, split, merge, apply, count."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from corrigenda.cli import outputs
from corrigenda.errors import CorrigendaError, FormatError, UsageError

if TYPE_CHECKING:
    from corrigenda.edits.annotation_statistics import AnnotationStatistics

HELP = "validate, split, merge, apply or count the edits of M2 files"
EXAMPLES = """\
examples:
  corrigenda m2 validate gold.m2                         # every problem with its line; exit code 1 if any
  corrigenda m2 split gold.m2 --out annotators/          # annotators/gold.0.m2, annotators/gold.1.m2 …
  corrigenda m2 merge annotators/gold.*.m2 --out gold.m2
  corrigenda m2 apply gold.m2 --annotator 1 > ref1.txt
  corrigenda m2 stats gold.m2
  corrigenda m2 stats gold.m2 --format json

`corrigenda m2 ACTION --help` says more; '-' is standard input.
"""
_FILL_HELP = "what stands in where a sentence has not the annotator: its first annotator's edits, the source%s"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One parser an action."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    _add_validate(actions)
    _add_split(actions)
    _add_merge(actions)
    _add_apply(actions)
    _add_stats(actions)


def run(args: argparse.Namespace) -> None:
    """Do what the action says."""
    args.act(args)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str, note: str
) -> argparse.ArgumentParser:
    return actions.add_parser(
        name,
        help=text,
        description=text[0].upper() + text[1:] + ".",
        epilog=note,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_validate(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
example:
  corrigenda m2 validate gold.m2

A problem is anything for which other commands would refuse the file. Problems go to standard output as
FILE:LINE: PROBLEM; the exit code is 1 if there is any.
"""
    parser = _action(actions, "validate", "report every problem of M2 files, with its line", note)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.set_defaults(act=_validate)


def _validate(args: argparse.Namespace) -> None:
    from corrigenda.formats import m2, text

    total = 0
    for path in args.files:
        problems, sentences = m2.problems(path)
        if not sentences and not problems:
            problems = [FormatError("there are no sentences")]
        for problem in problems:
            where = problem.location or text.shown(path)
            print(f"{where}: {problem.problem}")
        if not problems:
            print(f"{text.shown(path)}: {_number(sentences, 'sentence')}, no problem")
        total += len(problems)
    if total:
        sys.stdout.flush()
        raise CorrigendaError(f"{_number(total, 'problem')} found")


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _add_split(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
examples:
  corrigenda m2 split gold.m2 --out annotators/
  corrigenda m2 split gold.m2 --out annotators/ --fill-missing first

Annotator N of gold.m2 is annotator 0 of annotators/gold.N.m2. In the CoNLL-2014 test set a sentence lists
annotator 0 alone where both made the same edits: there --fill-missing first is right.
"""
    parser = _action(actions, "split", "write each annotator into a file of their own", note)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--out", metavar="FOLDER", required=True, help="where the files go")
    parser.add_argument(
        "--fill-missing",
        choices=("first", "source", "drop"),
        help=_FILL_HELP % ", or the sentence is left out",
    )
    parser.set_defaults(act=_split)


def _split(args: argparse.Namespace) -> None:
    from corrigenda.edits.annotators import annotators_of, only
    from corrigenda.formats import m2, text

    sentences = m2.read(args.file)
    # All before any file is written: a missing annotator is found first.
    files = {
        annotator: list(
            only(sentences, annotator, fill=args.fill_missing, file=text.shown(args.file))
        )
        for annotator in annotators_of(sentences)
    }
    folder = outputs.make_folder(args.out)
    for annotator, own in files.items():
        path = folder / f"{text.stem(args.file)}.{annotator}.m2"
        with outputs.open_output(path) as file:
            m2.write(own, file)
        print(path)


def _add_merge(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
example:
  corrigenda m2 merge annotator-a.m2 annotator-b.m2 --out gold.m2

Annotators are numbered on from file to file, from 0. The files must have the same sentences in the same
order; if not, the error names the first line that differs.
"""
    parser = _action(
        actions,
        "merge",
        "put the annotators of several files with the same sentences into one",
        note,
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--out", metavar="FILE", help="(default: standard output)")
    parser.set_defaults(act=_merge)


def _merge(args: argparse.Namespace) -> None:
    from corrigenda.edits.annotators import merge
    from corrigenda.formats import m2, text

    if len(args.files) < 2:
        raise UsageError("there is one file only", remedy="Give two or more files to merge.")
    if args.files.count("-") > 1:
        raise UsageError("standard input ('-') can be read only once")
    merged = list(merge([(text.shown(path), m2.read(path)) for path in args.files]))
    with outputs.open_output(args.out) as file:
        m2.write(merged, file)


def _add_apply(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
examples:
  corrigenda m2 apply gold.m2 > ref0.txt
  corrigenda m2 apply gold.m2 --annotator 1 --fill-missing first --out ref1.txt

Of alternative corrections the first is applied. Without --annotator it is the first one that each sentence
has, whatever their number.
"""
    parser = _action(actions, "apply", "print the corrected text, one sentence a line", note)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument(
        "--annotator", type=int, metavar="N", help="whose edits (default: each sentence's first)"
    )
    parser.add_argument("--fill-missing", choices=("first", "source"), help=_FILL_HELP % "")
    parser.add_argument("--out", metavar="FILE", help="(default: standard output)")
    parser.set_defaults(act=_apply)


def _apply(args: argparse.Namespace) -> None:
    from corrigenda.edits.annotators import annotators_of, corrected, only
    from corrigenda.formats import m2, text

    sentences = m2.read(args.file)
    if args.annotator is not None:
        present = annotators_of(sentences)
        if args.annotator not in present:
            raise CorrigendaError(
                f"{text.shown(args.file)} has no annotator {args.annotator}",
                remedy=f"It has {', '.join(map(str, present)) or 'none'}.",
            )
        sentences = tuple(
            only(sentences, args.annotator, fill=args.fill_missing, file=text.shown(args.file))
        )
    with outputs.open_output(args.out) as file:
        file.writelines(f"{corrected(sentence)}\n" for sentence in sentences)


def _add_stats(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
examples:
  corrigenda m2 stats gold.m2
  corrigenda m2 stats gold.m2 --format json

A sentence without any A line counts as a noop sentence of annotator 0.
"""
    parser = _action(
        actions, "stats", "count sentences, words, edits and types, for each annotator", note
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument(
        "--format", "-f", choices=("table", "json"), default="table", help="(default: table)"
    )
    parser.set_defaults(act=_stats)


def _stats(args: argparse.Namespace) -> None:
    from corrigenda.edits.annotation_statistics import AnnotationStatistics
    from corrigenda.formats import m2

    statistics = AnnotationStatistics.of(m2.read(args.file))
    if args.format == "json":
        json.dump(asdict(statistics), sys.stdout, ensure_ascii=False, indent=2)
        print()
    else:
        _print_tables(statistics)


def _print_tables(statistics: AnnotationStatistics) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def table(first: str, rows: list[tuple[str, list[str]]]) -> Table:
        made = Table(box=SIMPLE_HEAD, pad_edge=False)
        made.add_column(first, overflow="fold")
        for annotator in statistics.annotators:
            made.add_column(f"annotator {annotator.annotator}", justify="right")
        for name, cells in rows:
            made.add_row(Text(name), *cells)
        return made

    per_annotator = [asdict(annotator) for annotator in statistics.annotators]
    names = [
        name
        for name in (per_annotator[0] if per_annotator else {})
        if name not in ("annotator", "types")
    ]
    console = Console(width=None if sys.stdout.isatty() else 1000, highlight=False)
    console.print(
        f"{statistics.sentences} sentences, {statistics.words} words, {statistics.edits} edits"
    )
    console.print(
        table(
            "",
            [
                (name.replace("_", " "), [_cell(row[name]) for row in per_annotator])
                for name in names
            ],
        )
    )
    console.print(
        table(
            "type",
            [
                (kind, [_cell(row["types"].get(kind, 0)) for row in per_annotator])
                for kind in statistics.types
            ],
        )
    )


def _cell(value: float) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
