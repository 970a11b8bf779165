"""Several runs of one system: a lucky seed of training is not a better system.

The score of a system is the mean over its runs. Its error has two sources. Sentences are resampled,
the same for all runs and systems. And other seeds would give other runs: the variance over runs,
divided by their number. Runs that change other sentences differ also by chance; that part is in the
resamples already, and is taken away. Two or three runs hardly tell their variance. So the test is
Student's t with the degrees of freedom of Welch and Satterthwaite, which are then few.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
)
from corrigenda.analysis.significance import (
    adjusted,
    check_comparable,
    shared_bootstrap_scores,
)
from corrigenda.analysis.student import t_limit, two_sided_p
from corrigenda.core.result import Interval, Result
from corrigenda.core.statistics import Array
from corrigenda.errors import UsageError

_ROUNDING = 1e-12
"""A spread up to this part of the difference comes from rounding."""


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
    name = systems[baseline][0].metric.name
    scores = shared_bootstrap_scores(every, resamples, seed, name)
    resampled: dict[str, Array] = {}
    begin = 0
    for system, results in systems.items():
        resampled[system] = scores[begin : begin + len(results)]
        begin += len(results)
    found = []
    base = run_scores(baseline, systems[baseline])
    for system, results in systems.items():
        if system == baseline:
            continue
        ours = run_scores(system, results)
        difference = ours.mean - base.mean
        error, freedom = _error(
            (ours, base), (resampled[system], resampled[baseline]), every[0].units
        )
        reach = t_limit(alpha_of(confidence), freedom) * error
        interval = Interval(
            difference - reach, difference + reach, confidence, "student", resamples, seed
        )
        # Without any spread nothing is known, e.g. of one sentence.
        known = error > _ROUNDING * abs(difference)
        p_value = two_sided_p(difference / error, freedom) if known else 1.0
        found.append((ours, difference, interval, p_value))
    corrected = adjusted([entry[3] for entry in found], correction)
    return [
        RunComparison(ours, base, difference, interval, p_value, value)
        for (ours, difference, interval, p_value), value in zip(found, corrected, strict=True)
    ]


def _error(
    systems: tuple[RunScores, RunScores], resampled: tuple[Array, Array], units: int
) -> tuple[float, float]:
    """The standard error of the difference of two means over runs, and its degrees of freedom.

    `resampled` has the scores [runs, resamples] of both systems on the same drawn sentences.
    """
    means = resampled[0].mean(axis=0) - resampled[1].mean(axis=0)
    over_sentences = float(means.var(ddof=1)) if len(means) > 1 else 0.0
    variance, doubt = over_sentences, over_sentences**2 / max(1, units - 1)
    for system, scores in zip(systems, resampled, strict=True):
        count = len(system.scores)
        if count > 1:
            observed = float(np.var(system.scores, ddof=1))
            gaps = scores - np.array(system.scores)[:, np.newaxis]
            by_chance = float(gaps.var(axis=0, ddof=1).mean())
            variance += max(0.0, observed - by_chance) / count
            doubt += (observed / count) ** 2 / (count - 1)
    freedom = variance**2 / doubt if doubt > 0 else 1.0
    return math.sqrt(variance), max(1.0, freedom)
