"""The model of Bradley and Terry with ties (Davidson 1970).

A system i has a strength a_i. Of two systems, i wins with a probability in proportion to e^a_i, j
wins in proportion to e^a_j, and they tie in proportion to ν·e^((a_i + a_j)/2). The strengths are
those that make the judgments most likely. They have the mean 0, and e^(a_i - a_j) is the odds that
i wins against j where one of them wins.

A system that won all its pairs would have an infinite strength. A weak normal prior (standard
deviation 10 for each a_i and for log ν) keeps every strength finite, and hardly moves the others.
Nothing is random here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corrigenda.judgments import Pairs

Floats = npt.NDArray[np.float64]
PRIOR_DEVIATION = 10.0
_STEPS = 100
_CLOSE_ENOUGH = 1e-10
_LONGEST_STEP = 2.0
_AT_ONCE = 256
_CELLS_AT_ONCE = 1_000_000
"""Models times groups times pairs of systems that are fitted at a time: some 100 MB."""


@dataclass(frozen=True)
class Strengths:
    """The strengths [..., systems], and log ν [..., groups], of the fitted models."""

    systems: Floats
    log_ties: Floats

    def win_probability(self, first: int, second: int, group: int = 0) -> Floats:
        """The probability that the first system wins against the second."""
        gap = self.systems[..., first] - self.systems[..., second]
        ties = np.exp(self.log_ties[..., group])
        return np.asarray(1 / (1 + np.exp(-gap) + ties * np.exp(-gap / 2)))


def fitted(wins: npt.ArrayLike, ties: npt.ArrayLike) -> Strengths:
    """The strengths of models, from wins and ties [models, groups, systems, systems].

    Ties are symmetric: the tie of i and j counts once in [i, j] and once in [j, i]. Each group of
    judgments has its own ν: a group may be a judge, since some judges tie more often than others.
    """
    wins, ties = np.asarray(wins, np.float64), np.asarray(ties, np.float64)
    at_once = max(1, min(_AT_ONCE, _CELLS_AT_ONCE // max(1, math.prod(wins.shape[1:]))))
    parts = [
        _newton(wins[begin : begin + at_once], ties[begin : begin + at_once])
        for begin in range(0, len(wins), at_once)
    ]
    systems = wins.shape[-1]
    found = np.concatenate(parts)
    strengths = found[:, :systems]
    return Strengths(strengths - strengths.mean(axis=1, keepdims=True), found[:, systems:])


def _newton(wins: Floats, ties: Floats) -> Floats:
    """The largest posterior of each model, by Newton's method; it is concave."""
    models, groups, systems, _ = wins.shape
    met = wins + np.swapaxes(wins, 2, 3) + ties
    lead = (wins - np.swapaxes(wins, 2, 3)).sum(axis=(1, 3)) / 2
    tied = ties.sum(axis=(2, 3)) / 2
    found = np.zeros((models, systems + groups))
    precision = PRIOR_DEVIATION**-2
    ones = np.arange(systems)
    for _ in range(_STEPS):
        win, loss, tie = _chances(found[:, :systems], found[:, systems:])
        gap = win - loss
        gradient = -precision * found
        gradient[:, :systems] += lead - (met * gap).sum(axis=(1, 3)) / 2
        gradient[:, systems:] += tied - (met * tie).sum(axis=(2, 3)) / 2
        hessian = np.zeros((models, systems + groups, systems + groups))
        spread = (met * (win + loss - gap**2) / 4).sum(axis=1)
        hessian[:, :systems, :systems] = -spread
        hessian[:, ones, ones] = spread.sum(axis=2)
        mixed = -(met * tie * gap / 2).sum(axis=3)
        hessian[:, systems:, :systems] = mixed
        hessian[:, :systems, systems:] = np.swapaxes(mixed, 1, 2)
        places = np.arange(systems, systems + groups)
        hessian[:, places, places] += (met * tie * (1 - tie)).sum(axis=(2, 3)) / 2
        every = np.arange(systems + groups)
        hessian[:, every, every] += precision
        step = np.linalg.solve(hessian, gradient[..., np.newaxis])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        found += step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))
        if longest.max() < _CLOSE_ENOUGH:
            break
    return found


def _chances(systems: Floats, log_ties: Floats) -> Floats:
    """The chances [3, models, groups, systems, systems] that one wins, loses and ties."""
    half = (systems[:, np.newaxis, :, np.newaxis] - systems[:, np.newaxis, np.newaxis, :]) / 2
    even = np.broadcast_to(
        log_ties[:, :, np.newaxis, np.newaxis], (*log_ties.shape, *half.shape[2:])
    )
    logits = np.stack([half + 0 * even, -half + 0 * even, even])
    logits -= logits.max(axis=0)
    chances = np.exp(logits, out=logits)
    chances /= chances.sum(axis=0)
    return chances


def strengths(pairs: Pairs, *, judge_effects: bool = False) -> Strengths:
    """The model of some judgments; with `judge_effects` each judge has a ν of their own."""
    size = len(pairs.systems)
    groups = np.unique(pairs.judge, return_inverse=True)[1].reshape(-1) if judge_effects else None
    count = 1 if groups is None or not len(groups) else int(groups.max()) + 1
    place = np.zeros(len(pairs), np.int64) if groups is None else groups
    wins, ties = np.zeros((2, 1, count, size, size))
    won = pairs.outcome > 0
    lost = pairs.outcome < 0
    even = pairs.outcome == 0
    np.add.at(wins[0], (place[won], pairs.first[won], pairs.second[won]), 1)
    np.add.at(wins[0], (place[lost], pairs.second[lost], pairs.first[lost]), 1)
    np.add.at(ties[0], (place[even], pairs.first[even], pairs.second[even]), 1)
    np.add.at(ties[0], (place[even], pairs.second[even], pairs.first[even]), 1)
    found = fitted(wins, ties)
    return Strengths(found.systems[0], found.log_ties[0])


def scores(pairs: Pairs, *, runs: int, seed: int) -> Floats:
    """The strength of each system; nothing is random here."""
    return strengths(pairs).systems


def resampled_scores(
    pairs: Pairs, outcomes: Iterable[npt.NDArray[np.int64]], *, seed: int
) -> Floats:
    """The strengths [resamples, systems] of resampled wins and ties."""
    wins_and_ties = (np.moveaxis(batch[:, np.newaxis], -1, 0) for batch in outcomes)
    return np.concatenate([fitted(wins, ties).systems for wins, ties in wins_and_ties])
