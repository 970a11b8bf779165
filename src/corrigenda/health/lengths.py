"""Are lines cut at one length? Then the longest lines of a text all have the same length."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corrigenda.health.finding import SHOWN_LINES
from corrigenda.kernels.line_traits import Numbers, Rows

LEAST_LONGER = 0.005
"""The share of the source's lines that must be longer than the longest line of the text."""
_AT_THE_LIMIT = 0.7
"""The share of them that the text has at its limit, or just below it."""
CLEARLY_LONGER = 1.1
_FEWEST = 3
_LONGEST = 1 << 16
"""Longer lines count as lines of this length."""

Counts = npt.NDArray[np.int64]


@dataclass
class Lengths:
    """How many lines have which length, in a source and in a text."""

    unit: str
    slack: int
    """A line that ends this much below the limit still counts as cut there: blanks are removed."""
    text: Counts = field(default_factory=lambda: np.zeros(1, np.int64))
    """The number of lines of each length; so is `source`."""
    source: Counts = field(default_factory=lambda: np.zeros(1, np.int64))
    longest: int = -1
    lines: list[int] = field(default_factory=list)
    """The first lines of the longest length whose source is longer."""

    def add(self, source: Numbers, text: Numbers, numbers: Rows) -> None:
        """Add the lengths of lines."""
        source, text = np.minimum(source, _LONGEST), np.minimum(text, _LONGEST)
        self.source, self.text = _added(self.source, source), _added(self.text, text)
        longest = int(text.max(initial=-1))
        if longest > self.longest:
            self.longest, self.lines = longest, []
        at_limit = text >= self.longest - self.slack
        cut = np.flatnonzero(at_limit & (source > CLEARLY_LONGER * self.longest))
        self.lines = (self.lines + numbers[cut].tolist())[:SHOWN_LINES]

    def limit(self) -> tuple[int, int] | None:
        """The length at which lines are cut, and how many lines; None if there is none."""
        lines = int(self.text.sum())
        # The smallest whole number that is clearly longer.
        clearly = math.floor(CLEARLY_LONGER * self.longest) + 1
        longer = int(self.source[max(0, clearly) :].sum())
        least = max(0, self.longest - self.slack)
        at_limit = int(self.text[least : self.longest + 1].sum())
        if (
            self.longest < 1
            or longer < max(_FEWEST, LEAST_LONGER * lines)
            or at_limit < _AT_THE_LIMIT * longer
        ):
            return None
        return self.longest, longer


def _added(counts: Counts, lengths: Numbers) -> Counts:
    """The counts, with those of more lines."""
    new = np.bincount(lengths, minlength=len(counts))
    new[: len(counts)] += counts
    return new
