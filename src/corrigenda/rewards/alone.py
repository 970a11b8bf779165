"""Whether a metric can score a sentence by itself: in training there is no corpus around it."""

from __future__ import annotations

from corrigenda.core.metric import Metric
from corrigenda.errors import MetricError


def check_alone(metric: Metric) -> None:
    """Refuse a metric whose sentence scores depend on anything but the sentence."""
    if metric.needs_all_systems:
        raise MetricError(
            f"{metric} compares all systems with each other, so it cannot score a batch of one",
            remedy="Choose another metric.",
        )
    if metric.scope != "sentence":
        raise MetricError(
            f"{metric} needs the whole corpus, so it cannot score a batch",
            remedy=metric.scope_remedy,
        )
