"""What a metric saw in one sentence, as tables that the terminal and the report can show."""

from __future__ import annotations

from corrigenda.core.explanation import Explanation
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses


def explain(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
    """The tables of one sentence: `corpus` and `hypotheses` hold only that, `result` its score."""
    return result.metric.explain(corpus, hypotheses, result)
