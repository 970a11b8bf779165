"""Counts of marked lines, with the first few of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from corrigenda.health.finding import SHOWN_LINES
from corrigenda.health.line_checks import Mask
from corrigenda.kernels.line_traits import Rows

FEWEST_LINES = 2
"""One line alone is no finding."""


@dataclass
class LineTally:
    """How many lines were marked, and which came first."""

    count: int = 0
    lines: list[int] = field(default_factory=list)
    among: int = 0
    """The number of lines that were looked at."""

    def add(self, marked: Mask, numbers: Rows, among: Mask | None = None) -> None:
        """Add the marked lines. `numbers` are those of all lines; `among` marks which count."""
        if among is not None:
            marked = marked & among
        self.among += len(marked) if among is None else int(np.count_nonzero(among))
        found = np.flatnonzero(marked)
        self.count += len(found)
        if len(self.lines) < SHOWN_LINES:
            self.lines += numbers[found[: SHOWN_LINES - len(self.lines)]].tolist()

    def exceeds(self, least: float, lines: int, fewest: int = FEWEST_LINES) -> bool:
        """Whether it is at least this share of the lines."""
        return self.count >= fewest and self.count >= least * lines

    def share(self, lines: int) -> float:
        """The marked share of the lines."""
        return self.count / lines if lines else 0.0


def counted(count: int, lines: int) -> str:
    """`12 of 60 lines (20 %)`."""
    share = 100 * count / lines if lines else 0.0
    shown = f"{share:.2g}" if share < 1 else f"{share:.0f}"
    return f"{count:,} of {lines:,} lines ({shown} %)"
