"""The edits that a system made, each beside the gold edit that it equals."""

from __future__ import annotations

from dataclasses import dataclass

from corrigenda.edits import Edit


@dataclass(frozen=True)
class MatchedEdit:
    """An edit that a system made, and the place of the gold edit that it equals, if any.

    Its type is that gold edit's.
    """

    edit: Edit
    gold: int | None


@dataclass(frozen=True)
class AnnotatorComparison:
    """A system's edits of one sentence, left to right, against the gold edits of one annotator."""

    annotator: int
    gold: tuple[Edit, ...]
    edits: tuple[MatchedEdit, ...]

    @property
    def missed(self) -> tuple[int, ...]:
        """The places of the gold edits that the system did not make."""
        made = {matched.gold for matched in self.edits}
        return tuple(place for place in range(len(self.gold)) if place not in made)

    @property
    def counts(self) -> dict[str, int]:
        """Correct, proposed and gold edits."""
        correct = sum(matched.gold is not None for matched in self.edits)
        return {"correct": correct, "proposed": len(self.edits), "gold": len(self.gold)}


@dataclass(frozen=True)
class ComparedSentence:
    """A comparison with each annotator, and which of them the corpus score counts."""

    source: str
    hypothesis: str
    comparisons: tuple[AnnotatorComparison, ...]
    chosen: int
