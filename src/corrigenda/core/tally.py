"""Sums over sentences by one metric. The tallies of the parts add up to the tally of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np

from corrigenda.core.exact_sum import ExactSum, PlainSum
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.statistics import Array


class PlainTally(TypedDict):
    """A tally ready for JSON, without loss."""

    sentences: int
    references: list[int]
    totals: PlainSum
    measures: dict[str, PlainSum]
    remarks: dict[str, int]


@dataclass(frozen=True)
class Outcome:
    """The measures and counts of a tally."""

    measures: Measures[float]
    counts: NamedCounts

    @property
    def score(self) -> float:
        """The score."""
        return self.measures.score


@dataclass
class Tally:
    """The sums over the sentences so far. They are exact in any order and any grouping."""

    metric: Metric
    level: Level
    sentences: int = 0
    references: tuple[int, int] = (0, 0)
    """The fewest and the most references of a sentence."""
    totals: ExactSum = field(default_factory=ExactSum)
    measures: Measures[ExactSum] | None = None
    """At sentence level: the sums of the scores and measures of the sentences."""
    remarks: Counter[str] = field(default_factory=Counter)

    def merge(self, other: Tally) -> None:
        """Add another part of the corpus."""
        if not other.sentences:
            return
        low, high = other.references
        if self.sentences:
            low, high = min(low, self.references[0]), max(high, self.references[1])
        self.references = low, high
        self.totals.merge(other.totals)
        if self.measures is None:
            self.measures = other.measures
        elif other.measures is not None:
            added = other.measures.leaves()
            for path, total in self.measures.leaves().items():
                total.merge(added[path])
        self.remarks.update(other.remarks)
        self.sentences += other.sentences

    def outcome(self) -> Outcome:
        """The score, the measures beside it, and the counts."""
        totals = self.totals.value()
        if self.measures is None:
            return outcome_of(self.metric, totals)
        means = self.measures.map(lambda total: _mean(total, self.sentences))
        return Outcome(means, _named_counts(self.metric, totals))

    def to_dict(self) -> PlainTally:
        """Ready for JSON, without loss."""
        sums = {} if self.measures is None else self.measures.leaves()
        return {
            "sentences": self.sentences,
            "references": list(self.references),
            "totals": self.totals.to_dict(),
            "measures": {".".join(path): total.to_dict() for path, total in sums.items()},
            "remarks": dict(self.remarks),
        }

    @classmethod
    def from_dict(cls, metric: Metric, level: Level, data: PlainTally) -> Tally:
        """The tally that `to_dict` wrote."""
        return cls(
            metric,
            level,
            data["sentences"],
            (data["references"][0], data["references"][1]),
            ExactSum.from_dict(data["totals"]),
            _measures_from_dict(data["measures"]),
            Counter(data["remarks"]),
        )


def outcome_of(metric: Metric, totals: Array) -> Outcome:
    """The corpus measures and the counts of totals [draws, K]."""
    measures = metric.measures(totals, "corpus").map(mean_of_draws)
    return Outcome(measures, _named_counts(metric, totals))


def _named_counts(metric: Metric, totals: Array) -> NamedCounts:
    """The counts by name; of several draws, the means."""
    return metric.named_counts(totals[0] if len(totals) == 1 else np.asarray(totals.mean(axis=0)))


def _mean(total: ExactSum, sentences: int) -> float:
    return float(total.value()[0]) / sentences


def mean_of_draws(values: Array) -> float:
    """The mean over the draws of references; most metrics have one draw."""
    return float(np.mean(values)) if np.size(values) else 0.0


def _measures_from_dict(data: Mapping[str, PlainSum]) -> Measures[ExactSum] | None:
    if not data:
        return None
    return Measures.from_leaves(
        {tuple(path.split(".")): ExactSum.from_dict(total) for path, total in data.items()}
    )
