"""One line for many sources: the answer of a system that failed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from corrigenda.health.line_checks import Mask
from corrigenda.kernels.line_traits import LineTraits

LEAST_SAME = 0.1
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
        pairs = np.stack([text.hashes[rows, 0], source.hashes[rows, 0]], axis=1)
        of_text = np.unique(pairs, axis=0)[:, 0]
        hashes, counts = np.unique(of_text, return_counts=True)
        most = int(counts.argmax())
        self.counts[int(hashes[most])] += weight * int(counts[most])

    def most(self, lines: float) -> float:
        """The number of sources with the most frequent line; 0 if that is no finding."""
        count = max(self.counts.values(), default=0.0)
        return count if count >= max(_FEWEST, LEAST_SAME * lines) else 0.0
