"""`corrigenda.compare`: systems against a baseline, or every pair of systems, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from corrigenda import arguments
from corrigenda.analysis.all_pairs import clusters, pair_p_values, rank_ranges
from corrigenda.analysis.power import Power, power_of
from corrigenda.analysis.resolution import (
    CORRECTIONS,
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
    enough_resamples,
    is_significant,
)
from corrigenda.analysis.significance import (
    TESTS,
    Test,
    adjusted,
    shared_bootstrap_scores,
)
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Interval, Result
from corrigenda.corpus import Corpus
from corrigenda.errors import UsageError
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.plotting import PlotPanel, PlotRow, drawn
from corrigenda.scoring import HealthChoice, Systems, evaluate

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class ComparedPair:
    """One system against another by one metric; `corrected_p_value` accounts for all pairs."""

    system: str
    other: str
    metric: str
    score: float
    other_score: float
    difference: float
    interval: Interval
    p_value: float
    corrected_p_value: float
    power: Power

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below α."""
        return is_significant(self.corrected_p_value, self.interval.confidence)


@dataclass(frozen=True)
class SystemStanding:
    """A system by one metric: its best and its worst rank, and its cluster (1 is best)."""

    system: str
    metric: str
    score: float
    ranks: tuple[int, int]
    cluster: int


@dataclass(frozen=True, repr=False)
class Comparisons(Tabular):
    """All comparisons, a row each; with all pairs also the standings of the systems.

    >>> import corrigenda
    >>> from corrigenda.data import sample_corpus, sample_systems
    >>> compared = corrigenda.compare(sample_corpus(), sample_systems()[:3], ["green"])
    >>> compared
    <2 comparisons: cautious, eager with strong by green>
    >>> [row.significant for row in compared.rows]
    [True, True]
    """

    rows: tuple[ComparedPair, ...]
    standings: tuple[SystemStanding, ...]
    resamples: int
    correction: Correction
    signatures: tuple[str, ...]

    def __repr__(self) -> str:
        systems = ", ".join(dict.fromkeys(row.system for row in self.rows))
        others = ", ".join(dict.fromkeys(row.other for row in self.rows))
        metrics = ", ".join(dict.fromkeys(row.metric for row in self.rows))
        return f"<{len(self.rows)} comparisons: {systems} with {others} by {metrics}>"

    def columns(self) -> FrameColumns:
        """A row per comparison. Scores are fractions."""
        names = ("system", "other", "metric", "score", "other_score", "difference")
        return {
            **{name: [getattr(row, name) for row in self.rows] for name in names},
            "low": [row.interval.low for row in self.rows],
            "high": [row.interval.high for row in self.rows],
            "p_value": [row.p_value for row in self.rows],
            "corrected_p_value": [row.corrected_p_value for row in self.rows],
            "significant": [row.significant for row in self.rows],
        }

    def plot(self) -> Figure:
        """A picture: a panel per metric, a dot with its interval per comparison, × 100.

        It needs matplotlib (`corrigenda[plots]`).
        """
        return drawn(
            [
                PlotPanel(
                    metric,
                    tuple(
                        PlotRow(
                            f"{row.system} − {row.other}",
                            100 * row.difference,
                            100 * row.interval.low,
                            100 * row.interval.high,
                        )
                        for row in self.rows
                        if row.metric == metric
                    ),
                    "difference × 100",
                    zero=True,
                )
                for metric in dict.fromkeys(row.metric for row in self.rows)
            ]
        )


