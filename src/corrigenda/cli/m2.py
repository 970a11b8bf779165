"""`corrigenda m2`: what people do with M2 files: validate, split, merge, apply, count."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli import options, outputs, render
from corrigenda.cli.display import printable, say
from corrigenda.errors import CorrigendaError, FormatError, UsageError

if TYPE_CHECKING:
    from corrigenda.cli.tables import Table
    from corrigenda.edits.annotation_statistics import AnnotationStatistics

HELP = "validate, split, merge, apply or count the edits of M2 files"
EXAMPLES = """\
examples:
  corrigenda m2 validate gold.m2                      # every problem with its line
  corrigenda m2 split gold.m2 --out annotators/       # annotators/gold.0.m2, annotators/gold.1.m2 …
  corrigenda m2 merge annotators/gold.*.m2 --out gold.m2
  corrigenda m2 apply gold.m2 --annotator 1 > ref1.txt
  corrigenda m2 stats gold.m2
  corrigenda m2 stats gold.m2 --format json

`corrigenda m2 ACTION --help` says more; '-' is standard input.
"""
_FILL_HELP = (
    "for a sentence without the annotator: take the edits of its first annotator, or its source%s"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One parser per action."""
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
    )


def _add_validate(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
example:
  corrigenda m2 validate gold.m2

A problem is anything for which other commands would refuse the file. Problems are printed as
FILE:LINE: PROBLEM. The exit code is 1 if there is a problem.
"""
    parser = _action(actions, "validate", "report every problem of M2 files, with its line", note)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.set_defaults(act=_validate)


def _validate(args: argparse.Namespace) -> None:
    from corrigenda.formats import input_file, m2

    total = 0
    for path in args.files:
        problems, sentences = m2.problems(path)
        if not sentences and not problems:
            problems = [FormatError("there are no sentences")]
        for problem in problems:
            where = problem.location or input_file.shown(path)
            say(printable(f"{where}: {problem.problem}"))
        if not problems:
            say(f"{input_file.shown(path)}: {_number(sentences, 'sentence')}, no problem")
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

Annotator N of gold.m2 is annotator 0 of annotators/gold.N.m2. In the CoNLL-2014 test set a sentence
lists only annotator 0 where both annotators made the same edits: use --fill-missing first there.
"""
    parser = _action(actions, "split", "write each annotator into a separate file", note)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--out", metavar="FOLDER", required=True, help="where the files go")
    parser.add_argument(
        "--fill-missing",
        choices=("first", "source", "drop"),
        help=_FILL_HELP % ", or leave the sentence out (drop)",
    )
    parser.set_defaults(act=_split)


def _split(args: argparse.Namespace) -> None:
    from corrigenda.edits.annotators import annotators_of, only
    from corrigenda.formats import input_file, m2

    outputs.check_folder("--out", args.out, (), ())
    sentences = m2.read(args.file)
    # Everything is made before a file is written, so that a missing annotator is found first.
    files = {
        annotator: list(
            only(sentences, annotator, fill=args.fill_missing, file=input_file.shown(args.file))
        )
        for annotator in annotators_of(sentences)
    }
    names = {annotator: f"{input_file.stem(args.file)}.{annotator}.m2" for annotator in files}
    outputs.check_folder("--out", args.out, names.values(), _given([args.file]))
    paths = {annotator: Path(args.out) / name for annotator, name in names.items()}
    with outputs.open_together() as opened:
        for annotator, own in files.items():
            with opened(paths[annotator]) as file:
                m2.write(own, file)
    say("\n".join(map(str, paths.values())))


def _given(files: Sequence[str]) -> list[outputs.GivenFile]:
    return [outputs.GivenFile("FILE", file) for file in files]


def _add_merge(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
example:
  corrigenda m2 merge annotator-a.m2 annotator-b.m2 --out gold.m2

Annotators are numbered from 0 over all files. The files must have the same sentences in the same
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
    from corrigenda.formats import input_file, m2

    if len(args.files) < 2:
        raise UsageError("there is only one file", remedy="Give two or more files to merge.")
    if args.files.count("-") > 1:
        raise UsageError("standard input ('-') can be read only once")
    outputs.check_file("--out", args.out, _given(args.files))
    merged = list(merge([(input_file.shown(path), m2.read(path)) for path in args.files]))
    with outputs.open_output(args.out) as file:
        m2.write(merged, file)


def _add_apply(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
examples:
  corrigenda m2 apply gold.m2 > ref0.txt
  corrigenda m2 apply gold.m2 --annotator 1 --fill-missing first --out ref1.txt

The first of several alternative corrections is applied. Without --annotator the edits of the first
annotator of each sentence are applied.
"""
    parser = _action(actions, "apply", "print the corrected text, one sentence per line", note)
    parser.add_argument("file", metavar="FILE")
    options.add_whole_number(
        parser, "--annotator", "number of the annotator (default: each sentence's first)", least=0
    )
    parser.add_argument("--fill-missing", choices=("first", "source"), help=_FILL_HELP % "")
    parser.add_argument("--out", metavar="FILE", help="(default: standard output)")
    parser.set_defaults(act=_apply)


def _apply(args: argparse.Namespace) -> None:
    from corrigenda.edits.annotators import annotators_of, corrected, only
    from corrigenda.formats import input_file, m2

    outputs.check_file("--out", args.out, _given([args.file]))
    sentences = m2.read(args.file)
    if args.annotator is not None:
        present = annotators_of(sentences)
        if args.annotator not in present:
            raise CorrigendaError(
                f"{input_file.shown(args.file)} has no annotator {args.annotator}",
                remedy=f"It has {', '.join(map(str, present)) or 'none'}.",
            )
        sentences = tuple(
            only(
                sentences, args.annotator, fill=args.fill_missing, file=input_file.shown(args.file)
            )
        )
    with outputs.open_output(args.out) as file:
        file.writelines(f"{corrected(sentence)}\n" for sentence in sentences)


def _add_stats(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    note = """\
examples:
  corrigenda m2 stats gold.m2
  corrigenda m2 stats gold.m2 --format json

A sentence without A lines counts as a noop sentence of annotator 0.
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
        render.print_json(asdict(statistics))
        return
    render.check_size(len(statistics.types), len(statistics.annotators) + 1)
    say(f"{statistics.sentences} sentences, {statistics.words} words, {statistics.edits} edits\n")
    render.print_tables(_tables(statistics), "table")


def _tables(statistics: AnnotationStatistics) -> list[Table]:
    """The numbers of each annotator, and how many edits of each type they made."""
    from corrigenda.cli.tables import Column, Row, Table, count, key_column, text

    annotators = statistics.annotators
    columns = [Column(f"annotator {annotator.annotator}") for annotator in annotators]
    names = [field.name for field in fields(annotators[0])] if annotators else []
    numbers = [
        Row((text(name.replace("_", " ")), *(count(getattr(each, name)) for each in annotators)))
        for name in names
        if name not in ("annotator", "types")
    ]
    types = [
        Row((text(kind), *(count(each.types.get(kind, 0)) for each in annotators)))
        for kind in statistics.types
    ]
    return [
        Table((key_column(""), *columns), tuple(numbers)),
        Table((key_column("type"), *columns), tuple(types)),
    ]
