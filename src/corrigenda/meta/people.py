"""The human side of a meta-evaluation: scores, resampled scores, p-values and judged pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.resolution import DEFAULT_RESAMPLES
from corrigenda.meta.benchmark import Benchmark
from corrigenda.meta.pairwise import Differences, net_wins, one_sided_p_values
from corrigenda.meta.resampling import Resamples
from corrigenda.meta.sentence import JudgedPairs, PairsOf, judged_pairs, sentence_indices
from corrigenda.meta.settings import MetaSettings

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class People:
    """The human scores of some systems, also from resampled sentences."""

    benchmark: Benchmark
    systems: tuple[str, ...]
    scores: Floats
    settings: MetaSettings

    @cached_property
    def places(self) -> npt.NDArray[np.int64]:
        """The place in the corpus of the sentence of each ranking."""
        bench = self.benchmark
        return sentence_indices(bench.judgments, bench.first_sentence, len(bench.corpus))

    @cached_property
    def _ratings(self) -> Floats | None:
        ratings = self.benchmark.ratings
        return None if ratings is None else np.array([ratings[name] for name in self.systems])

    @cached_property
    def resamples(self) -> Resamples:
        """The draws that all metrics share."""
        settings = self.settings
        return Resamples(
            len(self.benchmark.corpus), len(self.systems), settings.resamples, settings.seed
        )

    @cached_property
    def resampled(self) -> Floats | None:
        """The human scores [resamples, systems]; None if they cannot be computed again."""
        if not self.settings.resamples or self.settings.interval == "systems":
            return None
        method = self.benchmark.human_method(self.settings.human)
        if method is None:
            return None
        if method == "ratings" and self._ratings is not None:
            weights, rated = self.resamples.weights, ~np.isnan(self._ratings)
            sums = weights @ np.nan_to_num(self._ratings).T
            return np.asarray(sums / np.maximum(1, weights @ rated.T.astype(np.float64)))
        pairs = self.benchmark.judgments.pairs
        return self.resamples.human(pairs, self.places, method, self.systems)

    @cached_property
    def p_values(self) -> Floats:
        """How sure people are that system i is better than system j, for every i < j."""
        if self._ratings is not None:
            net = self._rated_differences(self._ratings)
        else:
            pairs = self.benchmark.judgments.pairs
            net = net_wins(pairs, self.places, self.systems, len(self.benchmark.corpus))
        return one_sided_p_values(net, resamples=DEFAULT_RESAMPLES, seed=self.settings.seed)

    @staticmethod
    def _rated_differences(ratings: Floats) -> Differences:
        """How much better system i is rated; 0 where one of the two has no rating."""
        found = Differences.of_scores(ratings)
        return replace(found, some=lambda part: np.nan_to_num(found.some(part)))

    def judged_pairs(self, pairs_of: PairsOf) -> JudgedPairs:
        """The judged pairs of these systems."""
        bench = self.benchmark
        return judged_pairs(
            self.systems,
            bench.judgments,
            count=len(bench.corpus),
            first_sentence=bench.first_sentence,
            pairs_of=pairs_of,
            outputs=[system.sentences for system in bench.outputs(self.systems)],
        )
