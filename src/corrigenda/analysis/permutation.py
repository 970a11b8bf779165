"""Paired permutation tests of many pairs of systems at once.

All pairs share the same exchanges of sentences. So the products of exchanges and counts are made
once per system, and each pair only scores the sums. A pair whose p-value is already certain needs
no more exchanges (Besag and Clifford 1991).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Array

SystemPair = tuple[int, int]
Corrected = Callable[[npt.NDArray[np.float64], Sequence[bool]], npt.NDArray[np.float64]]
"""Corrects p-values; the second argument says what is a hypothesis."""
MASKS_AT_ONCE = 4_000_000
"""How many exchanges (resamples × sentences) are in memory at a time."""
SUMS_AT_ONCE = 8_000_000
"""How many sums (resamples × counts of all systems) are in memory at a time."""
SCORED_AT_ONCE = 64_000
"""How many sums (resamples × counts of one system) are scored at a time."""
CERTAIN = 100
"""A p-value is certain when so many exchanges gave a difference as large as the observed one."""
CLEAR_FROM = 10_000
"""From this many exchanges on, a pair stops where more of them cannot change the answer."""
_ERRORS = 3.0
"""An answer is clear if it stays the same when every p-value moves by this many standard errors."""
DRAWS = 20
ROUNDING = 1e-9
"""Scores that differ by less than this part of their size count as equal, because rounding depends
on the order of additions."""


def thinned(selection: Selection, most: int = DRAWS) -> Selection:
    """The selection with at most 20 (or `most`) of its draws of references, evenly spaced.

    GLEU has 500 draws. The spread between draws is far below the spread between sentences, which
    is what intervals and tests are about.
    """
    draws = selection.chosen.draws
    if selection.level == "sentence" or draws <= most:
        return selection
    return selection.of_draws(np.linspace(0, draws, most, endpoint=False).astype(np.int64))


def exchange_masks(sentences: int, resamples: int, seed: int) -> Iterator[Array]:
    """For each resample, 1 where two systems exchange their outputs and 0 where they do not.

    The masks come in batches [some resamples, sentences] and do not depend on the size of these.
    """
    size = max(1, MASKS_AT_ONCE // max(1, sentences))
    yield from _Masks(sentences, seed).batches(resamples, size)


class _Masks:
    """A stream of random bits, one row per resample."""

    def __init__(self, sentences: int, seed: int) -> None:
        self._sentences = sentences
        self._generator = np.random.default_rng(seed)

    def batches(self, resamples: int, size: int) -> Iterator[Array]:
        """The next rows."""
        words = -(-self._sentences // 64)
        for begin in range(0, resamples, size):
            count = min(size, resamples - begin)
            drawn = self._generator.integers(0, 2**64, size=(count, words), dtype=np.uint64)
            bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), axis=1, bitorder="little")
            yield bits[:, : self._sentences].astype(np.float32)


def finished_tests(
    selections: Sequence[Selection],
    pairs: Sequence[SystemPair],
    *,
    resamples: int,
    seed: int,
    first_round: int | None = None,
    name: str | None = None,
    corrected: Corrected | None = None,
    alpha: float = 0.05,
) -> PermutationTests:
    """Tests of each pair with as many exchanges as they need.

    After `first_round` exchanges, and whenever their number has doubled, the pairs whose p-value is
    certain stop. So do those whose `corrected` p-value is clearly on one side of `alpha`, from
    10,000 exchanges on. The others go on up to `resamples`.
    """
    tests = PermutationTests(selections, pairs, seed)
    for goal in rounds(first_round or resamples, resamples):
        if not tests.active:
            break
        tests.run_to(goal)
        if name is not None:
            progress.report("exchanges", goal, resamples, name)
        if corrected is not None and goal >= CLEAR_FROM:
            real = tests.hypotheses()
            lowest, highest = p_value_bounds(tests.p_values(), tests.active, goal)
            clear = (corrected(highest, real) < alpha) | (corrected(lowest, real) >= alpha)
            tests.active = [test for test in tests.active if not clear[test]]
    return tests


def p_value_bounds(
    p_values: npt.NDArray[np.float64], active: Sequence[int], resamples: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """How small and how large p-values can become by more resamples.

    The p-value of a test that is not active is certain.
    """
    spread = np.zeros(len(p_values))
    extreme = p_values[active] * (resamples + 1)
    spread[active] = (_ERRORS * np.sqrt(extreme) + _ERRORS) / (resamples + 1)
    return np.maximum(0, p_values - spread), np.minimum(1, p_values + spread)


def rounds(first: int, resamples: int) -> Iterator[int]:
    """When to look at the p-values: after the first round, and whenever the number doubled."""
    goal = min(first, resamples)
    while goal < resamples:
        yield goal
        goal = min(2 * goal, resamples)
    yield resamples


def exchanged_differences(
    selection: Selection,
    totals: Mapping[int, Array],
    exchanged: Mapping[int, Array],
    pairs: Sequence[SystemPair],
) -> Iterator[tuple[slice, Array]]:
    """The differences [pairs, B] of systems that exchange sentences; some pairs at a time.

    `totals` [1, draws, K] and `exchanged` [B, draws, K] are the sums of each system: over all
    sentences, and over those that are exchanged. `selection` is that of any system: it scores sums.
    As many pairs and exchanges are scored at a time as stay in the caches of a processor.
    """
    if not pairs:
        return
    resamples = len(exchanged[pairs[0][0]])
    shape = totals[pairs[0][0]].shape[1:]
    width = max(1, math.prod(shape))
    rows = min(resamples, max(1, SCORED_AT_ONCE // width))
    at_once = max(1, SCORED_AT_ONCE // (width * max(1, resamples)))
    for begin in range(0, len(pairs), at_once):
        part = slice(begin, min(begin + at_once, len(pairs)))
        ones, others = zip(*pairs[part], strict=True)
        of_one = np.stack([totals[system] for system in ones])
        of_other = np.stack([totals[system] for system in others])
        differences = np.empty((len(ones), resamples))
        for first in range(0, resamples, rows):
            last = min(first + rows, resamples)
            gained = np.empty((len(ones), last - first, *shape))
            for place, (one, other) in enumerate(zip(ones, others, strict=True)):
                np.subtract(exchanged[other][first:last], exchanged[one][first:last], gained[place])
            scores = selection.scores_of_sums((of_one + gained).reshape(-1, *shape))
            np.subtract(of_other, gained, gained)
            scores = scores - selection.scores_of_sums(gained.reshape(-1, *shape))
            differences[:, first:last] = scores.reshape(len(ones), -1)
        yield part, differences


class PermutationTests:
    """Tests of some pairs that can be continued."""

    def __init__(
        self, selections: Sequence[Selection], pairs: Sequence[SystemPair], seed: int
    ) -> None:
        self._selections = [thinned(selection) for selection in selections]
        self._pairs = list(pairs)
        self._masks = _Masks(selections[0].units if selections else 0, seed)
        self._observed = np.array(
            [self._selections[i].score - self._selections[j].score for i, j in pairs]
        )
        self._limits = np.abs(self._observed) * (1 - ROUNDING) - 1e-13
        self._extreme = np.zeros(len(self._pairs), np.int64)
        self._made = np.zeros(len(self._pairs), np.int64)
        self._drawn = 0
        self._varies = np.abs(self._observed) > 1e-13
        self.active = list(range(len(self._pairs)))

    def run_to(self, goal: int) -> None:
        """Go on up to `goal` exchanges for the active pairs; those with a certain p-value stop."""
        resamples, self._drawn = goal - self._drawn, goal
        needed = sorted({system for test in self.active for system in self._pairs[test]})
        totals = {system: self._selections[system].sums() for system in needed}
        active = [self._pairs[test] for test in self.active]
        width = sum(total.size for total in totals.values())
        size = max(1, min(MASKS_AT_ONCE // len(self._selections[0]), SUMS_AT_ONCE // width))
        for drawn in self._masks.batches(resamples, size):
            masks = self._selections[0].by_sentence(drawn)
            sums = {system: self._selections[system].sums(masks) for system in needed}
            for part, differences in exchanged_differences(
                self._selections[0], totals, sums, active
            ):
                sizes = np.abs(differences)
                tests = self.active[part]
                self._extreme[tests] += (sizes >= self._limits[tests, np.newaxis]).sum(axis=1)
                self._varies[tests] |= sizes.max(axis=1, initial=0.0) > 1e-13
        self._made[self.active] = goal
        self.active = [test for test in self.active if self._extreme[test] < CERTAIN]

    def p_values(self) -> npt.NDArray[np.float64]:
        """The p-values so far."""
        return np.asarray((self._extreme + 1) / (self._made + 1))

    def hypotheses(self) -> list[bool]:
        """Whether some exchange makes a difference between the two systems of each pair.

        If none does, no outcome of the test can be significant, so there is nothing to test and
        nothing to correct for (Tarone 1990). Both scores are 0 whatever is exchanged, as with M² on
        sentences without gold edits, or the outputs are the same.
        """
        return [bool(varies) for varies in self._varies]
