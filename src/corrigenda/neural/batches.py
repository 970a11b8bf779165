"""The order in which sentences are encoded: which together, and which after which."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")
_Name = TypeVar("_Name", bound=Hashable)


def batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """The places of all sentences, the longest first, in batches of at most so many tokens with padding.

    A sentence that is longer than that is a batch by itself.
    """
    order = sorted(range(len(lengths)), key=lambda place: (-lengths[place], place))
    batch: list[int] = []
    for place in order:
        if batch and (len(batch) + 1) * lengths[batch[0]] > tokens:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def windows(
    pairs: Iterable[tuple[_Item, _Name, _Name]], sizes: Mapping[_Name, int], limit: int
) -> Iterator[list[_Item]]:
    """All items, each with two sentences, in groups of which no two share a sentence.

    So a sentence that is encoded in one group is needed in no other, and memory is bounded: a group
    grows while its sentences' sizes are within the limit. Items stay in order as far as that allows.
    """
    group: list[_Item] = []
    size = 0
    for items, names in _components(pairs):
        grown = sum(sizes[name] for name in names)
        if group and size + grown > limit:
            yield group
            group, size = [], 0
        group += items
        size += grown
    if group:
        yield group


def _components(
    pairs: Iterable[tuple[_Item, _Name, _Name]],
) -> list[tuple[list[_Item], set[_Name]]]:
    """The items that are connected through sentences they share, with those sentences."""
    parents: dict[_Name, _Name] = {}

    def root(name: _Name) -> _Name:
        parents.setdefault(name, name)
        while parents[name] != name:
            parents[name] = parents[parents[name]]
            name = parents[name]
        return name

    listed = list(pairs)
    for _, first, second in listed:
        parents[root(second)] = root(first)
    found: dict[_Name, tuple[list[_Item], set[_Name]]] = {}
    for item, first, second in listed:
        items, names = found.setdefault(root(first), ([], set()))
        items.append(item)
        names |= {first, second}
    return list(found.values())
