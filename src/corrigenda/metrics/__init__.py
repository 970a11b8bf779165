"""The metrics, one file each. To add one, write its file and add its line to the registry here."""

from __future__ import annotations

import importlib

from corrigenda.core import spec
from corrigenda.core.metric import Metric
from corrigenda.errors import MetricError, brief

REGISTRY: dict[str, str] = {
    "green": "corrigenda.metrics.green:Green",
    "gleu": "corrigenda.metrics.gleu:Gleu",
    "m2": "corrigenda.metrics.m2:M2",
    "imeasure": "corrigenda.metrics.imeasure:IMeasure",
    "errant": "corrigenda.metrics.errant:Errant",
    "cleme": "corrigenda.metrics.cleme:Cleme",
    "cleme2": "corrigenda.metrics.cleme2:Cleme2",
    "gotoscorer": "corrigenda.metrics.gotoscorer:GoToScorer",
    "uot-errant": "corrigenda.metrics.uot_errant:UotErrant",
    "bleu": "corrigenda.metrics.bleu:Bleu",
    "bertscore": "corrigenda.metrics.bertscore:BertScore",
    "bartscore": "corrigenda.metrics.bartscore:BartScore",
    "pt-m2": "corrigenda.metrics.pt_m2:PtM2",
    "pt-errant": "corrigenda.metrics.pt_errant:PtErrant",
    "soft-edits": "corrigenda.metrics.soft_edits:SoftEdits",
    "pt-green": "corrigenda.metrics.pt_green:PtGreen",
    "scribendi": "corrigenda.metrics.scribendi:Scribendi",
    "impara": "corrigenda.metrics.impara:Impara",
    "some": "corrigenda.metrics.some:Some",
    "llm": "corrigenda.metrics.llm:Llm",
    "rank-average": "corrigenda.metrics.rank_average:RankAverage",
}
"""Name → where the class is. A metric is imported only when it is used."""

DEFAULTS = ("green", "gleu", "m2", "imeasure", "bleu")
"""All metrics that need no optional dependency, no service and no other system.

Metrics declare what they need. A test compares the declarations with this list, so that nobody has
to import all metrics for these five.
"""

_REMEDY = "Write it as text, e.g. 'green:beta=1'."


def metric_class(name: str) -> type[Metric]:
    """The class of a metric by its name."""
    if name not in REGISTRY:
        raise spec.unknown(name, list(REGISTRY))
    module, _, class_name = REGISTRY[name].partition(":")
    loaded: type[Metric] = getattr(importlib.import_module(module), class_name)
    return loaded


def metric(specification: str) -> Metric:
    """Make a metric from its printed form.

    Args:
        specification: The name, and after a colon the parameters: `green:beta=1,unit=char`.

    Returns:
        The metric. Its fields are its parameters.

    Example:
        >>> import corrigenda
        >>> corrigenda.metric("green:beta=1").n
        4
    """
    if not isinstance(specification, str):
        raise MetricError(f"a metric is {brief(specification)}", remedy=_REMEDY)
    name = specification.partition(":")[0].strip()
    main = metric_class(name).main_parameter if name in REGISTRY else None
    name, given = spec.split(specification, main)
    return spec.build(metric_class(name), given)


def metric_of(given: Metric | str) -> Metric:
    """The metric itself, or the one that a text names."""
    return given if isinstance(given, Metric) else metric(given)


def default_metrics() -> list[Metric]:
    """All metrics that need no optional dependency, no service and no other system."""
    return [metric_class(name)() for name in DEFAULTS]


__all__ = ["DEFAULTS", "REGISTRY", "default_metrics", "metric", "metric_class", "metric_of"]
