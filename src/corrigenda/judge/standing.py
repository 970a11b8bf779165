"""The ranking while judging goes on: which neighbours are apart, and which are least certain.

Strengths by Bradley, Terry and Davidson; intervals by a bootstrap over sentences.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import func, select

from corrigenda.formats import campaign as campaign_format
from corrigenda.formats.campaign_schema import judgment
from corrigenda.human import bootstrap
from corrigenda.human.bradley_terry import resampled_scores, strengths
from corrigenda.judgments import Judgments

if TYPE_CHECKING:
    from sqlalchemy import Connection

RESAMPLES = 300
CONFIDENCE = 0.95
_REFRESH = 0.02
"""A standing is computed again when there are 2 % more judgments, and at least 3."""


@dataclass(frozen=True)
class Neighbours:
    """Two systems that follow each other in the ranking, and the interval of their difference."""

    better: str
    worse: str
    difference: float
    low: float
    high: float

    @property
    def apart(self) -> bool:
        """Whether the interval does not hold 0."""
        return self.low > 0

    @property
    def width(self) -> float:
        """The width of the interval."""
        return self.high - self.low


@dataclass(frozen=True)
class Standing:
    """Strengths, best first, and the neighbours in this order."""

    strengths: dict[str, float]
    neighbours: tuple[Neighbours, ...]
    judgments: int

    @property
    def apart(self) -> bool:
        """Whether all neighbours are apart."""
        return all(each.apart for each in self.neighbours)

    def uncertain(self) -> list[Neighbours]:
        """The neighbours that are not apart, widest interval first."""
        left = [each for each in self.neighbours if not each.apart]
        return sorted(left, key=lambda each: -each.width)


def standing_of(judgments: Judgments, *, resamples: int = RESAMPLES) -> Standing | None:
    """The standing after some judgments, or None if no pair was judged."""
    pairs = judgments.pairs
    if len(pairs) == 0:
        return None
    found = strengths(pairs).systems
    outcomes = bootstrap.resampled_outcomes(pairs, resamples, "sentences", seed=0)
    samples = resampled_scores(pairs, outcomes, seed=0)
    order = np.lexsort((np.arange(len(found)), -found)).tolist()
    neighbours = []
    for better, worse in pairwise(order):
        gaps = samples[:, [better]] - samples[:, [worse]]
        low, high = bootstrap.intervals(gaps, CONFIDENCE)
        neighbours.append(
            Neighbours(
                pairs.systems[better],
                pairs.systems[worse],
                float(found[better] - found[worse]),
                float(low[0]),
                float(high[0]),
            )
        )
    scores = {pairs.systems[place]: float(found[place]) for place in order}
    return Standing(scores, tuple(neighbours), len(judgments))


class StandingCache:
    """The last standing. It is computed again only when enough judgments have come."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows = -1
        self._standing: Standing | None = None

    def current(self, connection: Connection) -> Standing | None:
        """The standing; a few judgments may be missing from it."""
        rows = connection.execute(select(func.count()).select_from(judgment)).scalar_one()
        with self._lock:
            if self._rows < 0 or abs(rows - self._rows) >= max(3, _REFRESH * self._rows):
                self._standing = standing_of(campaign_format.judgments_of(connection, "campaign"))
                self._rows = rows
            return self._standing
