"""What an evaluation gives: a number for a system by a metric, and everything it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Level, Metric, plain
from corrigenda.core.statistics import Array, Chosen


@dataclass(frozen=True)
class Interval:
    """The range that holds a score with the given confidence."""

    low: float
    high: float
    confidence: float
    method: str
    resamples: int
    seed: int


@dataclass(frozen=True)
class Result:
    """The score of one system by one metric. Scores are fractions, not percentages."""

    system: str
    metric: Metric
    level: Level
    score: float
    measures: dict[str, Any]
    counts: dict[str, Any]
    signature: str
    chosen: Chosen | None = field(default=None, repr=False, compare=False)
    interval: Interval | None = None
    remarks: dict[str, int] = field(default_factory=dict)
    types: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By tier (operation, type, both) and error type, the score, the measures and the counts."""
    sentence_details: list[dict[str, Any]] = field(default_factory=list, repr=False, compare=False)
    """For each sentence what the metric has to say beside its counts, if anything."""

    @property
    def precision(self) -> float | None:
        """The precision, where the metric has one."""
        return self.measures.get("precision")

    @property
    def recall(self) -> float | None:
        """The recall, where the metric has one."""
        return self.measures.get("recall")

    @property
    def sentence_scores(self) -> Array:
        """The score of each sentence by itself."""
        return self._kept.per_sentence(self.metric.sentence_score)

    @property
    def references(self) -> npt.NDArray[np.int64] | None:
        """The reference chosen for each sentence, counted from 0; None where all of them count."""
        return self._kept.references

    @property
    def _kept(self) -> Chosen:
        if self.chosen is None:
            raise ValueError(
                "the statistics of the sentences were not kept: evaluate with keep_statistics=True"
            )
        return self.chosen

    def sentences(self) -> Iterator[dict[str, Any]]:
        """For each sentence its score, the reference chosen for it, and its counts."""
        references = self.references
        for index, (score, counts) in enumerate(
            zip(self.sentence_scores.tolist(), self._kept.sentence_counts(), strict=True)
        ):
            yield {
                "score": score,
                "reference": None if references is None else int(references[index]),
                "counts": self.metric.named_counts(counts),
                **(self.sentence_details[index] if self.sentence_details else {}),
            }

    def to_dict(self, *, per_sentence: bool = False) -> dict[str, Any]:
        """The result as plain Python values, ready for JSON."""
        data: dict[str, Any] = {
            "system": self.system,
            "metric": str(self.metric),
            "level": self.level,
            "score": self.score,
            "precision": self.precision,
            "recall": self.recall,
            **{
                name: value
                for name, value in self.measures.items()
                if name not in ("precision", "recall")
            },
            "counts": self.counts,
            "signature": self.signature,
        }
        if self.types:
            data["types"] = self.types
        if self.remarks:
            data["remarks"] = self.remarks
        if self.interval is not None:
            data["interval"] = asdict(self.interval)
        if per_sentence:
            data["sentences"] = list(self.sentences())
        return data


def averaged(measures: dict[str, Any]) -> dict[str, Any]:
    """Each measure's mean over all its values, for nested measures, too."""
    return {
        name: averaged(value)
        if isinstance(value, dict)
        else plain(np.mean(value))
        if np.size(value)
        else 0.0
        for name, value in measures.items()
    }
