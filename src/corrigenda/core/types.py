"""Scores by error type, in three tiers: the operation, the type, and both.

A type such as `R:NOUN:NUM` has an operation (M missing, R replacement, U unnecessary) and a
category. A type without an operation, such as `UNK`, is the same in every tier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from corrigenda.core.measures import NamedCounts
from corrigenda.core.metric import Metric
from corrigenda.core.statistics import Array
from corrigenda.core.tally import outcome_of

OPERATIONS = ("M", "R", "U")
PlainTypeScore = dict[str, float | NamedCounts | None]


@dataclass(frozen=True)
class TypeScore:
    """The score and the counts of the edits of one error type."""

    score: float
    precision: float | None
    recall: float | None
    counts: NamedCounts

    def to_dict(self) -> PlainTypeScore:
        """Ready for JSON."""
        return {
            "score": self.score,
            "precision": self.precision,
            "recall": self.recall,
            "counts": self.counts,
        }


def operation(error_type: str) -> str:
    """`R` of `R:NOUN:NUM`."""
    return error_type[0] if _has_operation(error_type) else error_type


def main_type(error_type: str) -> str:
    """`NOUN:NUM` of `R:NOUN:NUM`."""
    return error_type[2:] if _has_operation(error_type) else error_type


def _has_operation(error_type: str) -> bool:
    return error_type[:1] in OPERATIONS and error_type[1:2] == ":"


TIERS: dict[str, Callable[[str], str]] = {"operation": operation, "type": main_type, "both": str}
"""The tiers, in the order of `--by-type 1`, `2` and `3`."""


def tiers(metric: Metric, counts: Mapping[str, Array]) -> dict[str, dict[str, TypeScore]]:
    """The scores of every type in each tier; empty if there are no types."""
    if not counts:
        return {}
    return {tier: _scored(metric, _grouped(counts, name)) for tier, name in TIERS.items()}


def _grouped(counts: Mapping[str, Array], name: Callable[[str], str]) -> dict[str, Array]:
    grouped: dict[str, Array] = {}
    for error_type, number in counts.items():
        key = name(error_type)
        grouped[key] = grouped[key] + number if key in grouped else number
    return dict(sorted(grouped.items()))


def _scored(metric: Metric, grouped: Mapping[str, Array]) -> dict[str, TypeScore]:
    found = {}
    for error_type, counts in grouped.items():
        outcome = outcome_of(metric, counts[np.newaxis])
        precision, recall = outcome.measures.precision, outcome.measures.recall
        found[error_type] = TypeScore(outcome.score, precision, recall, outcome.counts)
    return found
