"""Whether a metric can score a sentence by itself: in training there is no corpus around it."""

from __future__ import annotations

from collections.abc import Callable

from corrigenda.core.metric import Metric
from corrigenda.errors import MetricError


def _without_idf(metric: Metric) -> bool:
    return not getattr(metric, "idf", False)


_ALONE: dict[str, Callable[[Metric], bool]] = {
    "bartscore": lambda _: True,
    "bertscore": _without_idf,
    "pt-m2": _without_idf,
    "pt-errant": _without_idf,
    "cleme": lambda metric: getattr(metric, "weighting", "") == "none",
}
"""Metrics that take a corpus as a whole, and when they do so only to save work."""


def check_alone(metric: Metric) -> None:
    """Refuse a metric by which the score of a sentence depends on the others."""
    if not metric.whole_corpus or (metric.name in _ALONE and _ALONE[metric.name](metric)):
        return
    if metric.name == "cleme":
        remedy = "CLEME weighs chunks by their mean length over the corpus; cleme:weighting=none does not."
    elif not _without_idf(metric):
        remedy = "The frequencies of idf are those of all references: leave idf out."
    else:
        remedy = "Take another metric."
    raise MetricError(
        f"by {metric} the score of a sentence depends on the whole corpus, which a batch is not", remedy=remedy
    )
