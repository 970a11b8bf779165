"""The order in which sentences are encoded, and which sentences are encoded together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")
_Name = TypeVar("_Name", bound=Hashable)


def batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """The indices of all sentences, longest first, in batches of at most `tokens` tokens.

    Padding counts. A sentence with more tokens is a batch of its own.
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


def groups_of_pairs(
    pairs: Iterable[tuple[_Item, _Name, _Name]], sizes: Mapping[_Name, int], limit: int
) -> Iterator[list[_Item]]:
    """All items, each with two sentences, in groups. No two groups share a sentence.

    So each sentence is encoded in one group only. Memory is bounded, because a group grows only
    while the sizes of its sentences stay within the limit. Items keep their order where possible.
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
    """Groups of items that are connected by shared sentences, with these sentences."""
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
