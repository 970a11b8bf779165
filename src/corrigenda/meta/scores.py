"""What metrics say of systems, kept so that every later question is asked of the counts and not of the texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from corrigenda.core.evaluate import check_lengths
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import averaged
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.human.expected_wins import expected_wins
from corrigenda.human.trueskill import trueskill
from corrigenda.judgments import Pairs
from corrigenda.kernels import default_threads

Floats = npt.NDArray[np.float64]
Aggregation = Literal["corpus", "mean", "expected-wins", "trueskill"]
AGGREGATIONS: tuple[Aggregation, ...] = ("corpus", "mean", "expected-wins", "trueskill")


@dataclass(frozen=True)
class Scored:
    """One metric's counts of every system, and the scores that follow from them."""

    metric: Metric
    systems: tuple[str, ...]
    statistics: tuple[Statistics, ...]

    def _chosen(self, level: Level) -> list[Chosen]:
        return [self.metric.policy(level).start()(statistics) for statistics in self.statistics]

    @cached_property
    def _totals(self) -> list[Array]:
        return [chosen.totals()[0] for chosen in self._chosen("corpus")]

    @cached_property
    def corpus(self) -> Floats:
        """The corpus score of each system."""
        return np.array([float(np.mean(self.metric.score(total))) for total in self._totals])

    def measures(self, place: int) -> dict[str, Any]:
        """What the metric reports beside the corpus score of the system at a place."""
        return averaged(self.metric.measures(self._totals[place]))

    @cached_property
    def sentences(self) -> Floats:
        """The score of every sentence by itself: [systems, sentences]."""
        return np.stack(
            [chosen.per_sentence(self.metric.sentence_score) for chosen in self._chosen("sentence")]
        )

    @property
    def mean(self) -> Floats:
        """The mean of the sentence scores of each system."""
        return np.asarray(self.sentences.mean(axis=1))

    def level(self, level: Level) -> Floats:
        """The scores of the systems at corpus level, or the means of their sentences'."""
        return self.corpus if level == "corpus" else self.mean

    def aggregated(self, how: Aggregation, *, runs: int = 20, seed: int = 0) -> Floats:
        """One score a system, by any of the ways in which sentences, or judgments, are brought together."""
        if how in ("corpus", "mean"):
            return self.corpus if how == "corpus" else self.mean
        pairs = metric_pairs(self.sentences, self.systems)
        if how == "expected-wins":
            return expected_wins(pairs.wins())
        return np.asarray(trueskill(pairs, runs=runs, seed=seed).mu.mean(axis=0))


def score_systems(
    metrics: Sequence[Metric],
    corpus_for: Callable[[Metric], Corpus],
    systems: Sequence[Hypotheses],
    *,
    threads: int | None = None,
) -> list[Scored]:
    """The counts of every system by every metric; systems one after the other, so that metrics share work."""
    threads = threads or default_threads()
    corpora = [corpus_for(metric) for metric in metrics]
    for corpus in {id(corpus): corpus for corpus in corpora}.values():
        check_lengths(corpus, systems)
    for metric, corpus in zip(metrics, corpora, strict=True):
        metric.prepare(corpus, systems, threads=threads)
    rows = [
        [
            metric.statistics(corpus, system, threads=threads)
            for metric, corpus in zip(metrics, corpora, strict=True)
        ]
        for system in systems
    ]
    names = tuple(system.name for system in systems)
    return [
        Scored(metric, names, tuple(row[column] for row in rows))
        for column, metric in enumerate(metrics)
    ]


def metric_pairs(sentences: Floats, systems: tuple[str, ...]) -> Pairs:
    """Every two systems on every sentence, as if a metric had judged them; equal scores are ties."""
    first, second = np.triu_indices(len(systems), k=1)
    outcome = np.sign(sentences[first] - sentences[second]).astype(np.int64)
    count = sentences.shape[1]
    return Pairs(
        systems,
        np.repeat(first, count),
        np.repeat(second, count),
        outcome.reshape(-1),
        np.tile(np.arange(count), len(first)),
    )
