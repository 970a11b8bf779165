"""Which reference counts for a sentence. The published metrics choose it in different ways.

A choice is a value with one method, `choose(statistics)`. Its streaming form, `start()`, takes the
sentences in corpus order, block by block. It remembers what it needs from earlier blocks.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, Self

import numpy as np

from corrigenda.core.f_scores import Amount
from corrigenda.core.statistics import Array, Chosen, Statistics, check_draws
from corrigenda.kernels.best_rows import best_rows
from corrigenda.kernels.seeded_draws import DrawsBy, SeededPicks, first_picks

Chooser = Callable[[Statistics], Chosen]
Blocks = Callable[[], Iterable[Statistics]]
"""The statistics of a corpus, block by block; each call starts from the beginning."""
Reach = Literal["sentence", "before", "corpus"]
"""What a sentence's reference depends on: the sentence, the sentences before it, or all of them."""
Totals = tuple[Amount, ...]
"""One number per count, or one array per count."""


class Choice(ABC):
    """How references are chosen."""

    reach: ClassVar[Reach] = "sentence"

    @abstractmethod
    def start(self) -> Chooser:
        """A chooser at the beginning of a corpus.

        With reach `corpus` it must get the whole corpus in one block.
        """

    def choose(self, statistics: Statistics) -> Chosen:
        """The references of a whole corpus."""
        return self.start()(statistics)

    def stream(self, blocks: Blocks) -> Iterator[Chosen]:
        """The references of a corpus that does not fit into memory, block by block."""
        return map(self.start(), blocks())

    @classmethod
    def choose_all(cls, choices: Sequence[Self], systems: Sequence[Statistics]) -> list[Chosen]:
        """The references that many choices pick for each system: one draw per choice.

        A class may share work between choices that differ in β. The picks stay the same.
        """
        return [_side_by_side([choice.choose(each) for choice in choices]) for each in systems]


def _side_by_side(chosen: Sequence[Chosen]) -> Chosen:
    """Several choices for one corpus as the draws of one choice."""
    picks = [each.picks for each in chosen if each.picks is not None]
    statistics = chosen[0].statistics
    return Chosen(statistics, np.concatenate(picks) if picks else None)


@dataclass(frozen=True)
class BestLocal(Choice):
    """The best reference of each sentence by the first key.

    Ties are decided by the next key; if all keys are equal, the first reference wins. `keys` takes
    counts [rows, K] and gives arrays [rows]; larger is better.
    """

    keys: Callable[[Array], Iterable[Array]]

    def start(self) -> Chooser:
        """A chooser; it remembers nothing between sentences."""
        return self._choose

    def _choose(self, statistics: Statistics) -> Chosen:
        firsts = statistics.offsets[:-1]
        if len(statistics.counts) == statistics.sentences:
            return Chosen.first_rows(statistics)
        best = np.ones(len(statistics.counts), bool)
        for key in self.keys(statistics.counts):
            candidates = np.where(best, key, _below_all(key))
            largest = np.maximum.reduceat(candidates, firsts)
            best &= candidates == np.repeat(largest, statistics.rows)
        rows = np.where(best, np.arange(len(best)), len(best))
        return Chosen.of_rows(statistics, np.minimum.reduceat(rows, firsts)[np.newaxis])


def _below_all(key: Array) -> float | int:
    """A value below all keys. Integers stay integers, so large integers are compared exactly."""
    return int(np.iinfo(key.dtype).min) if np.issubdtype(key.dtype, np.integer) else -np.inf


@dataclass(frozen=True)
class BestRows(BestLocal):
    """The same as `BestLocal`, in compiled code.

    `keys` may be a generator: a later key is computed only if earlier keys leave ties.
    """

    def _choose(self, statistics: Statistics) -> Chosen:
        counts, offsets = statistics.counts, statistics.offsets
        if len(counts) == statistics.sentences:
            return Chosen.first_rows(statistics)
        return Chosen.of_rows(statistics, best_rows(counts, offsets, self.keys(counts)))


