"""Systems by ratings (direct assessment): normalised per judge, tested pair by pair.

Each judge uses the scale in their own way. So a rating becomes z: how many standard deviations it
lies above the mean of its judge. The score of a system is the mean over sentences of the mean z of
a sentence. Two systems are compared on the sentences that both have, by Wilcoxon's signed-rank
test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from corrigenda.analysis.all_pairs import check_number_of_systems, clusters, rank_ranges
from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
)
from corrigenda.analysis.significance import adjusted, bootstrap_weights
from corrigenda.errors import CorrigendaError
from corrigenda.formats.ratings import Rating
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.human.bootstrap import intervals
from corrigenda.human.ranking import NeighbourPower, neighbours
from corrigenda.human.signed_ranks import signed_rank_p_values

Floats = npt.NDArray[np.float64]
MOST_OUTPUTS = 10_000_000
"""The most systems times sentences: a few ratings of many systems would only fill the memory."""


@dataclass(frozen=True)
class RatedSystem:
    """A system by its ratings; clusters count from 1."""

    name: str
    score: float
    """The mean z."""
    raw: float
    """The mean rating, as given."""
    interval: tuple[float, float] | None
    """None without resamples of two sentences or more."""
    ranks: tuple[int, int]
    cluster: int


@dataclass(frozen=True)
class RatedSystems(Tabular):
    """The systems, best first, and the corrected p-value of every pair in this order."""

    systems: tuple[RatedSystem, ...]
    p_values: dict[tuple[str, str], float]
    sentences: int
    judges: int
    ratings: int
    without_z: int = 0
    """How many judges gave equal ratings or a single one: all their z are 0."""
    neighbours: tuple[NeighbourPower, ...] = ()
    """Every two systems that follow each other; none without a bootstrap."""

    def columns(self) -> FrameColumns:
        """A row per system, best first."""
        names = ("name", "score", "raw", "interval", "ranks", "cluster")
        return {name: [getattr(system, name) for system in self.systems] for name in names}


def normalised(ratings: Sequence[Rating]) -> list[float]:
    """The z of each rating within its judge; 0 for a judge whose ratings are all equal."""
    by_judge: dict[str, list[float]] = {}
    for rating in ratings:
        by_judge.setdefault(rating.judge, []).append(rating.score)
    mean = {judge: float(np.mean(given)) for judge, given in by_judge.items()}
    spread = {
        judge: float(np.std(given, ddof=1)) if len(given) > 1 else 0.0
        for judge, given in by_judge.items()
    }
    return [
        (rating.score - mean[rating.judge]) / spread[rating.judge] if spread[rating.judge] else 0.0
        for rating in ratings
    ]


def rank_ratings(
    ratings: Sequence[Rating],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
    confidence: float = DEFAULT_CONFIDENCE,
    correction: Correction = DEFAULT_CORRECTION,
) -> RatedSystems:
    """The systems by their ratings. Intervals resample sentences; 0 resamples leave them out."""
    names = sorted({rating.system for rating in ratings})
    if len(names) < 2:
        raise CorrigendaError(
            "a ranking needs ratings of two systems or more", remedy="Give more systems."
        )
    check_number_of_systems(len(names))
    places = sorted({rating.sentence for rating in ratings})
    if len(names) * len(places) > MOST_OUTPUTS:
        raise CorrigendaError(
            f"{len(names):,} systems times {len(places):,} sentences are more than "
            f"{MOST_OUTPUTS:,} outputs",
            remedy="Give fewer systems (--systems) or fewer sentences.",
        )
    table = _means(ratings, normalised(ratings), names, places)
    raw = _means(ratings, [rating.score for rating in ratings], names, places)
    scores = np.nanmean(table, axis=1)
    # All draws of one sentence are that sentence: they would look like certainty.
    samples = _resampled(table, resamples, seed) if resamples and len(places) > 1 else None
    bounds = None if samples is None else intervals(samples, confidence)
    pairs = list(combinations(range(len(names)), 2))
    corrected = adjusted(signed_rank_p_values(table).tolist(), correction)
    matrix = np.ones((len(names), len(names)))
    for (i, j), value in zip(pairs, corrected, strict=True):
        matrix[i, j] = matrix[j, i] = value
    ranges = rank_ranges(scores.tolist(), matrix, alpha_of(confidence))
    groups = clusters(ranges)
    order = np.lexsort((np.arange(len(names)), -scores)).tolist()
    return RatedSystems(
        tuple(
            RatedSystem(
                names[place],
                float(scores[place]),
                float(np.nanmean(raw[place])),
                None if bounds is None else (float(bounds[0][place]), float(bounds[1][place])),
                ranges[place],
                groups[place],
            )
            for place in order
        ),
        {(names[i], names[j]): value for (i, j), value in zip(pairs, corrected, strict=True)},
        len(places),
        len({rating.judge for rating in ratings}),
        len(ratings),
        _without_z(ratings),
        () if samples is None else neighbours(names, scores, samples, len(places), confidence),
    )


def _resampled(table: Floats, resamples: int, seed: int) -> Floats:
    """The scores [resamples, systems] of drawn sentences; those of systems not drawn are 0."""
    known, sums = (~np.isnan(table)).T.astype(np.float64), np.nan_to_num(table).T
    return np.concatenate(
        [
            weights @ sums / np.maximum(weights @ known, 1e-9)
            for drawn in bootstrap_weights(table.shape[1], resamples, seed)
            for weights in [drawn.astype(np.float64)]
        ]
    )


def _without_z(ratings: Sequence[Rating]) -> int:
    """How many judges gave equal ratings or a single one."""
    given: dict[str, set[float]] = {}
    for rating in ratings:
        given.setdefault(rating.judge, set()).add(rating.score)
    return sum(len(values) == 1 for values in given.values())


def _means(
    ratings: Sequence[Rating], values: Sequence[float], names: list[str], places: list[str]
) -> Floats:
    """The mean of each system on each sentence; NaN where there is no rating."""
    row = {name: index for index, name in enumerate(names)}
    column = {name: index for index, name in enumerate(places)}
    sums, counts = np.zeros((2, len(names), len(places)))
    for rating, value in zip(ratings, values, strict=True):
        sums[row[rating.system], column[rating.sentence]] += value
        counts[row[rating.system], column[rating.sentence]] += 1
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))
