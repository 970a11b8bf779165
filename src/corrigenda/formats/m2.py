"""M2: one block per sentence, with the source (`S`) and the edits of each annotator (`A`).

    S This are a sentence .
    A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

A correction may list alternatives, separated by `||`. The empty string and `-NONE-` delete. A
`noop` is an annotator who changed nothing; a sentence without `A` lines has one such annotator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TextIO

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.gold import gold_annotations
from corrigenda.edits import (
    NOOP_TYPE,
    AnnotatedSentence,
    Annotation,
    Edit,
    apply_edits,
    are_annotators,
)
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError, Location, brief
from corrigenda.formats import input_file, text
from corrigenda.formats.edited_texts import EditedTexts
from corrigenda.formats.m2_lines import NONE, M2Reader
from corrigenda.formats.registry import LoadedCorpus
from corrigenda.text.sentences import Path


def read(path: Path) -> tuple[AnnotatedSentence, ...]:
    """All sentences of a file."""
    with ExitStack() as stack:
        return tuple(
            parse(
                text.lines(input_file.open_binary(path, stack), input_file.shown(path)),
                input_file.shown(path),
            )
        )


def parse(lines: Iterable[str], name: str) -> Iterator[AnnotatedSentence]:
    """The sentences of M2 lines; messages call the file `name`."""
    reader = M2Reader(name)
    for number, line in enumerate(lines, 1):
        yield from reader.take(line, Location(name, number))
    yield from reader.finish()
    reader.report_skipped()


def problems(path: Path) -> tuple[list[FormatError], int]:
    """All problems of the file, not only the first one, and its number of sentences."""
    name = input_file.shown(path)
    reader = M2Reader(name)
    found: list[FormatError] = []
    sentences = 0
    with ExitStack() as stack:
        for number, raw in enumerate(text.raw_lines(input_file.open_binary(path, stack), name), 1):
            at = Location(name, number)
            try:
                # Only the first line may begin with a byte-order mark.
                decoded = list(text.decoded_lines([raw] if number == 1 else [b"", raw], name))
                if not decoded:  # there is a byte-order mark and nothing else
                    continue
                line = decoded[-1]
            except FormatError as error:
                found.append(FormatError(error.problem, at=at, remedy=error.remedy))
                line = raw.decode("utf-8", "replace").rstrip("\r\n")
            try:
                sentences += sum(1 for _ in reader.take(line, at))
            except FormatError as error:
                found.append(error)
    sentences += sum(1 for _ in reader.finish())
    reader.report_skipped()
    return found, sentences


def read_corpus(path: Path) -> Corpus:
    """Read a corpus with gold edits from an M2 file.

    Args:
        path: The file.

    Returns:
        The corpus. A reference is the source after one annotator's edits.

    Example:
        >>> import corrigenda
        >>> from corrigenda.data import SAMPLE
        >>> corrigenda.read_m2(SAMPLE / "gold.m2").reference_range
        (2, 3)
    """
    return to_corpus(read(path), input_file.shown(path))


def load(path: Path) -> LoadedCorpus:
    """The corpus of an M2 file, for the registry of formats."""
    return LoadedCorpus(read_corpus(path))


def save(corpus: Corpus, systems: Sequence[Hypotheses], file: TextIO) -> None:
    """Write a corpus as M2. This format cannot hold systems."""
    write(from_corpus(corpus), file)


def read_hypotheses(
    path: Path, *, name: str | None = None, source: Sequence[str] | None = None
) -> Hypotheses:
    """Read a system's edits from an M2 file with one annotator.

    Args:
        path: The file.
        name: The name of the system; None takes the name of the file without its suffix.
        source: If it is given, the sentences of the file must be the same.

    Returns:
        The output of the system, which keeps the edits.

    Example:
        >>> import corrigenda, io, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "ours.m2"
        ...     _ = path.write_text("S He go .\\nA 1 2|||R|||goes|||REQUIRED|||-NONE-|||0\\n")
        ...     corrigenda.read_m2_hypotheses(path).sentences
        ('He goes .',)
    """
    return to_hypotheses(read(path), name or input_file.stem(path), str(path), source)


def to_corpus(sentences: Iterable[AnnotatedSentence], name: str = "M2") -> Corpus:
    """The corpus of these sentences; a reference is the source after one annotator's edits.

    `name` stands for the file in messages.
    """
    sentences = tuple(sentences)
    texts = EditedTexts()
    return Corpus(
        sources=tuple(sentence.source for sentence in sentences),
        references=tuple(
            texts.of(sentence.words, sentence.annotations, Location(name, sentence.line or None))
            for sentence in sentences
        ),
        gold=tuple(sentence.annotations for sentence in sentences),
    )


def to_hypotheses(
    sentences: Iterable[AnnotatedSentence],
    name: str,
    file: str,
    source: Sequence[str] | None = None,
) -> Hypotheses:
    """A system's output: the edits of a single annotator, and the sentences after these edits."""
    sentences = tuple(sentences)
    if source is not None:
        _check_sources(sentences, file, source)
    for sentence in sentences:
        if len(sentence.annotations) > 1:
            raise FormatError(
                f"the sentence has edits of {len(sentence.annotations)} annotators, "
                "but a system is expected to have one",
                at=Location(file, sentence.line or None),
                remedy="Keep one annotator, or write one file per annotator (corrigenda m2 split).",
            )
    return Hypotheses(
        name,
        tuple(
            " ".join(apply_edits(sentence.words, sentence.annotations[0].edits))
            for sentence in sentences
        ),
        tuple(sentence.annotations[0].edits for sentence in sentences),
    )


