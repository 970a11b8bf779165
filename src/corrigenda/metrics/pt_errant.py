"""PT-ERRANT: ERRANT with edits that a pretrained model weighs (Gong et al. 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.edit_source import GoldEdits
from corrigenda.core.choice import BestLocal, Choice, GreedyCumulative, Totals
from corrigenda.core.f_scores import (
    Amount,
    f_score,
    greedy_typed_edit_keys,
    typed_edit_keys,
)
from corrigenda.core.metric import Level
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.m2 import edit_measures
from corrigenda.metrics.pt_edits import (
    Judged,
    judged_by_errant,
)
from corrigenda.metrics.typed_edits import (
    TypedEditMetric,
    edits_parameter,
    gold_parameter,
    merger_parameter,
    spacy_model_parameter,
)
from corrigenda.metrics.weighed_edits import PRETRAINED, WeighedEditMetric


@dataclass(frozen=True, repr=False)
class PtErrant(TypedEditMetric, WeighedEditMetric):
    """ERRANT with weights of edits."""

    name = "pt-errant"
    title = "PT-ERRANT: ERRANT with edits weighed by a pretrained model"
    extra = "neural,errant"
    modules = ("torch", "transformers", "errant", "spacy")

    gold: GoldEdits = gold_parameter()
    unk: Literal["keep", "drop"] = parameter(
        "drop", "errors that are marked but not corrected: keep or drop them"
    )
    spacy_model: str = spacy_model_parameter()
    edits: str = edits_parameter()
    merger: Merger = merger_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.edit_source.check()

    @property
    def modules_in_use(self) -> tuple[str, ...]:
        """The packages of the annotator, and those of a pretrained model if there is one."""
        pretrained = () if self.scorer == "self" else PRETRAINED
        return (*pretrained, *self.edit_source.packages)

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Annotate all systems and references at once, then score the pairs of their edits."""
        self._scorer_fields()
        super().prepare(corpus, systems, threads=threads)

    def judged(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Judged:
        """ERRANT's edits."""
        return judged_by_errant(
            self.edit_source, corpus, hypotheses, keep_unknown=self.unk == "keep", threads=threads
        )

    def policy(self, level: Level) -> Choice:
        """As in M²; if every weight is 1, as in ERRANT, which rounds F before it compares."""
        if self.scorer != "self" or (level == "corpus" and self.choice == "optimal"):
            return super().policy(level)
        if level == "corpus":
            return GreedyCumulative(_greedy_typed_key, self.beta)
        return BestLocal(self._typed_keys)

    def _typed_keys(self, counts: Array) -> Sequence[Array]:
        return typed_edit_keys(_right_wrong_missed(*counts.T[:3]), self.beta)

    def _score(self, weights: Array) -> Array:
        """F_β computed from precision and recall, as in ERRANT."""
        measures = edit_measures(weights, self.beta)
        assert measures.precision is not None
        assert measures.recall is not None
        return f_score(measures.precision, measures.recall, self.beta)

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The parameters, the model, and where the edits come from."""
        source = self.edit_source.fields(corpus, hypotheses)
        return {**self._scorer_fields(), "unk": self.unk, **source}


def _greedy_typed_key(totals: Totals, beta: Amount) -> Totals:
    return greedy_typed_edit_keys(_right_wrong_missed(*totals[:3]), beta)


def _right_wrong_missed(
    correct: Amount, proposed: Amount, gold: Amount
) -> tuple[Amount, Amount, Amount]:
    """True positives, false positives and false negatives."""
    return correct, proposed - correct, gold - correct
