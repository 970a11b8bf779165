"""Scores for many values of β from one pass over the statistics.

Counts do not depend on β. The choice of references does, and is made again for each β. A choice may
share work between values of β (`Choice.choose_all`); the picks are the same as one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from corrigenda.core import spec
from corrigenda.core.metric import Level, Metric
from corrigenda.core.scored import scores_of_variants
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
    variants = [spec.replaced(metric, beta=float(beta)) for beta in betas]
    return scores_of_variants(variants, level, [system.statistics for system in scored.scored])
