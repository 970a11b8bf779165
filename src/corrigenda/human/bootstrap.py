"""How certain a ranking is: judgments drawn anew, intervals, and clusters of systems."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError
from corrigenda.judgments import LOSS, TIE, Integers, Pairs

Unit = Literal["rankings", "pairs"]
Array = npt.NDArray[Any]
_AT_ONCE = 64


def resampled_outcomes(pairs: Pairs, resamples: int, unit: Unit, seed: int) -> Array:
    """Wins and ties [resamples, systems, systems, 2] of judgments drawn with replacement.

    `rankings` draws whole rankings, because the pairs of one ranking depend on each other; `pairs` draws
    single pairs, as the WMT scripts do.
    """
    if len(pairs) == 0:
        raise CorrigendaError("there are no pairs of systems to draw from")
    size = len(pairs.systems)
    generator = np.random.default_rng(seed)
    drawn = (_by_ranking if unit == "rankings" else _by_pair)(pairs, resamples, generator)
    counted = drawn.reshape(resamples, 2, size, size)
    # A tie was counted once, where the first system's row meets the second's column; it concerns both.
    ties = counted[:, 1] + np.swapaxes(counted[:, 1], 1, 2)
    return np.stack([counted[:, 0], ties], axis=-1)


def _kinds(pairs: Pairs) -> Integers:
    """For each pair which of 2 · systems² things it is: a win of i over j, or, after them, a tie of i and j."""
    size = len(pairs.systems)
    winner = np.where(pairs.outcome == LOSS, pairs.second, pairs.first)
    loser = np.where(pairs.outcome == LOSS, pairs.first, pairs.second)
    return np.asarray(winner * size + loser + np.where(pairs.outcome == TIE, size * size, 0))


def _by_pair(pairs: Pairs, resamples: int, generator: np.random.Generator) -> Integers:
    """Drawing n of n pairs is one multinomial draw over what a pair can be."""
    counted = np.bincount(_kinds(pairs), minlength=2 * len(pairs.systems) ** 2)
    return generator.multinomial(len(pairs), counted / counted.sum(), size=resamples)


def _by_ranking(pairs: Pairs, resamples: int, generator: np.random.Generator) -> Integers:
    """How often each ranking is drawn, times what is in it."""
    rankings = int(pairs.ranking.max()) + 1
    in_ranking = np.zeros((rankings, 2 * len(pairs.systems) ** 2))
    np.add.at(in_ranking, (pairs.ranking, _kinds(pairs)), 1)
    parts = []
    for begin in range(0, resamples, _AT_ONCE):
        count = min(_AT_ONCE, resamples - begin)
        drawn = generator.multinomial(rankings, np.full(rankings, 1 / rankings), size=count)
        parts.append(drawn.astype(np.float64) @ in_ranking)
    return np.rint(np.concatenate(parts)).astype(np.int64)


def intervals(samples: Array, confidence: float) -> tuple[Array, Array]:
    """The bounds [systems] between which the middle part of the samples [resamples, systems] lies."""
    outside = (1 - confidence) / 2
    low, high = np.quantile(samples, [outside, 1 - outside], axis=0)
    return low, high


def ranks(scores: Array) -> npt.NDArray[np.int64]:
    """Ranks [..., systems] of scores, 1 the best; equal scores share the better rank."""
    scores = np.asarray(scores)
    return np.asarray(1 + (scores[..., np.newaxis, :] > scores[..., :, np.newaxis]).sum(axis=-1))


def rank_intervals(
    samples: Array, confidence: float
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The best and the worst rank of each system among the middle part of the samples."""
    outside = (1 - confidence) / 2
    observed = ranks(samples)
    low = np.quantile(observed, outside, axis=0, method="lower")
    high = np.quantile(observed, 1 - outside, axis=0, method="higher")
    return low.astype(np.int64), high.astype(np.int64)


def clusters(order: Array, best: Array, worst: Array) -> list[int]:
    """The cluster, from 1, of each system in `order` (best first).

    A new one begins where nobody from there on may be ranked as high as somebody before may be low.
    """
    numbers: list[int] = []
    current = 1
    for place in range(len(order)):
        current += bool(place) and bool(best[order[place:]].min() > worst[order[:place]].max())
        numbers.append(current)
    return numbers
