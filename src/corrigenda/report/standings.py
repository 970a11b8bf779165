"""The systems by one metric: scores, intervals, tests and ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from corrigenda.analysis.all_pairs import pair_p_values, rank_ranges
from corrigenda.analysis.resolution import alpha_of
from corrigenda.analysis.significance import (
    adjusted,
    shared_bootstrap_scores,
)
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result
from corrigenda.report.against import EarlierScores
from corrigenda.report.options import ReportOptions
from corrigenda.report.resampling import all_pairs, rounded, square


@dataclass(frozen=True)
class Standings:
    """All systems by one metric. Lists have one entry per system."""

    results: Sequence[Result]
    low: list[float]
    """Lower bounds of the intervals."""
    high: list[float]
    """Upper bounds of the intervals."""
    p: list[float]
    """The corrected p-value of every pair of systems: (1, 0), (2, 0), (2, 1), (3, 0), …"""
    ranks: list[tuple[int, int]]
    """The best and the worst rank that the significant differences allow."""
    is_first: bool
    """Whether this is the first metric, which orders the systems."""
    earlier: EarlierScores | None = None
    """The scores of an earlier run, if the report is compared with one."""

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.results[0].metric


def standings_of(
    by_metric: Sequence[Sequence[Result]],
    options: ReportOptions,
    earlier: EarlierScores | None = None,
) -> list[Standings]:
    """The standings by each metric."""
    return [
        replace(_standings(results, options, is_first=place == 0), earlier=earlier)
        for place, results in enumerate(by_metric)
    ]


def _standings(results: Sequence[Result], options: ReportOptions, *, is_first: bool) -> Standings:
    scores = shared_bootstrap_scores(
        [result.selection for result in results],
        options.resamples,
        options.seed,
        results[0].metric.name,
    )
    tail = alpha_of(options.confidence) / 2
    low, high = np.quantile(scores, [tail, 1 - tail], axis=1).tolist()
    p_values, hypotheses = pair_p_values(
        results,
        all_pairs(len(results)),
        test="permutation",
        resamples=options.resamples,
        seed=options.seed,
        confidence=options.confidence,
        correction=options.correction,
    )
    corrected = adjusted(p_values, options.correction, hypotheses)
    ranks = rank_ranges(
        [result.score for result in results],
        square(corrected, len(results), 1.0),
        alpha=alpha_of(options.confidence),
    )
    return Standings(results, low, high, [rounded(value) for value in corrected], ranks, is_first)
