"""How certain a score is, and whether two systems really differ: on arrays only, for any metric.

Sentences are resampled or exchanged; the references chosen on the full corpus stay (`choice:frozen`).
All weights of a batch of resamples go through one matrix product.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.core.result import Interval, Result
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Array
from corrigenda.errors import CorrigendaError

IntervalMethod = Literal["percentile", "bca"]
Test = Literal["permutation", "bootstrap"]
Correction = Literal["holm", "bh", "none"]

_WEIGHTS_AT_ONCE = 4_000_000  # numbers in memory at a time: resamples × sentences


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
    """The bootstrap confidence interval of a result."""
    selection = result.selection
    scores = bootstrap_scores(selection, resamples, seed)
    low, high = interval_bounds(
        scores, confidence, method, lambda: selection.score, selection.leave_one_out
    )
    return Interval(low, high, confidence, method, resamples, seed)


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


def interval_bounds(
    scores: Array,
    confidence: float,
    method: IntervalMethod,
    plain: Callable[[], float],
    leave_one_out: Callable[[], Array],
) -> tuple[float, float]:
    """The bounds: quantiles of the resampled scores, corrected for bias and skew by BCa (Efron 1987)."""
    tail = (1 - confidence) / 2
    levels = [tail, 1 - tail]
    if method == "bca":
        levels = _bca_levels(scores, plain(), leave_one_out(), tail)
    low, high = np.quantile(scores, levels)
    return float(low), float(high)


def _bca_levels(scores: Array, plain: float, jackknife: Array, tail: float) -> list[float]:
    normal = NormalDist()
    below = (np.count_nonzero(scores < plain) + np.count_nonzero(scores == plain) / 2) / len(scores)
    if not 0 < below < 1:
        return [tail, 1 - tail]  # every resample is on one side: nothing to correct with
    bias = normal.inv_cdf(below)
    deviations = jackknife.mean() - jackknife
    spread = float((deviations**2).sum())
    acceleration = float((deviations**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    levels = []
    for quantile in (normal.inv_cdf(tail), normal.inv_cdf(1 - tail)):
        shifted = bias + quantile
        levels.append(normal.cdf(bias + shifted / (1 - acceleration * shifted)))
    return levels


def compare(
    system: Result,
    baseline: Result,
    *,
    test: Test = "permutation",
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> SystemComparison:
    """A two-sided paired test of two systems by one metric, with an interval of their difference."""
    ours, theirs = system.selection, baseline.selection
    if ours.metric != theirs.metric or ours.level != theirs.level or len(ours) != len(theirs):
        raise CorrigendaError("only results of one metric, level and corpus can be compared")
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


def permutation_p_value(
    ours: Selection, theirs: Selection, observed: float, resamples: int, seed: int
) -> float:
    """How often exchanging the systems' outputs, sentence by sentence, gives as large a difference."""
    extreme = 0
    for exchanged in exchange_masks(len(ours), resamples, seed):
        one, other = _exchanged_scores(ours, theirs, exchanged)
        # A relative tolerance, so that a rearrangement of the same sums counts as equally large.
        extreme += int(np.count_nonzero(np.abs(one - other) >= abs(observed) * (1 - 1e-9) - 1e-15))
    return (extreme + 1) / (resamples + 1)


def _exchanged_scores(ours: Selection, theirs: Selection, exchanged: Array) -> tuple[Array, Array]:
    """The scores of the two after the exchange: each loses its part of the exchanged and gains the other's."""
    if ours.level == "sentence":
        gained = exchanged @ (theirs.sentence_scores - ours.sentence_scores)
        one, other = ours.sentence_scores.sum() + gained, theirs.sentence_scores.sum() - gained
        return one / len(ours), other / len(ours)
    gained = theirs.chosen.totals(exchanged) - ours.chosen.totals(exchanged)
    one, other = ours.chosen.totals() + gained, theirs.chosen.totals() - gained
    return ours.of_totals(one), ours.of_totals(other)


def bootstrap_p_value(differences: Array, observed: float) -> float:
    """How often a resampled difference strays from the observed one as far as that is from none."""
    extreme = int(np.count_nonzero(np.abs(differences - differences.mean()) >= abs(observed)))
    return (extreme + 1) / (len(differences) + 1)


def adjusted(p_values: Sequence[float], correction: Correction) -> list[float]:
    """p-values corrected for many comparisons: Holm (family-wise) or Benjamini–Hochberg (false discoveries)."""
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
    samples = [result.selection for result in results]
    scores = [sample.score for sample in samples]
    resampled = (
        [bootstrap_scores(sample, resamples, seed) for sample in samples]
        if test == "bootstrap"
        else []
    )
    matrix = np.ones((len(results), len(results)))
    for i, j in combinations(range(len(results)), 2):
        observed = scores[i] - scores[j]
        if test == "bootstrap":
            p_value = bootstrap_p_value(resampled[i] - resampled[j], observed)
        else:
            p_value = permutation_p_value(samples[i], samples[j], observed, resamples, seed)
        matrix[i, j] = matrix[j, i] = p_value
    return matrix


def rank_ranges(
    scores: Sequence[float], p_values: Array, alpha: float = 0.05
) -> list[tuple[int, int]]:
    """For each system the best and worst rank that the significant differences leave it."""
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
