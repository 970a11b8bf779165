"""Correlations over some of the systems: the best K, and neighbours in the human ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from corrigenda.errors import CorrigendaError
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient

Floats = npt.NDArray[np.float64]


class PartData(TypedDict):
    """A part of the systems in the JSON of a report."""

    first: int
    last: int
    value: float


@dataclass(frozen=True)
class Part:
    """The correlation over the systems from human rank `first` to `last`, counted from 1."""

    first: int
    last: int
    value: float

    def to_dict(self) -> PartData:
        """The part as plain Python values, ready for JSON."""
        return {"first": self.first, "last": self.last, "value": self.value}


def top_k(
    scores: Floats, human: Floats, coefficient: Coefficient, *, fewest: int = 3
) -> list[Part]:
    """Over the K best systems by the human score, for K from all of them down to `fewest`."""
    order = _best_first(human)
    return [
        _part(scores, human, order[:count], 1, coefficient)
        for count in range(len(order), max(fewest, 2) - 1, -1)
    ]


def windows(scores: Floats, human: Floats, coefficient: Coefficient, size: int) -> list[Part]:
    """Over every `size` systems that are neighbours in the human ranking, best first."""
    order = _best_first(human)
    if not 2 <= size <= len(order):
        raise CorrigendaError(
            f"a window of {size} systems is not possible with {len(order)} systems",
            remedy=f"Choose a window of 2 to {len(order)} systems.",
        )
    return [
        _part(scores, human, order[begin : begin + size], begin + 1, coefficient)
        for begin in range(len(order) - size + 1)
    ]


def _best_first(human: Floats) -> npt.NDArray[np.int64]:
    return np.asarray(np.lexsort((np.arange(len(human)), -np.asarray(human))))


def _part(
    scores: Floats,
    human: Floats,
    chosen: npt.NDArray[np.int64],
    first: int,
    coefficient: Coefficient,
) -> Part:
    value = COEFFICIENTS[coefficient](np.asarray(scores)[chosen], np.asarray(human)[chosen])
    return Part(first, first + len(chosen) - 1, float(value))
