"""Runs of lines that a system did not make: all equal to the source, or all empty.

A program that dies leaves its last lines as they were, or without text. The share of such lines in
the file may be small, so runs count by themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from corrigenda.kernels.line_traits import Mask

FEWEST_EMPTY = 5
"""So many empty lines in a row are no accident."""
FEWEST_EXPECTED = 15
"""So many changes are expected in a run of unchanged lines, by the rate of the other lines.

Real systems have runs with up to 11.
"""
FEWEST_WITHOUT_REFERENCES = 30
"""The same if no reference says which lines need a change."""
_DEVIATIONS = 3


@dataclass(frozen=True)
class Run:
    """Consecutive lines, by number; `wrong` counts those that the references change."""

    first: int
    lines: int = 0
    wrong: int = 0

    def __add__(self, other: Run) -> Run:
        return Run(self.first, self.lines + other.lines, self.wrong + other.wrong)


@dataclass
class LongestRun:
    """The longest run of marked lines so far."""

    longest: Run = field(default_factory=lambda: Run(0))
    last: Run = field(default_factory=lambda: Run(0))
    """The run at the end; it may go on with the next lines."""

    def add(self, marked: Mask, number: int, wrong: Mask) -> None:
        """Look at consecutive lines from this number on. A gap before them ends a run."""
        if not marked.any():
            self.last = Run(number + len(marked))
            return
        others = np.flatnonzero(~marked)
        begins = np.concatenate([[0], others + 1])
        stops = np.concatenate([others, [len(marked)]])

        def run(place: int) -> Run:
            begin, stop = int(begins[place]), int(stops[place])
            count = int(np.count_nonzero(wrong[begin:stop]))
            return Run(number + begin, stop - begin, count)

        first = run(0)
        if self.last.lines and self.last.first + self.last.lines == first.first:
            first = self.last + first
        self.last = run(-1) if len(others) else first
        inside = run(int(np.argmax(stops - begins)))
        self.longest = max(self.longest, first, inside, self.last, key=lambda each: each.lines)


@dataclass
class UnmadeLines:
    """What is known so far about the lines that a system changed, and about runs of others."""

    unchanged: LongestRun = field(default_factory=LongestRun)
    empty: LongestRun = field(default_factory=LongestRun)
    has_references: bool = False
    wrong: int = 0
    """The lines that all references change; all lines if there are no references."""
    changed: int = 0
    """Those of them that the system changes."""

    def add(self, changed: Mask, empty: Mask, number: int, wrong: Mask | None) -> None:
        """Look at consecutive lines from this number on.

        `wrong` are the lines that all references change.
        """
        self.has_references = wrong is not None
        if wrong is None:
            wrong = np.ones(len(changed), bool)
        self.wrong += int(np.count_nonzero(wrong))
        self.changed += int(np.count_nonzero(changed & wrong))
        self.unchanged.add(~changed, number, wrong)
        self.empty.add(empty, number, wrong)

    def unchanged_run(self) -> tuple[Run, float] | None:
        """A run that is too long for the rate of changes elsewhere, and that rate."""
        run = self.unchanged.longest
        others = self.wrong - run.wrong
        fewest = FEWEST_EXPECTED if self.has_references else FEWEST_WITHOUT_REFERENCES
        if _at_least(self.changed, others) * run.wrong < fewest:
            return None
        return run, self.changed / others

    def empty_run(self) -> Run | None:
        """A run of empty lines."""
        run = self.empty.longest
        return run if run.lines >= FEWEST_EMPTY else None


def _at_least(count: int, among: int) -> float:
    """The lower bound of a rate (by Wilson): a few lines say little about it."""
    if not among:
        return 0.0
    rate, unsure = count / among, _DEVIATIONS**2 / among
    spread = _DEVIATIONS * math.sqrt(rate * (1 - rate) / among + unsure / (4 * among))
    return (rate + unsure / 2 - spread) / (1 + unsure)
