"""All pairs of systems: their p-values, the ranks that each system can have, and clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.permutation import SystemPair, finished_tests
from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
    enough_resamples,
)
from corrigenda.analysis.significance import (
    Test,
    adjusted,
    bootstrap_p_value,
    check_comparable,
    shared_bootstrap_scores,
    varies,
)
from corrigenda.core.result import Result
from corrigenda.core.statistics import Array
from corrigenda.errors import UsageError

MOST_COMPARED = 500
"""The most systems that are all compared with each other."""


def p_value_matrix(
    results: Sequence[Result],
    *,
    test: Test = "permutation",
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction = DEFAULT_CORRECTION,
) -> npt.NDArray[np.float64]:
    """p-values of every pair of systems by one metric, not corrected; 1 on the diagonal.

    `resamples` is the least number: many pairs need more (`enough_resamples`).
    """
    matrix = np.ones((len(results), len(results)))
    pairs = list(combinations(range(len(results)), 2))
    values, _ = pair_p_values(
        results,
        pairs,
        test=test,
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        correction=correction,
    )
    for (i, j), value in zip(pairs, values, strict=True):
        matrix[i, j] = matrix[j, i] = value
    return matrix


def check_number_of_systems(systems: int) -> None:
    """Refuse to compare very many systems with each other: the time grows with their square."""
    if systems > MOST_COMPARED:
        raise UsageError(
            f"{systems:,} systems make {systems * (systems - 1) // 2:,} pairs; at most "
            f"{MOST_COMPARED} systems are compared with each other",
            remedy="Give fewer systems, for example the best by `corrigenda score`.",
        )


def pair_p_values(
    results: Sequence[Result],
    pairs: Sequence[SystemPair],
    *,
    test: Test,
    resamples: int,
    seed: int,
    confidence: float,
    correction: Correction,
) -> tuple[list[float], list[bool]]:
    """The p-value of each pair of places in `results`, and whether it is a hypothesis.

    Where no resample makes a difference (equal outputs), there is nothing to test.
    """
    if not pairs:
        return [], []
    check_number_of_systems(len(results))
    selections = [result.selection for result in results]
    for i, j in pairs:
        check_comparable(selections[i], selections[j])
    enough = enough_resamples(resamples, len(pairs), correction, confidence)
    name = results[0].metric.name
    if test == "permutation":
        tests = finished_tests(
            selections,
            pairs,
            resamples=enough,
            seed=seed,
            first_round=resamples,
            name=name,
            corrected=lambda values, real: np.array(adjusted(values.tolist(), correction, real)),
            alpha=alpha_of(confidence),
        )
        return tests.p_values().tolist(), tests.hypotheses()
    scores = shared_bootstrap_scores(selections, enough, seed, name)
    p_values = [
        bootstrap_p_value(
            scores[i] - scores[j], results[i].score - results[j].score, selections[0].units
        )
        for i, j in pairs
    ]
    return p_values, [varies(scores[i] - scores[j]) for i, j in pairs]


def rank_ranges(
    scores: Sequence[float], p_values: Array, alpha: float = 0.05
) -> list[tuple[int, int]]:
    """The best and the worst rank that each system can have, given the significant differences."""
    values = np.asarray(scores)
    significant = np.round(np.asarray(p_values, np.float64), 12) < alpha
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
