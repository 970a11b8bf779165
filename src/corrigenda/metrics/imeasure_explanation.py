"""The I-measure's three-way alignment, with the class of every column."""

from __future__ import annotations

from corrigenda.core.explanation import ExplainedCell, Explanation, Tone
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.imeasure import IMeasure

GAP = "–"


def explain_imeasure(
    metric: IMeasure, corpus: Corpus, hypotheses: Hypotheses, result: Result
) -> list[Explanation]:
    """The alignment with the chosen reference, and the class of each column."""
    chosen = 0 if result.references is None else int(result.references[0])
    columns = metric.alignment(corpus, hypotheses, sentence=0, reference=chosen)
    rows: list[tuple[ExplainedCell, ...]] = []
    for name, index in (("source", 0), ("hypothesis", 1), ("reference", 2)):
        rows.append(
            (
                ExplainedCell(name, "faint"),
                *(ExplainedCell(words[index] or GAP, _tone(words)) for words in columns),
            )
        )
    classes = [column_classes(words) for words in columns]
    for name, index in (("detection", 0), ("correction", 1)):
        rows.append(
            (
                ExplainedCell(name, "faint"),
                *(
                    ExplainedCell(each[index], _tone(words))
                    for each, words in zip(classes, columns, strict=True)
                ),
            )
        )
    headers = ("", *(str(number) for number in range(1, len(columns) + 1)))
    return [Explanation("alignment", headers, tuple(rows), in_bands=True)]


AlignedWords = tuple[str | None, str | None, str | None]


def column_classes(words: AlignedWords) -> tuple[str, str]:
    """The classes of a column for detection and correction: the paper's Table 6."""
    source, hypothesis, reference = words
    if source == hypothesis:
        return ("TN", "TN") if source == reference else ("FN", "FN")
    if source == reference:
        return "FP", "FP"
    return ("TP", "TP") if hypothesis == reference else ("TP", "FP FN FPN")


def _tone(words: AlignedWords) -> Tone:
    correction = column_classes(words)[1]
    tones: dict[str, Tone] = {"TN": "plain", "TP": "good", "FN": "missed"}
    return tones.get(correction, "bad")
