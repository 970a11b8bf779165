"""The annotators of M2 sentences: select one, merge those of several files, apply their edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from corrigenda.edits import AnnotatedSentence, Annotation, apply_edits
from corrigenda.errors import CorrigendaError, FormatError, Location

AnnotatorFill = Literal["first", "source", "drop"]
"""What replaces an annotator who did not annotate a sentence.

`first` takes the sentence's first annotator, `source` leaves the sentence unchanged, and `drop`
leaves the sentence out.
"""


def annotators_of(sentences: Iterable[AnnotatedSentence]) -> list[int]:
    """The numbers of all annotators of at least one sentence, sorted."""
    return sorted(
        {annotation.annotator for sentence in sentences for annotation in sentence.annotations}
    )


def only(
    sentences: Iterable[AnnotatedSentence],
    annotator: int,
    *,
    fill: AnnotatorFill | None = None,
    file: str = "M2",
) -> Iterator[AnnotatedSentence]:
    """The sentences with the edits of only one annotator, who becomes annotator 0.

    If the annotator did not annotate a sentence, `fill` says what to take instead. Without `fill`
    this is an error.
    """
    for sentence in sentences:
        edits = _edits(sentence, annotator, fill, file)
        if edits is not None:
            yield AnnotatedSentence(sentence.source, (Annotation(0, edits.edits),), sentence.line)


def _edits(
    sentence: AnnotatedSentence, annotator: int, fill: AnnotatorFill | None, file: str
) -> Annotation | None:
    for annotation in sentence.annotations:
        if annotation.annotator == annotator:
            return annotation
    if fill is None:
        present = ", ".join(str(annotation.annotator) for annotation in sentence.annotations)
        raise CorrigendaError(
            f"the sentence has no annotator {annotator} (it has {present})",
            at=Location(file, sentence.line),
            remedy="Choose a replacement with --fill-missing.",
        )
    if fill == "drop":
        return None
    return sentence.annotations[0] if fill == "first" else Annotation(annotator, ())


def corrected(sentence: AnnotatedSentence) -> str:
    """The source after the edits of its first annotator, each with its first correction."""
    return " ".join(apply_edits(sentence.words, sentence.annotations[0].edits))


def merge(files: Sequence[tuple[str, Sequence[AnnotatedSentence]]]) -> Iterator[AnnotatedSentence]:
    """The annotators of several files with the same sources, numbered from 0 without gaps.

    `files` holds names and sentences. The numbers follow the order of the files.
    """
    _check_counts(files)
    numbers: list[dict[int, int]] = []
    for _, sentences in files:
        taken = sum(map(len, numbers))
        numbers.append({old: taken + rank for rank, old in enumerate(annotators_of(sentences))})
    for group in zip(*(sentences for _, sentences in files), strict=True):
        _check_sources(group, [name for name, _ in files])
        annotations = tuple(
            Annotation(number[annotation.annotator], annotation.edits)
            for sentence, number in zip(group, numbers, strict=True)
            for annotation in sentence.annotations
        )
        yield AnnotatedSentence(group[0].source, annotations, group[0].line)


def _check_counts(files: Sequence[tuple[str, Sequence[AnnotatedSentence]]]) -> None:
    shortest, longest = (extreme(files, key=lambda file: len(file[1])) for extreme in (min, max))
    if len(shortest[1]) == len(longest[1]):
        return
    # The first different sentence tells the user more than the two counts.
    for group in zip(*(sentences for _, sentences in files), strict=False):
        _check_sources(group, [name for name, _ in files])
    extra = longest[1][len(shortest[1])]
    raise FormatError(
        f"{shortest[0]} ends after {len(shortest[1])} sentences, but this file has more: "
        f"{_shown(extra)}",
        at=Location(longest[0], extra.line),
        remedy="The files must have the same sentences in the same order.",
    )


def _check_sources(group: Sequence[AnnotatedSentence], names: Sequence[str]) -> None:
    for sentence, name in zip(group[1:], names[1:], strict=True):
        if sentence.words != group[0].words:
            raise FormatError(
                f"the source is {_shown(sentence)}, "
                f"but {names[0]}:{group[0].line} has {_shown(group[0])}",
                at=Location(name, sentence.line),
                remedy="The files must have the same sentences in the same order.",
            )


def _shown(sentence: AnnotatedSentence, width: int = 60) -> str:
    text = " ".join(sentence.words)
    return repr(text if len(text) <= width else text[: width - 1] + "…")
