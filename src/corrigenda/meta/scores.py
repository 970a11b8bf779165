"""The scores of systems by metrics. The counts are kept, so later steps do not need the texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.core.evaluate import prepare_metrics
from corrigenda.core.measures import Measures
from corrigenda.core.metric import Level, Metric
from corrigenda.core.scored import Scored
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.human.methods import method_named
from corrigenda.judgments import Pairs
from corrigenda.kernels import threads_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ScoredSystems:
    """One metric's counts of every system, and the scores that follow from them."""

    metric: Metric
    systems: tuple[str, ...]
    scored: tuple[Scored, ...]

    def __repr__(self) -> str:
        return f"<{self.metric} of {', '.join(self.systems)}>"

    @cached_property
    def corpus(self) -> Floats:
        """The corpus score of each system."""
        return np.array([system.corpus for system in self.scored])

    def measures(self, place: int) -> Measures[float]:
        """What the metric reports beside the corpus score of the system with this index."""
        return self.scored[place].measures()

    @cached_property
    def sentences(self) -> Floats:
        """The score of every sentence alone: [systems, sentences]."""
        return np.stack([system.sentences for system in self.scored])

    @cached_property
    def mean(self) -> Floats:
        """The mean of the sentence scores of each system."""
        return np.array([system.mean for system in self.scored])

    def level(self, level: Level) -> Floats:
        """The corpus scores of the systems, or the means of their sentences' scores."""
        return self.corpus if level == "corpus" else self.mean

    def aggregated(self, how: str, *, runs: int = 20, seed: int = 0) -> Floats:
        """One score per system, by one of `AGGREGATIONS`."""
        if how in ("corpus", "mean"):
            return self.corpus if how == "corpus" else self.mean
        pairs = metric_pairs(self.sentences, self.systems)
        return method_named(how).load().scores(pairs, runs=runs, seed=seed)


def score_systems(
    metrics: Sequence[Metric],
    corpus_for: Callable[[Metric], Corpus],
    systems: Sequence[Hypotheses],
    *,
    threads: int | None = None,
) -> list[ScoredSystems]:
    """The counts of every system by every metric. Systems are outermost, so metrics share work."""
    threads = threads_of(threads)
    corpora = [corpus_for(metric) for metric in metrics]
    for metric, corpus in zip(metrics, corpora, strict=True):
        prepare_metrics([metric], corpus, systems, threads=threads)
    rows: list[list[Scored]] = []
    total = len(systems) * len(metrics)
    for system in systems:
        row: list[Scored] = []
        for metric, corpus in zip(metrics, corpora, strict=True):
            done = len(rows) * len(metrics) + len(row)
            progress.report("scores", done, total, f"{system.name}, {metric.name}")
            row.append(Scored(metric, metric.statistics(corpus, system, threads=threads)))
        rows.append(row)
    progress.report("scores", total, total)
    names = tuple(system.name for system in systems)
    return [
        ScoredSystems(metric, names, tuple(row[column] for row in rows))
        for column, metric in enumerate(metrics)
    ]


def metric_pairs(sentences: Floats, systems: tuple[str, ...]) -> Pairs:
    """Every pair of systems on every sentence, judged by a metric; equal scores are ties."""
    first, second = np.triu_indices(len(systems), k=1)
    outcome = np.sign(sentences[first] - sentences[second]).astype(np.int64)
    count = sentences.shape[1]
    places = np.tile(np.arange(count), len(first))
    return Pairs(
        systems,
        np.repeat(first, count),
        np.repeat(second, count),
        outcome.reshape(-1),
        ranking=places,
        sentence=places,
        judge=np.zeros_like(places),
    )
