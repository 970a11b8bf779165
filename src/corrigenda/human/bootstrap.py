"""How certain a ranking is: resampled judgments, intervals, and clusters of systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.resolution import alpha_of
from corrigenda.errors import CorrigendaError
from corrigenda.judgments import LOSS, TIE, Integers, Pairs

ResampledUnit = Literal["sentences", "judges+sentences", "rankings", "pairs"]
UNITS: tuple[ResampledUnit, ...] = ("sentences", "judges+sentences", "rankings", "pairs")
Floats = npt.NDArray[np.float64]
_AT_ONCE = 64
_CELLS_AT_ONCE = 4_000_000
"""Numbers of one table of draws: 32 MB."""
_FULL = 4
"""A larger table is a matrix if it has at most so many cells per cell that is not 0."""


def resampled_outcomes(pairs: Pairs, resamples: int, unit: ResampledUnit, seed: int) -> Integers:
    """Wins and ties [resamples, systems, systems, 2] of judgments drawn with replacement."""
    return np.concatenate([*outcome_batches(pairs, resamples, unit, seed)])


def outcome_batches(
    pairs: Pairs, resamples: int, unit: ResampledUnit, seed: int
) -> Iterator[Integers]:
    """Wins and ties [some resamples, systems, systems, 2] of judgments drawn with replacement.

    `sentences` draws sentences with all their rankings, because the rankings of one sentence depend
    on each other. `judges+sentences` draws sentences and judges; a ranking counts as often as its
    sentence and its judge were drawn together. `rankings` draws whole rankings. `pairs` draws
    single pairs, as the WMT scripts do.
    """
    if len(pairs) == 0:
        raise CorrigendaError(
            "there are no pairs of systems to draw from",
            remedy="Give judgments that rank outputs of at least two systems together.",
        )
    kinds, numbers = np.unique(_kinds(pairs), return_inverse=True)
    numbers = numbers.reshape(-1)
    generator = np.random.default_rng(seed)
    for drawn in _DRAWS[unit](pairs, numbers, resamples, generator):
        yield from _outcomes(drawn, kinds, len(pairs.systems))


def weighted_outcomes(pairs: Pairs, sentence: Integers, weights: Floats) -> Iterator[Integers]:
    """Wins and ties [some resamples, systems, systems, 2] of sentences that count so often.

    `sentence` has the sentence of each pair. `weights` [resamples, sentences] are whole numbers.
    """
    kinds, numbers = np.unique(_kinds(pairs), return_inverse=True)
    table = _KindTable(sentence, numbers.reshape(-1))
    for begin in range(0, len(weights), _AT_ONCE):
        drawn = table.sums(weights[begin : begin + _AT_ONCE])
        yield from _outcomes(drawn, kinds, len(pairs.systems))


def _outcomes(drawn: Integers, kinds: Integers, size: int) -> Iterator[Integers]:
    """Wins and ties [some resamples, size, size, 2] of counts [resamples, some kinds]."""
    at_once = max(1, _CELLS_AT_ONCE // (2 * size**2))
    for begin in range(0, len(drawn), at_once):
        part = drawn[begin : begin + at_once]
        counted = np.zeros((len(part), 2 * size**2), np.int64)
        counted[:, kinds] = part
        yield _outcomes_of_kinds(counted, size)


def units_of(pairs: Pairs, unit: ResampledUnit) -> int:
    """How many units there are to draw from; of judges and sentences, the sentences."""
    if unit == "pairs":
        return len(pairs)
    return len(np.unique(pairs.ranking if unit == "rankings" else pairs.sentence))


def _outcomes_of_kinds(counted: Integers, size: int) -> Integers:
    """Wins and ties [resamples, systems, systems, 2] of counts of kinds [resamples, kinds]."""
    counted = counted.reshape(len(counted), 2, size, size)
    # Each tie is counted in one cell only, (first, second); it also belongs to (second, first).
    ties = counted[:, 1] + np.swapaxes(counted[:, 1], 1, 2)
    return np.stack([counted[:, 0], ties], axis=-1)


def _kinds(pairs: Pairs) -> Integers:
    """The kind of each pair, out of 2 · systems² kinds. Few of them may occur.

    Kind i · systems + j is a win of i over j. A tie of i and j has the same number plus systems².
    """
    size = len(pairs.systems)
    winner = np.where(pairs.outcome == LOSS, pairs.second, pairs.first)
    loser = np.where(pairs.outcome == LOSS, pairs.first, pairs.second)
    return np.asarray(winner * size + loser + np.where(pairs.outcome == TIE, size * size, 0))


def _by_pair(
    pairs: Pairs, numbers: Integers, resamples: int, generator: np.random.Generator
) -> Iterator[Integers]:
    """The kinds of n drawn pairs. Drawing n pairs is one multinomial draw over the kinds."""
    # A last kind without pairs: numpy draws the last kind in another way than the others.
    counted = np.append(np.bincount(numbers), 0)
    for count in _batches(resamples, len(counted)):
        drawn = generator.multinomial(len(pairs), counted / counted.sum(), size=count)
        yield drawn[:, :-1]


def _by_ranking(
    pairs: Pairs, numbers: Integers, resamples: int, generator: np.random.Generator
) -> Iterator[Integers]:
    """The kinds in drawn rankings."""
    return _by_unit(pairs.ranking, numbers, resamples, generator)


def _by_sentence(
    pairs: Pairs, numbers: Integers, resamples: int, generator: np.random.Generator
) -> Iterator[Integers]:
    """The kinds in drawn sentences."""
    return _by_unit(_numbered(pairs.sentence), numbers, resamples, generator)


def _by_unit(
    units: Integers, numbers: Integers, resamples: int, generator: np.random.Generator
) -> Iterator[Integers]:
    """How often each unit is drawn, times its kinds."""
    table = _KindTable(units, numbers)
    for drawn in _drawn(table.units, resamples, generator, most=table.longest):
        yield table.sums(drawn)


def _by_judge_and_sentence(
    pairs: Pairs, numbers: Integers, resamples: int, generator: np.random.Generator
) -> Iterator[Integers]:
    """The kinds in drawn judges and drawn sentences (the pigeonhole bootstrap of Owen 2007)."""
    judges, sentences = _numbered(pairs.judge), _numbered(pairs.sentence)
    count = int(sentences.max()) + 1
    cells = _numbered(judges * count + sentences)
    table = _KindTable(cells, numbers)
    judge_of, sentence_of = np.zeros((2, table.units), np.int64)
    judge_of[cells], sentence_of[cells] = judges, sentences
    other = generator.spawn(1)[0]
    for drawn_judges, drawn_sentences in zip(
        _drawn(int(judges.max()) + 1, resamples, other, most=table.longest),
        _drawn(count, resamples, generator, most=table.longest),
        strict=True,
    ):
        yield table.sums(drawn_judges[:, judge_of] * drawn_sentences[:, sentence_of])


class _KindTable:
    """How many pairs of each kind belong to each unit: cells that are not 0, in order of kinds."""

    def __init__(self, units: Integers, numbers: Integers) -> None:
        self.units = int(units.max()) + 1
        self._kinds = int(numbers.max()) + 1
        cells, self._counts = np.unique(numbers * self.units + units, return_counts=True)
        self._unit = cells % self.units
        self._begins = np.searchsorted(cells // self.units, np.arange(self._kinds))
        self.longest = max(self.units, self._kinds)
        # A matrix is quicker, and takes little more than the cells if few of its cells are 0.
        is_small = self.units * self._kinds <= max(_CELLS_AT_ONCE, _FULL * len(cells))
        self._dense = self._as_matrix(cells) if is_small else None

    def _as_matrix(self, cells: Integers) -> Floats:
        matrix = np.zeros((self.units, self._kinds))
        matrix[self._unit, cells // self.units] = self._counts
        return matrix

    def sums(self, drawn: Floats) -> Integers:
        """The kinds [resamples, kinds] of units that were drawn so often [resamples, units]."""
        if self._dense is not None:
            return np.asarray(np.rint(drawn[:, : self.units] @ self._dense), np.int64)
        # Whole numbers: the order of the sum changes nothing.
        rows = [np.add.reduceat(row[self._unit] * self._counts, self._begins) for row in drawn]
        return np.asarray(np.rint(np.stack(rows)), np.int64)


def _numbered(units: Integers) -> Integers:
    """The same units, numbered from 0 without gaps: units without pairs are not drawn."""
    return np.asarray(np.unique(units, return_inverse=True)[1].reshape(-1))


def _drawn(
    units: int, resamples: int, generator: np.random.Generator, *, most: int | None = None
) -> Iterator[Floats]:
    """How often each unit is drawn in each resample, in batches [some resamples, units].

    `most` is the size of the largest row that is made of them (default: `units`).
    """
    for count in _batches(resamples, most or units):
        drawn = generator.multinomial(units, np.full(units, 1 / units), size=count)
        yield drawn.astype(np.float64)


def _batches(resamples: int, size: int) -> Iterator[int]:
    """The numbers of resamples with rows of this size that are made at a time."""
    at_once = max(1, min(_AT_ONCE, _CELLS_AT_ONCE // size))
    for begin in range(0, resamples, at_once):
        yield min(at_once, resamples - begin)


_Draw = Callable[[Pairs, Integers, int, np.random.Generator], Iterator[Integers]]
_DRAWS: dict[ResampledUnit, _Draw] = {
    "sentences": _by_sentence,
    "judges+sentences": _by_judge_and_sentence,
    "rankings": _by_ranking,
    "pairs": _by_pair,
}


def intervals(samples: Floats, confidence: float) -> tuple[Floats, Floats]:
    """The bounds [systems] of the middle `confidence` part of samples [resamples, systems]."""
    outside = alpha_of(confidence) / 2
    low, high = np.quantile(samples, [outside, 1 - outside], axis=0)
    return low, high


def ranks_of_samples(scores: npt.ArrayLike) -> Integers:
    """The ranks [..., systems] of scores; 1 is best, and equal scores share the better rank."""
    scores = np.asarray(scores)
    systems = scores.shape[-1]
    rows = scores.reshape(-1, systems)
    at_once = max(1, _CELLS_AT_ONCE // max(1, systems**2))
    ranks = np.ones(rows.shape, np.int64)
    for begin in range(0, len(rows), at_once):
        part = rows[begin : begin + at_once]
        ranks[begin : begin + at_once] += (part[..., np.newaxis, :] > part[..., :, np.newaxis]).sum(
            axis=-1
        )
    return ranks.reshape(scores.shape)


def rank_intervals(samples: Floats, confidence: float) -> tuple[Integers, Integers]:
    """The best and the worst rank of each system in the middle `confidence` part of the samples."""
    outside = alpha_of(confidence) / 2
    observed = ranks_of_samples(samples)
    low = np.quantile(observed, outside, axis=0, method="lower")
    high = np.quantile(observed, 1 - outside, axis=0, method="higher")
    return low.astype(np.int64), high.astype(np.int64)


def clusters(order: Integers, best: Integers, worst: Integers) -> list[int]:
    """The cluster, counted from 1, of each system in `order` (best first).

    A new cluster begins where no later system's best rank reaches an earlier system's worst rank.
    """
    numbers: list[int] = []
    current = 1
    for place in range(len(order)):
        current += bool(place) and bool(best[order[place:]].min() > worst[order[:place]].max())
        numbers.append(current)
    return numbers
