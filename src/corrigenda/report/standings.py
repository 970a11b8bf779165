"""The systems by one metric: scores, intervals, tests and ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corrigenda.analysis.significance import rank_ranges
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result
from corrigenda.report.options import ReportOptions
from corrigenda.report.resampling import Resampled, corrected_p_values, square


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

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.results[0].metric


def standings_of(by_metric: Sequence[Sequence[Result]], options: ReportOptions) -> list[Standings]:
    """The standings by each metric."""
    return [
        _standings(results, options, is_first=place == 0) for place, results in enumerate(by_metric)
    ]


def _standings(results: Sequence[Result], options: ReportOptions, *, is_first: bool) -> Standings:
    resampled = Resampled(results, options.resamples, options.seed)
    low, high = resampled.bounds(options.confidence).tolist()
    p_values = corrected_p_values(resampled.p_values(), options.correction)
    ranks = rank_ranges(
        resampled.plain.tolist(), square(p_values, len(results), 1.0), alpha=1 - options.confidence
    )
    return Standings(results, low, high, p_values, ranks, is_first)
