"""Correlations under resampling (Deutsch et al. 2021).

Sentences are drawn with replacement; the scores of metrics and of people are computed again from
the drawn sentences, and then correlated. That is BOOT-INPUT. BOOT-BOTH draws systems too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.permutation import thinned
from corrigenda.analysis.resolution import alpha_of
from corrigenda.analysis.significance import bootstrap_weights
from corrigenda.core.scored import Selection
from corrigenda.human.bootstrap import weighted_outcomes
from corrigenda.human.methods import method_named
from corrigenda.judgments import Pairs
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient
from corrigenda.meta.intervals import CorrelationInterval, CorrelationIntervalMethod
from corrigenda.meta.scores import ScoredSystems, metric_pairs

Floats = npt.NDArray[np.float64]
_SYSTEM_SEED = 1
"""Systems are drawn by a stream of random numbers of their own."""


@dataclass(frozen=True)
class Resamples:
    """Draws of sentences and of systems that all metrics share."""

    sentences: int
    systems: int
    resamples: int
    seed: int

    @cached_property
    def weights(self) -> Floats:
        """How often each sentence is drawn: [resamples, sentences]."""
        drawn = bootstrap_weights(self.sentences, self.resamples, self.seed)
        return np.concatenate(list(drawn), dtype=np.float64)

    @cached_property
    def drawn_systems(self) -> npt.NDArray[np.int64]:
        """The drawn systems: [resamples, systems]."""
        generator = np.random.default_rng([self.seed, _SYSTEM_SEED])
        return generator.integers(self.systems, size=(self.resamples, self.systems))

    def human(
        self, pairs: Pairs, places: npt.NDArray[np.int64], method: str, names: tuple[str, ...]
    ) -> Floats:
        """Human scores [resamples, systems]; `places` has the sentence of each ranking."""
        return self._of_pairs(pairs, places[pairs.ranking], method, names)

    def metric(self, scored: ScoredSystems, how: str) -> Floats | None:
        """The metric's scores [resamples, systems]; None if they would take too long."""
        if how in ("corpus", "mean"):
            level = "corpus" if how == "corpus" else "sentence"
            return np.stack(
                [
                    _resampled(each.at("corpus" if level == "corpus" else "sentence"), self.weights)
                    for each in scored.scored
                ],
                axis=1,
            )
        if method_named(how).repeats:
            return None
        pairs = metric_pairs(scored.sentences, scored.systems)
        return self._of_pairs(pairs, pairs.sentence, how, scored.systems)

    def _of_pairs(
        self,
        pairs: Pairs,
        sentence: npt.NDArray[np.int64],
        method: str,
        names: tuple[str, ...],
    ) -> Floats:
        by = method_named(method)
        by.check_resamples(len(self.weights), len(pairs.systems))
        outcomes = weighted_outcomes(pairs, sentence, self.weights)
        scores = by.load().resampled_scores(pairs, outcomes, seed=self.seed)
        return np.asarray(scores[:, [pairs.systems.index(name) for name in names]])

    def interval(
        self,
        metric: Floats,
        human: Floats,
        coefficient: Coefficient,
        confidence: float,
        *,
        systems: bool = True,
    ) -> CorrelationInterval:
        """The percentile interval, BOOT-BOTH; without `systems` all are in every draw."""
        method: CorrelationIntervalMethod = "boot-both" if systems else "boot-input"
        if systems:
            rows = np.arange(self.resamples)[:, np.newaxis]
            metric, human = metric[rows, self.drawn_systems], human[rows, self.drawn_systems]
        values = COEFFICIENTS[coefficient](metric, human)
        values = values[~np.isnan(values)]
        if not len(values):
            return CorrelationInterval(float("nan"), float("nan"), "none")
        tail = alpha_of(confidence) / 2
        low, high = np.quantile(values, [tail, 1 - tail])
        return CorrelationInterval(float(low), float(high), method)


def _resampled(selection: Selection, weights: Floats) -> Floats:
    few = thinned(selection)
    scores = few.resampled(weights)
    return np.asarray(scores if few is selection else scores + (selection.score - few.score))
