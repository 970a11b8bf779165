"""Are lines cut at one length? Then the longest lines of a text all have the same length."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from corrigenda.health.finding import SHOWN_LINES
from corrigenda.kernels.line_traits import Numbers, Rows

LEAST_LONGER = 0.005
"""The share of the source's lines that must be longer than the longest line of the text."""
_AT_THE_LIMIT = 0.7
"""The share of them that the text has at its limit, or just below it."""
CLEARLY_LONGER = 1.1
_FEWEST = 3


@dataclass
class Lengths:
    """How many lines have which length, in a source and in a text."""

    unit: str
    slack: int
    """A line that ends this much below the limit still counts as cut there: blanks are removed."""
    text: dict[int, int] = field(default_factory=dict)
    source: dict[int, int] = field(default_factory=dict)
    longest: int = -1
    lines: list[int] = field(default_factory=list)
    """The first lines of the longest length whose source is longer."""

    def add(self, source: Numbers, text: Numbers, numbers: Rows) -> None:
        """Add the lengths of lines."""
        for known, lengths in ((self.source, source), (self.text, text)):
            for length, count in zip(*np.unique(lengths, return_counts=True), strict=True):
                known[int(length)] = known.get(int(length), 0) + int(count)
        longest = int(text.max(initial=-1))
        if longest > self.longest:
            self.longest, self.lines = longest, []
        at_limit = text >= self.longest - self.slack
        cut = np.flatnonzero(at_limit & (source > CLEARLY_LONGER * self.longest))
        self.lines = (self.lines + numbers[cut].tolist())[:SHOWN_LINES]

    def limit(self) -> tuple[int, int] | None:
        """The length at which lines are cut, and how many lines; None if there is none."""
        lines = sum(self.text.values())
        clearly = CLEARLY_LONGER * self.longest
        longer = sum(count for length, count in self.source.items() if length > clearly)
        allowed = range(self.longest - self.slack, self.longest + 1)
        at_limit = sum(self.text.get(length, 0) for length in allowed)
        if (
            self.longest < 1
            or longer < max(_FEWEST, LEAST_LONGER * lines)
            or at_limit < _AT_THE_LIMIT * longer
        ):
            return None
        return self.longest, longer
