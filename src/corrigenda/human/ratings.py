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

from corrigenda.analysis.resolution import (
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    Correction,
    alpha_of,
)
from corrigenda.analysis.significance import adjusted, bootstrap_weights, clusters, rank_ranges
from corrigenda.errors import CorrigendaError, MissingExtraError
from corrigenda.formats.ratings import Rating
from corrigenda.frames import FrameColumns, Tabular

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RatedSystem:
    """A system by its ratings; clusters count from 1."""

    name: str
    score: float
    """The mean z."""
    raw: float
    """The mean rating, as given."""
    interval: tuple[float, float]
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
    """The systems by their ratings. Intervals resample sentences."""
    names = sorted({rating.system for rating in ratings})
    if len(names) < 2:
        raise CorrigendaError(
            "a ranking needs ratings of two systems or more", remedy="Give more systems."
        )
    places = sorted({rating.sentence for rating in ratings})
    table = _means(ratings, normalised(ratings), names, places)
    raw = _means(ratings, [rating.score for rating in ratings], names, places)
    scores = np.nanmean(table, axis=1)
    rated = ~np.isnan(table)
    drawn = bootstrap_weights(len(places), resamples, seed)
    weights = np.concatenate(list(drawn), dtype=np.float64)
    counted = np.maximum(weights @ rated.T.astype(np.float64), 1e-9)
    samples = weights @ np.nan_to_num(table).T / counted
    tail = alpha_of(confidence) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0)
    pairs = list(combinations(range(len(names)), 2))
    corrected = adjusted([_wilcoxon(table[i] - table[j]) for i, j in pairs], correction)
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
                (float(low[place]), float(high[place])),
                ranges[place],
                groups[place],
            )
            for place in order
        ),
        {(names[i], names[j]): value for (i, j), value in zip(pairs, corrected, strict=True)},
        len(places),
        len({rating.judge for rating in ratings}),
        len(ratings),
    )


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


def _wilcoxon(differences: Floats) -> float:
    """The two-sided p-value of the signed-rank test; 1 if nothing differs."""
    try:
        from scipy.stats import wilcoxon
    except ImportError as error:
        raise MissingExtraError(
            "Wilcoxon's test needs scipy", remedy="pip install 'corrigenda[meta]'."
        ) from error
    kept = differences[~np.isnan(differences)]
    if not np.any(kept):
        return 1.0
    return float(wilcoxon(kept, zero_method="pratt").pvalue)
