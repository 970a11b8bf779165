"""The lines of M2 files: sentences and their edits, checked field by field."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from corrigenda.edits import (
    NOOP_TYPE,
    AnnotatedSentence,
    Annotation,
    Edit,
    GrowingEdits,
)
from corrigenda.errors import FormatError, Location, brief

NONE = "-NONE-"
MOST_EDITS = 100_000
"""The most edits of one annotator in one sentence."""
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_TARGET = re.compile(r"T[0-9]+(-A[0-9]+)?(\s|$)")
_NO_EDITS = (Annotation(0, ()),)
"""The annotations of a sentence without `A` lines; such sentences share them."""
_FIELDS = "A start end|||type|||correction|||REQUIRED|||-NONE-|||annotator"


class M2Reader:
    """Collects the lines of each sentence and reports what it ignored."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.source: str | None = None
        self.words = 0
        self.start: Location = Location(name, 1)
        self.edits: dict[int, GrowingEdits] = {}
        self.noops: set[int] = set()
        self.skipped: list[int] = []
        self.notes: list[int] = []

    def take(self, line: str, at: Location) -> Iterator[AnnotatedSentence]:
        """Take the next line; it may end a sentence."""
        stripped = line.strip()
        if not stripped:
            yield from self.finish()
        elif line.startswith("S ") or stripped == "S":
            yield from self.finish()
            self.source, self.start = line[2:].strip(), at
            self.words = len(self.source.split())
        elif line.startswith("A "):
            self._take_annotation(line, at)
        elif _TARGET.match(line):
            # ChERRANT also writes the target sentence (`T0-A0 …`); it follows from the edits.
            self.skipped.append(at.line or 0)
        else:
            raise FormatError(
                f"the line begins with {stripped[:200].split()[0][:20]!r}",
                at=at,
                remedy="An M2 line begins with 'S ' (source), 'A ' (edit) or is empty.",
            )

    def _take_annotation(self, line: str, at: Location) -> None:
        if self.source is None:
            raise FormatError(
                "the edit comes before any sentence", at=at, remedy="An 'S ' line must come first."
            )
        annotator, edit = _parse_annotation(line, self.words, at)
        if edit is not None and line.split("|||")[3:5] != ["REQUIRED", NONE]:
            self.notes.append(at.line or 0)
        edits = self.edits.setdefault(annotator, GrowingEdits())
        if edits.in_order if edit is None else annotator in self.noops:
            raise FormatError(
                f"annotator {annotator} has both a noop and an edit in this sentence",
                at=at,
                remedy="A noop means that the annotator changed nothing; remove it or the edits.",
            )
        if edit is None:
            self.noops.add(annotator)
            return
        if len(edits.in_order) >= MOST_EDITS:
            raise FormatError(
                f"annotator {annotator} has more than {MOST_EDITS:,} edits in this sentence",
                at=at,
                remedy="Perhaps a whole text is on one line. Give one sentence per line.",
            )
        if clash := edits.add(edit):
            first, second = (f"{item.start} {item.end}" for item in clash)
            raise FormatError(
                f"annotator {annotator} has overlapping edits, {first} and {second}",
                at=at,
                remedy="Edits of one annotator must not share a word; merge them "
                "or give one to another annotator.",
            )

    def finish(self) -> Iterator[AnnotatedSentence]:
        """The sentence that is not yet ended, if there is one."""
        if self.source is None:
            return
        annotations = tuple(
            Annotation(annotator, tuple(self.edits[annotator].in_order))
            for annotator in sorted(self.edits)
        )
        yield AnnotatedSentence(self.source, annotations or _NO_EDITS, self.start.line or 0)
        self.source, self.edits, self.noops = None, {}, set()

    def report_skipped(self) -> None:
        """Warn of what was ignored."""
        if self.notes:
            warnings.warn(
                f"{self.name}: the fourth and fifth fields of {len(self.notes)} edits are not "
                f"REQUIRED and {NONE} (the first is line {self.notes[0]}); "
                "the contents of these fields are ignored",
                stacklevel=3,
            )
        if self.skipped:
            warnings.warn(
                f"{self.name}: skipped {len(self.skipped)} 'T' lines "
                f"(the first is line {self.skipped[0]}); --cherrant reads them",
                stacklevel=3,
            )


def _parse_annotation(line: str, words: int, at: Location) -> tuple[int, Edit | None]:
    fields = line[2:].split("|||")
    if len(fields) != 6:
        raise FormatError(
            f"the edit has {len(fields)} fields, not 6", at=at, remedy=f"Write {_FIELDS}."
        )
    span, kind, correction, required, _, annotator_text = fields
    if required.startswith("|"):
        raise FormatError(
            f"the correction {brief(correction + '|')} ends with |",
            at=at,
            remedy=f"Write {NONE} for an alternative that deletes.",
        )
    annotator = _number(annotator_text, "annotator", at)
    if annotator < 0:
        raise FormatError(f"the annotator is {annotator}", at=at, remedy="Annotators count from 0.")
    if kind == NOOP_TYPE:
        _check_noop(span, correction, at)
        return annotator, None
    start, end = _parse_span(span, words, at)
    corrections = tuple(
        "" if option.strip() == NONE else " ".join(option.split())
        for option in correction.split("||")
    )
    return annotator, Edit(start, end, corrections, kind)


def annotator_of(line: str, at: Location) -> int:
    """The annotator of an `A` line."""
    return _number(line.split("|||")[-1], "annotator", at)


def _check_noop(span: str, correction: str, at: Location) -> None:
    if span.split() != ["-1", "-1"] or correction not in ("", NONE):
        raise FormatError(
            f"the noop has the span {brief(span.strip())} and the correction {brief(correction)}",
            at=at,
            remedy=f"A noop changes nothing: A -1 -1|||noop|||{NONE}|||….",
        )


def _parse_span(span: str, words: int, at: Location) -> tuple[int, int]:
    bounds = span.split()
    if len(bounds) != 2:
        raise FormatError(f"the span is {brief(span)}", at=at, remedy=f"Write {_FIELDS}.")
    start, end = _number(bounds[0], "start", at), _number(bounds[1], "end", at)
    if not 0 <= start <= end <= words:
        raise FormatError(
            f"the span {start} {end} is not within the sentence of {words} words",
            at=at,
            remedy="Spans count source words from 0, and the end is not included.",
        )
    return start, end


def _number(field: str, what: str, at: Location) -> int:
    # Only ASCII digits: int() would also accept 1_0 and the digits of other scripts.
    digits = field.strip()  # int() does not take all blanks away that strip() does
    if not _NUMBER.fullmatch(digits):
        raise FormatError(
            f"the {what} is {brief(digits)}, not a number", at=at, remedy=f"Write {_FIELDS}."
        )
    return int(digits)