@dataclass(frozen=True)
class GreedyCumulative(Choice):
    """In corpus order, the reference with the best score of all sentences so far.

    If references are equally good, the first wins. `key` takes the totals so far plus the counts of
    a reference, and β. It gives a tuple to compare; larger is better. It works on plain numbers and
    on arrays, so that many values of β can be tried at once.
    """

    reach = "before"

    key: Callable[[Totals, Amount], Totals]
    beta: float

    def start(self) -> Chooser:
        """A chooser that keeps the totals of all earlier sentences."""
        totals: Totals | None = None

        def choose(statistics: Statistics) -> Chosen:
            nonlocal totals
            if len(statistics.counts) == statistics.sentences:
                totals = _all_added(totals, statistics.counts)
                return Chosen.first_rows(statistics)
            counts = statistics.counts.tolist()
            picks = []
            for begin, end in itertools.pairwise(statistics.offsets.tolist()):
                best, totals = self._best(totals, counts, begin, end)
                picks.append(best)
            return Chosen.of_rows(statistics, np.array([picks], np.int64))

        return choose

    def _best(
        self, totals: Totals | None, counts: Sequence[Sequence[Amount]], begin: int, end: int
    ) -> tuple[int, Totals]:
        """The best row of a sentence, and the totals with it."""
        best, best_totals = begin, _added(totals, counts[begin])
        # A row equal to the first cannot win, so it is not compared.
        rivals = [row for row in range(begin + 1, end) if counts[row] != counts[begin]]
        best_key = self.key(best_totals, self.beta) if rivals else ()
        for row in rivals:
            with_row = _added(totals, counts[row])
            key = self.key(with_row, self.beta)
            if key > best_key:
                best, best_totals, best_key = row, with_row, key
        return best, best_totals

    @classmethod
    def choose_all(cls, choices: Sequence[Self], systems: Sequence[Statistics]) -> list[Chosen]:
        """All values of β and all systems go through the corpus side by side."""
        key = choices[0].key
        offsets = systems[0].offsets
        same_rows = all(np.array_equal(other.offsets, offsets) for other in systems[1:])
        if not same_rows or any(choice.key != key for choice in choices):
            return super().choose_all(choices, systems)
        betas = np.array([choice.beta for choice in choices], np.float64)
        counts = np.stack([statistics.counts for statistics in systems])
        picks = _greedy_rows(counts, offsets, lambda totals: key(totals, betas), len(betas))
        return [
            Chosen.of_rows(statistics, rows)
            for statistics, rows in zip(systems, picks, strict=True)
        ]


def _greedy_rows(
    counts: Array, offsets: Array, key: Callable[[Totals], Totals], values: int
) -> Array:
    """The rows [systems, values, sentences] that a greedy choice picks for many values of β."""
    systems, _, width = counts.shape
    totals = np.zeros((width, systems, values), counts.dtype)
    picks = np.tile(offsets[:-1], (systems, values, 1))
    columns = np.moveaxis(counts, -1, 0)[..., np.newaxis]  # [K, systems, rows, 1]
    rivals = _rivals(counts, offsets)
    for sentence, begin in enumerate(offsets[:-1].tolist()):
        best = totals + columns[:, :, begin]
        best_key = key(tuple(best)) if rivals[sentence] else ()
        for row in rivals[sentence]:
            other = totals + columns[:, :, row]
            other_key = key(tuple(other))
            wins = _larger(other_key, best_key)
            best = np.where(wins, other, best)
            best_key = tuple(
                np.where(wins, new, old) for new, old in zip(other_key, best_key, strict=True)
            )
            picks[wins, sentence] = row
        totals = best
    return picks


def _rivals(counts: Array, offsets: Array) -> list[list[int]]:
    """For each sentence the rows that differ, for some system, from the sentence's first row."""
    firsts = np.repeat(offsets[:-1], np.diff(offsets))
    differs = (counts != counts[:, firsts]).any(axis=(0, 2))
    return [
        (begin + np.flatnonzero(differs[begin:end])).tolist()
        for begin, end in itertools.pairwise(offsets.tolist())
    ]


def _larger(one: Totals, other: Totals) -> Array:
    """Where the tuple `one` is larger than `other`, element by element."""
    larger = np.zeros(np.broadcast(*one, *other).shape, bool)
    equal = np.ones_like(larger)
    for left, right in zip(one, other, strict=True):
        larger |= equal & (left > right)
        equal &= left == right
    return larger


