"""TrueSkill for two players, in many independent runs.

Sources: Herbrich et al. (2006), Sakaguchi et al. (2014).

The update is the same as in the `trueskill` package for two single players; a test compares them.
The order of the matches is the same as in the WMT scripts: the system with the most uncertain skill
meets a system of similar skill, and one of their judgments is drawn. All runs make each step
together, so many runs cost little more than one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError, MissingExtraError, UsageError
from corrigenda.judgments import Integers, Pairs

Floats = npt.NDArray[np.float64]
WON, DRAWN, LOST = 0, 1, 2
_STEPS_AT_ONCE = 4096
_DENSITY_AT_0 = 1 / (2 * math.pi) ** 0.5
_LEAST = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class Environment:
    """The constants of the model.

    The defaults are those of the WMT scripts, which compute `beta` from the number of matches.
    """

    mu: float = 0.0
    sigma: float = 0.5
    beta: float = 1.0
    draw_probability: float = 0.25

    @classmethod
    def of_matches(cls, matches: int) -> Environment:
        """As in the WMT scripts: with more matches, each match changes a skill less."""
        return cls(beta=cls.sigma * matches / 40)

    @cached_property
    def draw_margin(self) -> float:
        """Two performances closer than this are a draw."""
        return NormalDist().inv_cdf((self.draw_probability + 1) / 2) * 2**0.5 * self.beta


@dataclass(frozen=True)
class Skills:
    """Means and standard deviations [runs, systems] after all matches."""

    mu: Floats
    sigma: Floats


_MOST_MEETINGS = 20_000_000
"""Runs times pairs of systems: each takes some ten bytes."""


def trueskill(
    pairs: Pairs,
    *,
    runs: int = 100,
    seed: int = 0,
    outcomes: Integers | None = None,
    matches: int | None = None,
) -> Skills:
    """The skills of all systems after `matches` matches.

    The default is the number of pairs plus one, as in the WMT scripts. `outcomes`
    [runs, systems, systems, 2] may give each run its own counts (see `outcome_counts`).
    """
    systems = len(pairs.systems)
    counts = outcome_counts(pairs)[np.newaxis] if outcomes is None else outcomes
    if systems < 2 or len(pairs) == 0:
        raise CorrigendaError(
            "TrueSkill needs at least two systems that were judged together",
            remedy="Give judgments that rank outputs of at least two systems together.",
        )
    if runs * systems**2 > _MOST_MEETINGS:
        raise UsageError(
            f"{runs:,} runs of TrueSkill with {systems:,} systems need too much memory",
            remedy=f"Give at most {_MOST_MEETINGS // systems**2:,} runs or resamples, or fewer "
            "systems.",
        )
    return _Tournament(
        counts, runs, np.random.default_rng(seed), matches or len(pairs) + 1
    ).played()


def outcome_counts(pairs: Pairs) -> Integers:
    """[systems, systems, 2]: how often i won against j, and how often they were tied."""
    return np.stack([pairs.wins(), pairs.tied()], axis=-1)


def updated(
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    outcome: Integers,
    environment: Environment,
) -> tuple[Floats, Floats, Floats, Floats]:
    """The new μ and σ² of both players of each match.

    `outcome` is the result for the first player: 0 won, 1 drawn, 2 lost.
    """
    mean, variance = first
    other_mean, other_variance = second
    square = 2 * environment.beta**2 + variance + other_variance
    scale = np.sqrt(square)
    v, w = _moves((mean - other_mean) / scale, environment.draw_margin / scale, outcome)
    v /= scale
    w /= square
    return (
        mean + variance * v,
        variance * (1 - variance * w),
        other_mean - other_variance * v,
        other_variance * (1 - other_variance * w),
    )


# Bounds of the mirrored difference between the two performances, in draw margins, per outcome.
_UPPER = np.array([-1.0, 1.0, -1.0])
_LOWER = np.array([-1e30, -1.0, -1e30])
_SIDE = np.array([-1.0, 0.0, 1.0])


def _moves(difference: Floats, margin: Floats, outcome: Integers) -> tuple[Floats, Floats]:
    """How much the means move and the variances shrink: v and w of the TrueSkill paper.

    They are the mean and the loss of variance of a normal distribution that is cut to the range
    that the outcome allows. The distribution is mirrored so that its tails lie on the negative
    side; there the differences lose no digits.
    """
    side = np.where(outcome == DRAWN, np.copysign(1.0, difference), _SIDE[outcome])
    bounds = np.stack([_UPPER[outcome], _LOWER[outcome]]) * margin - side * difference
    density = np.exp(-0.5 * bounds * bounds) * _DENSITY_AT_0
    mass = np.maximum(-np.diff(_normal_cdf()(bounds), axis=0)[0], _LEAST)
    v = (density[1] - density[0]) / mass
    bounds *= density
    return side * v, v * v + (bounds[0] - bounds[1]) / mass


@cache
def _normal_cdf() -> Callable[[Floats], Floats]:
    try:
        from scipy.special import ndtr
    except ImportError as error:
        raise MissingExtraError(
            "TrueSkill needs scipy",
            remedy="pip install 'corrigenda[meta]', or use --method expected-wins.",
        ) from error
    function: Callable[[Floats], Floats] = ndtr
    return function


class _Tournament:
    """Plays the matches of all runs."""

    def __init__(
        self, counts: Integers, runs: int, generator: np.random.Generator, matches: int
    ) -> None:
        systems = counts.shape[1]
        # Among equally uncertain systems the scripts take the last name, but argmax takes the first
        # index. So the systems are in reverse order.
        counts = np.broadcast_to(counts[:, ::-1, ::-1], (runs, systems, systems, 2))
        decided = counts[..., 0] + np.swapaxes(counts[..., 0], 1, 2)
        met = decided + counts[..., 1]
        self._met = (met > 0).astype(np.float64).reshape(runs * systems, systems)
        total = np.maximum(met, 1)
        self._win = (counts[..., 0] / total).reshape(-1)
        self._win_or_tie = ((counts[..., 0] + counts[..., 1]) / total).reshape(-1)
        self._environment = Environment.of_matches(matches)
        self._generator = generator
        self._matches = matches
        self._mean = np.full((runs, systems), self._environment.mu)
        self._variance = np.full((runs, systems), self._environment.sigma**2)
        self._systems = systems
        self._rows = np.arange(runs) * systems

    def played(self) -> Skills:
        """The skills after all matches."""
        for begin in range(0, self._matches, _STEPS_AT_ONCE):
            steps = min(_STEPS_AT_ONCE, self._matches - begin)
            for opponent, outcome in self._generator.random((steps, 2, len(self._rows))):
                self._match(opponent, outcome)
        return Skills(self._mean[:, ::-1].copy(), np.sqrt(self._variance[:, ::-1]))

    def _match(self, opponent_draw: Floats, outcome_draw: Floats) -> None:
        mean, variance = self._mean.reshape(-1), self._variance.reshape(-1)
        first = self._rows + self._variance.argmax(axis=1)
        opponent = self._opponent(first, opponent_draw)
        second = self._rows + opponent
        match = first * self._systems + opponent
        outcome = (outcome_draw >= self._win[match]).astype(np.intp)
        outcome += outcome_draw >= self._win_or_tie[match]
        players = (mean[first], variance[first]), (mean[second], variance[second])
        mean[first], variance[first], mean[second], variance[second] = updated(
            *players, outcome, self._environment
        )

    def _opponent(self, first: Integers, draw: Floats) -> Integers:
        """A system drawn, by weights e^-|difference of means|, from those judged with the first."""
        weights = self._mean - self._mean.reshape(-1)[first][:, np.newaxis]
        np.abs(weights, out=weights)
        np.negative(weights, out=weights)
        np.exp(weights, out=weights)
        weights *= self._met[first]
        cumulated = weights.cumsum(axis=1)
        return np.asarray((cumulated <= (draw * cumulated[:, -1])[:, np.newaxis]).sum(axis=1))


def scores(pairs: Pairs, *, runs: int, seed: int) -> npt.NDArray[np.float64]:
    """The mean μ of each system over all runs."""
    return np.asarray(trueskill(pairs, runs=runs, seed=seed).mu.mean(axis=0))


def resampled_scores(
    pairs: Pairs, outcomes: Iterable[npt.NDArray[np.int64]], *, seed: int
) -> npt.NDArray[np.float64]:
    """The μ [resamples, systems] of resampled wins and ties, one run each."""
    drawn = np.concatenate([*outcomes])
    return trueskill(pairs, runs=len(drawn), seed=seed, outcomes=drawn).mu
