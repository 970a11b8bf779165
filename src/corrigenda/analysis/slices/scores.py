"""Scores of slices, and where one system beats another most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.analysis.families import BootstrapTests, PairedTests, family_p_values
from corrigenda.analysis.permutation import PermutationTests
from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
)
from corrigenda.analysis.significance import Test, check_comparable, shared_bootstrap_scores
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
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction = DEFAULT_CORRECTION,
    min_sentences: int = 1,
) -> list[SliceDifference]:
    """Every pair (system, baseline) on every slice that is large enough, the largest lead first.

    `bh` is the method of Benjamini and Hochberg. If you report all differences with an adjusted
    p-value below q, on average at most a part q of them is false. Slices may share sentences: the
    method allows such positive dependence. A slice on which no exchange of outputs changes the
    difference (M² without gold edits) is no hypothesis: it keeps p = 1 and does not count in the
    correction. `resamples` is the least number; `enough_resamples` says how far it may grow.
    """
    wanted = [
        (system, baseline, part)
        for system, baseline in pairs
        for part in slices
        if len(part) >= max(1, min_sentences)
    ]
    found: list[SliceDifference] = []
    tests: list[PairedTests] = []
    for system, baseline, part in progress.each("slices", wanted, _tested):
        ours, theirs = restricted(system, part.sentences), restricted(baseline, part.sentences)
        check_comparable(ours.selection, theirs.selection)
        made, values = _difference(ours, theirs, part, resamples, seed, confidence)
        found.append(made)
        both = [ours.selection, theirs.selection]
        tests.append(
            PermutationTests(both, [(0, 1)], seed)
            if test == "permutation"
            else BootstrapTests(both, [(0, 1)], seed, values)
        )
    p_values = family_p_values(
        tests, resamples=resamples, correction=correction, confidence=confidence
    )
    found = [
        replace(item, p_value=single, adjusted_p_value=corrected)
        for item, (single, corrected) in zip(found, p_values, strict=True)
    ]
    return sorted(found, key=lambda item: (-item.difference, item.adjusted_p_value))


def _tested(wanted: tuple[Result, Result, Slice]) -> str:
    system, _, part = wanted
    return f"{system.system}, {system.metric.name}, {part.by}: {part.label}"


def _difference(
    ours: Result, theirs: Result, part: Slice, resamples: int, seed: int, confidence: float
) -> tuple[SliceDifference, Array]:
    """The difference without its p-values, and the resampled scores [2, resamples]."""
    scores = shared_bootstrap_scores([ours.selection, theirs.selection], resamples, seed)
    tail = alpha_of(confidence) / 2
    low, high = np.quantile(scores[0] - scores[1], [tail, 1 - tail])
    difference = SliceDifference(
        by=part.by,
        label=part.label,
        sentences=len(part),
        metric=str(ours.metric),
        system=ours.system,
        baseline=theirs.system,
        score=ours.score,
        baseline_score=theirs.score,
        difference=ours.score - theirs.score,
        interval=Interval(float(low), float(high), confidence, "percentile", resamples, seed),
        p_value=1.0,
        adjusted_p_value=1.0,
    )
    return difference, scores
