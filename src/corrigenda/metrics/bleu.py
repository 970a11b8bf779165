"""BLEU (Papineni et al. 2002), as sacreBLEU computes it on text that is tokenised already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import Pooled
from corrigenda.core.metric import Level, ratio
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.metrics.gleu import closest_reference_lengths
from corrigenda.metrics.ngrams import LARGEST_ORDER, Counting, NgramCounts, NgramMetric


@dataclass(frozen=True, repr=False)
class Bleu(NgramMetric):
    """The geometric mean of clipped n-gram precisions, times a brevity penalty.

    Statistics [rows, 2N + 2]: matches and n-grams for n = 1..N, hypothesis and closest reference length.
    """

    name = "bleu"
    title = "BLEU: n-gram precision against all references"
    citation = "Papineni, Roukos, Ward, Zhu (2002). BLEU: a Method for Automatic Evaluation of Machine Translation. ACL."

    n: int = parameter(4, "largest n-gram size")
    effective_order: bool = parameter(
        True, "at sentence level, only sizes that the sentence has n-grams of"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        spec.check_at_least(self, n=1)
        spec.check_at_most(self, n=LARGEST_ORDER)

    @property
    def counting(self) -> Counting:
        """All references of a sentence at once: an n-gram counts as often as in the reference with most of it."""
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

    def score(self, totals: Array) -> Array:
        """The corpus score, not smoothed: 0 where an n has no match."""
        matches, ngrams, brevity_penalty = self._parts(totals)
        return brevity_penalty * _geometric_mean(
            ratio(matches, ngrams, undefined=0.0), np.float64(self.n)
        )

    def sentence_score(self, counts: Array) -> Array:
        """The score of single sentences: the k-th n without a match counts as 1 / 2^k matches."""
        matches, ngrams, brevity_penalty = self._parts(counts)
        unmatched = (matches == 0) & (ngrams > 0)
        smoothed = np.where(unmatched, 0.5 ** np.cumsum(unmatched, axis=-1), matches)
        absent = 1.0 if self.effective_order else 0.0
        order = (ngrams > 0).sum(axis=-1) if self.effective_order else np.float64(self.n)
        mean = _geometric_mean(ratio(smoothed, ngrams, undefined=absent), np.maximum(order, 1))
        return np.where(matches.any(axis=-1), brevity_penalty * mean, 0.0)

    def measures(self, totals: Array) -> dict[str, Array]:
        """The geometric mean of the precisions, before the brevity penalty."""
        matches, ngrams, brevity_penalty = self._parts(totals)
        precision = _geometric_mean(ratio(matches, ngrams, undefined=0.0), np.float64(self.n))
        return {"precision": precision, "brevity_penalty": brevity_penalty}

    def named_counts(self, counts: Array) -> dict[str, Any]:
        """Matches and n-grams as lists over n, and the two lengths."""
        return {
            "matches": counts[: self.n].tolist(),
            "ngrams": counts[self.n : 2 * self.n].tolist(),
            "hypothesis_length": counts[-2].item(),
            "reference_length": counts[-1].item(),
        }


def _geometric_mean(values: Array, order: Any) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(np.log(values).sum(axis=-1) / order))
