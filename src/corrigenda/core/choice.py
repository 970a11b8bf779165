"""Which reference counts for a sentence: the policies by which the published metrics differ.

A policy is a value; `start()` gives a chooser that takes the sentences in corpus order, block after
block, and carries on from where it was.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from corrigenda.core.statistics import Array, Chosen, Statistics

Chooser = Callable[[Statistics], Chosen]


class Choice(ABC):
    """A policy of choosing references."""

    depends_on_others: ClassVar[bool] = False
    """Whether a sentence's reference depends on other sentences."""
    at_once: ClassVar[bool] = False
    """Whether all sentences must be known before a reference is chosen for the first."""

    @abstractmethod
    def start(self) -> Chooser:
        """A chooser at the beginning of a corpus."""


@dataclass(frozen=True)
class BestLocal(Choice):
    """Per sentence the reference that is best by the first key, ties by the next; then the earlier one.

    `keys` takes counts [rows, K] and gives arrays [rows], the larger the better.
    """

    keys: Callable[[Array], Iterable[Array]]

    def start(self) -> Chooser:
        """A chooser; it remembers nothing between sentences."""
        return self._choose

    def _choose(self, statistics: Statistics) -> Chosen:
        firsts = statistics.offsets[:-1]
        if len(statistics.counts) == statistics.sentences:
            return Chosen(statistics, firsts[np.newaxis])
        best = np.ones(len(statistics.counts), bool)
        for key in self.keys(statistics.counts):
            candidates = np.where(best, key, _below_all(key))
            best &= candidates == np.repeat(
                np.maximum.reduceat(candidates, firsts), statistics.references
            )
        rows = np.where(best, np.arange(len(best)), len(best))
        return Chosen(statistics, np.minimum.reduceat(rows, firsts)[np.newaxis])


def _below_all(key: Array) -> float | int:
    """Less than any value of a key; whole numbers stay whole, so that large ones are compared exactly."""
    return int(np.iinfo(key.dtype).min) if np.issubdtype(key.dtype, np.integer) else -np.inf


@dataclass(frozen=True)
class GreedyCumulative(Choice):
    """In corpus order the reference that makes the corpus best so far; ties: the earlier one.

    `key` takes the totals so far with a reference's counts added, and gives what to compare.
    """

    depends_on_others = True

    key: Callable[[tuple[Any, ...]], tuple[Any, ...]]

    def start(self) -> Chooser:
        """A chooser that keeps the totals of the sentences before."""
        totals: tuple[Any, ...] | None = None

        def choose(statistics: Statistics) -> Chosen:
            nonlocal totals
            if len(statistics.counts) == statistics.sentences:
                totals = _all_added(totals, statistics.counts)
                return Chosen(statistics, statistics.offsets[np.newaxis, :-1])
            counts = statistics.counts.tolist()
            offsets = statistics.offsets.tolist()
            picks = []
            for begin, end in itertools.pairwise(offsets):
                best, totals = self._best(totals, counts, begin, end)
                picks.append(best)
            return Chosen(statistics, np.array([picks], np.int64))

        return choose

    def _best(
        self, totals: tuple[Any, ...] | None, counts: Sequence[Sequence[Any]], begin: int, end: int
    ) -> tuple[int, tuple[Any, ...]]:
        """The best of a sentence's rows, and the totals with it."""
        best, best_totals = begin, _added(totals, counts[begin])
        # A row equal to the first cannot win: it need not be compared.
        rivals = [row for row in range(begin + 1, end) if counts[row] != counts[begin]]
        best_key = self.key(best_totals) if rivals else ()
        for row in rivals:
            with_row = _added(totals, counts[row])
            key = self.key(with_row)
            if key > best_key:
                best, best_totals, best_key = row, with_row, key
        return best, best_totals


@dataclass(frozen=True)
class BestCumulative(Choice):
    """As `GreedyCumulative`, with the keys of `BestLocal`: for metrics with many references a sentence.

    `keys` takes the totals so far with each reference's counts added [rows, K] and gives arrays [rows].
    """

    depends_on_others = True

    keys: Callable[[Array], Sequence[Array]]

    def start(self) -> Chooser:
        """A chooser that keeps the totals of the sentences before."""
        totals: Any = 0

        def choose(statistics: Statistics) -> Chosen:
            nonlocal totals
            counts = statistics.counts
            picks = []
            for begin, end in itertools.pairwise(statistics.offsets.tolist()):
                picks.append(begin + self._best(totals, counts[begin:end]))
                totals = totals + counts[picks[-1]]
            return Chosen(statistics, np.array([picks], np.int64))

        return choose

    def _best(self, totals: Any, counts: Array) -> int:
        if (counts == counts[0]).all():
            return 0
        best = np.arange(len(counts))
        for key in self.keys(totals + counts):
            best = best[key[best] == key[best].max()]
        return int(best[0])


def _all_added(totals: tuple[Any, ...] | None, counts: Array) -> tuple[Any, ...] | None:
    """The totals with all rows added, one after the other, so that floats are rounded as in a loop."""
    if not len(counts):
        return totals
    rows = counts if totals is None else np.concatenate([np.array([totals], counts.dtype), counts])
    return tuple(np.add.accumulate(rows, axis=0)[-1].tolist())


def _added(totals: tuple[Any, ...] | None, counts: Sequence[Any]) -> tuple[Any, ...]:
    if totals is None:
        return tuple(counts)
    return tuple([total + count for total, count in zip(totals, counts, strict=True)])


@dataclass(frozen=True)
class SeededDraws(Choice):
    """Many draws; draw j picks one reference a sentence with Python 2's `random.seed(j * step)`.

    numpy's frozen Mersenne Twister, seeded by a list, gives the very sequence of Python's `random`.
    """

    depends_on_others = True

    draws: int
    step: int

    def start(self) -> Chooser:
        """A chooser with a generator for each draw."""
        # One generator takes all draws in turn: seeding it is much cheaper than making another.
        generator = np.random.RandomState()
        states: list[Any] = [None] * self.draws
        skipped = 0

        def numbers(draw: int, count: int) -> Array:
            if states[draw] is None:
                generator.seed([draw * self.step])
            else:
                generator.set_state(states[draw])
            drawn = generator.random_sample(count)
            states[draw] = generator.get_state(legacy=False)
            return drawn

        def choose(statistics: Statistics) -> Chosen:
            nonlocal skipped
            firsts = statistics.offsets[np.newaxis, :-1]
            if len(statistics.counts) == statistics.sentences:
                # One reference each: nothing to draw. Their numbers are passed over when one is needed.
                skipped += statistics.sentences
                return Chosen(statistics, firsts)
            rows = np.repeat(firsts, self.draws, axis=0)
            for draw in range(self.draws):
                drawn = numbers(draw, skipped + statistics.sentences)[skipped:]
                rows[draw] += (drawn * statistics.references).astype(np.int64)
            skipped = 0
            return Chosen(statistics, rows)

        return choose


@dataclass(frozen=True)
class MeanOverReferences(Choice):
    """No choice: every reference counts, each with the same part."""

    def start(self) -> Chooser:
        """A chooser; it remembers nothing between sentences."""
        return lambda statistics: Chosen(statistics, None)


@dataclass(frozen=True)
class Pooled(Choice):
    """The statistics already hold all references of a sentence at once, in a single row."""

    def start(self) -> Chooser:
        """A chooser; there is nothing to choose."""
        return lambda statistics: Chosen(statistics, statistics.offsets[np.newaxis, :-1])