@dataclass(frozen=True)
class BestCumulative(Choice):
    """The same as `GreedyCumulative`, with keys as in `BestLocal`. It suits many references.

    `keys` takes [rows, K], the totals so far plus the counts of each reference. It gives arrays
    [rows].
    """

    reach = "before"

    keys: Callable[[Array], Sequence[Array]]

    def start(self) -> Chooser:
        """A chooser that keeps the totals of all earlier sentences."""
        totals: Amount = 0

        def choose(statistics: Statistics) -> Chosen:
            nonlocal totals
            counts = statistics.counts
            picks = []
            for begin, end in itertools.pairwise(statistics.offsets.tolist()):
                picks.append(begin + self._best(totals, counts[begin:end]))
                totals = totals + counts[picks[-1]]
            return Chosen.of_rows(statistics, np.array([picks], np.int64))

        return choose

    def _best(self, totals: Amount, counts: Array) -> int:
        if (counts == counts[0]).all():
            return 0
        best = np.arange(len(counts))
        for key in self.keys(totals + counts):
            best = best[key[best] == key[best].max()]
        return int(best[0])


def _all_added(totals: Totals | None, counts: Array) -> Totals | None:
    """The totals with all rows added one by one, so that floats are rounded as in a loop."""
    if not len(counts):
        return totals
    rows = counts
    if totals is not None:
        rows = np.concatenate([np.array([totals], counts.dtype), counts])
    return tuple(np.add.accumulate(rows, axis=0)[-1].tolist())


def _added(totals: Totals | None, counts: Sequence[Amount]) -> Totals:
    if totals is None:
        return tuple(counts)
    return tuple([total + count for total, count in zip(totals, counts, strict=True)])


@dataclass(frozen=True)
class SeededDraws(Choice):
    """Many draws, each with one random reference per sentence.

    Draw j uses the numbers of Python 2 or 3 after `random.seed(j * step)`, and `randint` as that
    version has it.
    """

    reach = "before"

    draws: int
    step: int
    draws_by: DrawsBy = "python2"

    def start(self) -> Chooser:
        """A chooser with one generator state per draw.

        The draws of the first sentences may be kept: all systems and settings share them.
        """
        # Each draw has a generator of 2.5 kB, and each system its own: they are made when needed,
        # that is for a second block of sentences.
        generators: SeededPicks | None = None
        # What the generators must pass before they draw for later sentences: those of the first
        # block, and those with one reference, which use up random numbers, too.
        first = np.zeros(0, np.int64)
        single = 0

        def choose(statistics: Statistics) -> Chosen:
            nonlocal generators, first, single
            if len(statistics.counts) == statistics.sentences:
                single += statistics.sentences
                return Chosen.first_rows(statistics)
            check_draws(self.draws, statistics.sentences)
            if generators is None:
                if len(first) + single == 0:
                    first = statistics.rows
                    return Chosen(statistics, self._picks_of_first(first))
                generators = SeededPicks(self.draws, self.step, self.draws_by)
            passed = len(first) + single
            references = np.concatenate([first, np.ones(single, np.int64), statistics.rows])
            first, single = first[:0], 0
            return Chosen(statistics, generators.next(references, passed))

        return choose

    def _picks_of_first(self, references: Array) -> Array:
        """The picks of all draws in the first sentences, which have so many references."""
        if self.draws * len(references) <= _MOST_KEPT_PICKS:
            return _kept_picks(self, references.tobytes())
        return first_picks(self.draws, self.step, self.draws_by, references)


# A byte for each sentence and draw, where no sentence has more than 256 references.
_MOST_KEPT_PICKS = 16_000_000


@lru_cache(maxsize=4)
def _kept_picks(choice: SeededDraws, references: bytes) -> Array:
    """The picks of all draws. They depend only on how many references each sentence has."""
    numbers = np.frombuffer(references, np.int64)
    picks = first_picks(choice.draws, choice.step, choice.draws_by, numbers)
    picks.flags.writeable = False
    return picks


@dataclass(frozen=True)
class MeanOverReferences(Choice):
    """No choice: all references count, with equal weights."""

    def start(self) -> Chooser:
        """A chooser; it remembers nothing between sentences."""
        return lambda statistics: Chosen(statistics, None)


@dataclass(frozen=True)
class Pooled(Choice):
    """No choice: each sentence has one row, for all references together or for none."""

    def start(self) -> Chooser:
        """A chooser; there is nothing to choose."""
        return lambda statistics: Chosen.first_rows(statistics, pooled=True)
