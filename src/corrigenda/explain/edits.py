"""The edits that M² saw: matched, wrong and missed."""

from __future__ import annotations

from typing import cast

from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Edit
from corrigenda.explain.table import Cell, Table, Tone
from corrigenda.gold import gold_annotations
from corrigenda.metrics.m2 import M2


def explain_m2(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Table]:
    """The system's edits against the chosen annotator's."""
    metric = cast("M2", result.metric)
    chosen = 0 if result.references is None else int(result.references[0])
    annotation = gold_annotations(corpus)[0][chosen]
    words = corpus.sources[0].split()
    found = metric.edits(corpus, hypotheses, threads=1)[0][chosen]
    rows = []
    for each in found:
        if each.gold is None:
            rows.append(edit_row(words, each.edit, "wrong", "bad"))
        else:
            rows.append(edit_row(words, annotation.edits[each.gold], "correct", "good", each.edit.correction))
    matched = {each.gold for each in found}
    rows += [
        edit_row(words, edit, "missed", "missed")
        for place, edit in enumerate(annotation.edits)
        if place not in matched
    ]
    rows.sort(key=lambda row: int(row[0].text.split("–")[0]))
    return [Table(f"edits against annotator {annotation.annotator}", EDIT_HEADERS, tuple(rows))]


EDIT_HEADERS = ("words", "source", "correction", "type", "verdict")


def edit_row(
    words: list[str], edit: Edit, verdict: str, tone: Tone, correction: str | None = None
) -> tuple[Cell, ...]:
    """An edit as a row: where, what it was, what it became."""
    texts = [option or "∅" for option in ((correction,) if correction is not None else edit.corrections)]
    kind = "" if edit.type == "UNK" else edit.type
    return (
        Cell(f"{edit.start}–{edit.end}"),
        Cell(" ".join(words[edit.start : edit.end]) or "∅", tone),
        Cell(" | ".join(texts), tone),
        Cell(kind),
        Cell(verdict, tone),
    )
