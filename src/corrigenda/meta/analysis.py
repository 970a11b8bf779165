"""Metrics against humans on a benchmark: everything that `corrigenda meta` prints, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Metric
from corrigenda.errors import UsageError
from corrigenda.human import bootstrap
from corrigenda.meta.benchmark import Benchmark
from corrigenda.meta.correlation import (
    COEFFICIENTS,
    Coefficient,
    CorrelationComparison,
    bootstrap_interval,
    permutation_of_both,
    williams,
)
from corrigenda.meta.scores import ScoredSystems, score_systems
from corrigenda.meta.sentence import (
    SentenceAgreement,
    SentenceAgreementData,
    sentence_agreement,
)
from corrigenda.meta.subsets import Part, PartData, top_k, windows

Floats = npt.NDArray[np.float64]


class CorrelationData(TypedDict):
    """A coefficient in the JSON of a report."""

    value: float
    interval: tuple[float, float] | None


class CoefficientsData(TypedDict):
    """The coefficients of one metric in the JSON of a report."""

    pearson: NotRequired[CorrelationData]
    spearman: NotRequired[CorrelationData]
    kendall: NotRequired[CorrelationData]


class MetricReportData(CoefficientsData):
    """One metric in the JSON of a report."""

    metric: str
    aggregation: str
    scores: dict[str, float]
    ranks: dict[str, int]
    rank_difference: int
    top_k: dict[Coefficient, list[PartData]]
    windows: dict[Coefficient, list[PartData]]


class MetaReportData(TypedDict):
    """The JSON of a report."""

    benchmark: str
    systems: list[str]
    human: dict[str, float]
    metrics: list[MetricReportData]
    sentence_level: dict[str, SentenceAgreementData]


@dataclass(frozen=True)
class MetaSettings:
    """What to compute: `aggregations` are some of `AGGREGATIONS`, `human` one of `HUMAN_SCORES`."""

    aggregations: tuple[str, ...] = ("corpus",)
    coefficients: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")
    human: str | None = None
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

    def to_dict(self) -> CorrelationData:
        """The coefficient as plain Python values, ready for JSON."""
        return {"value": self.value, "interval": self.interval}


@dataclass(frozen=True)
class MetricReport:
    """One metric, aggregated in one way, against the human scores."""

    metric: Metric
    aggregation: str
    scores: Floats
    correlations: dict[Coefficient, Correlation]
    top: dict[Coefficient, list[Part]]
    windows: dict[Coefficient, list[Part]]

    @property
    def label(self) -> str:
        """Metric and aggregation in a few words."""
        return f"{self.metric} ({self.aggregation})"

    def ranks(self) -> npt.NDArray[np.int64]:
        """The rank of each system by this metric; 1 is best."""
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
        """The rank of each system by the human scores; 1 is best."""
        return bootstrap.ranks(self.human)

    def rank_difference(self, report: MetricReport) -> int:
        """The sum over systems of the distances between a metric's rank and the human rank."""
        return int(np.abs(report.ranks() - self.human_ranks()).sum())

    def to_dict(self) -> MetaReportData:
        """The report as plain Python values, ready for JSON."""
        return {
            "benchmark": self.benchmark.name,
            "systems": list(self.systems),
            "human": dict(zip(self.systems, self.human.tolist(), strict=True)),
            "metrics": [self._metric_dict(report) for report in self.metrics],
            "sentence_level": {
                name: agreement.to_dict() for name, agreement in self.sentences.items()
            },
        }

    def _metric_dict(self, report: MetricReport) -> MetricReportData:
        coefficients: CoefficientsData = {}
        for name, correlation in report.correlations.items():
            coefficients[name] = correlation.to_dict()
        return {
            "metric": str(report.metric),
            "aggregation": report.aggregation,
            "scores": dict(zip(self.systems, report.scores.tolist(), strict=True)),
            "ranks": dict(zip(self.systems, report.ranks().tolist(), strict=True)),
            "rank_difference": self.rank_difference(report),
            **coefficients,
            "top_k": _parts_data(report.top),
            "windows": _parts_data(report.windows),
        }


def _parts_data(parts: Mapping[Coefficient, Sequence[Part]]) -> dict[Coefficient, list[PartData]]:
    return {name: [part.to_dict() for part in of_name] for name, of_name in parts.items()}


def analyse(
    benchmark: Benchmark,
    metrics: Sequence[Metric],
    systems: Sequence[str],
    settings: MetaSettings | None = None,
    *,
    threads: int | None = None,
) -> MetaReport:
    """Score the systems once by each metric; everything else is computed from these counts."""
    settings = settings or MetaSettings()
    if len(systems) < 3:
        raise UsageError(
            f"a correlation over {len(systems)} systems says nothing",
            remedy="Give at least 3 systems.",
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


def _report(entry: ScoredSystems, how: str, human: Floats, settings: MetaSettings) -> MetricReport:
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
    report: MetaReport, aggregation: str, *, permutations: int = 1000
) -> dict[tuple[str, str], CorrelationComparison]:
    """Tests of every pair of metrics: do their Pearson correlations with the humans differ?

    The tests are Williams' and PERM-BOTH.
    """
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


def _exchangeable(scored: ScoredSystems, scores: Floats, aggregation: str) -> Floats:
    """What PERM-BOTH exchanges: sentence scores if the score is their mean, else system scores."""
    return scored.sentences if aggregation == "mean" else scores[:, np.newaxis]
