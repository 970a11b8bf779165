"""Are lines cut at one length?

Then the longest lines of a text have the same length, and the ends of their sources are missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corrigenda.health.cuts import lacks_end
from corrigenda.health.finding import SHOWN_LINES
from corrigenda.kernels.line_traits import Numbers, Rows

LEAST_LONGER = 0.005
"""The share of the source's lines that must be longer than the longest line of the text."""
_AT_THE_LIMIT = 0.7
"""The share of them that the text has at its limit, or just below it."""
CLEARLY_LONGER = 1.1
LEAST_CUT = 0.4
"""The share of the lines at the limit whose end is missing."""
_FEWEST = 3
_COMPARED_LINES = 50
_LONGEST = 1 << 16
"""Longer lines count as lines of this length."""

LineCounts = npt.NDArray[np.float64]


@dataclass
class Lengths:
    """How many lines have which length, in a source and in a text."""

    unit: str
    slack: int
    """A line that ends this much below the limit still counts as cut there: blanks are removed."""
    text: LineCounts = field(default_factory=lambda: np.zeros(1))
    """The number of lines of each length; so is `source`."""
    source: LineCounts = field(default_factory=lambda: np.zeros(1))
    longest: int = -1
    lines: list[int] = field(default_factory=list)
    """The first lines of the longest length whose source is longer."""
    pairs: list[tuple[str, str]] = field(default_factory=list)
    """Such lines beside their sources."""

    def add(
        self,
        source: Numbers,
        text: Numbers,
        numbers: Rows,
        lines: tuple[Sequence[str], Sequence[str]],
        weight: float = 1,
    ) -> None:
        """Add the lengths of lines; `lines` are those of the source and of the text."""
        source, text = np.minimum(source, _LONGEST), np.minimum(text, _LONGEST)
        self.source = _added(self.source, source, weight)
        self.text = _added(self.text, text, weight)
        longest = int(text.max(initial=-1))
        if longest > self.longest:
            self.longest, self.lines, self.pairs = longest, [], []
        at_limit = text >= self.longest - self.slack
        cut = np.flatnonzero(at_limit & (source > CLEARLY_LONGER * self.longest))
        cut = cut[: _COMPARED_LINES - len(self.pairs)]
        self.pairs += [(lines[0][row], lines[1][row]) for row in cut.tolist()]
        self.lines = (self.lines + numbers[cut].tolist())[:SHOWN_LINES]

    def limit(self) -> tuple[int, float] | None:
        """The length at which lines are cut, and how many lines; None if there is none."""
        lines = float(self.text.sum())
        # The smallest whole number that is clearly longer.
        clearly = math.floor(CLEARLY_LONGER * self.longest) + 1
        longer = float(self.source[max(0, clearly) :].sum())
        least = max(0, self.longest - self.slack)
        at_limit = float(self.text[least : self.longest + 1].sum())
        if (
            self.longest < 1
            or longer < max(_FEWEST, LEAST_LONGER * lines)
            or at_limit < _AT_THE_LIMIT * longer
            or not self.pairs
            or sum(lacks_end(*pair) for pair in self.pairs) < LEAST_CUT * len(self.pairs)
        ):
            return None
        return self.longest, longer


def _added(counts: LineCounts, lengths: Numbers, weight: float) -> LineCounts:
    """The counts, with those of more lines."""
    new: LineCounts = weight * np.bincount(lengths, minlength=len(counts)).astype(np.float64)
    new[: len(counts)] += counts
    return new
