"""One line for many sources: the answer of a system that failed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from corrigenda.kernels.line_traits import LineTraits, Mask

LEAST_SAME = 0.02
_FEWEST = 5


@dataclass
class SameLines:
    """How many different sources have the same line, which shares little with them."""

    counts: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, source: LineTraits, text: LineTraits, strange: Mask, weight: float) -> None:
        """Look at lines; `strange` are those that share little with their source."""
        rows = strange & (text.words > 0)
        if not rows.any():
            return
        # `np.unique` would load masked arrays, which takes longer than all checks of a short text.
        lines, sources = (each.hashes[rows, 0].tolist() for each in (text, source))
        counts = Counter(line for line, _ in set(zip(lines, sources, strict=True)))
        line, count = max(counts.items(), key=lambda each: (each[1], -each[0]))
        self.counts[line] += weight * count

    def most(self, lines: float) -> float:
        """The number of sources with the most frequent line; 0 if that is no finding."""
        count = max(self.counts.values(), default=0.0)
        return count if count >= max(_FEWEST, LEAST_SAME * lines) else 0.0
