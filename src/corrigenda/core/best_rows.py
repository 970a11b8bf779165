"""The policy `BestLocal`, compiled, with keys that need not be known before they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from corrigenda.core.choice import BestLocal
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.kernels.best_rows import best_rows


@dataclass(frozen=True)
class BestRows(BestLocal):
    """`BestLocal`, with the same picks. `keys` may give one key after the other: the later ones are only asked for
    where the earlier ones leave ties.
    """

    keys: Callable[[Array], Iterable[Array]]

    def _choose(self, statistics: Statistics) -> Chosen:
        counts, offsets = statistics.counts, statistics.offsets
        if len(counts) == statistics.sentences:
            return Chosen(statistics, offsets[None, :-1])
        return Chosen(statistics, best_rows(counts, offsets, self.keys(counts)))
