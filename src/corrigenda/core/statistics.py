"""Counts per sentence and reference, and the counts that a choice of references selects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from corrigenda.core.exact_sum import ExactSum
from corrigenda.core.weighted_sums import weighted_sums
from corrigenda.corpus.packed import offsets_of
from corrigenda.errors import CorrigendaError

_DRAWS_AT_ONCE = 50
_CELLS_AT_ONCE = 2_000_000
"""The counts of several draws that are in memory at a time."""
Array = npt.NDArray[Any]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SharedRows:
    """Which references the rows stand for, where references with equal counts share a row.

    The first of them counts: choices prefer the first of equal rows.
    """

    first: Offsets
    """For each row, the place of the first such reference in its sentence."""
    references: Offsets
    """The number of references of each sentence."""


@dataclass(frozen=True)
class Statistics:
    """Counts [rows, K]: one row per reference of each sentence.

    The rows of sentence i are `offsets[i]` up to `offsets[i + 1]`, in the order of its references.
    A metric that pools references, or needs none, has one row per sentence. Counts are int64, or
    float64 if the metric counts weights. `remarks` are numbers that a reader of the score should
    know; they add up over blocks. `shared` is given if references with equal counts share a row.
    """

    counts: Array
    offsets: Offsets
    remarks: Mapping[str, int] = field(default_factory=dict)
    shared: SharedRows | None = None

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    @property
    def rows(self) -> Offsets:
        """The number of rows of each sentence."""
        return np.diff(self.offsets)

    @property
    def references(self) -> Offsets:
        """The number of references of each sentence."""
        return self.rows if self.shared is None else self.shared.references

    @property
    def places(self) -> Offsets:
        """For each row, the place of its reference in its sentence."""
        if self.shared is not None:
            return self.shared.first
        return np.arange(len(self.counts)) - np.repeat(self.offsets[:-1], self.rows)

    def mean_over_references(self, values: Array) -> Array:
        """The mean over the rows of each sentence, for values [rows, ...]."""
        if self.sentences == 0:
            return np.zeros((0, *values.shape[1:]))
        sums = np.add.reduceat(values, self.offsets[:-1], axis=0)
        return np.asarray(sums / self.rows.reshape(-1, *[1] * (values.ndim - 1)))


@dataclass(frozen=True)
class Chosen:
    """Statistics and the row of each sentence that counts.

    `picks[draw, sentence]` is its place among the rows of the sentence. If they are None, the mean
    of all rows counts.

    Most choices have one draw. Randomly sampled references have many; their picks are small whole
    numbers of one byte, where sentences have few references. `pooled`: a row stands for all
    references of its sentence, or for none.
    """

    statistics: Statistics
    picks: npt.NDArray[Any] | None
    pooled: bool = False

    @classmethod
    def of_rows(cls, statistics: Statistics, rows: npt.NDArray[np.int64]) -> Chosen:
        """The choice of `rows[draw, sentence]`, counted from the first row of the corpus."""
        return cls(statistics, rows - statistics.offsets[:-1])

    @classmethod
    def first_rows(cls, statistics: Statistics, *, pooled: bool = False) -> Chosen:
        """The choice of the first row of each sentence, which may be its only one."""
        return cls(statistics, np.zeros((1, statistics.sentences), np.uint8), pooled)

    @property
    def rows(self) -> Offsets | None:
        """The rows [draw, sentence], counted from the first row of the corpus."""
        if self.picks is None:
            return None
        return np.asarray(self.picks + self.statistics.offsets[:-1])

    @property
    def draws(self) -> int:
        """The number of draws."""
        return 1 if self.picks is None else len(self.picks)

    @property
    def references(self) -> npt.NDArray[np.int64] | None:
        """The index of each sentence's chosen reference; None if there is not exactly one."""
        if self.picks is None or not self.is_single or self.pooled:
            return None
        if self.statistics.shared is not None:
            return np.asarray(self.statistics.shared.first[self._rows_of(0)])
        return np.asarray(self.picks[0].astype(np.int64))

    def _rows_of(self, draw: int) -> Offsets:
        """The rows of one draw."""
        assert self.picks is not None
        return np.asarray(self.picks[draw] + self.statistics.offsets[:-1])

    @property
    def is_single(self) -> bool:
        """Whether a single row is chosen for each sentence."""
        return self.picks is not None and len(self.picks) == 1

    def draw(self, number: int) -> Chosen:
        """One of the draws; where there is only one, that one."""
        return self if self.draws == 1 else self.of_draws(np.array([number]))

    def of_draws(self, numbers: npt.NDArray[np.int64]) -> Chosen:
        """Some of the draws."""
        return replace(self, picks=None if self.picks is None else self.picks[numbers])

    def restricted(self, sentences: npt.NDArray[np.int64]) -> Chosen:
        """The same choice for some of the sentences."""
        statistics = self.statistics
        numbers = statistics.rows[sentences]
        offsets = offsets_of(numbers)
        # How far the rows of each sentence move.
        moved = statistics.offsets[:-1][sentences] - offsets[:-1]
        kept = np.arange(offsets[-1]) + np.repeat(moved, numbers)
        shared = statistics.shared and SharedRows(
            statistics.shared.first[kept], statistics.shared.references[sentences]
        )
        picks = None if self.picks is None else self.picks[:, sentences]
        restricted = Statistics(statistics.counts[kept], offsets, shared=shared)
        return replace(self, statistics=restricted, picks=picks)

    def values(self, draw: int) -> Array:
        """The counts [sentences, K] of one draw."""
        counts = self.statistics.counts
        if self.picks is None:
            return self.statistics.mean_over_references(counts)
        if len(counts) == self.statistics.sentences:
            return counts  # without a copy: each sentence has one row
        return np.asarray(counts[self._rows_of(draw)])

    def sentence_counts(self) -> Array:
        """The counts of each sentence with its chosen reference, or the mean over references."""
        if not self.is_single:
            return self.statistics.mean_over_references(self.statistics.counts)
        return self.values(0)

    def per_sentence(self, measure: Callable[[Array], Array]) -> Array:
        """A measure of each sentence alone: of its chosen row, or the mean over its rows."""
        if not self.is_single:
            return self.statistics.mean_over_references(measure(self.statistics.counts))
        return np.asarray(measure(self.values(0)))

    def totals(self, weights: Array | None = None) -> Array:
        """Sums [B, draws, K] over the sentences, one for each row of `weights` [B, sentences]."""
        if weights is None:
            return self.exact_totals().value()[np.newaxis]
        # One product for several draws is faster than one product per draw.
        cells = max(1, self.statistics.sentences * self.statistics.counts.shape[1])
        at_once = min(_DRAWS_AT_ONCE, max(1, _CELLS_AT_ONCE // cells))
        return np.concatenate(
            [
                weighted_sums(weights, [self.values(draw) for draw in draws])
                for draws in _groups(self.draws, at_once)
            ],
            axis=1,
        )

    def exact_totals(self) -> ExactSum:
        """Exact sums [draws, K] over the sentences: the sums of parts add up to the whole."""
        if self.picks is None or self.draws == 1:
            return ExactSum.stacked([ExactSum.of_rows(self.values(0))])
        if not np.issubdtype(self.statistics.counts.dtype, np.integer):
            return ExactSum.stacked(
                [ExactSum.of_rows(self.values(draw)) for draw in range(self.draws)]
            )
        return ExactSum.of_rows(self._sums_of_draws(self.picks).astype(np.int64)[np.newaxis])

    def _sums_of_draws(self, picks: Array) -> Array:
        """Sums [draws, K] of whole numbers, which floats hold exactly.

        The first reference of each sentence, and what another one adds to it: for each place, one
        matrix product of which draws take it. That table has a cell per draw and sentence, so it
        is made for some sentences at a time.
        """
        counts, references = self.statistics.counts, self.statistics.rows
        firsts = self.statistics.offsets[:-1]
        sums = np.tile(counts[firsts].sum(axis=0).astype(np.float64), (self.draws, 1))
        most = max(1, _MOST_DRAWN // self.draws)
        for place in range(1, int(references.max(initial=1))):
            having = np.flatnonzero(references > place)
            for begin in range(0, len(having), most):
                some = having[begin : begin + most]
                drawn = (picks[:, some] == place).astype(np.float64)
                others = counts[firsts[some] + place]
                sums += drawn @ (others - counts[firsts[some]]).astype(np.float64)
        rounded: Array = np.rint(sums)
        return rounded


_MOST_DRAWN = 4 << 20
"""The cells of the largest table of draws and sentences: 32 MB."""


_MOST_PICKS = 1 << 29
"""Draws times sentences: half a gigabyte, where no sentence has more than 256 references."""


def check_draws(draws: int, sentences: int) -> None:
    """Refuse to keep very many draws of references for very many sentences."""
    if draws * sentences > _MOST_PICKS and draws > 1:
        raise CorrigendaError(
            f"{draws:,} draws of a reference for each of {sentences:,} sentences need too much "
            "memory",
            remedy=f"Give at most {max(1, _MOST_PICKS // sentences):,} draws (draws=N), or fewer "
            "sentences.",
        )


def concatenate(parts: Sequence[Chosen]) -> Chosen:
    """The choices for consecutive blocks as one choice for all their sentences."""
    if len(parts) == 1:
        return parts[0]
    starts = offsets_of([len(part.statistics.counts) for part in parts]).tolist()
    offsets = [np.zeros(1, np.int64)]
    offsets += [
        part.statistics.offsets[1:] + start for part, start in zip(parts, starts, strict=False)
    ]
    remarks: Counter[str] = Counter()
    for part in parts:
        remarks.update(part.statistics.remarks)
    counts = np.concatenate([part.statistics.counts for part in parts])
    shared = _joined_rows([part.statistics for part in parts])
    statistics = Statistics(counts, np.concatenate(offsets), dict(remarks), shared)
    # A block without a choice has a single draw, which counts as each of the draws.
    draws = max(part.draws for part in parts)
    check_draws(draws, statistics.sentences)
    picks = [
        np.broadcast_to(part.picks, (draws, part.picks.shape[1]))
        for part in parts
        if part.picks is not None
    ]
    joined = np.concatenate(picks, axis=1) if picks else None
    return Chosen(statistics, joined, any(part.pooled for part in parts))


def _joined_rows(parts: Sequence[Statistics]) -> SharedRows | None:
    if all(part.shared is None for part in parts):
        return None
    return SharedRows(
        np.concatenate([part.places for part in parts]),
        np.concatenate([part.references for part in parts]),
    )


def _groups(count: int, size: int) -> Iterator[range]:
    for begin in range(0, count, size):
        yield range(begin, min(begin + size, count))
