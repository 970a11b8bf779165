"""The lines of a block with their traits: what all checks look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from corrigenda.kernels.line_traits import LineTraits, Mask, Rows, line_traits
from corrigenda.kernels.lines import Lines
from corrigenda.text.normal_form import is_normal, normal_form


@dataclass(frozen=True)
class TextBlock:
    """Consecutive lines of a text.

    The sketches are those of the composed text (NFC), so that they are alike in any normal form.
    """

    lines: Sequence[str]
    traits: LineTraits
    composed: Mask
    """Whether each line is in normal form C."""
    accented: Mask
    """Whether each line has letters that have another normal form."""
    weight: float = 1
    """How many lines of the text each line stands for: a sample stands for other lines, too."""

    @classmethod
    def of(cls, lines: Sequence[str], *, threads: int, weight: float = 1) -> TextBlock:
        """The lines with their traits."""
        return replace(cls._of(lines, threads), weight=weight)

    @classmethod
    def _of(cls, lines: Sequence[str], threads: int) -> TextBlock:
        traits = line_traits(lines, threads=threads)
        if lines.isascii() if isinstance(lines, Lines) else all(map(str.isascii, lines)):
            return cls(lines, traits, np.ones(len(lines), bool), np.zeros(len(lines), bool))
        joined = "\n".join(lines)
        accented = np.array([not is_normal(line, "NFD") for line in lines], bool)
        if is_normal(joined, "NFC"):
            return cls(lines, traits, np.ones(len(lines), bool), accented)
        composed = np.array([is_normal(line, "NFC") for line in lines], bool)
        accented |= ~composed
        normal = line_traits([normal_form(line, "NFC") for line in lines], threads=1)
        return cls(lines, replace(traits, sketches=normal.sketches), composed, accented)

    def __len__(self) -> int:
        return len(self.lines)

    def at(self, rows: Rows) -> TextBlock:
        """Some of the lines."""
        lines = [self.lines[row] for row in rows.tolist()]
        return TextBlock(
            lines, self.traits.at(rows), self.composed[rows], self.accented[rows], self.weight
        )
