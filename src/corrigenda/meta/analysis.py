"""Metrics against humans on a benchmark: everything that `corrigenda meta` prints, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.all_pairs import check_number_of_systems
from corrigenda.analysis.resolution import DEFAULT_RESAMPLES
from corrigenda.core.metric import Metric
from corrigenda.errors import UsageError
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.human import bootstrap
from corrigenda.meta.benchmark import Benchmark
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient
from corrigenda.meta.estimates import Correlation, CorrelationData, correlation_with_people
from corrigenda.meta.pairwise import (
    PairwiseAccuracy,
    metric_p_values,
    pairwise_accuracy,
    soft_accuracy,
)
from corrigenda.meta.people import People
from corrigenda.meta.scores import ScoredSystems, score_systems
from corrigenda.meta.sentence import (
    PAIRS_OF,
    SentenceAgreement,
    SentenceAgreementData,
    agreement_on,
)
from corrigenda.meta.settings import MetaSettings
from corrigenda.meta.subsets import Part, PartData, top_k, windows

Floats = npt.NDArray[np.float64]


class PairwiseData(TypedDict):
    """The accuracies over pairs of systems in the JSON of a report."""

    accuracy: float
    chance: float
    soft: float | None
    soft_chance: float | None


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
    pairwise: PairwiseData
    standing: dict[Coefficient, float]
    top_k: dict[Coefficient, list[PartData]]
    windows: dict[Coefficient, list[PartData]]


class BenchmarkReferencesData(TypedDict):
    """The references in the JSON of a report: those of the benchmark, or given ones."""

    given: bool
    fewest: int
    most: int


class MetaReportData(TypedDict):
    """The JSON of a report."""

    benchmark: str
    references: BenchmarkReferencesData
    systems: list[str]
    human: dict[str, float]
    metrics: list[MetricReportData]
    judged_pairs: dict[str, int]
    sentence_level: dict[str, SentenceAgreementData]


@dataclass(frozen=True)
class MetricReport:
    """One metric, aggregated in one way, against the human scores."""

    metric: Metric
    aggregation: str
    scores: Floats
    correlations: dict[Coefficient, Correlation]
    pairwise: PairwiseAccuracy
    top: dict[Coefficient, list[Part]]
    windows: dict[Coefficient, list[Part]]
    bounds: Floats | None = None
    """The interval [2, systems] of each score over sentences; None without resamples."""
    standing: Mapping[Coefficient, float] = field(default_factory=dict)
    """The coefficients over the standing subset of the benchmark, if it has one."""

    def __repr__(self) -> str:
        found = ", ".join(f"{name} {each.value:.3f}" for name, each in self.correlations.items())
        return f"<{self.metric} ({self.aggregation}) against human scores: {found}>"

    @property
    def label(self) -> str:
        """Metric and aggregation in a few words."""
        return f"{self.metric} ({self.aggregation})"

    def ranks(self) -> npt.NDArray[np.int64]:
        """The rank of each system by this metric; 1 is best."""
        return bootstrap.ranks_of_samples(self.scores)


@dataclass(frozen=True)
class MetaReport(Tabular):
    """All metrics on one benchmark."""

    benchmark: Benchmark
    systems: tuple[str, ...]
    human: Floats
    settings: MetaSettings
    metrics: tuple[MetricReport, ...]
    sentences: dict[str, SentenceAgreement]
    scored: tuple[ScoredSystems, ...]
    judged: Mapping[str, int]
    """How many pairs the judges decided: of outputs and of systems."""
    human_bounds: Floats | None = None
    """The interval [2, systems] of each human score over sentences; None without resamples."""

    def __repr__(self) -> str:
        labels = ", ".join(f"{entry.metric} ({entry.aggregation})" for entry in self.metrics)
        return f"<meta-evaluation on {self.benchmark.name}, {len(self.systems)} systems: {labels}>"

    def columns(self) -> FrameColumns:
        """A row per metric and aggregation: correlations, their intervals, and accuracies."""
        columns: dict[str, list[object]] = {
            "metric": [str(entry.metric) for entry in self.metrics],
            "aggregation": [entry.aggregation for entry in self.metrics],
        }
        for name in self.settings.coefficients:
            found = [entry.correlations[name] for entry in self.metrics]
            columns[name] = [each.value for each in found]
            columns[f"{name}_low"] = [each.interval and each.interval[0] for each in found]
            columns[f"{name}_high"] = [each.interval and each.interval[1] for each in found]
            columns[f"{name}_interval_method"] = [each.interval_method for each in found]
        columns["pairwise_accuracy"] = [entry.pairwise.accuracy for entry in self.metrics]
        columns["soft_pairwise_accuracy"] = [entry.pairwise.soft for entry in self.metrics]
        sentences = [self.sentences[str(entry.metric)] for entry in self.metrics]
        columns["accuracy"] = [each.accuracy for each in sentences]
        return columns

    def human_ranks(self) -> npt.NDArray[np.int64]:
        """The rank of each system by the human scores; 1 is best."""
        return bootstrap.ranks_of_samples(self.human)

    def rank_difference(self, report: MetricReport) -> int:
        """The sum over systems of the distances between a metric's rank and the human rank."""
        return int(np.abs(report.ranks() - self.human_ranks()).sum())

    def to_dict(self) -> MetaReportData:
        """The report as plain Python values, ready for JSON."""
        return {
            "benchmark": self.benchmark.name,
            "references": {
                "given": self.benchmark.other_references,
                "fewest": self.benchmark.corpus.reference_range[0],
                "most": self.benchmark.corpus.reference_range[1],
            },
            "systems": list(self.systems),
            "human": dict(zip(self.systems, self.human.tolist(), strict=True)),
            "metrics": [self._metric_dict(report) for report in self.metrics],
            "judged_pairs": dict(self.judged),
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
            "pairwise": {
                "accuracy": report.pairwise.accuracy,
                "chance": report.pairwise.chance,
                "soft": report.pairwise.soft,
                "soft_chance": report.pairwise.soft_chance,
            },
            "standing": dict(report.standing),
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
    check_number_of_systems(len(systems))
    human = benchmark.human(systems, settings.human, seed=settings.seed)
    scored = score_systems(
        metrics, benchmark.corpus_for, benchmark.outputs(systems), threads=threads
    )
    people = People(benchmark, tuple(systems), human, settings)
    standing = _standing_scores(benchmark, metrics, systems, scored, settings, threads)
    reports = [
        replace(
            _report(entry, how, people),
            standing=_standing(benchmark, standing, entry, how, settings),
        )
        for entry in scored
        for how in settings.aggregations
    ]
    pairs = {kind: people.judged_pairs(kind) for kind in PAIRS_OF}
    sentences = {
        str(entry.metric): agreement_on(
            pairs[settings.pairs_of],
            entry.sentences,
            seed=settings.seed,
            metric_ties=settings.metric_ties,
        )
        for entry in scored
    }
    return MetaReport(
        benchmark,
        tuple(systems),
        human,
        settings,
        tuple(reports),
        sentences,
        tuple(scored),
        {kind: found.decided for kind, found in pairs.items()},
        _bounds(people.resampled, settings),
    )


def _standing_scores(
    benchmark: Benchmark,
    metrics: Sequence[Metric],
    systems: Sequence[str],
    scored: Sequence[ScoredSystems],
    settings: MetaSettings,
    threads: int | None,
) -> dict[str, ScoredSystems]:
    """The scores of all systems of the standing subset, if it has more than the chosen ones."""
    names = benchmark.standing_systems
    if not set(systems) < set(names) or not {"corpus", "mean"} & set(settings.aggregations):
        return {}
    others = [name for name in names if name not in systems]
    more = score_systems(metrics, benchmark.corpus_for, benchmark.outputs(others), threads=threads)
    return {
        str(one.metric): ScoredSystems(
            one.metric, (*one.systems, *two.systems), (*one.scored, *two.scored)
        )
        for one, two in zip(scored, more, strict=True)
    }


def _standing(
    benchmark: Benchmark,
    standing: Mapping[str, ScoredSystems],
    entry: ScoredSystems,
    how: str,
    settings: MetaSettings,
) -> dict[Coefficient, float]:
    """The correlations over the standing subset; none where it adds nothing."""
    found = standing.get(str(entry.metric))
    if found is None or how not in ("corpus", "mean"):
        return {}
    human = benchmark.human(found.systems, settings.human, seed=settings.seed)
    return {
        name: float(COEFFICIENTS[name](found.aggregated(how), human))
        for name in settings.coefficients
    }


def _report(entry: ScoredSystems, how: str, people: People) -> MetricReport:
    settings, human = people.settings, people.scores
    scores = entry.aggregated(how, runs=settings.runs, seed=settings.seed)
    resampled = None if people.resampled is None else people.resamples.metric(entry, how)
    correlations = {
        name: correlation_with_people(scores, resampled, people, name)
        for name in settings.coefficients
    }
    size = min(settings.window, len(human))
    return MetricReport(
        entry.metric,
        how,
        scores,
        correlations,
        _pairwise(entry, how, scores, people),
        {name: top_k(scores, human, name) for name in settings.coefficients},
        {name: windows(scores, human, name, size) for name in settings.coefficients},
        _bounds(resampled, settings),
    )


def _bounds(samples: Floats | None, settings: MetaSettings) -> Floats | None:
    """The bounds [2, systems] of percentile intervals of samples [resamples, systems]."""
    if samples is None:
        return None
    return np.stack(bootstrap.intervals(samples, settings.confidence))


def _pairwise(entry: ScoredSystems, how: str, scores: Floats, people: People) -> PairwiseAccuracy:
    accuracy = pairwise_accuracy(scores, people.scores)
    ours = None
    if people.settings.resamples:
        ours = metric_p_values(entry, how, resamples=DEFAULT_RESAMPLES, seed=people.settings.seed)
    if ours is None:
        return PairwiseAccuracy(accuracy, None, None)
    unsure = np.full(len(ours), 0.5)
    return PairwiseAccuracy(
        accuracy, soft_accuracy(people.p_values, ours), soft_accuracy(people.p_values, unsure)
    )