def _check_sources(
    sentences: Sequence[AnnotatedSentence], file: str, source: Sequence[str]
) -> None:
    if len(sentences) != len(source):
        raise AlignmentError(
            f"the numbers of sentences differ: source: {len(source)}, {file}: {len(sentences)}",
            remedy="Each system needs exactly one sentence per source sentence.",
        )
    for sentence, expected in zip(sentences, source, strict=True):
        if sentence.words != expected.split():
            raise AlignmentError(
                "the sentence differs from the source sentence with the same number",
                at=Location(file, sentence.line or None),
                remedy=f"It should be: {expected[:80]}",
            )


def from_corpus(corpus: Corpus) -> Iterator[AnnotatedSentence]:
    """The sentences of a corpus; without gold edits, a minimal alignment gives the edits.

    Every sentence needs a reference, because M2 cannot say that a sentence has no annotator.
    """
    text.check_corpus(corpus)
    gold = gold_annotations(corpus)
    for number, of_sentence in enumerate(gold, 1):
        if not of_sentence:
            raise CorrigendaError(
                f"sentence {number} has no references, and M2 cannot express that",
                remedy="Write JSON lines or text instead (--to jsonl, --to text).",
            )
    return map(AnnotatedSentence, corpus.sources, gold)


def write(
    sentences: Iterable[AnnotatedSentence],
    file: TextIO,
    *,
    deletion: str = NONE,
    heading: Callable[[AnnotatedSentence, Annotation], str] | None = None,
    nobody: Sequence[str] = (),
) -> None:
    """The sentences in M2; an annotator without edits is written as a `noop`.

    `deletion` is written for the empty correction. `heading` gives a line that stands before the
    edits of an annotator; `nobody` are the lines of a sentence without annotators. What M2 cannot
    hold is refused, because it would be read as something else.
    """
    for number, sentence in enumerate(sentences, 1):
        words = " ".join(sentence.words)
        if "\x00" in words:
            raise _not_in_m2(number, words)
        file.write(f"S {words}\n")
        annotators = [annotation.annotator for annotation in sentence.annotations]
        if not are_annotators(annotators):
            raise FormatError(
                f"sentence {number}: M2 cannot hold the annotators {brief(annotators)}",
                remedy="Number the annotators from 0, in increasing order.",
            )
        for annotation in sentence.annotations:
            if heading is not None:
                file.write(f"{heading(sentence, annotation)}\n")
            lines = _annotation_lines(annotation, deletion, number)
            file.writelines(f"{line}\n" for line in lines)
        if not sentence.annotations:
            file.writelines(f"{line}\n" for line in nobody)
        file.write("\n")


def _annotation_lines(annotation: Annotation, deletion: str, number: int) -> Iterator[str]:
    if not annotation.edits:
        yield _line(-1, -1, NOOP_TYPE, NONE, annotation.annotator)
    for edit in annotation.edits:
        _check_edit(edit, number)
        correction = "||".join(option or deletion for option in edit.corrections)
        yield _line(edit.start, edit.end, edit.type, correction, annotation.annotator)


def _line(start: int, end: int, kind: str, correction: str, annotator: int) -> str:
    return f"A {start} {end}|||{kind}|||{correction}|||REQUIRED|||{NONE}|||{annotator}"


def _check_edit(edit: Edit, number: int) -> None:
    """Refuse text that would be read back as something else."""
    for field in (edit.type, *edit.corrections):
        if "||" in field or field.startswith("|") or field.endswith("|"):
            raise _not_in_m2(number, field)
        if any(character in field for character in "\n\x00"):
            raise _not_in_m2(number, field)
    if edit.type == NOOP_TYPE:
        raise FormatError(
            f"sentence {number}: an edit has the type {NOOP_TYPE!r}, which means in M2 that the "
            "annotator changed nothing",
            remedy="Give the edit another type.",
        )
    for correction in edit.corrections:
        if correction == NONE or correction != " ".join(correction.split()):
            raise _not_in_m2(number, correction)


def _not_in_m2(number: int, field: str) -> FormatError:
    return FormatError(
        f"sentence {number}: M2 cannot hold {brief(field)} in an edit: it would be read as "
        "something else",
        remedy="Write JSON lines instead, or replace the word.",
    )
