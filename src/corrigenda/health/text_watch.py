"""One text beside the source: the output of a system, or a reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from corrigenda.health.affixes import Ends, affix_finding, constant_affix
from corrigenda.health.block import TextBlock
from corrigenda.health.finding import SHOWN_LINES, Code, Finding
from corrigenda.health.lengths import Lengths
from corrigenda.health.line_checks import LINE_CHECKS, LineCheck
from corrigenda.health.order import Order
from corrigenda.health.order_finding import order_finding
from corrigenda.health.runs import Run, UnmadeLines
from corrigenda.health.same_lines import SameLines
from corrigenda.health.tally import LineTally, counted
from corrigenda.kernels.line_traits import Mask, Rows

LEAST_COMPOSED = 0.05
_LEAST_OF_FEW = 0.1
LEAST_OF_CORRECT_TEXT = 0.5
"""The share of the lines of a reference, or of the source, that begin or end alike."""
_ONCE = {
    "case", "constant-affix", "encoding", "placeholders", "punctuation", "repeated",
    "tokenised-differently", "truncated",
}  # fmt: skip
"""Of several findings with such a code, the first is enough."""
_CONSEQUENCES = {
    "markup": {"constant-affix", "case", "punctuation", "too-long", "invisible-characters"},
    "subword-marks": {"constant-affix", "case", "tokenised-differently"},
    "repeated": {
        "truncated", "constant-affix", "too-long", "punctuation", "tokenised-differently", "case",
        "encoding",
    },
    "encoding": {"invisible-characters", "punctuation", "constant-affix", "script", "case"},
    "invisible-characters": {"constant-affix", "punctuation"},
    "script": {"constant-affix", "case", "invisible-characters", "punctuation", "too-long"},
    "out-of-step": {"truncated", "too-long", "punctuation", "unchanged"},
    "constant-affix": {"case", "punctuation", "too-long"},
    "truncated": {"punctuation"},
    "empty": {"unchanged"},
    "placeholders": {"markup", "case", "subword-marks", "truncated"},
}  # fmt: skip
"""What a finding brings with it need not be said again."""
_EXPLAINED = 0.5
"""A finding explains another one if it has this many lines, beside those of the other."""
_SIDE_EFFECTS = {
    "constant-affix": {"tokenised-differently", "invisible-characters", "truncated"},
    "markup": {"tokenised-differently", "truncated"},
    "truncated": {"encoding"},
    "out-of-step": {"encoding"},
}
"""What a finding may bring with it on a few of its lines. On many, it is a damage of its own."""
_FEW = 0.5
_BREAKS_WORDS = {"script", "invisible-characters", "subword-marks", "repeated"}
"""Findings that explain why lines share little with their source."""


class Seen(NamedTuple):
    """A finding, and the number of its lines."""

    finding: Finding
    lines: float

    @property
    def code(self) -> str:
        """The code of the finding."""
        return self.finding.code


@dataclass
class TextWatch:
    """What is known so far about a text."""

    system: str | None
    text: str
    is_reference: bool = False
    lines: float = 0
    marked: list[LineTally] = field(default_factory=lambda: [LineTally() for _ in LINE_CHECKS])
    order: Order = field(default_factory=Order)
    ends: Ends = field(default_factory=Ends)
    source_ends: Ends = field(default_factory=Ends)
    words: Lengths = field(default_factory=lambda: Lengths("words", 0))
    widths: Lengths = field(default_factory=lambda: Lengths("characters", 1))
    decomposed: LineTally = field(default_factory=LineTally)
    same_lines: SameLines = field(default_factory=SameLines)
    unmade: UnmadeLines = field(default_factory=UnmadeLines)

    def add(self, source: TextBlock, text: TextBlock, numbers: Rows, threads: int) -> None:
        """Look at consecutive lines; `numbers` are their numbers, from 1."""
        weight = source.weight
        self.lines += weight * len(text)
        for check, tally in zip(LINE_CHECKS, self.marked, strict=True):
            if self._is_of_others(check) and not check.unless_references:
                continue
            among = None if check.among is None else check.among(source.traits)
            tally.add(marked_lines(check, source, text, among), numbers, among, weight)
        strange = self.order.add(source.traits, text.traits, numbers, threads, weight)
        self.same_lines.add(source.traits, text.traits, strange, weight)
        self.ends.add(text.lines, weight)
        self.source_ends.add(source.lines, weight)
        both = source.lines, text.lines
        self.words.add(source.traits.words, text.traits.words, numbers, both, weight)
        self.widths.add(source.traits.width, text.traits.width, numbers, both, weight)
        accented = source.accented | text.accented
        self.decomposed.add(source.composed != text.composed, numbers, accented, weight)

    def findings(
        self, others: Sequence[Ends], references: Sequence[TextWatch] = ()
    ) -> list[Finding]:
        """All findings; `others` are the ends of the lines of the source and of other texts."""
        found: list[Seen] = []
        for place, (check, tally) in enumerate(zip(LINE_CHECKS, self.marked, strict=True)):
            elsewhere = [each.marked[place] for each in references]
            if self._applies(check, tally, elsewhere):
                message = f"{tally.counted(tally.among)} {check.message}"
                found.append(self._finding(check.code, message, check.remedy, tally))
        found += [*self._cut_at_one_length(), *self._same_line(), *self._other_form()]
        found += self._unmade(found)
        found += self._affix(others)
        for moved in self._out_of_step({each.code for each in found}):
            # Empty lines that were inserted, or that fill up the end.
            gaps = max(map(abs, self.order.common_shifts()), default=0)
            found = [each for each in found if each.code != "empty" or each.lines > gaps]
            found.append(moved)
        return [each.finding for each in _without_consequences(found)]

    def _is_of_others(self, check: LineCheck) -> bool:
        return check.of == ("outputs" if self.is_reference else "references")

    def _applies(self, check: LineCheck, tally: LineTally, elsewhere: Sequence[LineTally]) -> bool:
        if self._is_of_others(check):
            return False
        if check.unless_references:
            shares = [each.share(each.among) for each in elsewhere]
            if 2 * max(shares, default=0.0) > tally.share(tally.among):
                return False
        few = check.fewest_of_few
        return tally.exceeds(
            check.least, tally.among, check.fewest, check.usual, check.deviations
        ) or (few > 0 and tally.exceeds(_LEAST_OF_FEW, tally.among, few))

    def _other_form(self) -> Iterator[Seen]:
        found = self.decomposed
        if found.exceeds(LEAST_COMPOSED, found.among):
            message = (
                f"{found.counted(found.among)} with accents or marks are in another "
                "Unicode form than their source."
            )
            remedy = "Normalise all texts alike, e.g. to NFC: equal looks are not equal words."
            yield self._finding("invisible-characters", message, remedy, found)

    def _finding(self, code: Code, message: str, remedy: str, tally: LineTally) -> Seen:
        share = tally.share(tally.among or self.lines)
        lines = tuple(tally.lines)
        finding = Finding(code, self.system, self.text, message, share, lines, remedy)
        return Seen(finding, tally.count)

    def _cut_at_one_length(self) -> Iterator[Seen]:
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

    def _same_line(self) -> Iterator[Seen]:
        if count := self.same_lines.most(self.lines):
            message = f"{counted(count, self.lines)} are the same, and their sources differ."
            remedy = "Check whether the system failed on them."
            yield self._finding("repeated", message, remedy, LineTally(count))

    def _unmade(self, found: Sequence[Seen]) -> Iterator[Seen]:
        """Runs of lines that are unchanged or empty, if nothing was said about such lines yet."""
        if self.is_reference:
            return
        codes = {each.code for each in found}
        remedy = "Check whether the system stopped there."
        if "unchanged" not in codes and (late := self.unmade.unchanged_run()) is not None:
            run, rate = late
            message = (
                f"all {run.lines:,} lines {_place(run)} are equal to the source; elsewhere "
                f"{100 * rate:.0f} % of the lines {self._wrong_lines} are changed."
            )
            yield self._run("unchanged", message, remedy, run)
        if "empty" not in codes and (empty := self.unmade.empty_run()) is not None:
            message = (
                f"all {empty.lines:,} lines {_place(empty)} are empty and their source is not."
            )
            yield self._run("empty", message, remedy, empty)

    @property
    def _wrong_lines(self) -> str:
        return "that the references change" if self.unmade.has_references else "of the text"

    def _run(self, code: Code, message: str, remedy: str, run: Run) -> Seen:
        lines = tuple(range(run.first, run.first + min(run.lines, SHOWN_LINES)))
        share = run.lines / self.lines
        finding = Finding(
            code, self.system, self.text, message, share, lines, remedy, first_line=run.first
        )
        return Seen(finding, run.lines)

    def _affix(self, others: Sequence[Ends]) -> Iterator[Seen]:
        affix = constant_affix(self.ends, self.source_ends, others)
        # Corrections may well add a word to some lines.
        if affix is None or (self.is_reference and affix.share < LEAST_OF_CORRECT_TEXT):
            return
        yield Seen(affix_finding(affix, self.system, self.text), affix.share * self.lines)

    def _out_of_step(self, codes: set[str]) -> Iterator[Seen]:
        if not self.order.is_moved(self.lines) and codes & _BREAKS_WORDS:
            return
        found = order_finding(self.order, self.lines, self.system, self.text)
        # Many copies of one line belong to one line, and are not shuffled.
        if found is not None and not (found.shift is None and self.same_lines.most(self.lines)):
            yield Seen(found, found.share * self.lines)


def marked_lines(check: LineCheck, source: TextBlock, text: TextBlock, among: Mask | None) -> Mask:
    """The lines that a check marks, after a closer look at them."""
    marked = check.marks(source.traits, text.traits)
    if among is not None:
        marked = marked & among
    if check.confirms is not None:
        for row in np.flatnonzero(marked).tolist():
            marked[row] = check.confirms(source.lines[row], text.lines[row])
    return marked


def _place(run: Run) -> str:
    return f"from {run.first:,} to {run.first + run.lines - 1:,}"


def _without_consequences(found: Sequence[Seen]) -> list[Seen]:
    kept: list[Seen] = []
    for each in found:
        again = each.code in _ONCE and any(each.code == other.code for other in kept)
        if not again and not any(_explains(cause, each) for cause in found):
            kept.append(each)
    return kept


def _explains(cause: Seen, other: Seen) -> bool:
    if other.code in _CONSEQUENCES.get(cause.code, ()):
        return cause.lines >= _EXPLAINED * other.lines
    return other.code in _SIDE_EFFECTS.get(cause.code, ()) and other.lines <= _FEW * cause.lines
