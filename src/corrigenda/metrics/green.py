"""GREEN: an F-score over multisets of n-grams (Koyama et al. 2024)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corrigenda.core.statistics import Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.green_formula import REGIONS, GreenFormula
from corrigenda.metrics.ngrams import Counting, NgramCounts, NgramMetric

if TYPE_CHECKING:
    from corrigenda.core.explanation import Explanation
    from corrigenda.core.result import Result


@dataclass(frozen=True, repr=False)
class Green(NgramMetric, GreenFormula):
    """F_β of the geometric means of n-gram precision and recall.

    Statistics [rows, 7N]: the n-grams of the seven regions for n = 1..N.
    """

    name = "green"
    title = "GREEN: n-gram F-score"
    citation = (
        "Koyama, Nagata, Takamura, Okazaki (2024). n-gram F-score for Evaluating Grammatical Error "
        "Correction. INLG."
    )

    @property
    def counting(self) -> Counting:
        """n-grams against each reference."""
        return Counting(self.unit, self.n, self.whitespace)

    def from_counts(self, counted: NgramCounts) -> Statistics:
        """The seven regions for n = 1..N, flattened to [rows, N * 7]."""
        regions = counted.counts[:, :, : len(REGIONS)]
        return Statistics(regions.reshape(len(regions), self.n * len(REGIONS)), counted.offsets)

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """The seven regions with their n-grams."""
        from corrigenda.metrics.ngram_explanations import explain_green

        return explain_green(self, corpus, hypotheses, result)
