"""What a metric saw in one sentence, as tables that the terminal and the report can show."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.explain.table import Table

Explainer = Callable[[Corpus, Hypotheses, Result], list[Table]]

EXPLAINERS: dict[str, str] = {
    "green": "corrigenda.explain.ngrams:explain_green",
    "gleu": "corrigenda.explain.ngrams:explain_gleu",
    "bleu": "corrigenda.explain.ngrams:explain_bleu",
    "m2": "corrigenda.explain.edits:explain_m2",
    "pt-m2": "corrigenda.explain.weights:explain_weights",
    "pt-errant": "corrigenda.explain.weights:explain_weights",
    "errant": "corrigenda.explain.edits:explain_errant",
    "imeasure": "corrigenda.explain.alignment:explain_imeasure",
}
"""Metric name → the function that explains it; a metric without one shows its counts."""


def explain(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Table]:
    """The tables of one sentence: `corpus` and `hypotheses` hold just that, `result` its score."""
    if result.metric.name not in EXPLAINERS:
        return []
    module, _, name = EXPLAINERS[result.metric.name].partition(":")
    explainer: Explainer = getattr(importlib.import_module(module), name)
    return explainer(corpus, hypotheses, result)
