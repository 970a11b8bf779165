"""One text beside the source: the output of a system, or a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from corrigenda.health.affixes import Ends, constant_affix
from corrigenda.health.block import TextBlock
from corrigenda.health.finding import SHOWN_LINES, Code, Finding
from corrigenda.health.lengths import Lengths
from corrigenda.health.line_checks import LINE_CHECKS, LineCheck
from corrigenda.health.order import Order
from corrigenda.health.tally import LineTally, counted
from corrigenda.kernels.line_traits import Rows

LEAST_SAME_LINE = 0.1
LEAST_COMPOSED = 0.05
_FEWEST_SAME_LINE = 5
_ONCE = {"case", "truncated", "repeated", "tokenised-differently"}
"""Of several findings with such a code, the first is enough."""
_CONSEQUENCES = {
    "markup": {"constant-affix", "case"},
    "subword-marks": {"constant-affix", "case", "tokenised-differently"},
    "repeated": {"truncated", "constant-affix"},
    "invisible-characters": {"constant-affix"},
    "script": {"constant-affix", "case", "invisible-characters"},
    "out-of-step": {"truncated"},
    "constant-affix": {"case"},
}
"""What a finding brings with it need not be said again."""
_BREAKS_WORDS = {"script", "invisible-characters", "subword-marks", "repeated"}
"""Findings that explain why lines share little with their source."""


@dataclass
class TextWatch:
    """What is known so far about a text."""

    system: str | None
    text: str
    is_reference: bool = False
    lines: int = 0
    marked: list[LineTally] = field(default_factory=lambda: [LineTally() for _ in LINE_CHECKS])
    order: Order = field(default_factory=Order)
    ends: Ends = field(default_factory=Ends)
    source_ends: Ends = field(default_factory=Ends)
    words: Lengths = field(default_factory=lambda: Lengths("words", 0))
    widths: Lengths = field(default_factory=lambda: Lengths("characters", 1))
    decomposed: LineTally = field(default_factory=LineTally)
    same_lines: Counter[int] = field(default_factory=Counter)
    same_sources: Counter[int] = field(default_factory=Counter)

    def add(self, source: TextBlock, text: TextBlock, numbers: Rows, threads: int) -> None:
        """Look at consecutive lines; `numbers` are their numbers, from 1."""
        self.lines += len(text)
        for check, tally in zip(LINE_CHECKS, self.marked, strict=True):
            among = None if check.among is None else check.among(source.traits)
            tally.add(check.marks(source.traits, text.traits), numbers, among)
        self.order.add(source.traits, text.traits, numbers, threads)
        self.ends.add(text.lines)
        self.source_ends.add(source.lines)
        self.words.add(source.traits.words, text.traits.words, numbers)
        self.widths.add(source.traits.width, text.traits.width, numbers)
        self.decomposed.add(source.composed != text.composed, numbers, source.accented)
        for known, block in ((self.same_lines, text), (self.same_sources, source)):
            long = block.traits.words > 0
            hashes, counts = np.unique(block.traits.hashes[long, 0], return_counts=True)
            if len(counts):
                most = int(counts.argmax())
                known[int(hashes[most])] += int(counts[most])

    def findings(self, others: Sequence[Ends]) -> list[Finding]:
        """All findings; `others` are the ends of the source's and of the references' lines."""
        found: list[Finding] = []
        for check, tally in zip(LINE_CHECKS, self.marked, strict=True):
            if self._applies(check, tally):
                message = f"{counted(tally.count, tally.among)} {check.message}"
                found.append(self._finding(check.code, message, check.remedy, tally))
        found += [*self._cut_at_one_length(), *self._same_line(), *self._other_form()]
        found += self._affix(others)
        found += self._out_of_step({each.code for each in found})
        return _without_consequences(found)

    def _applies(self, check: LineCheck, tally: LineTally) -> bool:
        if check.of == ("outputs" if self.is_reference else "references"):
            return False
        return tally.exceeds(check.least, tally.among, check.fewest)

    def _other_form(self) -> Iterator[Finding]:
        found = self.decomposed
        if found.exceeds(LEAST_COMPOSED, found.among):
            message = (
                f"{counted(found.count, found.among)} with accents or marks are in another "
                "Unicode form than their source."
            )
            remedy = "Normalise all texts alike, e.g. to NFC: equal looks are not equal words."
            yield self._finding("invisible-characters", message, remedy, found)

    def _finding(self, code: Code, message: str, remedy: str, tally: LineTally) -> Finding:
        share = tally.share(tally.among or self.lines)
        return Finding(code, self.system, self.text, message, share, tuple(tally.lines), remedy)

    def _cut_at_one_length(self) -> Iterator[Finding]:
        for lengths in (self.words, self.widths):
            if (limit := lengths.limit()) is not None:
                length, count = limit
                message = (
                    f"no line is longer than {length:,} {lengths.unit}, but "
                    f"{counted(count, self.lines)} of the source are: they are cut there."
                )
                remedy = "Check the limit of the output's length."
                tally = LineTally(count, lengths.lines)
                yield self._finding("truncated", message, remedy, tally)
                return

    def _same_line(self) -> Iterator[Finding]:
        if not self.same_lines:
            return
        count = self.same_lines.most_common(1)[0][1]
        in_source = max(self.same_sources.values(), default=0)
        if count - in_source < max(_FEWEST_SAME_LINE, LEAST_SAME_LINE * self.lines):
            return
        message = f"{counted(count, self.lines)} are the same, and their sources differ."
        remedy = "Check whether the system failed on them."
        yield self._finding("repeated", message, remedy, LineTally(count))

    def _affix(self, others: Sequence[Ends]) -> Iterator[Finding]:
        if (
            self.is_reference
            or (affix := constant_affix(self.ends, self.source_ends, others)) is None
        ):
            return
        verb = "end" if affix.at_end else "begin"
        message = (
            f"about {100 * affix.share:.0f} % of the lines {verb} with {affix.text.strip()!r}, and "
            "the source does not."
        )
        remedy = "Remove what is not a part of the sentence."
        yield Finding("constant-affix", self.system, self.text, message, affix.share, (), remedy)

    def _out_of_step(self, codes: set[str]) -> Iterator[Finding]:
        order = self.order
        if order.is_moved(self.lines):
            yield self._moved(order)
        elif order.is_unrelated and not codes & _BREAKS_WORDS:
            message = (
                f"{counted(order.unrelated, self.lines)} share little with their source: they are "
                "shuffled, or belong to another text."
            )
            tally = LineTally(order.unrelated, order.unrelated_lines[:SHOWN_LINES])
            yield self._finding("out-of-step", message, _ORDER, tally)

    def _moved(self, order: Order) -> Finding:
        lines = [line for line, _ in order.moved]
        shifts = order.common_shifts()
        if not shifts:
            # Lines that no line was found for are out of step, too, where most others are.
            count = max(len(lines), order.unrelated if order.is_unrelated else 0)
            message = (
                f"{counted(count, self.lines)} belong to other lines of the source: they are "
                "shuffled."
            )
            tally = LineTally(count, lines[:SHOWN_LINES])
            return self._finding("out-of-step", message, _ORDER, tally)
        count = max(len(lines), order.unrelated)
        way = "earlier" if shifts[0] > 0 else "later"
        message = (
            f"shifted by {shifts[0]:+d} from line {lines[0]:,} on: each line belongs to the source "
            f"{_lines(abs(shifts[0]))} {way}"
        )
        if len(shifts) > 1:
            message += f" (further on by {' and '.join(f'{each:+d}' for each in shifts[1:])})"
        return Finding(
            "out-of-step", self.system, self.text,
            f"{message}; {counted(count, self.lines)} are out of step.",
            count / self.lines, tuple(lines[:SHOWN_LINES]), _ORDER, shifts[0], lines[0],
        )  # fmt: skip


def _without_consequences(found: Sequence[Finding]) -> list[Finding]:
    codes = {each.code for each in found}
    hidden = set().union(*(_CONSEQUENCES.get(code, set()) for code in codes))
    kept: list[Finding] = []
    for each in found:
        again = each.code in _ONCE and any(each.code == other.code for other in kept)
        if each.code not in hidden and not again:
            kept.append(each)
    return kept


_ORDER = "Line i of every text must belong to sentence i: check how the file was made."


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{count:,} lines"
