"""How certain a score is, and whether two systems really differ, for any metric.

Sentences are resampled, or exchanged between two systems. If the corpus has documents, these are
resampled or exchanged as a whole, because the sentences of one writer are alike. The references
that were chosen on the full corpus stay (`choice:frozen`). One matrix product scores a whole batch
of resamples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal

import numpy as np

from corrigenda import progress
from corrigenda.analysis.permutation import (
    MASKS_AT_ONCE,
    ROUNDING,
    finished_tests,
    thinned,
)
from corrigenda.analysis.power import Power, power_of
from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
    enough_resamples,
)
from corrigenda.core.result import Interval, Result
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Array
from corrigenda.errors import CorrigendaError

IntervalMethod = Literal["percentile", "bca"]
Test = Literal["permutation", "bootstrap"]
TESTS: tuple[Test, ...] = ("permutation", "bootstrap")


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
    resamples: int
    """How many resamples the p-value rests on at most."""
    power: Power
    hypothesis: bool = True
    """Whether any resample makes a difference. If not, p is 1 and does not count in a correction:
    the outputs are the same, for example."""


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
            .astype(np.float32)
        )


def _batches(resamples: int, sentences: int) -> Iterator[int]:
    size = max(1, MASKS_AT_ONCE // max(1, sentences))
    for begin in range(0, resamples, size):
        yield min(size, resamples - begin)


def bootstrap_scores(selection: Selection, resamples: int, seed: int) -> Array:
    """The score of each resample.

    A metric with many draws of references is resampled on a few of them. Its scores are then
    shifted by the difference between the score of all draws and that of these few.
    """
    return np.asarray(shared_bootstrap_scores([selection], resamples, seed)[0])


def shared_bootstrap_scores(
    selections: Sequence[Selection], resamples: int, seed: int, name: str | None = None
) -> Array:
    """The scores [selections, resamples], all on the same resamples."""
    few = [thinned(selection) for selection in selections]
    batches: list[Array] = []
    done = 0
    for weights in bootstrap_weights(selections[0].units, resamples, seed):
        if name is not None:
            progress.report("resamples", done, resamples, name)
        by_sentence = selections[0].by_sentence(weights)
        batches.append(np.array([selection.resampled(by_sentence) for selection in few]))
        done += len(weights)
    if name is not None:
        progress.report("resamples", resamples, resamples)
    scores = np.concatenate(batches, axis=1)
    for row, (whole, part) in enumerate(zip(selections, few, strict=True)):
        if part is not whole:
            scores[row] += whole.score - part.score
    return scores


def interval(
    result: Result,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    method: IntervalMethod = "percentile",
) -> Interval:
    """The bootstrap confidence interval of a result.

    `percentile` takes quantiles of the resampled scores. `bca` corrects these for bias and skew
    (Efron 1987).
    """
    selection = result.selection
    scores = bootstrap_scores(selection, resamples, seed)
    tail = alpha_of(confidence) / 2
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
    unit = "" if result.selection.documents is None else "|resampled:documents"
    how = f"bootstrap:{resamples}{unit}|seed:{seed}|interval:{method}|choice:frozen"
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
    equal = np.isclose(scores, score, rtol=ROUNDING, atol=1e-15)
    below = np.count_nonzero((scores < score) & ~equal)
    return (below + np.count_nonzero(equal) / 2) / len(scores)


def _acceleration(jackknife: Array) -> float:
    """How fast the spread changes with the score, from the scores without each sentence."""
    deviations = jackknife.mean() - jackknife
    spread = float((deviations**2).sum())
    return float((deviations**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def compare_two(
    system: Result,
    baseline: Result,
    *,
    test: Test = "permutation",
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
) -> SystemComparison:
    """A two-sided paired test of two systems by one metric, with an interval of the difference."""
    return compare_with_baseline(
        [system], baseline, test=test, resamples=resamples, seed=seed, confidence=confidence
    )[0]


def compare_with_baseline(
    systems: Sequence[Result],
    baseline: Result,
    *,
    test: Test = "permutation",
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction = DEFAULT_CORRECTION,
) -> list[SystemComparison]:
    """Each system against the baseline; all share the same resamples.

    `resamples` is the least number: many systems need more (`enough_resamples`). The p-values are
    not corrected yet; `adjusted` does it.
    """
    if not systems:
        return []
    selections = [result.selection for result in (baseline, *systems)]
    for selection in selections[1:]:
        check_comparable(selection, selections[0])
    enough = enough_resamples(resamples, len(systems), correction, confidence)
    scores = shared_bootstrap_scores(
        selections,
        enough if test == "bootstrap" else resamples,
        seed,
        f"{baseline.metric.name}, intervals",
    )
    differences = scores[1:] - scores[0]
    tail = alpha_of(confidence) / 2
    low, high = np.quantile(differences, [tail, 1 - tail], axis=1)
    observed = [result.score - baseline.score for result in systems]
    if test == "permutation":
        tests = finished_tests(
            selections,
            [(place, 0) for place in range(1, len(selections))],
            resamples=enough,
            seed=seed,
            first_round=resamples,
            name=baseline.metric.name,
        )
        p_values, hypotheses = tests.p_values().tolist(), tests.hypotheses()
    else:
        p_values = [
            bootstrap_p_value(row, gap, selections[0].units)
            for row, gap in zip(differences, observed, strict=True)
        ]
        hypotheses = [varies(row) for row in differences]
    return [
        SystemComparison(
            system=result.system,
            baseline=baseline.system,
            metric=str(result.metric),
            difference=observed[place],
            p_value=p_values[place],
            interval=Interval(
                float(low[place]),
                float(high[place]),
                confidence,
                "percentile",
                scores.shape[1],
                seed,
            ),
            test=test,
            resamples=enough,
            power=power_of(
                observed[place],
                float(differences[place].std(ddof=1)) if scores.shape[1] > 1 else 0.0,
                # Also where documents are drawn: so many sentences in documents of this size.
                len(selections[0]),
                confidence=confidence,
            ),
            hypothesis=hypotheses[place],
        )
        for place, result in enumerate(systems)
    ]


def check_comparable(ours: Selection, theirs: Selection) -> None:
    """Two selections must be of one metric, level and corpus."""
    if ours.metric != theirs.metric or ours.level != theirs.level or len(ours) != len(theirs):
        both = " and ".join(
            f"{each.metric} at {each.level} level on {len(each)} sentences"
            for each in (ours, theirs)
        )
        raise CorrigendaError(
            f"only results of one metric, one level and one corpus can be compared, not {both}",
            remedy="Evaluate both systems in the same way.",
        )


def bootstrap_p_value(differences: Array, observed: float, units: int) -> float:
    """How often a resampled difference is as far from the mean difference as `observed` from 0.

    All resamples of one unit are that unit. They tell nothing, so p is 1.
    """
    if units < 2:
        return 1.0
    extreme = int(np.count_nonzero(np.abs(differences - differences.mean()) >= abs(observed)))
    return (extreme + 1) / (len(differences) + 1)


def varies(differences: Array) -> bool:
    """Whether any resample makes a difference."""
    return bool(np.abs(differences).max(initial=0.0) > 1e-13)


def adjusted(
    p_values: Sequence[float],
    correction: Correction = DEFAULT_CORRECTION,
    hypotheses: Sequence[bool] | None = None,
) -> list[float]:
    """p-values corrected for many comparisons.

    `holm` bounds the chance of any false discovery. `bh` (Benjamini and Hochberg) bounds the part
    of discoveries that are false. What is no hypothesis keeps its p-value and does not count.
    """
    if hypotheses is not None and not all(hypotheses):
        real = iter(
            adjusted([p for p, kept in zip(p_values, hypotheses, strict=True) if kept], correction)
        )
        return [
            next(real) if kept else float(value)
            for value, kept in zip(p_values, hypotheses, strict=True)
        ]
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
