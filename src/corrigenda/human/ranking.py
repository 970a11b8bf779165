"""A ranking of systems from judgments: scores, intervals, clusters and head-to-head counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import numpy.typing as npt

from corrigenda import arguments
from corrigenda.analysis.power import Power, power_of
from corrigenda.analysis.resolution import DEFAULT_CONFIDENCE
from corrigenda.errors import CorrigendaError
from corrigenda.formats import judgments as judgments_format
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.human import bootstrap
from corrigenda.human.bootstrap import ResampledUnit
from corrigenda.human.connected import Groups, connected_groups, ordered_groups
from corrigenda.human.expected_wins import undecided_pairs
from corrigenda.human.methods import method_named
from corrigenda.judgments import Judgments, Pairs
from corrigenda.plotting import PlotPanel, PlotRow, drawn
from corrigenda.text.sentences import Path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = npt.NDArray[np.float64]


class RankedSystemData(TypedDict):
    """One system in the JSON of a ranking."""

    system: str
    score: float
    rank: int
    interval: list[float] | None
    rank_interval: list[int] | None
    cluster: int | None


class HeadToHead(TypedDict):
    """How often a system won, lost and tied against one other system."""

    wins: int
    losses: int
    ties: int


class ResamplingData(TypedDict):
    """How intervals were made, in the JSON of a ranking."""

    resamples: int
    unit: str
    confidence: float
    seed: int


class NeighbourData(TypedDict):
    """Two systems that follow each other, in the JSON of a ranking."""

    better: str
    worse: str
    difference: float
    standard_error: float
    power: float | None
    sentences: int
    sentences_needed: int | None


class RankingData(TypedDict):
    """The JSON of a ranking."""

    method: str
    resampling: ResamplingData | None
    pairs: int
    decided: int
    ties: int
    systems: list[RankedSystemData]
    neighbours: list[NeighbourData]
    head_to_head: dict[str, dict[str, HeadToHead]]
    never_decided: list[list[str]]
    connected: list[list[str]]
    ordered: list[list[str]]


@dataclass(frozen=True)
class RankedSystem:
    """The place of a system; ranks and clusters count from 1.

    Intervals and clusters are None without a bootstrap.
    """

    name: str
    score: float
    rank: int
    interval: tuple[float, float] | None = None
    rank_interval: tuple[int, int] | None = None
    cluster: int | None = None

    def to_dict(self) -> RankedSystemData:
        """The system as plain Python values, ready for JSON."""
        return {
            "system": self.name,
            "score": self.score,
            "rank": self.rank,
            "interval": None if self.interval is None else list(self.interval),
            "rank_interval": None if self.rank_interval is None else list(self.rank_interval),
            "cluster": self.cluster,
        }


@dataclass(frozen=True)
class Resampling:
    """How the intervals and the clusters of a ranking were made."""

    resamples: int
    unit: ResampledUnit
    confidence: float
    seed: int


@dataclass(frozen=True)
class NeighbourPower:
    """Two systems that follow each other, and what it takes to tell them apart."""

    better: str
    worse: str
    power: Power

    def to_dict(self) -> NeighbourData:
        """The two systems as plain Python values, ready for JSON."""
        return {
            "better": self.better,
            "worse": self.worse,
            "difference": self.power.difference,
            "standard_error": self.power.spread,
            "power": self.power.power,
            "sentences": self.power.units,
            "sentences_needed": self.power.needed,
        }


@dataclass(frozen=True)
class SystemRanking(Tabular):
    """The systems, best first, and the pairs that the ranking was computed from."""

    method: str
    systems: tuple[RankedSystem, ...]
    pairs: Pairs
    undecided: tuple[tuple[str, str], ...]
    resampling: Resampling | None = None
    neighbours: tuple[NeighbourPower, ...] = ()
    """Every two systems that follow each other; none without a bootstrap."""
    connected: tuple[tuple[str, ...], ...] = ()
    """The systems that judgments connect. Scores of different groups do not compare."""
    ordered: tuple[tuple[str, ...], ...] = ()
    """Groups of systems, best first: in a group each won, directly or through others, against each
    other one. Between groups the distance of strengths is not known."""

    def __repr__(self) -> str:
        names = ", ".join(system.name for system in self.systems)
        return f"<ranking by {self.method}: {names}>"

    def columns(self) -> FrameColumns:
        """A row per system, best first."""
        return {
            "rank": [system.rank for system in self.systems],
            "system": [system.name for system in self.systems],
            "score": [system.score for system in self.systems],
            "low": [system.interval and system.interval[0] for system in self.systems],
            "high": [system.interval and system.interval[1] for system in self.systems],
            "cluster": [system.cluster for system in self.systems],
        }

    def plot(self) -> Figure:
        """A picture: a dot per system with its interval, best first.

        It needs matplotlib (`corrigenda[plots]`).
        """
        rows = tuple(
            PlotRow(system.name, system.score, *(system.interval or (None, None)))
            for system in self.systems
        )
        return drawn([PlotPanel("human judgments", rows, self.method)])

    def scores(self) -> dict[str, float]:
        """The score of every system."""
        return {system.name: system.score for system in self.systems}

    def to_dict(self) -> RankingData:
        """The ranking as plain Python values, ready for JSON."""
        return {
            "method": self.method,
            "resampling": None if self.resampling is None else _resampling_data(self.resampling),
            "pairs": len(self.pairs),
            "decided": len(self.pairs) - self.pairs.ties,
            "ties": self.pairs.ties,
            "systems": [system.to_dict() for system in self.systems],
            "neighbours": [entry.to_dict() for entry in self.neighbours],
            "head_to_head": self._head_to_head(),
            "never_decided": [list(pair) for pair in self.undecided],
            "connected": [list(group) for group in self.connected],
            "ordered": [list(group) for group in self.ordered],
        }

    def _head_to_head(self) -> dict[str, dict[str, HeadToHead]]:
        wins, ties = self.pairs.wins().tolist(), self.pairs.tied().tolist()
        names = self.pairs.systems
        return {
            name: {
                other: {"wins": wins[i][j], "losses": wins[j][i], "ties": ties[i][j]}
                for j, other in enumerate(names)
                if i != j
            }
            for i, name in enumerate(names)
        }


def _resampling_data(resampling: Resampling) -> ResamplingData:
    return {
        "resamples": resampling.resamples,
        "unit": resampling.unit,
        "confidence": resampling.confidence,
        "seed": resampling.seed,
    }


def rank(
    judgments: Judgments | Path,
    method: str = "expected-wins",
    *,
    resamples: int | None = None,
    unit: ResampledUnit = "sentences",
    confidence: float = DEFAULT_CONFIDENCE,
    runs: int = 100,
    seed: int = 0,
) -> SystemRanking:
    """Rank systems by human judgments, as `corrigenda rank` does.

    Args:
        judgments: What judges said, or a file of it (XML, CSV, JSON lines), or a campaign.
        method: `expected-wins`, `trueskill` or `bradley-terry`.
        resamples: Of the bootstrap that gives intervals and clusters; None takes as many as the
            method has by default, 0 leaves them out.
        unit: What the bootstrap draws: `sentences`, or another unit of `corrigenda rank`.
        confidence: Of the intervals, between 0 and 1.
        runs: The number of random runs of a method that repeats.
        seed: For random numbers.

    Returns:
        The systems, best first, with scores, intervals and clusters.

    Example:
        >>> import corrigenda
        >>> from corrigenda.data import SAMPLE
        >>> ranking = corrigenda.rank(SAMPLE / "judgments.xml", resamples=100)
        >>> [system.name for system in ranking.systems][:3]
        ['strong', 'eager', 'cautious']
    """
    arguments.resampling(0 if resamples is None else resamples, seed, confidence, least=0)
    arguments.whole_number("runs", runs, least=1)
    arguments.one_of("unit", unit, bootstrap.UNITS)
    if not isinstance(judgments, Judgments):
        judgments = judgments_format.read(judgments)
    pairs = judgments.pairs
    if len(pairs) == 0:
        raise CorrigendaError(
            "no two systems were judged together",
            remedy="Give judgments that rank outputs of at least two systems together.",
        )
    by = method_named(method)
    scorer = by.load()
    resamples = by.resamples if resamples is None else resamples
    by.check_resamples(resamples, len(pairs.systems))
    scores = scorer.scores(pairs, runs=runs, seed=seed)
    samples = None
    if resamples and bootstrap.units_of(pairs, unit) < 2:
        # All draws of one sentence are that sentence: they would look like certainty.
        resamples = 0
    if resamples:
        samples = scorer.resampled_scores(
            pairs, bootstrap.outcome_batches(pairs, resamples, unit, seed), seed=seed
        )
    wins = pairs.wins()
    undecided = [(pairs.systems[i], pairs.systems[j]) for i, j in undecided_pairs(wins)]
    connected = connected_groups(wins, pairs.tied())
    ordered = sorted(ordered_groups(wins), key=lambda group: -float(scores[group].max()))
    sentences = len(np.unique(pairs.sentence))
    return SystemRanking(
        method,
        _ranked(pairs.systems, scores, samples, confidence, connected),
        pairs,
        tuple(undecided),
        Resampling(resamples, unit, confidence, seed) if resamples else None,
        ()
        if samples is None
        else neighbours(
            pairs.systems,
            scores,
            samples,
            sentences,
            confidence,
            # Of two groups in order, a strength knows no distance. Other scores are shares.
            comparable=ordered if method == "bradley-terry" else connected,
        ),
        _named(connected, pairs.systems),
        _named(ordered, pairs.systems),
    )


def _named(groups: Groups, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(names[place] for place in group) for group in groups)


def neighbours(
    names: Sequence[str],
    scores: Floats,
    samples: Floats,
    sentences: int,
    confidence: float,
    comparable: Groups | None = None,
) -> tuple[NeighbourPower, ...]:
    """What it takes to tell apart every two systems that follow each other.

    The unit of power is the sentence, with as many judgments as it has now. Of systems in different
    `comparable` groups the spread is not known.
    """
    order = np.lexsort((np.arange(len(scores)), -scores)).tolist()
    group_of = {place: number for number, group in enumerate(comparable or []) for place in group}
    found = []
    for one, other in pairwise(order):
        difference = float(scores[one] - scores[other])
        if group_of.get(one) != group_of.get(other):
            power = Power(difference, math.nan, sentences, None, None, None)
        else:
            gaps = samples[:, one] - samples[:, other]
            spread = float(gaps.std(ddof=1)) if len(samples) > 1 else 0.0
            power = power_of(difference, spread, sentences, confidence=confidence)
        found.append(NeighbourPower(names[one], names[other], power))
    return tuple(found)


def _ranked(
    names: tuple[str, ...],
    scores: Floats,
    samples: Floats | None,
    confidence: float,
    connected: Groups,
) -> tuple[RankedSystem, ...]:
    places = bootstrap.ranks_of_samples(scores)
    order = np.lexsort((np.arange(len(names)), -scores))
    if samples is None:
        return tuple(RankedSystem(names[i], float(scores[i]), int(places[i])) for i in order)
    low, high = bootstrap.intervals(samples, confidence)
    best, worst = _rank_intervals(samples, confidence, connected)
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


def _rank_intervals(
    samples: Floats, confidence: float, connected: Groups
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The best and the worst rank; systems that nothing connects may be better or worse."""
    best, worst = np.zeros((2, samples.shape[1]), np.int64)
    for group in connected:
        best[group], worst[group] = bootstrap.rank_intervals(samples[:, group], confidence)
        worst[group] += samples.shape[1] - len(group)
    return best, worst
