"""The edits of a system, each with the gold edit that it equals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from corrigenda.edits import Edit


class EditCounts(TypedDict):
    """The numbers of a system's correct edits, of all its edits, and of the gold edits."""

    correct: int
    proposed: int
    gold: int


@dataclass(frozen=True)
class MatchedEdit:
    """An edit of a system, and the index of the gold edit that it equals, if there is one.

    The edit has the type of that gold edit.
    """

    edit: Edit
    gold: int | None


@dataclass(frozen=True)
class AnnotatorComparison:
    """A system's edits in one sentence, left to right, against the gold edits of one annotator."""

    annotator: int | None
    """None if the sentence has no reference."""
    gold: tuple[Edit, ...]
    edits: tuple[MatchedEdit, ...]

    @property
    def missed(self) -> tuple[int, ...]:
        """The indices of the gold edits that the system did not make."""
        made = {matched.gold for matched in self.edits}
        return tuple(place for place in range(len(self.gold)) if place not in made)

    @property
    def counts(self) -> EditCounts:
        """The numbers of correct, proposed and gold edits."""
        correct = sum(matched.gold is not None for matched in self.edits)
        return {"correct": correct, "proposed": len(self.edits), "gold": len(self.gold)}


@dataclass(frozen=True)
class ComparedSentence:
    """A comparison with each annotator; the corpus score counts the annotator `chosen`."""

    source: str
    hypothesis: str
    comparisons: tuple[AnnotatorComparison, ...]
    chosen: int
