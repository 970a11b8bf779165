"""Resamples many systems at once, on the same resamples, so that any two can be compared.

A metric with many draws of references (GLEU) is resampled on a few of its draws, evenly spaced. Its
scores are then shifted by the difference between the score of all draws and that of these few. This
is enough, because an interval shows the spread over sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corrigenda import progress
from corrigenda.analysis.significance import (
    Correction,
    adjusted,
    bootstrap_p_value,
    bootstrap_weights,
)
from corrigenda.core.result import Result
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Array

DRAWS = 20


class Resampled:
    """Scores of systems by one metric: `plain` [systems], and `scores` [systems, resamples]."""

    def __init__(self, results: Sequence[Result], resamples: int, seed: int) -> None:
        samples = [result.selection for result in results]
        self.plain = np.array([result.score for result in results])
        thinned = [_thinned(sample) for sample in samples]
        batches, done = [], 0
        for weights in bootstrap_weights(len(samples[0]), resamples, seed):
            progress.report("resamples", done, resamples, results[0].metric.name)
            batches.append(np.array([sample.resampled(weights) for sample in thinned]))
            done += len(weights)
        progress.report("resamples", resamples, resamples)
        self.scores = np.concatenate(batches, axis=1)
        for row, (sample, few) in enumerate(zip(samples, thinned, strict=True)):
            if few is not sample:
                self.scores[row] += self.plain[row] - few.score

    def bounds(self, confidence: float) -> Array:
        """The lower and upper bounds [2, systems] of percentile intervals."""
        tail = (1 - confidence) / 2
        return np.asarray(np.quantile(self.scores, [tail, 1 - tail], axis=1))

    def p_values(self) -> list[float]:
        """The p-value of every pair (one, other), other < one: (1, 0), (2, 0), (2, 1), (3, 0), …"""
        return [
            bootstrap_p_value(
                self.scores[one] - self.scores[other], float(self.plain[one] - self.plain[other])
            )
            for one in range(len(self.plain))
            for other in range(one)
        ]


def _thinned(sample: Selection) -> Selection:
    draws = sample.chosen.draws
    if sample.level == "sentence" or draws <= DRAWS:
        return sample
    few = np.linspace(0, draws, DRAWS, endpoint=False).astype(np.int64)
    return sample.of_draws(few)


def square(values: Sequence[float], systems: int, diagonal: float) -> Array:
    """The values of all pairs, in the order of `p_values`, as a symmetric matrix."""
    matrix = np.full((systems, systems), diagonal)
    rows, columns = np.tril_indices(systems, -1)
    matrix[rows, columns] = matrix[columns, rows] = values
    return matrix


def corrected_p_values(p_values: Sequence[float], correction: Correction) -> list[float]:
    """The p-values corrected for their number, and rounded."""
    return [rounded(value) for value in adjusted(p_values, correction)]


def rounded(value: float) -> float:
    """Four decimals."""
    return round(float(value), 4)
