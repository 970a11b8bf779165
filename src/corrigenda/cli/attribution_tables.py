"""What `corrigenda explain --attribute` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corrigenda.cli import tables
from corrigenda.cli.rich_console import console, print_note
from corrigenda.cli.tables import Column, Row, Table
from corrigenda.cli.terminal import print_table
from corrigenda.core.explanation import ExplainedCell, Explanation, Tone

if TYPE_CHECKING:
    from corrigenda.analysis.attribution import AttributedSentence
    from corrigenda.core.metric import Metric

_HEADERS = ("words", "source", "correction", "value", "")
_BAR = 20
METHODS = {
    "shapley": "Shapley values: they add up to the score of the output minus that of the source",
    "add": "the score of the source with the edit alone, minus the score of the source",
    "remove": "the score of the output, minus its score without the edit",
}


@dataclass(frozen=True)
class AttributedSystem:
    """The attributed edits of one system by one metric."""

    system: str
    metric: Metric
    sentences: Sequence[AttributedSentence]


def explanation(sentence: AttributedSentence, method: str) -> Explanation:
    """The edits of a sentence, each with its value and a bar."""
    words = sentence.source.split()
    largest = max((abs(each.value) for each in sentence.edits), default=0.0)
    rows = []
    for each in sentence.edits:
        tone: Tone = "good" if each.value > 0 else "bad" if each.value < 0 else "faint"
        length = round(_BAR * abs(each.value) / largest) if largest else 0
        rows.append(
            (
                ExplainedCell(f"{each.edit.start}–{each.edit.end}"),
                ExplainedCell(" ".join(words[each.edit.start : each.edit.end]) or "∅", tone),
                ExplainedCell(each.edit.correction or "∅", tone),
                ExplainedCell(f"{100 * each.value:+.2f}", tone),
                ExplainedCell("█" * length, tone),
            )
        )
    sampled = "" if sentence.exact else "; sampled, because there are many edits"
    note = (
        f"source {100 * sentence.before:.2f}, output {100 * sentence.after:.2f}; "
        f"{METHODS[method]}{sampled}"
    )
    return Explanation("edits and their values", _HEADERS, tuple(rows), note)


def print_summary(attributed: Sequence[AttributedSystem], method: str) -> None:
    """One table per metric: the edits of each system by type."""
    from corrigenda.analysis.attribution import values_by_type

    out = console()
    for metric in dict.fromkeys(each.metric for each in attributed):
        columns = (
            tables.key_column(str(metric)),
            Column("type", left=True),
            *(Column(heading) for heading in ("edits", "helped", "hurt", "mean value")),
        )
        rows = [
            Row(
                (
                    tables.text(each.system),
                    tables.text(found.type),
                    tables.count(found.edits),
                    tables.count(found.helped),
                    tables.count(found.hurt),
                    tables.text(f"{100 * found.mean:+.2f}"),
                )
            )
            for each in attributed
            if each.metric == metric
            for found in values_by_type(each.sentences)
        ]
        print_table(Table(columns, tuple(rows)))
    print_note(out, f"{METHODS[method]}. --line N shows the edits of a sentence.")


def plain_attributions(attributed: Sequence[AttributedSystem], method: str) -> dict[str, object]:
    """All edits, ready for JSON."""
    return {
        "attribution": method,
        "results": [
            {
                "system": each.system,
                "metric": str(each.metric),
                "sentences": [sentence.to_dict() for sentence in each.sentences],
            }
            for each in attributed
        ],
    }
