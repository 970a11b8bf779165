"""What sentences add up to under one metric; the tallies of a corpus' parts add up to that of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from corrigenda.core.exact_sum import ExactSum
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import averaged
from corrigenda.core.statistics import Array, Chosen
from corrigenda.corpus import Corpus


@dataclass(frozen=True)
class Outcome:
    """What a metric makes of a tally."""

    score: float
    measures: dict[str, Any]
    counts: dict[str, Any]


@dataclass
class Tally:
    """The sums over the sentences so far: exact, so that no order or grouping of parts changes a bit of them."""

    metric: Metric
    level: Level
    sentences: int = 0
    references: tuple[int, int] = (0, 0)
    """The fewest and the most references of a sentence."""
    totals: ExactSum = field(default_factory=ExactSum)
    measures: dict[str, Any] = field(default_factory=dict)
    """At sentence level the sums of the sentences' scores and measures, nested as the measures are."""
    remarks: Counter[str] = field(default_factory=Counter)

    def add(self, corpus: Corpus, chosen: Chosen) -> None:
        """Add the sentences of a block."""
        added = Tally(
            self.metric, self.level, len(corpus), corpus.reference_range, chosen.exact_totals()
        )
        if self.level == "sentence":
            added.measures = _mapped([sentence_measures(chosen, self.metric)], _sum_of_column)
        added.remarks.update(self.metric.remarks(corpus))
        self.merge(added)

    def merge(self, other: Tally) -> None:
        """Add what another part of the corpus adds up to."""
        if not other.sentences:
            return
        low, high = other.references
        if self.sentences:
            low, high = min(low, self.references[0]), max(high, self.references[1])
        self.references = low, high
        self.totals.merge(other.totals)
        self.measures = (
            _mapped([self.measures, other.measures], _merged) if self.measures else other.measures
        )
        self.remarks.update(other.remarks)
        self.sentences += other.sentences

    def outcome(self) -> Outcome:
        """The score, the measures beside it, and the counts."""
        totals = self.totals.value()
        counts = self.metric.named_counts(
            totals[0] if len(totals) == 1 else np.asarray(totals.mean(axis=0))
        )
        if self.level == "sentence":
            measures = _mapped(
                [self.measures], lambda sums: float(sums[0].value()[0]) / self.sentences
            )
            return Outcome(measures.pop("score"), measures, counts)
        measures = averaged(self.metric.measures(totals))
        return Outcome(float(np.mean(self.metric.score(totals))), measures, counts)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, without loss."""
        return {
            "sentences": self.sentences,
            "references": list(self.references),
            "totals": self.totals.to_dict(),
            "measures": _mapped([self.measures], lambda sums: {"sum": sums[0].to_dict()}),
            "remarks": dict(self.remarks),
        }

    @classmethod
    def from_dict(cls, metric: Metric, level: Level, data: dict[str, Any]) -> Tally:
        """What `to_dict` gave."""
        return cls(
            metric,
            level,
            data["sentences"],
            (data["references"][0], data["references"][1]),
            ExactSum.from_dict(data["totals"]),
            _sums_from_dict(data["measures"]),
            Counter(data["remarks"]),
        )


def sentence_measures(chosen: Chosen, metric: Metric) -> dict[str, Any]:
    """The score and the measures of each sentence, nested as the measures are."""

    def measure(counts: Array) -> dict[str, Any]:
        return {"score": metric.sentence_score(counts), **metric.sentence_measures(counts)}

    if chosen.references is not None:
        return measure(chosen.values(0))
    statistics = chosen.statistics
    return _mapped(
        [measure(statistics.counts)], lambda values: statistics.mean_over_references(values[0])
    )


def _sum_of_column(values: Sequence[Any]) -> ExactSum:
    return ExactSum.of_rows(np.asarray(values[0], np.float64)[:, np.newaxis])


def _merged(sums: Sequence[ExactSum]) -> ExactSum:
    total = ExactSum()
    for each in sums:
        total.merge(each)
    return total


def _mapped(values: list[dict[str, Any]], combine: Callable[[list[Any]], Any]) -> dict[str, Any]:
    """Combines what stands under the same name in every dictionary, in nested ones, too."""
    return {
        name: _mapped([value[name] for value in values], combine)
        if isinstance(first, dict)
        else combine([value[name] for value in values])
        for name, first in values[0].items()
    }


def _sums_from_dict(data: dict[str, Any]) -> dict[str, Any]:
    return {
        name: ExactSum.from_dict(value["sum"]) if list(value) == ["sum"] else _sums_from_dict(value)
        for name, value in data.items()
    }
