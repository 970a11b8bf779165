"""The edits that PT-M² and PT-ERRANT saw, each with its weight."""

from __future__ import annotations

from corrigenda.core.explanation import ExplainedCell, Explanation, Tone
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses

HEADERS = ("words", "source", "correction", "verdict", "weight", "share")
_TONES: dict[str, Tone] = {"correct": "good", "wrong": "bad", "missed": "missed"}


def explain_weights(corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
    """Correct, wrong and missed edits against the chosen reference, with their weights."""
    chosen = 0 if result.references is None else int(result.references[0])
    words = corpus.sources[0].split()
    edits = result.sentence_edits[0]
    total = sum(edit.weight for edit in edits)
    rows = []
    for edit in edits:
        tone = _TONES[edit.verdict]
        rows.append(
            (
                ExplainedCell(f"{edit.start}–{edit.end}"),
                ExplainedCell(" ".join(words[edit.start : edit.end]) or "∅", tone),
                ExplainedCell(edit.correction or "∅", tone),
                ExplainedCell(edit.verdict, tone),
                ExplainedCell(f"{edit.weight:.6f}"),
                ExplainedCell(f"{100 * edit.weight / total:.1f} %" if total else "–", "faint"),
            )
        )
    note = "" if total or not edits else "no edit has any weight, so all edits count the same"
    return [Explanation(f"edits against reference {chosen}", HEADERS, tuple(rows), note)]
