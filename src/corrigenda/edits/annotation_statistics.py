"""How much was annotated, by whom, and of what kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from corrigenda.edits import AnnotatedSentence, Annotation, Edit
from corrigenda.edits.annotators import annotators_of

OPERATIONS = ("insertions", "deletions", "replacements")


def operation(edit: Edit) -> str:
    """Which of the operations the edit is, by its first correction."""
    if edit.is_insertion:
        return "insertions"
    return "replacements" if edit.correction else "deletions"


@dataclass(frozen=True)
class AnnotatorStatistics:
    """What one annotator did."""

    annotator: int
    sentences: int
    noop: int
    edits: int
    with_alternatives: int
    operations: dict[str, int]
    types: dict[str, int]

    @property
    def edits_per_sentence(self) -> float:
        """The mean over the sentences that the annotator read, also those left unchanged."""
        return self.edits / self.sentences if self.sentences else 0.0

    @classmethod
    def of(cls, annotator: int, annotations: Sequence[Annotation]) -> AnnotatorStatistics:
        """The statistics of all annotations by one annotator."""
        edits = [edit for annotation in annotations for edit in annotation.edits]
        operations = Counter(map(operation, edits))
        return cls(
            annotator=annotator,
            sentences=len(annotations),
            noop=sum(not annotation.edits for annotation in annotations),
            edits=len(edits),
            with_alternatives=sum(len(edit.corrections) > 1 for edit in edits),
            operations={name: operations[name] for name in OPERATIONS},
            types=dict(_most_first(Counter(edit.type for edit in edits))),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "annotator": self.annotator,
            "sentences": self.sentences,
            "noop_sentences": self.noop,
            "edits": self.edits,
            "edits_per_sentence": self.edits_per_sentence,
            "with_alternatives": self.with_alternatives,
            **self.operations,
            "types": self.types,
        }


@dataclass(frozen=True)
class AnnotationStatistics:
    """What all annotators of a file did."""

    sentences: int
    words: int
    annotators: tuple[AnnotatorStatistics, ...]

    @classmethod
    def of(cls, sentences: Sequence[AnnotatedSentence]) -> AnnotationStatistics:
        """The statistics of a file's sentences."""
        by_annotator: dict[int, list[Annotation]] = {
            annotator: [] for annotator in annotators_of(sentences)
        }
        for sentence in sentences:
            for annotation in sentence.annotations:
                by_annotator[annotation.annotator].append(annotation)
        return cls(
            sentences=len(sentences),
            words=sum(len(sentence.words) for sentence in sentences),
            annotators=tuple(AnnotatorStatistics.of(*item) for item in by_annotator.items()),
        )

    @property
    def edits(self) -> int:
        """The edits of all annotators."""
        return sum(annotator.edits for annotator in self.annotators)

    @property
    def types(self) -> dict[str, int]:
        """How many edits there are of each type, the most frequent first."""
        total: Counter[str] = Counter()
        for annotator in self.annotators:
            total.update(annotator.types)
        return dict(_most_first(total))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "edits": self.edits,
            "types": self.types,
            "annotators": [annotator.to_dict() for annotator in self.annotators],
        }


def _most_first(counter: Counter[str]) -> Iterable[tuple[str, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))
