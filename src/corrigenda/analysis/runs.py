"""Several runs of one system: a lucky seed of training is not a better system.

The score of a system is the mean over its runs. The test resamples runs and sentences: runs are
drawn with replacement within each system, and sentences are drawn once for all. Few runs drawn with
replacement vary too little, by (k - 1)/k; the deviations are scaled back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
    enough_resamples,
)
from corrigenda.analysis.significance import (
    adjusted,
    bootstrap_p_value,
    check_comparable,
    shared_bootstrap_scores,
)
from corrigenda.core.result import Interval, Result
from corrigenda.core.statistics import Array
from corrigenda.errors import UsageError


@dataclass(frozen=True)
class RunScores:
    """The scores of the runs of one system by one metric."""

    system: str
    metric: str
    scores: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over the runs."""
        return float(np.mean(self.scores))

    @property
    def spread(self) -> float | None:
        """The standard deviation over the runs; None for a single run."""
        return float(np.std(self.scores, ddof=1)) if len(self.scores) > 1 else None


@dataclass(frozen=True)
class RunComparison:
    """A system against the baseline, with the uncertainty of runs and sentences."""

    system: RunScores
    baseline: RunScores
    difference: float
    interval: Interval
    p_value: float
    corrected_p_value: float


def run_scores(system: str, results: Sequence[Result]) -> RunScores:
    """The scores of the runs of one system."""
    return RunScores(system, str(results[0].metric), tuple(result.score for result in results))


def compare_runs(
    systems: Mapping[str, Sequence[Result]],
    baseline: str,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction = DEFAULT_CORRECTION,
) -> list[RunComparison]:
    """Each system against the baseline; both are given by the results of their runs."""
    if len(systems) < 2 or baseline not in systems:
        raise UsageError(
            "a comparison of runs needs a baseline and another system",
            remedy="Give two systems or more: --hyps base=a1.txt,a2.txt ours=b1.txt,b2.txt.",
        )
    every = [result.selection for results in systems.values() for result in results]
    for selection in every[1:]:
        check_comparable(selection, every[0])
    enough = enough_resamples(resamples, len(systems) - 1, correction, confidence)
    name = systems[baseline][0].metric.name
    scores = shared_bootstrap_scores(every, enough, seed, name)
    generator = np.random.default_rng([seed, 1])
    resampled: dict[str, Array] = {}
    begin = 0
    for system, results in systems.items():
        resampled[system] = _with_runs(scores[begin : begin + len(results)], generator)
        begin += len(results)
    tail = alpha_of(confidence) / 2
    found = []
    base = run_scores(baseline, systems[baseline])
    for system, results in systems.items():
        if system == baseline:
            continue
        ours = run_scores(system, results)
        gaps = resampled[system] - resampled[baseline]
        low, high = np.quantile(gaps, [tail, 1 - tail])
        difference = ours.mean - base.mean
        interval = Interval(float(low), float(high), confidence, "percentile", enough, seed)
        p_value = bootstrap_p_value(gaps, difference)
        found.append((ours, difference, interval, p_value))
    corrected = adjusted([entry[3] for entry in found], correction)
    return [
        RunComparison(ours, base, difference, interval, p_value, value)
        for (ours, difference, interval, p_value), value in zip(found, corrected, strict=True)
    ]


def _with_runs(scores: Array, generator: np.random.Generator) -> Array:
    """The mean over drawn runs [resamples], of scores [runs, resamples]."""
    runs, resamples = scores.shape
    mean = scores.mean(axis=0)
    if runs == 1:
        return np.asarray(mean)
    drawn = generator.integers(runs, size=(runs, resamples))
    deviation = np.take_along_axis(scores, drawn, axis=0).mean(axis=0) - mean
    return np.asarray(mean + np.sqrt(runs / (runs - 1)) * deviation)
