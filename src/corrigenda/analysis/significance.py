"""How certain a score is, and whether two systems really differ, for any metric.

Sentences are resampled, or exchanged between two systems. The references that were chosen on the
full corpus stay (`choice:frozen`). One matrix product scores a whole batch of resamples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.core.result import Interval, Result
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Array
from corrigenda.errors import CorrigendaError

IntervalMethod = Literal["percentile", "bca"]
Test = Literal["permutation", "bootstrap"]
Correction = Literal["holm", "bh", "none"]

_WEIGHTS_AT_ONCE = 4_000_000
"""How many weights (resamples × sentences) are in memory at a time."""
_ROUNDING = 1e-9
"""Scores that differ by less than this part of their size count as equal, because rounding depends
on the order of additions."""


@dataclass(frozen=True)
class SystemComparison:
    """Whether `system` differs from `baseline`: the difference of their scores and its p-value."""

    system: str
    baseline: str
    metric: str
    difference: float
    p_value: float
    interval: Interval
    test: Test


def bootstrap_weights(sentences: int, resamples: int, seed: int) -> Iterator[Array]:
    """How often each sentence is in each resample, in batches [some resamples, sentences].

    The resamples do not depend on the size of the batches.
    """
    generator = np.random.default_rng(seed)
    for count in _batches(resamples, sentences):
        drawn = generator.integers(0, sentences, size=(count, sentences))
        drawn += np.arange(count)[:, np.newaxis] * sentences
        yield (
            np.bincount(drawn.ravel(), minlength=count * sentences)
            .reshape(count, sentences)
            .astype(np.float64)
        )


def exchange_masks(sentences: int, resamples: int, seed: int) -> Iterator[Array]:
    """For each resample, 1 where two systems exchange their outputs and 0 where they do not."""
    generator = np.random.default_rng(seed)
    for count in _batches(resamples, sentences):
        yield generator.integers(0, 2, size=(count, sentences)).astype(np.float64)


def _batches(resamples: int, sentences: int) -> Iterator[int]:
    size = max(1, _WEIGHTS_AT_ONCE // max(1, sentences))
    for begin in range(0, resamples, size):
        yield min(size, resamples - begin)


def bootstrap_scores(selection: Selection, resamples: int, seed: int) -> Array:
    """The score of each resample."""
    return np.concatenate(
        [
            selection.resampled(weights)
            for weights in bootstrap_weights(len(selection), resamples, seed)
        ]
    )


def interval(
    result: Result,
    *,
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    method: IntervalMethod = "percentile",
) -> Interval:
    """The bootstrap confidence interval of a result.

    `percentile` takes quantiles of the resampled scores. `bca` corrects these for bias and skew
    (Efron 1987).
    """
    selection = result.selection
    scores = bootstrap_scores(selection, resamples, seed)
    tail = (1 - confidence) / 2
    levels = _bca_levels(selection, scores, tail) if method == "bca" else (tail, 1 - tail)
    low, high = np.quantile(scores, levels)
    return Interval(float(low), float(high), confidence, method, resamples, seed)


def with_interval(
    result: Result,
    *,
    resamples: int,
    seed: int,
    confidence: float = 0.95,
    method: IntervalMethod = "percentile",
) -> Result:
    """The result with its interval; the signature says how it was made."""
    made = interval(result, resamples=resamples, seed=seed, confidence=confidence, method=method)
    how = f"bootstrap:{resamples}|seed:{seed}|interval:{method}|choice:frozen"
    return replace(result, interval=made, signature=f"{result.signature}|{how}")


def _bca_levels(selection: Selection, scores: Array, tail: float) -> tuple[float, float]:
    """The levels of the quantiles that bound the interval."""
    below = _part_below(scores, selection.score)
    if not 0 < below < 1:
        return tail, 1 - tail  # All resamples are on one side, so the bias cannot be estimated.
    normal = NormalDist()
    bias = normal.inv_cdf(below)
    acceleration = _acceleration(selection.leave_one_out())

    def level(quantile: float) -> float:
        shifted = bias + quantile
        return normal.cdf(bias + shifted / (1 - acceleration * shifted))

    return level(normal.inv_cdf(tail)), level(normal.inv_cdf(1 - tail))


def _part_below(scores: Array, score: float) -> float:
    """The part of the resampled scores that is below the score; equal scores count half."""
    equal = np.isclose(scores, score, rtol=_ROUNDING, atol=1e-15)
    below = np.count_nonzero((scores < score) & ~equal)
    return (below + np.count_nonzero(equal) / 2) / len(scores)


def _acceleration(jackknife: Array) -> float:
    """How fast the spread changes with the score, from the scores without each sentence."""
    deviations = jackknife.mean() - jackknife
    spread = float((deviations**2).sum())
    return float((deviations**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def compare(
    system: Result,
    baseline: Result,
    *,
    test: Test = "permutation",
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> SystemComparison:
    """A two-sided paired test of two systems by one metric, with an interval of the difference."""
    ours, theirs = system.selection, baseline.selection
    _check_comparable(ours, theirs)
    observed = ours.score - theirs.score
    differences = np.concatenate(
        [
            ours.resampled(weights) - theirs.resampled(weights)
            for weights in bootstrap_weights(len(ours), resamples, seed)
        ]
    )
    tail = (1 - confidence) / 2
    low, high = np.quantile(differences, [tail, 1 - tail])
    if test == "permutation":
        p_value = permutation_p_value(ours, theirs, observed, resamples, seed)
    else:
        p_value = bootstrap_p_value(differences, observed)
    return SystemComparison(
        system=system.system,
        baseline=baseline.system,
        metric=str(system.metric),
        difference=observed,
        p_value=p_value,
        interval=Interval(float(low), float(high), confidence, "percentile", resamples, seed),
        test=test,
    )


def _check_comparable(ours: Selection, theirs: Selection) -> None:
    if ours.metric != theirs.metric or ours.level != theirs.level or len(ours) != len(theirs):
        both = " and ".join(
            f"{each.metric} at {each.level} level on {len(each)} sentences"
            for each in (ours, theirs)
        )
        raise CorrigendaError(
            f"only results of one metric, one level and one corpus can be compared, not {both}",
            remedy="Evaluate both systems in the same way.",
        )


def permutation_p_value(
    ours: Selection, theirs: Selection, observed: float, resamples: int, seed: int
) -> float:
    """How often a difference as large as `observed` comes from exchanging outputs at random."""
    limit = abs(observed) * (1 - _ROUNDING) - 1e-15
    extreme = 0
    for exchanged in exchange_masks(len(ours), resamples, seed):
        one, other = ours.exchanged(theirs, exchanged)
        extreme += int(np.count_nonzero(np.abs(one - other) >= limit))
    return (extreme + 1) / (resamples + 1)


def bootstrap_p_value(differences: Array, observed: float) -> float:
    """How often a resampled difference is as far from the mean difference as `observed` from 0."""
    extreme = int(np.count_nonzero(np.abs(differences - differences.mean()) >= abs(observed)))
    return (extreme + 1) / (len(differences) + 1)


def adjusted(p_values: Sequence[float], correction: Correction) -> list[float]:
    """p-values corrected for many comparisons.

    `holm` bounds the chance of any false discovery. `bh` (Benjamini and Hochberg) bounds the part
    of discoveries that are false.
    """
    count = len(p_values)
    if correction == "none" or count < 2:
        return list(p_values)
    order = np.argsort(p_values, kind="stable")
    ordered = np.asarray(p_values)[order]
    if correction == "holm":
        raised = np.maximum.accumulate(ordered * (count - np.arange(count)))
    else:
        raised = np.minimum.accumulate((ordered * (count / np.arange(1, count + 1)))[::-1])[::-1]
    result = np.empty(count)
    result[order] = np.minimum(1.0, raised)
    return [float(value) for value in result]


def p_value_matrix(
    results: Sequence[Result], *, test: Test = "permutation", resamples: int = 1000, seed: int = 0
) -> npt.NDArray[np.float64]:
    """p-values of every pair of systems by one metric; 1 on the diagonal."""
    selections = [result.selection for result in results]
    if test == "bootstrap":
        resampled = [bootstrap_scores(selection, resamples, seed) for selection in selections]
    matrix = np.ones((len(results), len(results)))
    pairs = list(combinations(range(len(results)), 2))
    for i, j in progress.each("pairs tested", pairs, lambda pair: _pair(results, *pair)):
        ours, theirs = selections[i], selections[j]
        _check_comparable(ours, theirs)
        observed = ours.score - theirs.score
        if test == "bootstrap":
            p_value = bootstrap_p_value(resampled[i] - resampled[j], observed)
        else:
            p_value = permutation_p_value(ours, theirs, observed, resamples, seed)
        matrix[i, j] = matrix[j, i] = p_value
    return matrix


def _pair(results: Sequence[Result], one: int, other: int) -> str:
    return f"{results[one].system} – {results[other].system}, {results[one].metric.name}"


def rank_ranges(
    scores: Sequence[float], p_values: Array, alpha: float = 0.05
) -> list[tuple[int, int]]:
    """The best and the worst rank that each system can have, given the significant differences."""
    values = np.asarray(scores)
    significant = np.asarray(p_values) < alpha
    better = (significant & (values[np.newaxis, :] > values[:, np.newaxis])).sum(axis=1)
    worse = (significant & (values[np.newaxis, :] < values[:, np.newaxis])).sum(axis=1)
    return [(1 + int(b), len(values) - int(w)) for b, w in zip(better, worse, strict=True)]


def clusters(ranges: Sequence[tuple[int, int]]) -> list[int]:
    """Groups of systems whose ranges overlap, directly or through others; 1 is the best group."""
    order = sorted(range(len(ranges)), key=lambda index: ranges[index])
    group, reach = 0, -math.inf
    groups = [0] * len(ranges)
    for index in order:
        low, high = ranges[index]
        if low > reach:
            group += 1
        groups[index] = group
        reach = max(reach, high)
    return groups
