"""Which sentences belong together: by length, by the number of gold edits, by error type, by a column."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Corpus
from corrigenda.corpus.gold import gold_annotations
from corrigenda.edits import Edit
from corrigenda.errors import CorrigendaError

LENGTH, EDITS, TYPE = "length", "edits", "type"
LENGTH_BOUNDS = (10, 20, 30, 40)
EDIT_BOUNDS = (0, 1, 2, 4)
MISSING = "(none)"
MOST_VALUES = 12  # a column of more different numbers is cut into ranges
_MOST_RANGES = 4
_CATEGORIES = (1, 2, 3)


GoldEdits = Sequence[Sequence[Sequence[Edit]]]
"""For each sentence, for each of its annotators: edits."""


@dataclass(frozen=True)
class Slice:
    """Some sentences of a corpus: `sentences` counts them from 0, in order; `by` says what divides, `label` which part."""

    by: str
    label: str
    sentences: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sentences)


def slices_by(
    corpus: Corpus,
    by: str,
    columns: Mapping[str, Sequence[Any]] | None = None,
    *,
    bounds: Sequence[int] | None = None,
    category: int = 3,
    gold: GoldEdits | None = None,
) -> list[Slice]:
    """The slices of a name: length, edits, type, or a column of a sidecar; gold edits as in `by_type`."""
    columns = columns or {}
    if by in columns:
        return by_column(by, columns[by])
    if by == LENGTH:
        return by_length(corpus, bounds or LENGTH_BOUNDS)
    if by == EDITS:
        return by_edits(corpus, bounds or EDIT_BOUNDS, gold)
    if by == TYPE:
        return by_type(corpus, category, gold)
    known = ", ".join([LENGTH, EDITS, TYPE, *columns])
    raise CorrigendaError(
        f"there is nothing called {by!r} to slice by",
        remedy=f"It takes one of {known}"
        + ("." if columns else "; columns need a sidecar of JSON lines."),
    )


def by_length(corpus: Corpus, bounds: Sequence[int] = LENGTH_BOUNDS) -> list[Slice]:
    """By the number of words of the source; a bound is the last number of its slice."""
    return _by_number(LENGTH, [len(source.split()) for source in corpus.sources], bounds)


def by_edits(
    corpus: Corpus, bounds: Sequence[int] = EDIT_BOUNDS, gold: GoldEdits | None = None
) -> list[Slice]:
    """By the number of gold edits: the mean over the sentence's annotators, halves rounded up."""
    numbers = []
    for annotators in gold or gold_edits(corpus):
        mean = sum(map(len, annotators)) / max(1, len(annotators))
        numbers.append(math.floor(mean + 0.5))
    return _by_number(EDITS, numbers, bounds)


def by_type(corpus: Corpus, category: int = 3, gold: GoldEdits | None = None) -> list[Slice]:
    """By error type: the sentences in which any annotator has an edit of it, the commonest type first.

    Types are those of the gold edits, or of `gold` in their place: edits for each sentence and annotator,
    e.g. from `errant_edits`. Reference texts without gold edits have the types M, R and U only.

    `category` shortens types of ERRANT's form as its `-cat` does: 1 the operation (R), 2 what it is done
    to (NOUN:NUM), 3 all of it (R:NOUN:NUM).
    """
    if category not in _CATEGORIES:
        raise CorrigendaError(
            f"category is {category}", remedy="It takes 1 (operation), 2 (category) or 3 (both)."
        )
    members: dict[str, list[int]] = {}
    for index, annotators in enumerate(gold or gold_edits(corpus)):
        types = {shortened_type(edit.type, category) for edits in annotators for edit in edits}
        for kind in types:
            members.setdefault(kind, []).append(index)
    ordered = sorted(members, key=lambda kind: (-len(members[kind]), kind))
    return [_slice(TYPE, kind, members[kind]) for kind in ordered]


def gold_edits(corpus: Corpus) -> GoldEdits:
    """The edits of each annotator of each sentence, as annotated or by minimal alignment."""
    return [[annotation.edits for annotation in sentence] for sentence in gold_annotations(corpus)]


def errant_edits(corpus: Corpus, *, threads: int | None = None) -> GoldEdits:
    """The same with ERRANT's types: annotated edits typed anew, those of reference texts extracted by it."""
    from corrigenda.annotation.edit_source import EditSource
    from corrigenda.kernels import default_threads

    source = EditSource("auto" if corpus.gold is None else "retyped")
    return source.gold_edits(corpus, threads=threads or default_threads())


def shortened_type(kind: str, category: int) -> str:
    """A type as ERRANT's categories give it; types of another form stay as they are."""
    operation, colon, rest = kind.partition(":")
    if category == 3 or not colon or operation not in ("M", "R", "U"):
        return kind
    return operation if category == 1 else rest


def by_column(name: str, values: Sequence[Any]) -> list[Slice]:
    """By what a sidecar says of each sentence; a list puts it into several slices, many numbers become ranges."""
    several = [value if isinstance(value, list) else [value] for value in values]
    numbers = [item for items in several for item in items if _is_number(item)]
    only_numbers = all(_is_number(item) or item is None for items in several for item in items)
    if only_numbers and len(set(numbers)) > MOST_VALUES:
        return _by_range(name, several, numbers)
    members: dict[str, list[int]] = {}
    for index, items in enumerate(several):
        for label in dict.fromkeys(_label(item) for item in items or [None]):
            members.setdefault(label, []).append(index)
    order = {_label(number): number for number in numbers} if only_numbers else {}
    ordered = sorted(members, key=lambda label: (label == MISSING, order.get(label, 0), label))
    return [_slice(name, label, members[label]) for label in ordered]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _label(value: object) -> str:
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _by_range(name: str, several: Sequence[Sequence[Any]], numbers: Sequence[float]) -> list[Slice]:
    """Ranges that hold about equally many numbers each."""
    cuts = np.unique(np.quantile(numbers, np.linspace(0, 1, _MOST_RANGES + 1)))
    slices = []
    for place, (low, high) in enumerate(pairwise(cuts)):
        last = place == len(cuts) - 2
        found = [
            index
            for index, items in enumerate(several)
            if any(
                item is not None and (low <= item < high or (last and item == high))
                for item in items
            )
        ]
        slices.append(
            _slice(name, f"{low:.4g} to {high:.4g}" + ("" if last else " (below)"), found)
        )
    without = [index for index, items in enumerate(several) if all(item is None for item in items)]
    return [part for part in [*slices, _slice(name, MISSING, without)] if len(part)]


def _by_number(by: str, numbers: Sequence[int], bounds: Sequence[int]) -> list[Slice]:
    if list(bounds) != sorted(set(bounds)):
        raise CorrigendaError(
            f"the bounds {list(bounds)} do not rise", remedy="Give them in order, e.g. 10 20 30 40."
        )
    values = np.asarray(numbers, np.int64)
    slices = []
    for low, high in pairwise([None, *bounds, None]):
        inside = np.ones(len(values), bool) if low is None else values > low
        if high is not None:
            inside &= values <= high
        slices.append(_slice(by, _range_label(low, high), np.flatnonzero(inside)))
    return [part for part in slices if len(part)]


def _range_label(above: int | None, last: int | None) -> str:
    if above is None:
        return "all" if last is None else "0" if last == 0 else f"≤{last}"
    if last is None:
        return f"{above + 1}+"
    return str(last) if above + 1 == last else f"{above + 1}–{last}"


def _slice(by: str, label: str, members: Sequence[int] | npt.NDArray[np.int64]) -> Slice:
    return Slice(by, label, np.asarray(members, np.int64))
