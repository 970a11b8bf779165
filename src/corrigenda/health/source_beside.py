"""The source beside its first reference: is the source what it should be?

People who correct a sentence may add capitals and marks, and write it anew. They hardly ever take
tags, half of a sentence, or nothing at all, for a sentence and correct that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from corrigenda.health.affixes import Ends, affix_finding, constant_affix
from corrigenda.health.block import TextBlock
from corrigenda.health.finding import Finding
from corrigenda.health.line_checks import LINE_CHECKS
from corrigenda.health.tally import LineTally
from corrigenda.health.text_watch import LEAST_OF_CORRECT_TEXT, marked_lines
from corrigenda.kernels.line_traits import Rows

_FEWEST = 3
_REMEDY = "Check how the source file was made."
CHECKS = tuple(check for check in LINE_CHECKS if check.of_source)


@dataclass
class SourceBeside:
    """What is known so far about the source beside reference 1."""

    marked: list[LineTally] = field(default_factory=lambda: [LineTally() for _ in CHECKS])
    ends: Ends = field(default_factory=Ends)
    reference_ends: Ends = field(default_factory=Ends)

    def add(self, source: TextBlock, reference: TextBlock, numbers: Rows) -> None:
        """Look at consecutive lines."""
        weight = source.weight
        for check, tally in zip(CHECKS, self.marked, strict=True):
            among = None if check.among is None else check.among(reference.traits)
            tally.add(marked_lines(check, reference, source, among), numbers, among, weight)
        self.ends.add(source.lines, weight)
        self.reference_ends.add(reference.lines, weight)

    def findings(self, others: Sequence[Ends]) -> Iterator[Finding]:
        """All findings; `others` are the ends of the lines of all other texts."""
        told: set[str] = set()
        for check, tally in zip(CHECKS, self.marked, strict=True):
            if tally.exceeds(check.of_source, tally.among, _FEWEST, check.usual):
                told.add(check.code)
                message = f"{tally.counted(tally.among)} {check.source_message or check.message}"
                yield Finding(
                    check.code, None, "source", message, tally.share(tally.among),
                    tuple(tally.lines), _REMEDY,
                )  # fmt: skip
        affix = constant_affix(self.ends, self.reference_ends, others)
        if not told and affix is not None and affix.share >= LEAST_OF_CORRECT_TEXT:
            yield affix_finding(affix, None, "source")
