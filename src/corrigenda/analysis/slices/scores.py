"""Scores of slices, and where one system beats another most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.analysis.significance import Correction, Test, adjusted, compare
from corrigenda.analysis.slices.partitions import Slice
from corrigenda.core.result import Interval, Result
from corrigenda.core.statistics import Array
from corrigenda.errors import CorrigendaError


def restricted(result: Result, sentences: npt.NDArray[np.int64]) -> Result:
    """The result on some of the sentences, with the references that were chosen on all of them."""
    if not len(sentences):
        raise CorrigendaError(
            "a slice without sentences has no score", remedy="Give at least one sentence."
        )
    part = result.selection.restricted(sentences)
    return replace(
        result, measures=part.measures, counts=part.counts, kept=part, interval=None, types={}
    )


def slice_scores(results: Sequence[Result], slices: Sequence[Slice]) -> Array:
    """Scores [results, slices], each the same as that of the restricted result."""
    for part in slices:
        if not len(part):
            raise CorrigendaError(
                f"the slice {part.label!r} by {part.by} has no sentences", remedy="Leave it out."
            )
    scores = np.empty((len(results), len(slices)))
    for row, result in enumerate(results):
        for column, part in enumerate(slices):
            scores[row, column] = result.selection.restricted(part.sentences).score
    return scores


@dataclass(frozen=True)
class SliceDifference:
    """How far `system` is ahead of `baseline` on a slice, and how certain that is.

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

    `bh` is the method of Benjamini and Hochberg. If you report all differences with an adjusted
    p-value below q, on average at most a part q of them is false. Slices may share sentences: the
    method allows such positive dependence.
    """
    wanted = [
        (system, baseline, part)
        for system, baseline in pairs
        for part in slices
        if len(part) >= max(1, min_sentences)
    ]
    found = [
        _difference(system, baseline, part, test, resamples, seed, confidence)
        for system, baseline, part in progress.each("slices tested", wanted, _tested)
    ]
    corrected = adjusted([difference.p_value for difference in found], correction)
    found = [
        replace(item, adjusted_p_value=value) for item, value in zip(found, corrected, strict=True)
    ]
    return sorted(found, key=lambda item: (-item.difference, item.adjusted_p_value))


def _tested(wanted: tuple[Result, Result, Slice]) -> str:
    system, _, part = wanted
    return f"{system.system}, {system.metric.name}, {part.by}: {part.label}"


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
