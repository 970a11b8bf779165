"""The edits that M² and ERRANT saw: correct, wrong and missed."""

from __future__ import annotations

from corrigenda.core.explanation import ExplainedCell, Explanation, Tone
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit
from corrigenda.edits.comparison import ComparedSentence


def explain_edits(
    metric: Metric, corpus: Corpus, hypotheses: Hypotheses, result: Result
) -> list[Explanation]:
    """The edits that a metric found in the hypothesis, against those of the chosen annotator."""
    return _compared(metric.compare(corpus, hypotheses, threads=1)[0], result)


def _compared(sentence: ComparedSentence, result: Result) -> list[Explanation]:
    chosen = 0 if result.references is None else int(result.references[0])
    comparison = sentence.comparisons[chosen]
    words = sentence.source.split()
    rows = [
        edit_row(words, each.edit, "wrong", "bad")
        if each.gold is None
        else edit_row(words, each.edit, "correct", "good")
        for each in comparison.edits
    ]
    rows += [
        edit_row(words, comparison.gold[place], "missed", "missed") for place in comparison.missed
    ]
    rows.sort(key=lambda row: int(row[0].text.split("–")[0]))
    return [
        Explanation(f"edits against annotator {comparison.annotator}", EDIT_HEADERS, tuple(rows))
    ]


EDIT_HEADERS = ("words", "source", "correction", "type", "verdict")


def edit_row(words: list[str], edit: Edit, verdict: str, tone: Tone) -> tuple[ExplainedCell, ...]:
    """An edit as a row: where, what it was, what it became."""
    return (
        ExplainedCell(f"{edit.start}–{edit.end}"),
        ExplainedCell(" ".join(words[edit.start : edit.end]) or "∅", tone),
        ExplainedCell(" | ".join(option or "∅" for option in edit.corrections), tone),
        ExplainedCell("" if edit.type == "UNK" else edit.type),
        ExplainedCell(verdict, tone),
    )
