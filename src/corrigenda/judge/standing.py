"""The ranking while judging goes on: which neighbours are apart, and which are least certain.

Strengths by Bradley, Terry and Davidson; intervals by a bootstrap over sentences.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import func, select

from corrigenda.formats import campaign as campaign_format
from corrigenda.formats.campaign_schema import candidate, judgment, output, source, system
from corrigenda.human import bootstrap
from corrigenda.human.bradley_terry import resampled_scores, strengths
from corrigenda.human.methods import method_named
from corrigenda.judgments import Judgments

if TYPE_CHECKING:
    from sqlalchemy import Connection

SentenceOutputs = Mapping[int, frozenset[str]]
"""The systems that wrote each output of a sentence, by the output's id."""
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
    method_named("bradley-terry").check_resamples(resamples, len(pairs.systems))
    outcomes = bootstrap.outcome_batches(pairs, resamples, "sentences", seed=0)
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


class CampaignMemory:
    """What a server remembers of a campaign: who wrote what, and the last standing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows = -1
        self._standing: Standing | None = None
        self._sentences: dict[int, SentenceOutputs] | None = None

    def standing(self, connection: Connection) -> Standing | None:
        """The standing. It is computed again when enough judgments have come."""
        rows = connection.execute(select(func.count()).select_from(judgment)).scalar_one()
        with self._lock:
            if self._rows < 0 or abs(rows - self._rows) >= max(3, _REFRESH * self._rows):
                written = self._written(connection)
                judgments = campaign_format.judgments_of(connection, "campaign", written)
                self._standing, self._rows = standing_of(judgments), rows
            return self._standing

    def sentences(self, connection: Connection) -> Mapping[int, SentenceOutputs]:
        """The outputs of every judged sentence. They never change."""
        if self._sentences is None:
            self._sentences = _sentences(connection)
        return self._sentences

    def _written(self, connection: Connection) -> campaign_format.WrittenOutputs:
        return {
            number: tuple(sorted(names))
            for outputs in self.sentences(connection).values()
            for number, names in outputs.items()
        }


def _sentences(connection: Connection) -> dict[int, SentenceOutputs]:
    """The outputs of every judged sentence."""
    rows = connection.execute(
        select(output.c.source_id, output.c.id, system.c.name)
        .join(candidate, candidate.c.output_id == output.c.id)
        .join(system, system.c.id == candidate.c.system_id)
        .join(source, source.c.id == output.c.source_id)
        .where(source.c.state == "judged")
        .order_by(output.c.id)
    )
    found: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for place, number, name in rows:
        found[place][number].add(name)
    return {
        place: {number: frozenset(names) for number, names in outputs.items()}
        for place, outputs in found.items()
    }
