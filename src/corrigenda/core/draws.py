"""Random references as `random.randint(0, m - 1)` of Python 2 or Python 3 picks them.

Both versions have the same generator (Mersenne Twister) and the same seeds. They make a number
below m in different ways. numpy's `RandomState` is frozen: with a list as its seed it gives the
same numbers in every version.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

DrawsBy = Literal["python2", "python3"]
Integers = npt.NDArray[np.int64]
RandomWords = npt.NDArray[np.uint32]
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
        words = self._left[draw]
        places = _accepted_places(words, references)
        if places is None:
            _resume(self._generator, self._states[draw], draw * self._step)
            while places is None:
                words = np.append(words, self._new_words(2 * len(references)))
                places = _accepted_places(words, references)
            self._states[draw] = self._generator.get_state(legacy=False)
        self._left[draw] = words[places[-1] + 1 :]
        return (words[places] >> _shifts(references)).astype(np.int64)

    def _new_words(self, count: int) -> RandomWords:
        return self._generator.randint(0, 1 << _WORD_BITS, count, np.uint32)


def _accepted_places(words: RandomWords, references: Integers) -> list[int] | None:
    """The place of the random word that each number is made of; None if there are too few words.

    Neighbours with the same m take their words at once.
    """
    if len(words) < len(references):
        return None
    accepted = {
        limit: np.flatnonzero(words >> _shifts(np.array(limit)) < limit).tolist()
        for limit in np.unique(references).tolist()
    }
    begins = [0, *(np.flatnonzero(np.diff(references)) + 1).tolist(), len(references)]
    places: list[int] = []
    free = 0
    for begin, end in pairwise(begins):
        fitting = accepted[int(references[begin])]
        first = bisect_left(fitting, free)
        taken = fitting[first : first + end - begin]
        if len(taken) < end - begin:
            return None
        places += taken
        free = taken[-1] + 1
    return places


def _shifts(limits: Integers) -> RandomWords:
    """How far a word is shifted so that as many bits stay as each limit has."""
    return (_WORD_BITS - np.frexp(limits.astype(np.float64))[1]).astype(np.uint32)


def _resume(generator: np.random.RandomState, state: Any, seed: int) -> None:
    if state is None:
        generator.seed([seed])
    else:
        generator.set_state(state)
