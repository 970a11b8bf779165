"""Scores for many values of β from one pass over the statistics.

Counts do not depend on β. The choice of references does, and is made again for each β. A choice may
share work between values of β (`Choice.choose_all`); the picks are the same as one by one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Level, Metric
from corrigenda.core.scored import scores_by_draw
from corrigenda.errors import MetricError
from corrigenda.meta.scores import ScoredSystems

Floats = npt.NDArray[np.float64]


def has_beta(metric: Metric) -> bool:
    """Whether the score weighs recall against precision by a β."""
    return "beta" in metric.offers


def sweep_beta(scored: ScoredSystems, betas: Sequence[float], level: Level = "corpus") -> Floats:
    """Scores [betas, systems], each equal to that of the metric with that β."""
    metric = scored.metric
    if not has_beta(metric):
        raise MetricError(
            f"{metric} has no β", remedy="A sweep needs a metric whose score depends on beta."
        )
    variants = [_with_beta(metric, beta) for beta in betas]
    policies = [variant.policy(level) for variant in variants]
    if not policies:
        return np.zeros((0, len(scored.systems)))
    statistics = [system.statistics for system in scored.scored]
    chosen = type(policies[0]).choose_all(policies, statistics)
    return np.stack([scores_by_draw(variants, level, each) for each in chosen], axis=1)


def _with_beta(metric: Metric, beta: float) -> Metric:
    changed: Metric = dataclasses.replace(metric, beta=float(beta))  # type: ignore[call-arg]
    return changed
