"""BLEU (Papineni et al. 2002), as sacreBLEU computes it on tokenised text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import Pooled
from corrigenda.core.explanation import Explanation
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level
from corrigenda.core.result import Result
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.gleu import closest_reference_lengths
from corrigenda.metrics.ngrams import (
    LARGEST_ORDER,
    SHORT_EXPLANATION,
    Counting,
    NgramCounts,
    NgramMetric,
    Short,
    relevant_fields,
)


@dataclass(frozen=True, repr=False)
class Bleu(NgramMetric):
    """The geometric mean of clipped n-gram precisions, times a brevity penalty.

    Statistics [rows, 2N + 2]: matches and n-grams for n = 1..N, then the lengths of the hypothesis
    and of the closest reference.
    """

    name = "bleu"
    title = "BLEU: n-gram precision against all references"
    citation = (
        "Papineni, Roukos, Ward, Zhu (2002). BLEU: a Method for Automatic Evaluation of Machine "
        "Translation. ACL."
    )

    offers = frozenset({"explain"})
    scoring_parameters = frozenset({"effective_order"})

    n: int = parameter(4, "largest n-gram size")
    effective_order: bool = parameter(
        True, "at sentence level, leave out sizes for which the sentence has no n-grams"
    )

    short: Short = parameter("published", SHORT_EXPLANATION)

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, n=1)
        spec.check_at_most(self, n=LARGEST_ORDER)

    @property
    def counting(self) -> Counting:
        """n-grams against all references at once.

        An n-gram counts at most as often as in the reference that has it most often.
        """
        return Counting("word", self.n, pooled=True)

    def from_counts(self, counted: NgramCounts) -> Statistics:
        """Matches, n-grams and lengths."""
        counts = np.column_stack(
            [
                counted.kind("ti", "tk"),
                counted.kind("ti", "tk", "oi", "ud"),
                counted.hypothesis_lengths,
                closest_reference_lengths(counted, prefer_shorter=True),
            ]
        )
        return Statistics(counts, np.arange(len(counts) + 1, dtype=np.int64))

    def policy(self, level: Level) -> Pooled:
        """There is nothing to choose."""
        return Pooled()

    def _parts(self, totals: Array) -> tuple[Array, Array, Array]:
        totals = np.asarray(totals, np.float64)
        excess = 1 - ratio(totals[..., -1], totals[..., -2], undefined=np.inf)
        return (
            totals[..., : self.n],
            totals[..., self.n : 2 * self.n],
            np.exp(np.minimum(0.0, excess)),
        )

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The score, and the mean of the precisions before the brevity penalty."""
        matches, ngrams, brevity_penalty = self._parts(totals)
        precision = self._mean_precision(matches, ngrams)
        score = self.score(totals, level)
        return Measures(score, precision, None, {"brevity_penalty": brevity_penalty})

    def score(self, totals: Array, level: Level = "corpus") -> Array:
        """The score. At corpus level it is not smoothed: it is 0 if some n has no match."""
        if level == "sentence":
            return self._smoothed_score(totals)
        matches, ngrams, brevity_penalty = self._parts(totals)
        return brevity_penalty * self._mean_precision(matches, ngrams)

    def _mean_precision(self, matches: Array, ngrams: Array) -> Array:
        """The mean of the precisions of 1..N, or of the sizes that the hypotheses have."""
        if self.short == "published":
            precisions = ratio(matches, ngrams, undefined=0.0)
            return _geometric_mean(precisions, np.float64(self.n))
        order = np.maximum((ngrams > 0).sum(axis=-1), 1)
        mean = _geometric_mean(ratio(matches, ngrams, undefined=1.0), order)
        return np.where(matches.any(axis=-1), mean, 0.0)

    def _smoothed_score(self, counts: Array) -> Array:
        """The scores of single sentences: the k-th n without a match counts as 1 / 2^k matches."""
        matches, ngrams, brevity_penalty = self._parts(counts)
        unmatched = (matches == 0) & (ngrams > 0)
        smoothed = np.where(unmatched, 0.5 ** np.cumsum(unmatched, axis=-1), matches)
        absent = 1.0 if self.effective_order else 0.0
        order = (ngrams > 0).sum(axis=-1) if self.effective_order else np.float64(self.n)
        mean = _geometric_mean(ratio(smoothed, ngrams, undefined=absent), np.maximum(order, 1))
        return np.where(matches.any(axis=-1), brevity_penalty * mean, 0.0)

    def named_counts(self, counts: Array) -> NamedCounts:
        """Matches and n-grams as lists over n, and the two lengths."""
        return {
            "matches": counts[: self.n].tolist(),
            "ngrams": counts[self.n : 2 * self.n].tolist(),
            "hypothesis_length": counts[-2].item(),
            "reference_length": counts[-1].item(),
        }

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """All parameters that change the score."""
        return relevant_fields(spec.parameters(self), "word")

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        """Matches for each n."""
        from corrigenda.metrics.ngram_explanations import explain_bleu

        return explain_bleu(self, corpus, hypotheses)


def _geometric_mean(values: Array, order: float | Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(np.log(values).sum(axis=-1) / order))
