"""How the correlation of a metric changes with its β."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Level
from corrigenda.meta.analysis import MetaReport
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient
from corrigenda.meta.scores import ScoredSystems
from corrigenda.meta.sweep import has_beta, sweep_beta

Floats = npt.NDArray[np.float64]


def beta_curve(
    scored: ScoredSystems,
    human: Floats,
    betas: Sequence[float],
    level: Level = "corpus",
    coefficient: Coefficient = "pearson",
) -> Floats:
    """The correlation for each β."""
    scores = sweep_beta(scored, betas, level)
    return COEFFICIENTS[coefficient](scores, np.broadcast_to(human, scores.shape))


def beta_curves(report: MetaReport, betas: Sequence[float]) -> dict[str, Floats]:
    """The curves of all metrics of a report that have a β, by `metric (level)`."""
    levels: list[Level] = []
    if "corpus" in report.settings.aggregations:
        levels.append("corpus")
    if "mean" in report.settings.aggregations:
        levels.append("sentence")
    return {
        f"{entry.metric} ({level})": beta_curve(entry, report.human, betas, level)
        for entry in report.scored
        if has_beta(entry.metric)
        for level in levels
    }
