"""What a metric saw in one sentence, as tables for the terminal."""

from __future__ import annotations

from corrigenda.core.explanation import Explanation
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses


def explain(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
    """The tables for a corpus of one sentence; an empty list if the metric cannot explain."""
    return result.metric.explain(corpus, hypotheses, result)
