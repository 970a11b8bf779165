"""PT-M²: M² with edits that a pretrained model weighs (Gong et al. 2022)."""

from __future__ import annotations

from dataclasses import dataclass

from corrigenda.core.spec import parameter
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.gold import gold_origin
from corrigenda.metrics.m2 import M2
from corrigenda.metrics.pt_edits import (
    Alternatives,
    Judged,
    judged_by_m2,
)
from corrigenda.metrics.weighed_edits import PRETRAINED, WeighedEditMetric


@dataclass(frozen=True, repr=False)
class PtM2(WeighedEditMetric):
    """M² with weights of edits."""

    name = "pt-m2"
    needs_references = "edits"
    title = "PT-M²: M² with edits weighed by a pretrained model"
    modules = PRETRAINED

    max_unchanged_words: int = parameter(2, "how many unchanged words an edit may contain")
    alternatives: Alternatives = parameter(
        "first",
        "which accepted correction gives a gold edit its weight: always the first, "
        "or the one that the system made",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._plain()

    def _plain(self) -> M2:
        return M2(beta=self.beta, max_unchanged_words=self.max_unchanged_words)

    def judged(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Judged:
        """The edits on the best paths of M²."""
        return judged_by_m2(self._plain(), corpus, hypotheses, self.alternatives, threads=threads)

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, the model, and where the gold edits come from."""
        return {
            **self._scorer_fields(),
            "max_unchanged_words": self.max_unchanged_words,
            "alternatives": self.alternatives,
            "gold": gold_origin(corpus),
        }
