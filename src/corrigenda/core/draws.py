"""Random references as `random.randint(0, m - 1)` of Python 2 or Python 3 picks them.

Both versions have the same generator (Mersenne Twister) and the same seeds. They make a number
below m in different ways. numpy's `RandomState` is frozen: with a list as its seed it gives the
same numbers in every version.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

DrawsBy = Literal["python2", "python3"]
Integers = npt.NDArray[np.int64]
_WORD_BITS = 32


class Python2Draws:
    """Python 2: the product of m and a random number below 1, rounded down."""

    def __init__(self, draws: int, step: int) -> None:
        # One generator serves all draws in turn: seeding it is much cheaper than making a new one.
        self._generator = np.random.RandomState()
        self._states: list[Any] = [None] * draws
        self._step = step

    def picks(self, draw: int, references: Integers) -> Integers:
        """One number below m for each m of `references`, in order."""
        _resume(self._generator, self._states[draw], draw * self._step)
        drawn = self._generator.random_sample(len(references))
        self._states[draw] = self._generator.get_state(legacy=False)
        return np.asarray((drawn * references).astype(np.int64))


class Python3Draws:
    """Python 3: as many random bits as m has, again and again until the number is below m."""

    def __init__(self, draws: int, step: int) -> None:
        self._generator = np.random.RandomState()
        self._states: list[Any] = [None] * draws
        self._left = [np.empty(0, np.uint32)] * draws
        self._step = step

    def picks(self, draw: int, references: Integers) -> Integers:
        """One number below m for each m of `references`, in order."""
        if not len(references):
            return np.empty(0, np.int64)
        # Neighbours with the same m are drawn at once.
        cuts = np.flatnonzero(np.diff(references)) + 1
        return np.concatenate(
            [self._below(draw, int(run[0]), len(run)) for run in np.split(references, cuts)]
        )

    def _below(self, draw: int, limit: int, count: int) -> Integers:
        bits = limit.bit_length()
        found = np.empty(0, np.int64)
        while len(found) < count:
            words = self._words(draw, 2 * (count - len(found)))
            numbers = (words >> np.uint32(_WORD_BITS - bits)).astype(np.int64)
            accepted = np.flatnonzero(numbers < limit)[: count - len(found)]
            found = np.append(found, numbers[accepted])
            if len(found) == count:
                self._left[draw] = words[accepted[-1] + 1 :]
        return found

    def _words(self, draw: int, count: int) -> npt.NDArray[np.uint32]:
        """At least `count` random words: those that are left, then new ones."""
        left, self._left[draw] = self._left[draw], np.empty(0, np.uint32)
        if len(left) >= count:
            return left
        _resume(self._generator, self._states[draw], draw * self._step)
        new = self._generator.randint(0, 1 << _WORD_BITS, count - len(left), np.uint32)
        self._states[draw] = self._generator.get_state(legacy=False)
        return np.concatenate([left, new])


def _resume(generator: np.random.RandomState, state: Any, seed: int) -> None:
    if state is None:
        generator.seed([seed])
    else:
        generator.set_state(state)
