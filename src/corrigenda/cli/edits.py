"""`corrigenda edits`: the edits that a metric saw in a system's output, and which of them were right."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from corrigenda.cli import errant_edits, inputs, outputs
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.edits.comparison import AnnotatorComparison, ComparedSentence, MatchedEdit

HELP = "show the edits of systems, matched with the gold edits or not"
EXAMPLES = (
    """\
examples:
  corrigenda edits --gold gold.m2 --hyps ours.txt > ours.m2
  corrigenda edits --gold gold.m2 --hyps ours.txt theirs.txt --out edits/     # edits/ours.m2, edits/theirs.m2
  corrigenda edits --gold gold.m2 --hyps ours.txt theirs.txt --format jsonl > edits.jsonl
  corrigenda edits --gold gold.m2 --hyps ours.txt --annotator all --format jsonl
  corrigenda edits --source src.txt --refs ref.txt --hyps ours.txt

"""
    + errant_edits.EXAMPLES
    + """
M2: an edit's type is that of the gold edit that it equals, or 'unmatched'; its annotator is the gold
annotator with whom it was compared. Applying the edits gives the output again (corrigenda m2 apply).
JSON lines: an object for each system, sentence and annotator with "edits" ("matched", and "gold", the
place of the gold edit counted from 0), "missed" (the gold edits that the system did not make) and "counts".
"""
)
UNMATCHED_TYPE = "unmatched"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("what to extract")
    group.add_argument(
        "--extractor",
        metavar="NAME",
        default="m2",
        help="who finds the edits: m2 or errant (default: m2)",
    )
    group.add_argument(
        "--annotator",
        choices=("chosen", "all"),
        default="chosen",
        help="compare with the annotator that the corpus score counts, or with all (default: chosen)",
    )
    group.add_argument(
        "--beta", type=float, help="of the score by which annotators are chosen (default: 0.5)"
    )
    group.add_argument(
        "--max-unchanged-words",
        type=int,
        metavar="N",
        help="how many an edit may hold (m2; default: 2)",
    )
    group.add_argument(
        "--ignore-case-whitespace",
        action="store_const",
        const=True,
        help="leave out edits that change only the case of letters or blanks (m2)",
    )
    group.add_argument(
        "--threads", type=int, metavar="N", help="threads of the kernels (default: all cores)"
    )
    errant_edits.add_arguments(parser)
    group = parser.add_argument_group("what to write")
    group.add_argument(
        "--format", "-f", choices=("m2", "jsonl"), default="m2", help="(default: m2)"
    )
    group.add_argument(
        "--out",
        metavar="PATH",
        help="a file (default: standard output), or for M2 of several systems a folder with a file each",
    )


def run(args: argparse.Namespace) -> None:
    """Extract, then write."""
    from corrigenda.analysis.extraction import compare
    from corrigenda.kernels import default_threads

    if args.threads is not None and args.threads < 1:
        raise UsageError(
            f"--threads is {args.threads}", remedy="It takes a whole number from 1 on."
        )
    if args.extractor == "errant" and args.format == "m2":
        errant_edits.run(args, _m2_files)
        return
    inputs.require_systems(args)
    options = _options(args)
    corpus, systems = inputs.read_corpus(args)
    if not systems:
        raise UsageError(
            "no system to look at",
            remedy="Give at least one output: --hyps FILE or --hyps NAME=FILE.",
        )
    threads = args.threads or default_threads()
    compared = (
        (system.name, compare(corpus, system, extractor=args.extractor, threads=threads, **options))
        for system in systems
    )
    if args.format == "jsonl":
        with outputs.open_output(args.out) as file:
            for name, sentences in compared:
                _write_jsonl(name, sentences, file, everybody=args.annotator == "all")
        return
    files = _m2_files(args.out, [system.name for system in systems])
    for (_, sentences), path in zip(compared, files, strict=True):
        with outputs.open_output(path) as file:
            _write_m2(sentences, file, everybody=args.annotator == "all")


def _options(args: argparse.Namespace) -> dict[str, Any]:
    from corrigenda.analysis.extraction import EXTRACTORS

    if args.extractor not in EXTRACTORS:
        known = ", ".join(EXTRACTORS)
        raise UsageError(f"there is no extractor {args.extractor!r}", remedy=f"There are: {known}.")
    names = ("beta", "max_unchanged_words", "ignore_case_whitespace")
    given = {name: value for name in names if (value := getattr(args, name)) is not None}
    for name in given:
        if name not in EXTRACTORS[args.extractor].options:
            raise UsageError(
                f"the extractor {args.extractor} does not take --{name.replace('_', '-')}"
            )
    return given


def _m2_files(out: str | None, systems: list[str]) -> list[Path | None]:
    if out is None or out == "-":
        if len(systems) > 1:
            raise UsageError(
                "the M2 edits of several systems are several files",
                remedy="Say into which folder: --out FOLDER; or write --format jsonl.",
            )
        return [None]
    if len(systems) == 1 and not out.endswith("/") and not Path(out).is_dir():
        return [Path(out)]
    folder = outputs.make_folder(out)
    return [outputs.file_of_system(folder, system, ".m2") for system in systems]


def _shown(sentence: ComparedSentence, everybody: bool) -> tuple[AnnotatorComparison, ...]:
    return sentence.comparisons if everybody else (sentence.comparisons[sentence.chosen],)


def _write_m2(sentences: list[ComparedSentence], file: TextIO, *, everybody: bool) -> None:
    from dataclasses import replace

    from corrigenda.edits import AnnotatedSentence, Annotation
    from corrigenda.formats import m2

    def annotation(comparison: AnnotatorComparison) -> Annotation:
        edits = tuple(
            matched.edit if matched.gold is not None else replace(matched.edit, type=UNMATCHED_TYPE)
            for matched in comparison.edits
        )
        return Annotation(comparison.annotator, edits)

    m2.write(
        (
            AnnotatedSentence(sentence.source, tuple(map(annotation, _shown(sentence, everybody))))
            for sentence in sentences
        ),
        file,
    )


def _write_jsonl(
    system: str, sentences: list[ComparedSentence], file: TextIO, *, everybody: bool
) -> None:
    for number, sentence in enumerate(sentences, 1):
        for row in _rows(sentence, everybody):
            file.write(
                json.dumps({"system": system, "sentence": number, **row}, ensure_ascii=False) + "\n"
            )


def _rows(sentence: ComparedSentence, everybody: bool) -> Iterator[dict[str, Any]]:
    chosen = sentence.comparisons[sentence.chosen]
    words = sentence.source.split()
    for comparison in _shown(sentence, everybody):
        yield {
            "source": sentence.source,
            "hypothesis": sentence.hypothesis,
            "annotator": comparison.annotator,
            "chosen": comparison is chosen,
            "counts": comparison.counts,
            "edits": [
                {
                    "start": matched.edit.start,
                    "end": matched.edit.end,
                    "source": " ".join(words[matched.edit.start : matched.edit.end]),
                    "correction": matched.edit.correction,
                    "matched": matched.gold is not None,
                    "gold": matched.gold,
                    "type": _type(matched),
                }
                for matched in comparison.edits
            ],
            "missed": [_missed(comparison, place, words) for place in comparison.missed],
        }


def _type(matched: MatchedEdit) -> str | None:
    """An extractor that knows no types has only those of the gold."""
    return None if matched.gold is None and matched.edit.type == "UNK" else matched.edit.type


def _missed(comparison: AnnotatorComparison, place: int, words: list[str]) -> dict[str, Any]:
    edit = comparison.gold[place]
    return {
        "gold": place,
        "start": edit.start,
        "end": edit.end,
        "source": " ".join(words[edit.start : edit.end]),
        "corrections": list(edit.corrections),
        "type": edit.type,
    }
