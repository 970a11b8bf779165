"""Scores of slices, and where one system beats another most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.significance import Correction, Sample, Test, adjusted, compare
from corrigenda.analysis.slices.partitions import Slice
from corrigenda.core.result import Interval, Result
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.errors import CorrigendaError

_SLICES_AT_ONCE = 64


def restricted(result: Result, sentences: npt.NDArray[np.int64]) -> Result:
    """The result on some of the sentences, with the references that were chosen on all of them.

    Its score and counts are of these sentences; its measures are left out.
    """
    sample = Sample.of(result)
    part = Sample(result.metric, result.level, restrict(sample.chosen, sentences))
    if not part.sentences:
        raise CorrigendaError("a slice without sentences has no score")
    totals = part.chosen.totals()[0].mean(axis=0)
    return replace(
        result,
        score=part.plain_score(),
        measures={},
        counts=result.metric.named_counts(totals),
        chosen=part.chosen,
        interval=None,
    )


def restrict(chosen: Chosen, sentences: npt.NDArray[np.int64]) -> Chosen:
    """What was chosen, for some of the sentences."""
    statistics = chosen.statistics
    numbers = statistics.references[sentences]
    offsets = np.concatenate(([0], np.cumsum(numbers)))
    moved = (
        statistics.offsets[:-1][sentences] - offsets[:-1]
    )  # how far the rows of each sentence move
    counts = statistics.counts[np.arange(offsets[-1]) + np.repeat(moved, numbers)]
    rows = None if chosen.rows is None else chosen.rows[:, sentences] - moved
    return Chosen(Statistics(counts, offsets), rows)


def slice_scores(results: Sequence[Result], slices: Sequence[Slice]) -> Array:
    """Scores [results, slices]: the weights are the slices' members, all at once."""
    scores = np.empty((len(results), len(slices)))
    for row, result in enumerate(results):
        sample = Sample.of(result)
        for begin in range(0, len(slices), _SLICES_AT_ONCE):
            part = slices[begin : begin + _SLICES_AT_ONCE]
            scores[row, begin : begin + len(part)] = sample.scores(
                _membership(part, sample.sentences)
            )
    return scores


def _membership(slices: Sequence[Slice], sentences: int) -> Array:
    weights = np.zeros((len(slices), sentences))
    for row, part in enumerate(slices):
        if not len(part):
            raise CorrigendaError(f"the slice {part.label!r} of {part.by} holds no sentence")
        weights[row, part.sentences] = 1.0
    return weights


@dataclass(frozen=True)
class SliceDifference:
    """How far `system` is ahead of `baseline` on a slice, and how sure that is.

    `adjusted_p_value` is corrected for all differences that were tested together.
    """

    by: str
    label: str
    sentences: int
    metric: str
    system: str
    baseline: str
    score: float
    baseline_score: float
    difference: float
    interval: Interval
    p_value: float
    adjusted_p_value: float


def differences(
    pairs: Iterable[tuple[Result, Result]],
    slices: Sequence[Slice],
    *,
    test: Test = "permutation",
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    correction: Correction = "bh",
    min_sentences: int = 1,
) -> list[SliceDifference]:
    """Every pair (system, baseline) on every slice that is large enough, the largest lead first.

    By Benjamini–Hochberg (`bh`), of the differences with an adjusted p-value below q, a share of at most
    q is false on average. Slices that share sentences depend on each other positively, which it allows.
    """
    found = [
        _difference(system, baseline, part, test, resamples, seed, confidence)
        for system, baseline in pairs
        for part in slices
        if len(part) >= max(1, min_sentences)
    ]
    corrected = adjusted([difference.p_value for difference in found], correction)
    found = [
        replace(item, adjusted_p_value=value) for item, value in zip(found, corrected, strict=True)
    ]
    return sorted(found, key=lambda item: (-item.difference, item.adjusted_p_value))


def _difference(
    system: Result,
    baseline: Result,
    part: Slice,
    test: Test,
    resamples: int,
    seed: int,
    confidence: float,
) -> SliceDifference:
    ours, theirs = restricted(system, part.sentences), restricted(baseline, part.sentences)
    tested = compare(ours, theirs, test=test, resamples=resamples, seed=seed, confidence=confidence)
    return SliceDifference(
        by=part.by,
        label=part.label,
        sentences=len(part),
        metric=tested.metric,
        system=tested.system,
        baseline=tested.baseline,
        score=ours.score,
        baseline_score=theirs.score,
        difference=tested.difference,
        interval=tested.interval,
        p_value=tested.p_value,
        adjusted_p_value=tested.p_value,
    )
