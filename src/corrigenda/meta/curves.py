"""How the correlation of a metric changes with its β."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    """The curves of all metrics of a report that have a β, by metric and aggregation."""
    return {
        label: beta_curve(entry, report.human, betas, level)
        for label, entry, level in _swept(report)
    }


def beta_bands(report: MetaReport, betas: Sequence[float]) -> dict[str, tuple[Floats, Floats]]:
    """For each curve the smallest and the largest r with all systems, and without any one."""
    bands = {}
    count = len(report.human)
    for label, entry, level in _swept(report):
        scores = sweep_beta(entry, betas, level)
        values = np.stack(
            [
                COEFFICIENTS["pearson"](scores, np.broadcast_to(report.human, scores.shape)),
                *(
                    COEFFICIENTS["pearson"](
                        np.delete(scores, place, axis=1),
                        np.broadcast_to(np.delete(report.human, place), (len(betas), count - 1)),
                    )
                    for place in range(count)
                ),
            ]
        )
        bands[label] = np.fmin.reduce(values), np.fmax.reduce(values)
    return bands


def default_points(report: MetaReport) -> dict[str, tuple[float, float]]:
    """For each curve the β of the metric, and r there."""
    points = {}
    for label, entry, level in _swept(report):
        beta = float(getattr(entry.metric, "beta"))  # noqa: B009
        points[label] = beta, float(beta_curve(entry, report.human, [beta], level)[0])
    return points


def _swept(report: MetaReport) -> Iterator[tuple[str, ScoredSystems, Level]]:
    levels: dict[str, Level] = {"corpus": "corpus", "mean": "sentence"}
    for entry in report.scored:
        if has_beta(entry.metric):
            for how, level in levels.items():
                if how in report.settings.aggregations:
                    # The same name as in all other tables and figures.
                    yield f"{entry.metric} ({how})", entry, level
