"""Scores of items that a model reads one by one: each distinct item once, longest first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from corrigenda import progress
from corrigenda.neural.batches import batches
from corrigenda.neural.parallel import in_order
from corrigenda.neural.types import Pair, Scores

_ModelInput = TypeVar("_ModelInput", bound=Hashable)
_PAIRS_AT_ONCE = 4096
"""So many pairs are given, and stored, at once. An interrupted run loses no more."""


def scored_in_batches(
    items: Mapping[Pair, _ModelInput],
    length: Callable[[_ModelInput], int],
    compute: Callable[[list[_ModelInput]], list[float]],
    cut: Mapping[Pair, int],
    *,
    what: str,
    label: str,
    batch_tokens: int,
    device: str,
    threads: int,
) -> Iterator[dict[Pair, Scores]]:
    """Part by part, each pair with the number of its item, and how many of its texts were cut."""
    distinct = list(dict.fromkeys(items.values()))

    def computed(places: list[int]) -> list[tuple[_ModelInput, float]]:
        batch = [distinct[place] for place in places]
        return list(zip(batch, compute(batch), strict=True))

    made = batches([length(item) for item in distinct], batch_tokens)
    results = in_order(computed, made, device=device, threads=threads)
    return scores_of_pairs(items, results, cut, what=what, label=label)


def scores_of_pairs(
    items: Mapping[Pair, _ModelInput],
    results: Iterable[list[tuple[_ModelInput, float]]],
    cut: Mapping[Pair, int],
    *,
    what: str,
    label: str,
) -> Iterator[dict[Pair, Scores]]:
    """Part by part, each pair with the number that `results` give its item, and its cut texts."""
    pairs_of: dict[_ModelInput, list[Pair]] = {}
    for pair, item in items.items():
        pairs_of.setdefault(item, []).append(pair)
    done = 0
    found: dict[Pair, Scores] = {}
    progress.report(what, 0, len(pairs_of), label)
    for values in results:
        for item, value in values:
            found.update((pair, (value, float(cut[pair]))) for pair in pairs_of[item])
        done += len(values)
        progress.report(what, done, len(pairs_of), label)
        if len(found) >= _PAIRS_AT_ONCE:
            yield found
            found = {}
    if found:
        yield found


def texts_of(pairs: Sequence[Pair]) -> list[str]:
    """The texts of pairs that are single texts: their second text is empty."""
    return [each.candidate for each in pairs]
