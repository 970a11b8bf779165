"""Families of tests that are corrected together, such as all slices of a corpus.

A large family needs many resamples only where they can change an answer. So the tests go on in
rounds, until every corrected p-value is clearly below or above α.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.analysis.permutation import CERTAIN, SystemPair, p_value_bounds, rounds
from corrigenda.analysis.resolution import Correction, alpha_of, enough_resamples
from corrigenda.analysis.significance import (
    adjusted,
    bootstrap_p_value,
    shared_bootstrap_scores,
)
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Array


class PairedTests(Protocol):
    """Tests of pairs of systems that can be continued."""

    active: list[int]

    def run_to(self, goal: int) -> None:
        """Go on up to `goal` resamples."""

    def p_values(self) -> npt.NDArray[np.float64]:
        """The p-values so far."""
        ...

    def hypotheses(self) -> list[bool]:
        """Whether there is anything to test in each pair."""
        ...


class BootstrapTests:
    """Paired bootstrap tests of some pairs; `scores` [systems, resamples] may be at hand."""

    def __init__(
        self,
        selections: Sequence[Selection],
        pairs: Sequence[SystemPair],
        seed: int,
        scores: Array | None = None,
    ) -> None:
        self._selections, self._pairs, self._seed = selections, list(pairs), seed
        self._observed = [selections[i].score - selections[j].score for i, j in pairs]
        self._scores = scores
        self._p_values = np.ones(len(self._pairs))
        self._varies = [False] * len(self._pairs)
        self.active = list(range(len(self._pairs)))

    def run_to(self, goal: int) -> None:
        """Go on up to `goal` resamples; the pairs with a certain p-value stop."""
        if self._scores is None or self._scores.shape[1] < goal:
            self._scores = shared_bootstrap_scores(self._selections, goal, self._seed)
        for test in self.active:
            i, j = self._pairs[test]
            differences = self._scores[i, :goal] - self._scores[j, :goal]
            self._p_values[test] = bootstrap_p_value(
                differences, self._observed[test], self._selections[0].units
            )
            self._varies[test] = bool(np.abs(differences).max() > 1e-13)
        self.active = [
            test for test in self.active if self._p_values[test] * (goal + 1) - 1 < CERTAIN
        ]

    def p_values(self) -> npt.NDArray[np.float64]:
        """The p-values so far."""
        return self._p_values

    def hypotheses(self) -> list[bool]:
        """Whether some resample makes a difference between the two systems of each pair."""
        return self._varies


def family_p_values(
    tests: Sequence[PairedTests],
    *,
    resamples: int,
    correction: Correction,
    confidence: float,
    each_pair_alone: bool = False,
) -> list[tuple[float, float]]:
    """The p-value and the corrected p-value of every pair of every entry, one entry after another.

    All are corrected together. With `each_pair_alone`, the first pairs of all entries are corrected
    together, and so are the second pairs, and so on. Where there is nothing to test, p is 1 and
    does not count in the correction.
    """
    sizes = {len(entry.p_values()) for entry in tests}
    width = sizes.pop() if each_pair_alone and sizes else 1
    count = sum(len(entry.p_values()) for entry in tests)
    most = enough_resamples(resamples, count // width, correction, confidence)
    single = np.ones(count)
    families: list[npt.NDArray[np.int64]] = []
    for goal in rounds(resamples, most):
        for done, entry in enumerate(tests):
            progress.report("tests", done, len(tests), f"{goal} resamples")
            if entry.active:
                entry.run_to(goal)
        single = np.concatenate([entry.p_values() for entry in tests]) if tests else single
        real = np.array([real for entry in tests for real in entry.hypotheses()], bool)
        numbers = np.arange(count)
        families = [numbers[column::width][real[column::width]] for column in range(width)]
        lowest, highest = (
            _corrected(bound, families, correction)
            for bound in p_value_bounds(single, _active(tests), goal)
        )
        alpha = alpha_of(confidence)
        if ((highest < alpha) | (lowest >= alpha)).all():
            break
    corrected = _corrected(single, families, correction)
    return list(zip(single.tolist(), corrected.tolist(), strict=True))


def _corrected(
    p_values: npt.NDArray[np.float64],
    families: Sequence[npt.NDArray[np.int64]],
    correction: Correction,
) -> npt.NDArray[np.float64]:
    """The p-values corrected within each family; those in no family are 1."""
    corrected = np.ones(len(p_values))
    for family in families:
        corrected[family] = adjusted(p_values[family].tolist(), correction)
    return corrected


def _active(tests: Sequence[PairedTests]) -> list[int]:
    places, begin = [], 0
    for entry in tests:
        places += [begin + place for place in entry.active]
        begin += len(entry.p_values())
    return places
