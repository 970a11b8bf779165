"""The edits that a system made, each beside the gold edit that it equals; by one extractor or another."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit


@dataclass(frozen=True)
class MatchedEdit:
    """An edit that a system made, and the place of the gold edit that it equals, if any.

    Its type is that gold edit's.
    """

    edit: Edit
    gold: int | None


@dataclass(frozen=True)
class Comparison:
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
    comparisons: tuple[Comparison, ...]
    chosen: int


@dataclass(frozen=True)
class Extractor:
    """Where the function of an extractor is, and the options that it takes beside corpus and hypotheses."""

    function: str
    options: tuple[str, ...]

    def load(self) -> Callable[..., list[ComparedSentence]]:
        """The function: corpus, hypotheses, threads=…, and the options by their names."""
        module, _, name = self.function.partition(":")
        loaded: Callable[..., list[ComparedSentence]] = getattr(importlib.import_module(module), name)
        return loaded


EXTRACTORS = {
    "m2": Extractor(
        "corrigenda.metrics.m2:compared_edits", ("beta", "max_unchanged_words", "ignore_case_whitespace")
    ),
    "errant": Extractor("corrigenda.errant.matching:compared_edits", ("beta",)),
}
"""By name; an extractor is imported only when it is asked for."""


def compare(
    corpus: Corpus, hypotheses: Hypotheses, *, extractor: str = "m2", threads: int, **options: object
) -> list[ComparedSentence]:
    """The system's edits of every sentence, found by the extractor."""
    return EXTRACTORS[extractor].load()(corpus, hypotheses, threads=threads, **options)
