"""Edits as vectors: how an edit moves the vector of a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from corrigenda.neural import settings
from corrigenda.neural.model_source import ModelSource
from corrigenda.neural.pooled import PooledTexts
from corrigenda.neural.types import Pair, Scores, Tensor

Cost = Literal["euclidean", "cosine"]
Floats64 = npt.NDArray[np.float64]


class Geometry(NamedTuple):
    """The lengths of the vectors of two lists of edits, and the costs [n, m] between them."""

    first: Floats64
    second: Floats64
    costs: Floats64


def side(base: str, variants: Sequence[str]) -> str:
    """A text, and the texts that differ from it by one edit each, as one side of a pair."""
    return "\n".join(" ".join(text.split()) for text in (base, *variants))


@dataclass(frozen=True)
class EditGeometries:
    """The geometry of two lists of edits, each given as a `side`."""

    source: ModelSource
    longest: int
    cost: Cost

    @property
    def key(self) -> str:
        """Everything except the texts that the scores depend on."""
        dtype = settings.current().dtype
        return f"edit vectors 1 {self.source.revision} {self.longest} {self.cost} {dtype}"

    @property
    def label(self) -> str:
        """A readable name of the scorer and its model."""
        return f"edit vectors, {self.source.name}"

    @cached_property
    def _texts(self) -> PooledTexts:
        return PooledTexts(self.source, self.longest, self.label)

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The geometries of distinct pairs, group by group, as plain numbers."""
        yield from self._texts.scored(pairs, _lines, self._numbers, threads=threads)

    def _numbers(self, first: Sequence[Tensor], second: Sequence[Tensor]) -> Scores:
        torch = import_module("torch")
        one, other = _moves(torch, first), _moves(torch, second)
        found = [float(len(one)), float(len(other))]
        for moves in (one, other):
            found += moves.norm(dim=1).tolist()
        costs = torch.cdist(one, other, compute_mode="donot_use_mm_for_euclid_dist")
        if self.cost == "cosine":
            costs = 1 - torch.nn.functional.cosine_similarity(
                one[:, None], other[None], dim=2, eps=1e-30
            )
        return (*found, *costs.reshape(-1).tolist())


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _moves(torch: Tensor, vectors: Sequence[Tensor]) -> Tensor:
    base, *variants = vectors
    if not variants:
        return torch.zeros((0, len(base)), dtype=base.dtype)
    return base - torch.stack(variants)


def geometry(scores: Scores) -> Geometry:
    """The geometry from plain numbers."""
    n, m = int(scores[0]), int(scores[1])
    numbers = np.array(scores[2:-1], np.float64)
    return Geometry(numbers[:n], numbers[n : n + m], numbers[n + m :].reshape(n, m))
