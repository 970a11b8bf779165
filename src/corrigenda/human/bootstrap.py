"""How certain a ranking is: resampled judgments, intervals, and clusters of systems."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError
from corrigenda.judgments import LOSS, TIE, Integers, Pairs

ResampledUnit = Literal["rankings", "pairs"]
Floats = npt.NDArray[np.float64]
_AT_ONCE = 64


def resampled_outcomes(pairs: Pairs, resamples: int, unit: ResampledUnit, seed: int) -> Integers:
    """Wins and ties [resamples, systems, systems, 2] of judgments drawn with replacement.

    `rankings` draws whole rankings, because the pairs of one ranking depend on each other. `pairs`
    draws single pairs, as the WMT scripts do.
    """
    if len(pairs) == 0:
        raise CorrigendaError(
            "there are no pairs of systems to draw from",
            remedy="Give judgments that rank outputs of at least two systems together.",
        )
    size = len(pairs.systems)
    generator = np.random.default_rng(seed)
    drawn = (_by_ranking if unit == "rankings" else _by_pair)(pairs, resamples, generator)
    counted = drawn.reshape(resamples, 2, size, size)
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


def _by_pair(pairs: Pairs, resamples: int, generator: np.random.Generator) -> Integers:
    """The kinds of n drawn pairs. Drawing n pairs is one multinomial draw over the kinds."""
    counted = np.bincount(_kinds(pairs), minlength=2 * len(pairs.systems) ** 2)
    return generator.multinomial(len(pairs), counted / counted.sum(), size=resamples)


def _by_ranking(pairs: Pairs, resamples: int, generator: np.random.Generator) -> Integers:
    """The kinds in drawn rankings: how often each ranking is drawn, times its kinds."""
    rankings = int(pairs.ranking.max()) + 1
    in_ranking = np.zeros((rankings, 2 * len(pairs.systems) ** 2))
    np.add.at(in_ranking, (pairs.ranking, _kinds(pairs)), 1)
    parts = []
    for begin in range(0, resamples, _AT_ONCE):
        count = min(_AT_ONCE, resamples - begin)
        drawn = generator.multinomial(rankings, np.full(rankings, 1 / rankings), size=count)
        parts.append(drawn.astype(np.float64) @ in_ranking)
    return np.rint(np.concatenate(parts)).astype(np.int64)


def intervals(samples: Floats, confidence: float) -> tuple[Floats, Floats]:
    """The bounds [systems] of the middle `confidence` part of samples [resamples, systems]."""
    outside = (1 - confidence) / 2
    low, high = np.quantile(samples, [outside, 1 - outside], axis=0)
    return low, high


def ranks(scores: npt.ArrayLike) -> Integers:
    """The ranks [..., systems] of scores; 1 is best, and equal scores share the better rank."""
    scores = np.asarray(scores)
    return np.asarray(1 + (scores[..., np.newaxis, :] > scores[..., :, np.newaxis]).sum(axis=-1))


def rank_intervals(samples: Floats, confidence: float) -> tuple[Integers, Integers]:
    """The best and the worst rank of each system in the middle `confidence` part of the samples."""
    outside = (1 - confidence) / 2
    observed = ranks(samples)
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
