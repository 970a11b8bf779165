"""Whether a metric can score a sentence by itself: in training there is no corpus around it."""

from __future__ import annotations

from corrigenda.core.metric import Metric
from corrigenda.errors import MetricError


def check_alone(metric: Metric) -> None:
    """Refuse a metric by which the score of a sentence depends on the others."""
    if metric.divisible and not metric.surveys:
        return
    remedy = "Take another metric."
    if metric.name == "cleme":
        remedy = "CLEME weighs chunks by their mean length over the corpus; cleme:weighting=none does not."
    elif getattr(metric, "idf", False):
        remedy = "The frequencies of idf are those of all references: leave idf out."
    raise MetricError(
        f"by {metric} the score of a sentence depends on the whole corpus, which a batch is not",
        remedy=remedy,
    )
