"""Is the output of a system that of another system?"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corrigenda.health.finding import Finding
from corrigenda.health.tally import LineTally
from corrigenda.kernels.line_traits import Rows

LEAST_EQUAL = 0.99
"""Of the lines that one of the two changes. Real systems agree on half of them at most."""
FEWEST_CHANGED = 20
_FEWEST_TO_GIVE_UP = 200
_REMEDY = "Check whether the output of one was given for the other."

Hashes = npt.NDArray[np.uint64]


@dataclass
class Copies:
    """Each pair of systems that may still be equal."""

    names: Sequence[str]
    pairs: dict[tuple[int, int], LineTally] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for pair in itertools.combinations(range(len(self.names)), 2):
            self.pairs[pair] = LineTally()

    def add(self, source: Hashes, outputs: Sequence[Hashes], numbers: Rows, weight: float) -> None:
        """Look at consecutive lines, by the hashes of their words."""
        changed = [each != source for each in outputs]
        for (one, other), tally in list(self.pairs.items()):
            either = changed[one] | changed[other]
            tally.add(outputs[one] == outputs[other], numbers, either, weight)
            if tally.among >= _FEWEST_TO_GIVE_UP and tally.count < 0.5 * tally.among:
                del self.pairs[one, other]

    def findings(self) -> Iterator[Finding]:
        """Each system that is equal to an earlier one: the first of those."""
        found: set[int] = set()
        for (one, other), tally in self.pairs.items():
            if other not in found and tally.exceeds(LEAST_EQUAL, tally.among, FEWEST_CHANGED):
                found.add(other)
                message = (
                    f"{tally.counted(tally.among)} that are changed are the same as in "
                    f"{self.names[one]}."
                )
                yield Finding(
                    "wrong-roles", self.names[other], "hypothesis", message,
                    tally.share(tally.among), tuple(tally.lines), _REMEDY,
                )  # fmt: skip
