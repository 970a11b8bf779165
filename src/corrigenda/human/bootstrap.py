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


def resampled_outcomes(pairs: Pairs, resamples: int, unit: ResampledUnit, seed: int) -> Integers:
    """Wins and ties [resamples, systems, systems, 2] of judgments drawn with replacement.

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
    generator = np.random.default_rng(seed)
    return outcomes_of_kinds(_DRAWS[unit](pairs, resamples, generator), len(pairs.systems))


def units_of(pairs: Pairs, unit: ResampledUnit) -> int:
    """How many units there are to draw from; of judges and sentences, the sentences."""
    if unit == "pairs":
        return len(pairs)
    return len(np.unique(pairs.ranking if unit == "rankings" else pairs.sentence))


def outcomes_of_kinds(counted: Integers, size: int) -> Integers:
    """Wins and ties [resamples, systems, systems, 2] of counts of kinds [resamples, kinds]."""
    counted = counted.reshape(len(counted), 2, size, size)
    # Each tie is counted in one cell only, (first, second); it also belongs to (second, first).
    ties = counted[:, 1] + np.swapaxes(counted[:, 1], 1, 2)
    return np.stack([counted[:, 0], ties], axis=-1)


def _kinds(pairs: Pairs) -> Integers:
    """The kind of each pair, out of 2 · systems² kinds.

    Kind i · systems + j is a win of i over j. A tie of i and j has the same number plus systems².
    """
    size = len(pairs.systems)
    winner = np.where(pairs.outcome == LOSS, pairs.second, pairs.first)
    loser = np.where(pairs.outcome == LOSS, pairs.first, pairs.second)
    return np.asarray(winner * size + loser + np.where(pairs.outcome == TIE, size * size, 0))


def pair_kinds(units: Integers, pairs: Pairs, count: int | None = None) -> Floats:
    """How many pairs of each kind belong to each unit: [units, kinds]."""
    number = int(units.max()) + 1 if count is None else count
    counted = np.zeros((number, 2 * len(pairs.systems) ** 2))
    np.add.at(counted, (units, _kinds(pairs)), 1)
    return counted


def _by_pair(pairs: Pairs, resamples: int, generator: np.random.Generator) -> Integers:
    """The kinds of n drawn pairs. Drawing n pairs is one multinomial draw over the kinds."""
    counted = np.bincount(_kinds(pairs), minlength=2 * len(pairs.systems) ** 2)
    return generator.multinomial(len(pairs), counted / counted.sum(), size=resamples)


def _by_ranking(pairs: Pairs, resamples: int, generator: np.random.Generator) -> Integers:
    """The kinds in drawn rankings."""
    return _by_unit(pairs.ranking, pairs, resamples, generator)


def _by_sentence(pairs: Pairs, resamples: int, generator: np.random.Generator) -> Integers:
    """The kinds in drawn sentences."""
    return _by_unit(_numbered(pairs.sentence), pairs, resamples, generator)


def _by_unit(
    units: Integers, pairs: Pairs, resamples: int, generator: np.random.Generator
) -> Integers:
    """How often each unit is drawn, times its kinds."""
    counted = pair_kinds(units, pairs)
    parts = [drawn @ counted for drawn in _drawn(len(counted), resamples, generator)]
    return np.rint(np.concatenate(parts)).astype(np.int64)


def _by_judge_and_sentence(
    pairs: Pairs, resamples: int, generator: np.random.Generator
) -> Integers:
    """The kinds in drawn judges and drawn sentences (the pigeonhole bootstrap of Owen 2007)."""
    judges, sentences = _numbered(pairs.judge), _numbered(pairs.sentence)
    count = int(sentences.max()) + 1
    cells = _numbered(judges * count + sentences)
    counted = pair_kinds(cells, pairs)
    judge_of, sentence_of = np.zeros((2, len(counted)), np.int64)
    judge_of[cells], sentence_of[cells] = judges, sentences
    parts = [
        (by_judge[:, judge_of] * by_sentence[:, sentence_of]) @ counted
        for by_judge, by_sentence in zip(
            _drawn(int(judges.max()) + 1, resamples, generator.spawn(1)[0]),
            _drawn(count, resamples, generator),
            strict=True,
        )
    ]
    return np.rint(np.concatenate(parts)).astype(np.int64)


def _numbered(units: Integers) -> Integers:
    """The same units, numbered from 0 without gaps: units without pairs are not drawn."""
    return np.asarray(np.unique(units, return_inverse=True)[1].reshape(-1))


def _drawn(units: int, resamples: int, generator: np.random.Generator) -> Iterator[Floats]:
    """How often each unit is drawn in each resample, in batches [some resamples, units]."""
    for begin in range(0, resamples, _AT_ONCE):
        count = min(_AT_ONCE, resamples - begin)
        drawn = generator.multinomial(units, np.full(units, 1 / units), size=count)
        yield drawn.astype(np.float64)


_DRAWS: dict[ResampledUnit, Callable[[Pairs, int, np.random.Generator], Integers]] = {
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
    return np.asarray(1 + (scores[..., np.newaxis, :] > scores[..., :, np.newaxis]).sum(axis=-1))


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
