"""The score of a system by a metric, and everything that it was made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from corrigenda.core.measures import Measures, NamedCounts, plain_measures
from corrigenda.core.metric import Level, Metric, Verdict, WeighedEdit
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Array, Chosen
from corrigenda.core.types import TypeScore
from corrigenda.errors import CorrigendaError
from corrigenda.frames import FrameColumns, Tabular
from corrigenda.health import Finding

PlainResult = dict[str, object]
"""A result ready for JSON: docs/json.md lists its keys. Each metric adds keys for its measures."""


class PlainSentence(TypedDict):
    """A sentence of a result, ready for JSON. `edits`: for metrics that weigh edits."""

    score: float
    reference: int | None
    counts: NamedCounts
    edits: NotRequired[list[PlainWeighedEdit]]


class PlainWeighedEdit(TypedDict):
    """A weighed edit, ready for JSON."""

    start: int
    end: int
    correction: str
    verdict: Verdict
    weight: float


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a score, and how it was computed."""

    low: float
    high: float
    confidence: float
    method: str
    resamples: int
    seed: int


@dataclass(frozen=True)
class Result(Tabular):
    """The score of one system by one metric. Scores are fractions, not percentages."""

    system: str
    metric: Metric
    level: Level
    measures: Measures[float]
    counts: NamedCounts
    signature: str
    kept: Selection | None = field(default=None, repr=False, compare=False)
    interval: Interval | None = None
    remarks: Mapping[str, int] = field(default_factory=dict)
    types: Mapping[str, Mapping[str, TypeScore]] = field(default_factory=dict)
    """Scores and counts by tier (operation, type, both) and error type."""
    sentence_edits: Sequence[tuple[WeighedEdit, ...]] = field(default=(), repr=False, compare=False)
    """The weighed edits of each sentence, for metrics that weigh edits."""
    health: tuple[Finding, ...] = field(default=(), compare=False)
    """What makes the score doubtful: findings about the texts of the corpus and of this system."""

    @property
    def score(self) -> float:
        """The score."""
        return self.measures.score

    @property
    def precision(self) -> float | None:
        """The precision, if the metric has one."""
        return self.measures.precision

    @property
    def recall(self) -> float | None:
        """The recall, if the metric has one."""
        return self.measures.recall

    @property
    def has_extracted_gold(self) -> bool:
        """Whether gold edits were extracted where published scores have annotated ones."""
        return self.metric.annotated_gold and "|gold:extracted|" in self.signature

    @property
    def selection(self) -> Selection:
        """The references that count, and every number that follows from them."""
        if self.kept is None:
            raise CorrigendaError(
                "the result has no statistics of sentences",
                remedy="Evaluate with keep_statistics=True.",
            )
        return self.kept

    @property
    def chosen(self) -> Chosen | None:
        """The statistics and the rows that count, if they were kept."""
        return None if self.kept is None else self.kept.chosen

    @property
    def sentence_scores(self) -> Array:
        """The score of each sentence alone."""
        return self.selection.sentence_scores

    @property
    def references(self) -> npt.NDArray[np.int64] | None:
        """The place of the chosen reference of each sentence, from 0; None without a single one."""
        return self.selection.chosen.references

    def sentences(self) -> Iterator[PlainSentence]:
        """The score, the chosen reference and the counts of each sentence."""
        references = self.references
        counts = self.selection.chosen.sentence_counts()
        for index, score in enumerate(self.sentence_scores.tolist()):
            row: PlainSentence = {
                "score": score,
                "reference": None if references is None else int(references[index]),
                "counts": self.metric.named_counts(counts[index]),
            }
            if self.sentence_edits:
                row["edits"] = [_plain_edit(edit) for edit in self.sentence_edits[index]]
            yield row

    def columns(self) -> FrameColumns:
        """A row per sentence: its place from 0, its score, and the place of its reference."""
        scores = self.sentence_scores.tolist()
        references = self.references
        return {
            "sentence": list(range(len(scores))),
            "score": scores,
            "reference": [None] * len(scores) if references is None else references.tolist(),
        }

    def to_dict(self, *, per_sentence: bool = False) -> PlainResult:
        """The result as plain Python values, ready for JSON."""
        data: PlainResult = {
            "system": self.system,
            "metric": str(self.metric),
            "level": self.level,
            "score": self.score,
            **plain_measures(self.measures),
            "counts": self.counts,
            "signature": self.signature,
        }
        if self.types:
            data["types"] = {
                tier: {error_type: entry.to_dict() for error_type, entry in of_tier.items()}
                for tier, of_tier in self.types.items()
            }
        if self.remarks:
            data["remarks"] = dict(self.remarks)
        if self.interval is not None:
            data["interval"] = asdict(self.interval)
        if per_sentence:
            data["sentences"] = list(self.sentences())
        return data


def _plain_edit(edit: WeighedEdit) -> PlainWeighedEdit:
    return {
        "start": edit.start,
        "end": edit.end,
        "correction": edit.correction,
        "verdict": edit.verdict,
        "weight": edit.weight,
    }
