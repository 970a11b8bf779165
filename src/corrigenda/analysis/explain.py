"""What a metric saw in one sentence, as tables that the terminal and the report can show."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from corrigenda.core.explanation import Explanation
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses

Explainer = Callable[[Corpus, Hypotheses, Result], list[Explanation]]

EXPLAINERS: dict[str, str] = {
    "green": "corrigenda.metrics.ngram_explanations:explain_green",
    "gleu": "corrigenda.metrics.ngram_explanations:explain_gleu",
    "bleu": "corrigenda.metrics.ngram_explanations:explain_bleu",
    "m2": "corrigenda.metrics.edit_explanations:explain_m2",
    "pt-m2": "corrigenda.metrics.weight_explanations:explain_weights",
    "pt-errant": "corrigenda.metrics.weight_explanations:explain_weights",
    "errant": "corrigenda.metrics.edit_explanations:explain_errant",
    "imeasure": "corrigenda.metrics.imeasure_explanation:explain_imeasure",
}
"""Metric name → the function that explains it; a metric without one shows its counts."""


def explain(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
    """The tables of one sentence: `corpus` and `hypotheses` hold just that, `result` its score."""
    if result.metric.name not in EXPLAINERS:
        return []
    module, _, name = EXPLAINERS[result.metric.name].partition(":")
    explainer: Explainer = getattr(importlib.import_module(module), name)
    return explainer(corpus, hypotheses, result)
