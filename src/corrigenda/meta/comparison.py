"""Which metric agrees better with people, and whether that may be chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.resolution import (
    DEFAULT_RESAMPLES,
    Correction,
    enough_resamples,
    is_significant,
)
from corrigenda.analysis.significance import adjusted
from corrigenda.meta.analysis import MetaReport
from corrigenda.meta.correlation import pearson
from corrigenda.meta.metric_tests import (
    FEWEST_SIMULATED,
    CorrelationComparison,
    DecidingTest,
    permutation_of_both,
    simulated_williams_p,
    smallest_permutation_p,
    williams,
)
from corrigenda.meta.scores import ScoredSystems
from corrigenda.meta.settings import MetaSettings

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MetricComparisons:
    """Tests of every two metrics, and the metrics that no other metric beats.

    Metrics with the same scores of all sentences are one metric here: `same` has the others.
    """

    pairs: dict[tuple[str, str], CorrelationComparison]
    same: dict[str, list[str]]
    clusters: dict[str, int]
    """The cluster of each metric, from 1; no metric beats those of cluster 1."""
    undefined: tuple[str, ...] = ()
    """The metrics without a correlation, because all their scores are equal: in no cluster."""

    @property
    def unbeaten(self) -> list[str]:
        """The metrics that no other metric beats."""
        return [name for name, cluster in self.clusters.items() if cluster == 1]


def compare_metrics(
    report: MetaReport, aggregation: str, *, permutations: int | None = None
) -> MetricComparisons:
    """Tests of every pair of metrics: do their Pearson correlations with the humans differ?

    The tests are Williams' and PERM-BOTH. Their p-values are corrected over the pairs. PERM-BOTH
    decides. Where it has too few outcomes to reject at all, Williams' t is compared with its
    simulated distribution, and that decides.
    """
    by_metric = {
        str(entry.metric): entry.scores
        for entry in report.metrics
        if entry.aggregation == aggregation
    }
    scored = {str(entry.metric): entry for entry in report.scored}
    same = _same_metrics(by_metric, scored)
    settings = report.settings
    names = list(same)
    tests = len(names) * (len(names) - 1) // 2
    least = DEFAULT_RESAMPLES if permutations is None else permutations
    made = enough_resamples(least, tests, settings.correction, settings.confidence)
    pairs = list(combinations(names, 2))
    williams_found = [williams(by_metric[a], by_metric[b], report.human) for a, b in pairs]
    exchangeable = {
        name: _exchangeable(scored[name], by_metric[name], aggregation) for name in names
    }
    permuted = [
        permutation_of_both(
            exchangeable[a],
            exchangeable[b],
            report.human,
            permutations=made,
            seed=settings.seed,
        )
        for a, b in pairs
    ]
    williams_p = _adjusted([p for _, p in williams_found], settings.correction)
    permutation_p = _adjusted(permuted, settings.correction)
    decides = deciding_test(exchangeable[names[0]], tests, settings)
    simulated: list[float] | None = None
    if decides == "simulated-williams":
        simulated = [
            simulated_williams_p(
                by_metric[a],
                by_metric[b],
                report.human,
                draws=max(made, FEWEST_SIMULATED),
                seed=settings.seed,
            )
            for a, b in pairs
        ]
    simulated_p = None if simulated is None else _adjusted(simulated, settings.correction)
    values = {name: float(pearson(by_metric[name], report.human)) for name in names}
    undefined = tuple(name for name in names if math.isnan(values[name]))
    found = {
        pair: CorrelationComparison(
            values[pair[0]],
            values[pair[1]],
            *williams_found[place],
            permuted[place],
            williams_p[place],
            permutation_p[place],
            decides,
            None if simulated is None else simulated[place],
            None if simulated_p is None else simulated_p[place],
        )
        for place, pair in enumerate(pairs)
    }
    defined = [name for name in names if name not in undefined]
    return MetricComparisons(found, same, _clusters(defined, found, settings.confidence), undefined)


def deciding_test(exchanged: Floats, tests: int, settings: MetaSettings) -> DecidingTest:
    """The permutation test, if the smallest of its corrected p-values is below α."""
    family = tests if settings.correction == "holm" else 1
    smallest = smallest_permutation_p(exchanged) * family
    return "permutation" if is_significant(smallest, settings.confidence) else "simulated-williams"


def _adjusted(p_values: Sequence[float], correction: Correction) -> list[float]:
    """The corrected p-values; a test that is not defined is no hypothesis."""
    real = [value for value in p_values if not math.isnan(value)]
    corrected = iter(adjusted(real, correction))
    return [value if math.isnan(value) else next(corrected) for value in p_values]


def _same_metrics(
    by_metric: Mapping[str, Floats], scored: Mapping[str, ScoredSystems]
) -> dict[str, list[str]]:
    """The metrics with different scores, and for each the others with the same scores."""
    same: dict[str, list[str]] = {}
    for name, scores in by_metric.items():
        for first in same:
            if np.array_equal(scores, by_metric[first]) and np.array_equal(
                scored[name].sentences, scored[first].sentences
            ):
                same[first].append(name)
                break
        else:
            same[name] = []
    return same


def _clusters(
    names: Sequence[str],
    found: Mapping[tuple[str, str], CorrelationComparison],
    confidence: float,
) -> dict[str, int]:
    """1 for metrics that no metric beats; 2 for those beaten only by metrics of 1; and so on."""
    beaten_by: dict[str, set[str]] = {name: set() for name in names}
    for (first, second), pair in found.items():
        if pair.deciding_p is not None and is_significant(pair.deciding_p, confidence):
            better, worse = (first, second) if pair.difference > 0 else (second, first)
            beaten_by[worse].add(better)
    clusters: dict[str, int] = {}
    rest = dict(beaten_by)
    number = 0
    while rest:
        number += 1
        free = [name for name, better in rest.items() if not better & rest.keys()]
        for name in free:
            clusters[name] = number
        rest = {name: better for name, better in rest.items() if name not in free}
    return clusters


def _exchangeable(scored: ScoredSystems, scores: Floats, aggregation: str) -> Floats:
    """What PERM-BOTH exchanges: sentence scores if the score is their mean, else system scores."""
    return scored.sentences if aggregation == "mean" else scores[:, np.newaxis]
