"""Which outputs are judged together: every pair of systems about equally often, seeded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
WrittenBy = tuple[int, ...]
"""The numbers of the systems that wrote an output."""


class BalancedPairs:
    """Counts how often each two systems were put together, and draws outputs that even it out."""

    def __init__(self, systems: int, generator: np.random.Generator) -> None:
        self.counts: Floats = np.zeros((systems, systems))
        self._generator = generator

    def draw(self, outputs: Sequence[WrittenBy], size: int) -> list[int]:
        """The places of `size` outputs whose systems have met least; they are counted."""
        costs = self._costs(outputs)
        chosen = self._first_pair(costs) if len(outputs) > size else list(range(len(outputs)))
        while len(chosen) < min(size, len(outputs)):
            left = [place for place in range(len(outputs)) if place not in chosen]
            total = costs[np.ix_(left, chosen)].sum(axis=1) + self._noise(len(left))
            chosen.append(left[int(total.argmin())])
        self.count([outputs[place] for place in chosen])
        return sorted(chosen)

    def count(self, together: Sequence[WrittenBy]) -> None:
        """Note that these outputs are judged together."""
        for one, other in combinations(together, 2):
            for first in one:
                for second in other:
                    self.counts[first, second] += 1
                    self.counts[second, first] += 1

    def _costs(self, outputs: Sequence[WrittenBy]) -> Floats:
        """How often the systems of two outputs have met, on average: [outputs, outputs]."""
        written = np.zeros((len(outputs), len(self.counts)))
        for place, systems in enumerate(outputs):
            written[place, list(systems)] = 1 / len(systems)
        return np.asarray(written @ self.counts @ written.T)

    def _first_pair(self, costs: Floats) -> list[int]:
        pairs = list(combinations(range(len(costs)), 2))
        values = np.array([costs[pair] for pair in pairs]) + self._noise(len(pairs))
        return list(pairs[int(values.argmin())])

    def _noise(self, size: int) -> Floats:
        """Less than any difference of counts: it decides ties."""
        return self._generator.random(size) * 1e-6
