"""A ranking of systems from judgments: scores, intervals, clusters, and what they rest on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError
from corrigenda.human import bootstrap
from corrigenda.human.bootstrap import Unit
from corrigenda.human.expected_wins import expected_wins, undecided_pairs
from corrigenda.human.trueskill import trueskill
from corrigenda.judgments import Judgments, Pairs

Method = Literal["expected-wins", "trueskill"]
METHODS: tuple[Method, ...] = ("expected-wins", "trueskill")
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RankedSystem:
    """A system's place: ranks and clusters count from 1; intervals are None without a bootstrap."""

    name: str
    score: float
    rank: int
    interval: tuple[float, float] | None = None
    rank_interval: tuple[int, int] | None = None
    cluster: int | None = None


@dataclass(frozen=True)
class SystemRanking:
    """Systems, best first, and the head-to-head counts that the ranking rests on."""

    method: Method
    systems: tuple[RankedSystem, ...]
    pairs: Pairs
    undecided: tuple[tuple[str, str], ...]

    def scores(self) -> dict[str, float]:
        """The score of every system."""
        return {system.name: system.score for system in self.systems}

    def to_dict(self) -> dict[str, Any]:
        """The ranking as plain Python values, ready for JSON."""
        wins, ties = self.pairs.wins(), self.pairs.tied()
        names = self.pairs.systems
        return {
            "method": self.method,
            "pairs": len(self.pairs),
            "decided": len(self.pairs) - self.pairs.ties,
            "ties": self.pairs.ties,
            "systems": [_system_dict(system) for system in self.systems],
            "head_to_head": {
                name: {
                    other: {
                        "wins": int(wins[i, j]),
                        "losses": int(wins[j, i]),
                        "ties": int(ties[i, j]),
                    }
                    for j, other in enumerate(names)
                    if i != j
                }
                for i, name in enumerate(names)
            },
            "never_decided": [list(pair) for pair in self.undecided],
        }


def _system_dict(system: RankedSystem) -> dict[str, Any]:
    return {
        "system": system.name,
        "score": system.score,
        "rank": system.rank,
        "interval": None if system.interval is None else list(system.interval),
        "rank_interval": None if system.rank_interval is None else list(system.rank_interval),
        "cluster": system.cluster,
    }


def rank(
    judgments: Judgments,
    method: Method = "expected-wins",
    *,
    resamples: int = 0,
    unit: Unit = "rankings",
    confidence: float = 0.95,
    runs: int = 100,
    seed: int = 0,
) -> SystemRanking:
    """The ranking; with `resamples`, also intervals and clusters by a bootstrap over the judgments.

    `runs` is the number of repetitions whose means are TrueSkill's scores.
    """
    pairs = judgments.pairs
    if len(pairs) == 0:
        raise CorrigendaError(
            "no two systems were judged together",
            remedy="A ranking needs outputs of at least two systems.",
        )
    if method == "expected-wins":
        scores = expected_wins(pairs.wins())
    else:
        scores = np.asarray(trueskill(pairs, runs=runs, seed=seed).mu.mean(axis=0))
    samples = _samples(pairs, method, resamples, unit, seed) if resamples else None
    undecided = [(pairs.systems[i], pairs.systems[j]) for i, j in undecided_pairs(pairs.wins())]
    return SystemRanking(
        method, _ranked(pairs.systems, scores, samples, confidence), pairs, tuple(undecided)
    )


def _samples(pairs: Pairs, method: Method, resamples: int, unit: Unit, seed: int) -> Floats:
    outcomes = bootstrap.resampled_outcomes(pairs, resamples, unit, seed)
    if method == "expected-wins":
        return expected_wins(outcomes[..., 0])
    return trueskill(pairs, runs=resamples, seed=seed, outcomes=outcomes).mu


def _ranked(
    names: tuple[str, ...], scores: Floats, samples: Floats | None, confidence: float
) -> tuple[RankedSystem, ...]:
    places = bootstrap.ranks(scores)
    order = np.lexsort((np.arange(len(names)), -scores))
    if samples is None:
        return tuple(RankedSystem(names[i], float(scores[i]), int(places[i])) for i in order)
    low, high = bootstrap.intervals(samples, confidence)
    best, worst = bootstrap.rank_intervals(samples, confidence)
    clusters = bootstrap.clusters(order, best, worst)
    return tuple(
        RankedSystem(
            names[i],
            float(scores[i]),
            int(places[i]),
            (float(low[i]), float(high[i])),
            (int(best[i]), int(worst[i])),
            cluster,
        )
        for i, cluster in zip(order.tolist(), clusters, strict=True)
    )
