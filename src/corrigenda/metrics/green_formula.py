"""GREEN's formula: F_β of geometric means over n, from sums over GREEN's seven regions.

The sums are numbers of n-grams in GREEN, and weights of n-grams in PT-GREEN.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from corrigenda.core import spec
from corrigenda.core.choice import BestRows
from corrigenda.core.f_scores import f_score
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.kernels.green_products import green_products
from corrigenda.metrics.green_sweep import picks_for_betas
from corrigenda.metrics.ngrams import (
    LARGEST_ORDER,
    SHORT_EXPLANATION,
    Short,
    published_order,
    relevant_fields,
)
from corrigenda.text.units import Unit, Whitespace

REGIONS = ("tk", "td", "ti", "od", "oi", "ud", "ui")


@dataclass(frozen=True, repr=False)
class GreenFormula(Metric):
    """F_β of the geometric means of n-gram precision and recall.

    Statistics [rows, 7N]: sums over the seven regions for n = 1..N.
    """

    offers = frozenset({"precision-recall", "explain", "beta"})

    n: int = parameter(None, "largest n-gram size", shown="4 for words, 6 for characters")
    beta: float = parameter(2.0, "weight of recall against precision")
    unit: Unit = parameter("word", "what n-grams are made of")
    whitespace: Whitespace = parameter(
        "normalise", "white space in character n-grams: single blanks, or as in the file"
    )
    short: Short = parameter("published", SHORT_EXPLANATION)

    def __post_init__(self) -> None:
        if self.n is None:
            object.__setattr__(self, "n", published_order(self.unit))
        super().__post_init__()
        spec.check_at_least(self, n=1, beta=0)
        spec.check_at_most(self, n=LARGEST_ORDER)

    @property
    def shortest(self) -> int:
        """Sentences without n-grams of the largest size score 0 as published."""
        return self.n if self.unit == "word" and self.short == "published" else 0

    def policy(self, level: Level) -> BestRows:
        """The reference with the best sentence score; ties by the scores of shorter n-grams."""
        return _BestGreen(self._tie_keys, self)

    def _tie_keys(self, counts: Array) -> Iterator[Array]:
        """The score with n-grams of 1..N, then of 1..N-1, … then of 1."""
        products = self._products(counts)
        for n in reversed(range(self.n)):
            # They are rounded, so that scores that differ only in the last bits are ties.
            yield self._f_score(self._roots(products[n], n, counts)).round(12)

    def _products(self, totals: Array) -> Array:
        """Products [m - 1, 2, ...] of the precisions, and of the recalls, of n = 1..m."""
        regions = self._regions(totals)
        products = green_products(
            regions.reshape(-1, self.n, len(REGIONS)),
            None if self.short == "published" else self._available(totals).reshape(-1, self.n),
        )
        return products if regions.ndim == 3 else products.reshape(self.n, 2, *regions.shape[:-2])

    def _regions(self, totals: Array) -> Array:
        """The sums [..., n - 1, region]."""
        totals = np.asarray(totals)
        return totals.reshape(*totals.shape[:-1], self.n, len(REGIONS))

    def _available(self, totals: Array) -> Array:
        """For each n whether the source or the reference has n-grams of that size, or n is 1."""
        regions = self._regions(totals)
        in_texts = regions.sum(axis=-1) - regions[..., REGIONS.index("oi")]
        found = in_texts > 0
        # Two empty texts are equal: the only size that can tell them from a hypothesis is 1.
        found[..., 0] |= regions[..., 0, REGIONS.index("oi")] > 0
        return np.asarray(found)

    def _roots(self, products: Array, last: int, totals: Array) -> Array:
        """Geometric means from products of all sizes up to the place `last`."""
        # The exponent is always an array: numpy computes some powers differently otherwise.
        if self.short == "published":
            return np.asarray(products ** np.array([1 / (last + 1)]))
        counted = self._available(totals)[..., : last + 1]
        return np.asarray(products ** (1 / np.maximum(counted.sum(axis=-1), 1)))

    def _f_score(self, means: Array) -> Array:
        """F_β of means [2, ...] of precision and recall."""
        return f_score(means[0], means[1], self.beta)

    def cumulative_means(self, totals: Array) -> Array:
        """Geometric means [2, ..., m - 1] of the precisions, and of the recalls, of n = 1..m."""
        products = self._products(totals)
        means = [self._roots(products[n], n, totals) for n in range(self.n)]
        return np.stack(means, axis=-1)

    def _means(self, totals: Array) -> Array:
        """Geometric means [2, ...] of the precisions, and of the recalls, of n = 1..N."""
        return self._roots(self._products(totals)[-1], self.n - 1, totals)

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """F_β of precision and recall, which are geometric means over n."""
        means = self._means(totals)
        return Measures(self._f_score(means), means[0], means[1])

    def score(self, totals: Array, level: Level = "corpus") -> Array:
        """F_β without the other measures: rewards of small batches ask for the score alone."""
        return self._f_score(self._means(totals))

    def named_counts(self, counts: Array) -> NamedCounts:
        """Each region as a list over n."""
        return dict(zip(REGIONS, counts.reshape(self.n, len(REGIONS)).T.tolist(), strict=True))

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """All parameters that change the score."""
        return relevant_fields(spec.parameters(self), self.unit)


@dataclass(frozen=True)
class _BestGreen(BestRows):
    """GREEN's choice. Precisions and recalls do not depend on β, so all values of β share them."""

    metric: GreenFormula

    @classmethod
    def choose_all(cls, choices: Sequence[Self], systems: Sequence[Statistics]) -> list[Chosen]:
        """The rows for each β. Work that does not depend on β is done once."""
        betas = [choice.metric.beta for choice in choices]
        chosen = []
        for statistics in systems:
            precision, recall = choices[0].metric.cumulative_means(statistics.counts)
            picks = picks_for_betas(precision, recall, statistics, betas)
            chosen.append(Chosen.of_rows(statistics, np.array(list(picks))))
        return chosen
