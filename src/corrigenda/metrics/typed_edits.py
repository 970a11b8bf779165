"""What metrics of typed edits share: their parameters, and where their edits come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import EditSource, GoldEdits
from corrigenda.core.metric import Metric
from corrigenda.core.spec import parameter
from corrigenda.corpus import Corpus, Hypotheses


def gold_parameter() -> Any:
    """The parameter `gold` of metrics with typed edits."""
    return parameter(
        "auto",
        "gold edits of an M2 file: annotated, retyped, or extracted again",
        shown="annotated if there are annotations, else extracted from the reference texts",
    )


def spacy_model_parameter() -> Any:
    """The parameter `spacy_model` of metrics with typed edits."""
    return parameter(
        "", "spaCy model, by name or path", shown="CORRIGENDA_SPACY_MODEL, else en_core_web_sm"
    )


def edits_parameter() -> Any:
    """The parameter `edits` of metrics with typed edits."""
    return parameter("en", "who makes edits: en, any, ud, zh, or an annotator of another package")


def merger_parameter() -> Any:
    """The parameter `merger` of metrics with typed edits."""
    return parameter(
        "auto",
        "how neighbouring changes become edits",
        shown="rules for en and zh, all-merge for any, all-split for ud",
    )


class TypedEditMetric(Metric):
    """A metric of typed edits. The metric itself has the four parameters, in its own order."""

    gold: GoldEdits
    spacy_model: str
    edits: str
    merger: Merger

    @property
    def edit_source(self) -> EditSource:
        """Where its edits come from."""
        return EditSource(self.gold, self.spacy_model, self.edits, self.merger)

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """The packages of the annotator."""
        return self.edit_source.packages

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Annotate all systems and references at once."""
        self.edit_source.prepare(corpus, systems, threads=threads)
        super().prepare(corpus, systems, threads=threads)
