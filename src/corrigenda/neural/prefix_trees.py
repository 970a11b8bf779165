"""Texts that begin alike, as trees: a language model reads each common beginning once.

What a causal language model says of a word depends on the words before it alone. A source and the
outputs for it share long beginnings, so together they have far fewer nodes than words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from corrigenda.neural.types import Tokens

MOST_NODES = 256
"""A tree grows no larger: each node is compared with all nodes of its tree."""
LEAST_SHARED = 4
"""A row joins a tree if it shares this many tokens with the row before it, or all of its own."""


@dataclass
class PrefixTree:
    """Rows of tokens with their common beginnings. A parent stands before its children."""

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """The node before each node; the root's is −1."""
    depths: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    """The indices of the rows in this tree."""
    ends: list[int] = field(default_factory=list)
    """The last node of each of them."""

    def __len__(self) -> int:
        return len(self.tokens)

    def add(self, row: int, tokens: Tokens, path: Sequence[int]) -> list[int]:
        """Add a row whose first nodes are those of `path`. Gives all its nodes."""
        nodes = list(path)
        for token in tokens[len(path) :]:
            self.parents.append(nodes[-1] if nodes else -1)
            self.depths.append(len(nodes))
            nodes.append(len(self.tokens))
            self.tokens.append(token)
        self.rows.append(row)
        self.ends.append(nodes[-1])
        return nodes

    def sums(self, values: Sequence[float]) -> list[float]:
        """For each row, the sum of the values of its nodes."""
        sums: list[float] = []
        for value, parent in zip(values[: len(self)], self.parents, strict=True):
            sums.append(value + (sums[parent] if parent >= 0 else 0.0))
        return [sums[end] for end in self.ends]


def prefix_trees(rows: Sequence[Tokens]) -> Iterator[PrefixTree]:
    """Trees that hold all rows, each in one of them. No row is empty."""
    tree, before, path = PrefixTree(), Tokens(), list[int]()
    # In this order, the row before a row shares the longest beginning with it.
    for place in sorted(range(len(rows)), key=lambda place: (rows[place], place)):
        row = rows[place]
        shared = _common(row, before)
        fits = len(tree) + len(row) - shared <= MOST_NODES
        if len(tree) and not (fits and shared >= min(LEAST_SHARED, len(row))):
            yield tree
            tree, shared, path = PrefixTree(), 0, []
        path = tree.add(place, row, path[:shared])
        before = row
    if len(tree):
        yield tree


def _common(one: Tokens, other: Tokens) -> int:
    """How many tokens the beginnings of both have in common."""
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return place
    return min(len(one), len(other))