def compare(
    corpus: Corpus,
    systems: Systems,
    metrics: Sequence[Metric | str] | None = None,
    *,
    baseline: str | None = None,
    pairs: bool = False,
    level: Level = "corpus",
    test: Test = "permutation",
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction = DEFAULT_CORRECTION,
    threads: int | None = None,
    health: HealthChoice = "warn",
) -> Comparisons:
    """Test systems against a baseline, or every pair, as `corrigenda compare` does.

    The p-values are two-sided, paired over sentences, and corrected for the number of comparisons
    by each metric.

    Args:
        corpus: The sources and their references.
        systems: Names with lists of sentences, or a list of `Hypotheses`.
        metrics: The metrics; None takes all that need no extra.
        baseline: The name of the system that the others are compared with; None takes the first.
        pairs: Whether to compare every pair of systems instead.
        level: `corpus` or `sentence`.
        test: `permutation` or `bootstrap`.
        resamples: How many, at least; more are made where many comparisons need them.
        seed: For random numbers.
        confidence: Of intervals and tests, between 0 and 1.
        correction: For the number of comparisons: `bh`, `holm` or `none`.
        threads: The number of threads; None takes all cores.
        health: `warn`, `quiet` or `off`, as in `evaluate`.

    Returns:
        The comparisons, a row each; with `pairs` also the standings of the systems.

    Example:
        >>> import corrigenda
        >>> from corrigenda.data import sample_corpus, sample_systems
        >>> compared = corrigenda.compare(sample_corpus(), sample_systems()[:2], ["green"])
        >>> row = compared.rows[0]
        >>> row.system, row.other, row.significant
        ('cautious', 'strong', True)
    """
    arguments.resampling(resamples, seed, confidence)
    arguments.one_of("test", test, TESTS)
    arguments.one_of("correction", correction, CORRECTIONS)
    results = evaluate(corpus, systems, metrics, level=level, threads=threads, health=health)
    names = results.systems
    if len(names) < 2:
        raise UsageError(
            "a comparison needs two systems or more", remedy="Give at least two systems."
        )
    if baseline is not None and arguments.text("baseline", baseline) not in names:
        raise UsageError(
            f"there is no system {baseline!r}", remedy=f"The systems are: {', '.join(names)}."
        )
    first = names.index(baseline) if baseline is not None else 0
    wanted = (
        list(combinations(range(len(names)), 2))
        if pairs
        else [(place, first) for place in range(len(names)) if place != first]
    )
    rows: list[ComparedPair] = []
    standings: list[SystemStanding] = []
    for metric in results.metrics:
        of_metric = [result for result in results if str(result.metric) == metric]
        made = _compared(of_metric, wanted, test, resamples, seed, confidence, correction)
        rows += made
        if pairs:
            standings += _standings(of_metric, wanted, made, confidence)
    return Comparisons(
        tuple(rows),
        tuple(standings),
        enough_resamples(resamples, len(wanted), correction, confidence),
        correction,
        tuple(dict.fromkeys(result.signature for result in results)),
    )


def _compared(
    results: Sequence[Result],
    wanted: Sequence[tuple[int, int]],
    test: Test,
    resamples: int,
    seed: int,
    confidence: float,
    correction: Correction,
) -> list[ComparedPair]:
    p_values, hypotheses = pair_p_values(
        results,
        wanted,
        test=test,
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        correction=correction,
    )
    corrected = adjusted(p_values, correction, hypotheses)
    scores = shared_bootstrap_scores([result.selection for result in results], resamples, seed)
    tail = alpha_of(confidence) / 2
    rows = []
    for place, (one, other) in enumerate(wanted):
        gaps = scores[one] - scores[other]
        low, high = np.quantile(gaps, [tail, 1 - tail])
        difference = results[one].score - results[other].score
        rows.append(
            ComparedPair(
                results[one].system,
                results[other].system,
                str(results[one].metric),
                results[one].score,
                results[other].score,
                difference,
                Interval(float(low), float(high), confidence, "percentile", resamples, seed),
                p_values[place],
                corrected[place],
                power_of(
                    difference,
                    float(gaps.std(ddof=1)),
                    len(results[one].selection),
                    confidence=confidence,
                ),
            )
        )
    return rows


def _standings(
    results: Sequence[Result],
    wanted: Sequence[tuple[int, int]],
    rows: Sequence[ComparedPair],
    confidence: float,
) -> list[SystemStanding]:
    matrix = np.ones((len(results), len(results)))
    for (one, other), row in zip(wanted, rows, strict=True):
        matrix[one, other] = matrix[other, one] = row.corrected_p_value
    ranges = rank_ranges([result.score for result in results], matrix, alpha_of(confidence))
    found = [
        SystemStanding(result.system, str(result.metric), result.score, ranks, cluster)
        for result, ranks, cluster in zip(results, ranges, clusters(ranges), strict=True)
    ]
    return sorted(found, key=lambda standing: -standing.score)
