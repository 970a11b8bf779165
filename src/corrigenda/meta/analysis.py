"""Metrics against humans on a benchmark: everything that `corrigenda meta` prints, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Metric, plain
from corrigenda.errors import UsageError
from corrigenda.human import bootstrap
from corrigenda.meta.benchmark import Benchmark, HumanScores
from corrigenda.meta.correlation import (
    COEFFICIENTS,
    Coefficient,
    CorrelationComparison,
    bootstrap_interval,
    permutation_of_both,
    williams,
)
from corrigenda.meta.scores import Aggregation, ScoredSystems, score_systems
from corrigenda.meta.sentence import SentenceAgreement, sentence_agreement
from corrigenda.meta.subsets import Part, top_k, windows

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MetaSettings:
    """What to compute, and how."""

    aggregations: tuple[Aggregation, ...] = ("corpus",)
    coefficients: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")
    human: HumanScores | None = None
    resamples: int = 1000
    confidence: float = 0.95
    window: int = 4
    runs: int = 20
    seed: int = 0


@dataclass(frozen=True)
class Correlation:
    """A coefficient with its bootstrap interval over systems."""

    value: float
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class MetricReport:
    """One metric, aggregated in one way, against the human scores."""

    metric: Metric
    aggregation: Aggregation
    scores: Floats
    correlations: dict[Coefficient, Correlation]
    top: dict[Coefficient, list[Part]]
    windows: dict[Coefficient, list[Part]]

    @property
    def label(self) -> str:
        """Metric and aggregation in a few words."""
        return f"{self.metric} ({self.aggregation})"

    def ranks(self) -> npt.NDArray[np.int64]:
        """The rank of each system by this metric, 1 the best."""
        return bootstrap.ranks(self.scores)


@dataclass(frozen=True)
class MetaReport:
    """All metrics on one benchmark."""

    benchmark: Benchmark
    systems: tuple[str, ...]
    human: Floats
    settings: MetaSettings
    metrics: tuple[MetricReport, ...]
    sentences: dict[str, SentenceAgreement]
    scored: tuple[ScoredSystems, ...]

    def human_ranks(self) -> npt.NDArray[np.int64]:
        """The rank of each system by the human scores, 1 the best."""
        return bootstrap.ranks(self.human)

    def rank_difference(self, report: MetricReport) -> int:
        """The sum over systems of how far a metric's rank is from the human one."""
        return int(np.abs(report.ranks() - self.human_ranks()).sum())

    def to_dict(self) -> dict[str, Any]:
        """The report as plain Python values, ready for JSON."""
        return {
            "benchmark": self.benchmark.name,
            "systems": list(self.systems),
            "human": dict(zip(self.systems, self.human.tolist(), strict=True)),
            "metrics": [self._metric_dict(report) for report in self.metrics],
            "sentence_level": {
                name: {**vars(agreement), "accuracy": agreement.accuracy, "tau": agreement.tau}
                for name, agreement in self.sentences.items()
            },
        }

    def _metric_dict(self, report: MetricReport) -> dict[str, Any]:
        return {
            "metric": str(report.metric),
            "aggregation": report.aggregation,
            "scores": dict(zip(self.systems, report.scores.tolist(), strict=True)),
            "ranks": dict(zip(self.systems, report.ranks().tolist(), strict=True)),
            "rank_difference": self.rank_difference(report),
            **{
                name: {"value": plain(correlation.value), "interval": correlation.interval}
                for name, correlation in report.correlations.items()
            },
            "top_k": {name: [vars(part) for part in parts] for name, parts in report.top.items()},
            "windows": {
                name: [vars(part) for part in parts] for name, parts in report.windows.items()
            },
        }


def analyse(
    benchmark: Benchmark,
    metrics: Sequence[Metric],
    systems: Sequence[str],
    settings: MetaSettings | None = None,
    *,
    threads: int | None = None,
) -> MetaReport:
    """Score the systems once by each metric, then ask everything of the counts."""
    settings = settings or MetaSettings()
    if len(systems) < 3:
        raise UsageError(
            f"a correlation over {len(systems)} systems says nothing", remedy="Take at least 3."
        )
    human = benchmark.human(systems, settings.human, seed=settings.seed)
    scored = score_systems(
        metrics, benchmark.corpus_for, benchmark.outputs(systems), threads=threads
    )
    reports = [
        _report(entry, how, human, settings) for entry in scored for how in settings.aggregations
    ]
    judgments = benchmark.judgments
    sentences = {
        str(entry.metric): sentence_agreement(
            entry.sentences, systems, judgments, first_sentence=benchmark.first_sentence
        )
        for entry in scored
    }
    return MetaReport(
        benchmark, tuple(systems), human, settings, tuple(reports), sentences, tuple(scored)
    )


def _report(
    entry: ScoredSystems, how: Aggregation, human: Floats, settings: MetaSettings
) -> MetricReport:
    scores = entry.aggregated(how, runs=settings.runs, seed=settings.seed)
    correlations = {
        name: _correlation(scores, human, name, settings) for name in settings.coefficients
    }
    size = min(settings.window, len(human))
    return MetricReport(
        entry.metric,
        how,
        scores,
        correlations,
        {name: top_k(scores, human, name) for name in settings.coefficients},
        {name: windows(scores, human, name, size) for name in settings.coefficients},
    )


def _correlation(
    scores: Floats, human: Floats, name: Coefficient, settings: MetaSettings
) -> Correlation:
    interval = None
    if settings.resamples:
        interval = bootstrap_interval(
            scores,
            human,
            name,
            resamples=settings.resamples,
            confidence=settings.confidence,
            seed=settings.seed,
        )
    return Correlation(float(COEFFICIENTS[name](scores, human)), interval)


def compare_metrics(
    report: MetaReport, aggregation: Aggregation, *, permutations: int = 1000
) -> dict[tuple[str, str], CorrelationComparison]:
    """Every two metrics: Williams' test, and permutation of both, of the difference of their Pearson r."""
    by_metric = {
        str(entry.metric): entry.scores
        for entry in report.metrics
        if entry.aggregation == aggregation
    }
    scored = {str(entry.metric): entry for entry in report.scored}
    found = {}
    for first, second in combinations(by_metric, 2):
        t, p = williams(by_metric[first], by_metric[second], report.human)
        found[first, second] = CorrelationComparison(
            float(COEFFICIENTS["pearson"](by_metric[first], report.human)),
            float(COEFFICIENTS["pearson"](by_metric[second], report.human)),
            t,
            p,
            permutation_of_both(
                _exchangeable(scored[first], by_metric[first], aggregation),
                _exchangeable(scored[second], by_metric[second], aggregation),
                report.human,
                permutations=permutations,
                seed=report.settings.seed,
            ),
        )
    return found


def _exchangeable(scored: ScoredSystems, scores: Floats, aggregation: Aggregation) -> Floats:
    """Means of sentences are permuted sentence by sentence; other scores have only themselves to exchange."""
    return scored.sentences if aggregation == "mean" else scores[:, np.newaxis]
