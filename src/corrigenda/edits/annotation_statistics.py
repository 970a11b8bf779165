"""How many edits each annotator of a file made, and of which kinds.

The fields of the two classes are the keys of the JSON that `corrigenda m2 stats` prints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from corrigenda.edits import AnnotatedSentence, Annotation, Edit
from corrigenda.edits.annotators import annotators_of

Operation = Literal["insertions", "deletions", "replacements"]


def operation(edit: Edit) -> Operation:
    """The operation of an edit, by its first correction."""
    if edit.is_insertion:
        return "insertions"
    return "replacements" if edit.correction else "deletions"


@dataclass(frozen=True)
class AnnotatorStatistics:
    """The numbers of one annotator."""

    annotator: int
    sentences: int
    noop_sentences: int
    edits: int
    edits_per_sentence: float
    """The mean over all sentences of the annotator, including unchanged sentences."""
    with_alternatives: int
    insertions: int
    deletions: int
    replacements: int
    types: dict[str, int]
    """The number of edits of each type, the most frequent type first."""

    @classmethod
    def of(cls, annotator: int, annotations: Sequence[Annotation]) -> AnnotatorStatistics:
        """The numbers of all annotations by one annotator."""
        edits = [edit for annotation in annotations for edit in annotation.edits]
        operations = Counter(map(operation, edits))
        return cls(
            annotator=annotator,
            sentences=len(annotations),
            noop_sentences=sum(not annotation.edits for annotation in annotations),
            edits=len(edits),
            edits_per_sentence=len(edits) / len(annotations) if annotations else 0.0,
            with_alternatives=sum(len(edit.corrections) > 1 for edit in edits),
            insertions=operations["insertions"],
            deletions=operations["deletions"],
            replacements=operations["replacements"],
            types=_most_first(Counter(edit.type for edit in edits)),
        )


@dataclass(frozen=True)
class AnnotationStatistics:
    """The numbers of a file and of each of its annotators."""

    sentences: int
    words: int
    edits: int
    """The edits of all annotators together."""
    types: dict[str, int]
    """The number of edits of each type, the most frequent type first."""
    annotators: tuple[AnnotatorStatistics, ...]

    @classmethod
    def of(cls, sentences: Sequence[AnnotatedSentence]) -> AnnotationStatistics:
        """The numbers of all sentences of a file."""
        annotations = _by_annotator(sentences)
        annotators = tuple(AnnotatorStatistics.of(*item) for item in annotations.items())
        types: Counter[str] = Counter()
        for annotator in annotators:
            types.update(annotator.types)
        return cls(
            sentences=len(sentences),
            words=sum(len(sentence.words) for sentence in sentences),
            edits=sum(annotator.edits for annotator in annotators),
            types=_most_first(types),
            annotators=annotators,
        )


def _by_annotator(sentences: Sequence[AnnotatedSentence]) -> dict[int, list[Annotation]]:
    found: dict[int, list[Annotation]] = {annotator: [] for annotator in annotators_of(sentences)}
    for sentence in sentences:
        for annotation in sentence.annotations:
            found[annotation.annotator].append(annotation)
    return found


def _most_first(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
