"""`corrigenda edits`: the edits that a metric finds in a system's output, and which are right."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from corrigenda.cli import errant_edits, inputs, options, outputs
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.edits import Annotation
    from corrigenda.edits.comparison import (
        AnnotatorComparison,
        ComparedSentence,
        EditCounts,
        MatchedEdit,
    )

HELP = "show the edits of systems, matched with the gold edits or not"
EXAMPLES = (
    """\
examples:
  corrigenda edits --gold gold.m2 --hyps ours.txt > ours.m2
  corrigenda edits --gold gold.m2 --hyps ours.txt theirs.txt --out edits/    # edits/ours.m2 …
  corrigenda edits --gold gold.m2 --hyps ours.txt theirs.txt --format jsonl > edits.jsonl
  corrigenda edits --gold gold.m2 --hyps ours.txt --annotator all --format jsonl
  corrigenda edits --source src.txt --refs ref.txt --hyps ours.txt

"""
    + errant_edits.EXAMPLES
    + """
M2: an edit has the type of the gold edit that it equals, or 'unmatched'. Its annotator is the gold
annotator with whom it was compared. The edits, when applied, give the output again (corrigenda m2
apply).

JSON lines: one object per system, sentence and annotator with "edits" ("matched", and "gold", the
place of the gold edit, from 0), "missed" (the gold edits that the system did not make) and
"counts".
"""
)
UNMATCHED_TYPE = "unmatched"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    _add_extraction_arguments(parser.add_argument_group("what to extract"))
    errant_edits.add_arguments(parser)
    group = parser.add_argument_group("what to write")
    group.add_argument(
        "--format", "-f", choices=("m2", "jsonl"), default="m2", help="(default: m2)"
    )
    group.add_argument(
        "--out",
        metavar="PATH",
        help="a file (default: standard output); for M2 of several systems a folder with one file "
        "per system",
    )


def _add_extraction_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--extractor",
        metavar="NAME",
        default="m2",
        help="the metric that finds the edits: m2 or errant (default: m2)",
    )
    group.add_argument(
        "--annotator",
        choices=("chosen", "all"),
        default="chosen",
        help="compare with the annotator that the corpus score counts, or with all "
        "(default: chosen)",
    )
    group.add_argument(
        "--beta",
        type=options.number_of("--beta", least=0),
        metavar="B",
        help="β of the score by which annotators are chosen (default: 0.5)",
    )
    options.add_whole_number(
        group,
        "--max-unchanged-words",
        "how many unchanged words an edit may contain (m2; default: 2)",
        least=0,
    )
    group.add_argument(
        "--ignore-case-whitespace",
        action="store_const",
        const=True,
        help="leave out edits that change only the case of letters or blanks (m2)",
    )
    options.add_threads(group)


def run(args: argparse.Namespace) -> None:
    """Extract, then write."""
    inputs.check_corpus_arguments(args)
    if args.extractor == "errant" and args.format == "m2":
        errant_edits.run(args)
        return
    inputs.require_systems(args)
    extractor_options = _extractor_options(args)
    corpus, systems = inputs.read_corpus(args)
    if not systems:
        raise inputs.no_system()
    names = [system.name for system in systems]
    files = _jsonl_file(args) if args.format == "jsonl" else m2_files(args, names)
    everybody = args.annotator == "all"
    compared = _compared(corpus, systems, extractor_options, args)
    if args.format == "jsonl":
        with outputs.open_output(files[0]) as file:
            for name, sentences in zip(names, compared, strict=True):
                _write_jsonl(name, sentences, file, everybody=everybody)
        return
    with outputs.open_together() as opened:
        for sentences, path in zip(compared, files, strict=True):
            with opened(path) as file:
                _write_m2(sentences, file, everybody=everybody)


def _compared(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    extractor_options: dict[str, object],
    args: argparse.Namespace,
) -> Iterator[list[ComparedSentence]]:
    """One system after the other: each is written before the next is in memory."""
    from corrigenda.analysis.extraction import compare_system
    from corrigenda.kernels import threads_of

    threads = threads_of(args.threads)
    for system in systems:
        with options.working(args):
            found = compare_system(
                corpus, system, extractor=args.extractor, threads=threads, **extractor_options
            )
        yield found


def _extractor_options(args: argparse.Namespace) -> dict[str, object]:
    from corrigenda.analysis.extraction import extractor_options

    known = extractor_options(args.extractor)
    names = (
        "beta",
        "max_unchanged_words",
        "ignore_case_whitespace",
        "spacy_model",
        "edits",
        "merger",
    )
    given = {name: value for name in names if (value := getattr(args, name)) is not None}
    for name in given:
        if name not in known:
            raise UsageError(
                f"the extractor {args.extractor} does not take --{name.replace('_', '-')}",
                remedy=f"It takes {', '.join(known)}.",
            )
    return given


def _jsonl_file(args: argparse.Namespace) -> list[Path | None]:
    outputs.check_file("--out", args.out, inputs.given_files(args))
    return [None if outputs.is_standard_output(args.out) else Path(args.out)]


def m2_files(args: argparse.Namespace, systems: list[str]) -> list[Path | None]:
    """The M2 file of each system, checked; None is standard output."""
    out: str | None = args.out
    if out is None or out == "-":
        if len(systems) > 1:
            raise UsageError(
                "the M2 edits of several systems are several files",
                remedy="Say into which folder: --out FOLDER; or write --format jsonl.",
            )
        return [None]
    given = inputs.given_files(args)
    if len(systems) == 1 and not out.endswith("/") and not Path(out).is_dir():
        outputs.check_file("--out", out, given)
        return [Path(out)]
    names = [outputs.file_of_system(system, ".m2") for system in systems]
    outputs.check_folder("--out", out, names, given)
    return [Path(out) / name for name in names]


def _shown(sentence: ComparedSentence, everybody: bool) -> tuple[AnnotatorComparison, ...]:
    return sentence.comparisons if everybody else (sentence.comparisons[sentence.chosen],)


def _write_m2(sentences: Sequence[ComparedSentence], file: TextIO, *, everybody: bool) -> None:
    from corrigenda.edits import AnnotatedSentence
    from corrigenda.formats import m2

    m2.write(
        (
            AnnotatedSentence(sentence.source, tuple(map(_annotation, _shown(sentence, everybody))))
            for sentence in sentences
        ),
        file,
    )


def _annotation(comparison: AnnotatorComparison) -> Annotation:
    """The edits with their types; without a reference there is nothing that they could match."""
    from corrigenda.edits import Annotation

    if comparison.annotator is None:
        return Annotation(0, tuple(matched.edit for matched in comparison.edits))
    edits = tuple(
        matched.edit if matched.gold is not None else replace(matched.edit, type=UNMATCHED_TYPE)
        for matched in comparison.edits
    )
    return Annotation(comparison.annotator, edits)


@dataclass(frozen=True)
class FoundEdit:
    """An edit of a system; the fields are the keys of the JSON."""

    start: int
    end: int
    source: str
    correction: str
    matched: bool
    gold: int | None
    type: str | None


@dataclass(frozen=True)
class MissedEdit:
    """A gold edit that the system did not make; the fields are the keys of the JSON."""

    gold: int
    start: int
    end: int
    source: str
    corrections: list[str]
    type: str


@dataclass(frozen=True)
class EditsRow:
    """One sentence of a system against one annotator; the fields are the keys of the JSON."""

    system: str
    sentence: int
    source: str
    hypothesis: str
    annotator: int | None
    chosen: bool
    counts: EditCounts
    edits: list[FoundEdit]
    missed: list[MissedEdit]


def _write_jsonl(
    system: str, sentences: Sequence[ComparedSentence], file: TextIO, *, everybody: bool
) -> None:
    for number, sentence in enumerate(sentences, 1):
        for row in _rows(system, number, sentence, everybody):
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")


def _rows(
    system: str, number: int, sentence: ComparedSentence, everybody: bool
) -> Iterator[EditsRow]:
    chosen = sentence.comparisons[sentence.chosen]
    words = sentence.source.split()
    for comparison in _shown(sentence, everybody):
        yield EditsRow(
            system=system,
            sentence=number,
            source=sentence.source,
            hypothesis=sentence.hypothesis,
            annotator=comparison.annotator,
            chosen=comparison is chosen,
            counts=comparison.counts,
            edits=[_found(matched, words) for matched in comparison.edits],
            missed=[_missed(comparison, place, words) for place in comparison.missed],
        )


def _found(matched: MatchedEdit, words: list[str]) -> FoundEdit:
    edit = matched.edit
    # An extractor that knows no types has only those of the gold.
    untyped = matched.gold is None and edit.type == "UNK"
    return FoundEdit(
        start=edit.start,
        end=edit.end,
        source=" ".join(words[edit.start : edit.end]),
        correction=edit.correction,
        matched=matched.gold is not None,
        gold=matched.gold,
        type=None if untyped else edit.type,
    )


def _missed(comparison: AnnotatorComparison, place: int, words: list[str]) -> MissedEdit:
    edit = comparison.gold[place]
    return MissedEdit(
        gold=place,
        start=edit.start,
        end=edit.end,
        source=" ".join(words[edit.start : edit.end]),
        corrections=list(edit.corrections),
        type=edit.type,
    )
