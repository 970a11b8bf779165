"""Counts of marked lines, with the first few of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from corrigenda.health.finding import SHOWN_LINES
from corrigenda.kernels.line_traits import Mask, Rows

FEWEST_LINES = 2
"""One line alone is no finding."""
DEVIATIONS = 4
"""How far beyond its usual number a count must be, in standard deviations.

So much because lines that stand together are alike: of few lines, many may be unusual.
"""
_FEWEST_OF_FEW = 3
"""So many lines are enough, whatever is usual, if they are all lines."""


@dataclass
class LineTally:
    """How many lines were marked, and which came first."""

    count: float = 0
    lines: list[int] = field(default_factory=list)
    among: float = 0
    """The number of lines that were looked at."""
    is_estimate: bool = False

    def add(
        self, marked: Mask, numbers: Rows, among: Mask | None = None, weight: float = 1
    ) -> None:
        """Add the marked lines. `numbers` are those of all lines; `among` marks which count.

        Each line stands for `weight` lines.
        """
        if among is not None:
            marked = marked & among
        self.among += weight * (len(marked) if among is None else int(np.count_nonzero(among)))
        found = np.flatnonzero(marked)
        self.count += weight * len(found)
        self.is_estimate = self.is_estimate or (weight > 1 and len(found) > 0)
        if len(self.lines) < SHOWN_LINES:
            self.lines += numbers[found[: SHOWN_LINES - len(self.lines)]].tolist()

    def exceeds(
        self,
        least: float,
        lines: float,
        fewest: int = FEWEST_LINES,
        usual: float = 0.0,
        deviations: float = DEVIATIONS,
    ) -> bool:
        """Whether it is at least this share of the lines, and more than chance makes of few lines.

        `usual` is the share that real outputs have.
        """
        expected = usual * lines
        by_chance = expected + deviations * math.sqrt(expected) + (FEWEST_LINES if usual else 0)
        by_chance = min(by_chance, max(lines, _FEWEST_OF_FEW))
        return self.count >= max(fewest, least * lines, by_chance)

    def counted(self, lines: float) -> str:
        """`12 of 60 lines (20 %)`, or `about 12 …`."""
        return counted(self.count, lines, about=self.is_estimate)

    def share(self, lines: float) -> float:
        """The marked share of the lines."""
        return self.count / lines if lines else 0.0


def counted(count: float, lines: float, *, about: bool = False) -> str:
    """`12 of 60 lines (20 %)`; `about` if it is an estimate by a sample."""
    share = 100 * count / lines if lines else 0.0
    shown = f"{share:.2g}" if share < 1 else f"{share:.0f}"
    return f"{'about ' * about}{round(count):,} of {round(lines):,} lines ({shown} %)"
