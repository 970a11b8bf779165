"""Which sentences belong together: by length, by number or type of gold edits, or by a column."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from corrigenda.annotation.edit_source import EditSource
from corrigenda.annotation.registry import DEFAULT
from corrigenda.core.types import TIERS
from corrigenda.corpus import Corpus
from corrigenda.corpus.gold import gold_annotations
from corrigenda.edits import Edit
from corrigenda.errors import CorrigendaError, UsageError, brief
from corrigenda.kernels import threads_of

LENGTH, EDITS, TYPE, DOCUMENT = "length", "edits", "type", "document"
LENGTH_BOUNDS = (10, 20, 30, 40)
EDIT_BOUNDS = (0, 1, 2, 4)
MISSING = "(none)"
MOST_SLICES = 2_000
"""The most slices of one corpus; each of them is scored and tested."""
MOST_VALUES = 12
"""A column with more different numbers than this is cut into ranges."""
_MOST_RANGES = 4
_CATEGORIES = dict(enumerate(TIERS.values(), 1))

Places = npt.NDArray[np.int64]
AnnotatorEdits = Sequence[Sequence[Sequence[Edit]]]
"""The edits of each annotator of each sentence; a sentence without references has no annotator."""


@dataclass(frozen=True)
class Slice:
    """Some sentences of a corpus.

    `by` says what divides the corpus, and `label` which part this is. `sentences` has the places of
    the sentences, counted from 0, in order.
    """

    by: str
    label: str
    sentences: Places

    def __len__(self) -> int:
        return len(self.sentences)


def slices_by(
    corpus: Corpus,
    by: str,
    columns: Mapping[str, Sequence[object]] | None = None,
    *,
    bounds: Sequence[int] | None = None,
    category: int = 3,
    gold: AnnotatorEdits | None = None,
) -> list[Slice]:
    """The slices by length, edits, type, document, or a column of a sidecar.

    `gold` is as in `by_type`.
    """
    found = _slices_by(corpus, by, columns or {}, bounds=bounds, category=category, gold=gold)
    if len(found) > MOST_SLICES:
        raise CorrigendaError(
            f"there are {len(found):,} slices by {brief(by)}; at most {MOST_SLICES:,} are scored",
            remedy="Slice by something with fewer values (--category 1 for types), "
            "or leave the column out of the sidecar.",
        )
    return found


def _slices_by(
    corpus: Corpus,
    by: str,
    columns: Mapping[str, Sequence[object]],
    *,
    bounds: Sequence[int] | None,
    category: int,
    gold: AnnotatorEdits | None,
) -> list[Slice]:
    if corpus.documents is not None:
        columns = {DOCUMENT: corpus.documents, **columns}
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
        f"cannot slice by {by!r}: there is no such property or column",
        remedy=f"Choose one of {known}"
        + ("." if columns else "; columns need a sidecar of JSON lines."),
    )


def by_length(corpus: Corpus, bounds: Sequence[int] = LENGTH_BOUNDS) -> list[Slice]:
    """By the number of words of the source; each bound is the largest number in its slice."""
    numbers = [len(source.split()) for source in corpus.sources]
    return _by_number(LENGTH, np.arange(len(corpus)), numbers, bounds)


def by_edits(
    corpus: Corpus, bounds: Sequence[int] = EDIT_BOUNDS, gold: AnnotatorEdits | None = None
) -> list[Slice]:
    """By the number of gold edits: the mean over the sentence's annotators, halves rounded up.

    Sentences without references are in no slice.
    """
    places, numbers = [], []
    for place, annotators in enumerate(_required_gold(EDITS, corpus, gold)):
        if annotators:
            places.append(place)
            numbers.append(math.floor(sum(map(len, annotators)) / len(annotators) + 0.5))
    return _by_number(EDITS, np.array(places, np.int64), numbers, bounds)


def by_type(corpus: Corpus, category: int = 3, gold: AnnotatorEdits | None = None) -> list[Slice]:
    """By error type: the sentences in which any annotator has an edit of it, most frequent first.

    The types are those of the gold edits. With `gold` they are those of other edits, e.g. of
    `errant_edits`. Reference texts without gold edits have only the types M, R and U.

    `category` shortens ERRANT's types as ERRANT's option `-cat` does: 1 is the operation (R), 2 is
    the category (NOUN:NUM), 3 is both (R:NOUN:NUM).
    """
    if category not in _CATEGORIES:
        raise CorrigendaError(
            f"category is {category}", remedy="It takes 1 (operation), 2 (category) or 3 (both)."
        )
    shorten = _CATEGORIES[category]
    members: dict[str, list[int]] = {}
    for index, annotators in enumerate(_required_gold(TYPE, corpus, gold)):
        types = {shorten(edit.type) for edits in annotators for edit in edits}
        for kind in types:
            members.setdefault(kind, []).append(index)
    ordered = sorted(members, key=lambda kind: (-len(members[kind]), kind))
    return [_slice(TYPE, kind, members[kind]) for kind in ordered]


def gold_edits(corpus: Corpus) -> AnnotatorEdits:
    """The edits of each annotator of each sentence, as annotated or by minimal alignment."""
    return [[annotation.edits for annotation in sentence] for sentence in gold_annotations(corpus)]


def _required_gold(by: str, corpus: Corpus, gold: AnnotatorEdits | None) -> AnnotatorEdits:
    """The given gold edits, else the gold edits of the corpus; an error if it has no references."""
    found = gold_edits(corpus) if gold is None else gold
    if not any(found):
        raise UsageError(
            f"slices by {by} need references, but the corpus has none",
            remedy=f"Give references, or slice by {LENGTH} or by a column of a sidecar.",
        )
    return found


def errant_edits(
    corpus: Corpus, *, edits: str = DEFAULT, spacy_model: str = "", threads: int | None = None
) -> AnnotatorEdits:
    """The gold edits with ERRANT's types, or with those of the annotator that `edits` names.

    Annotated edits get new types. Where there are reference texts only, they are compared with the
    sources.
    """
    source = EditSource("auto" if corpus.gold is None else "retyped", spacy_model, edits)
    return source.gold_edits(corpus, threads=threads_of(threads))


def by_column(name: str, values: Sequence[object]) -> list[Slice]:
    """By the value that a column of a sidecar has for each sentence.

    A sentence with a list of values is in several slices. Many different numbers become ranges.
    """
    several = [value if isinstance(value, list) else [value] for value in values]
    numbers = [item for items in several for item in items if _is_number(item)]
    only_numbers = all(_is_number(item) or item is None for items in several for item in items)
    if only_numbers and len(set(numbers)) > MOST_VALUES:
        return _by_range(name, several, numbers)
    return _by_value(name, several, numbers if only_numbers else [])


def _by_value(
    name: str, several: Sequence[Sequence[object]], numbers: Sequence[float]
) -> list[Slice]:
    """One slice per value: by size if all values are numbers, else by alphabet."""
    members: dict[str, list[int]] = {}
    for index, items in enumerate(several):
        for label in dict.fromkeys(_label(item) for item in items or [None]):
            members.setdefault(label, []).append(index)
    order = {_label(number): number for number in numbers}
    ordered = sorted(members, key=lambda label: (label == MISSING, order.get(label, 0), label))
    return [_slice(name, label, members[label]) for label in ordered]


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _label(value: object) -> str:
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _by_range(
    name: str, several: Sequence[Sequence[object]], numbers: Sequence[float]
) -> list[Slice]:
    """Ranges with about equally many numbers each."""
    cuts = np.unique(np.quantile(np.asarray(numbers, float), np.linspace(0, 1, _MOST_RANGES + 1)))
    slices = []
    for place, (low, high) in enumerate(pairwise(cuts)):
        last = place == len(cuts) - 2
        found = [
            index
            for index, items in enumerate(several)
            if any(
                low <= item < high or (last and item == high) for item in filter(_is_number, items)
            )
        ]
        label = f"{low:.4g} to {high:.4g}" + ("" if last else " (below)")
        slices.append(_slice(name, label, found))
    without = [index for index, items in enumerate(several) if not any(map(_is_number, items))]
    return [part for part in [*slices, _slice(name, MISSING, without)] if len(part)]


def _by_number(
    by: str, places: Places, numbers: Sequence[int], bounds: Sequence[int]
) -> list[Slice]:
    """The sentences at `places`, grouped by their numbers."""
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
        slices.append(_slice(by, _range_label(low, high), places[inside]))
    return [part for part in slices if len(part)]


def _range_label(above: int | None, last: int | None) -> str:
    if above is None:
        return "all" if last is None else "0" if last == 0 else f"≤{last}"
    if last is None:
        return f"{above + 1}+"
    return str(last) if above + 1 == last else f"{above + 1}–{last}"


def _slice(by: str, label: str, members: Sequence[int] | Places) -> Slice:
    return Slice(by, label, np.asarray(members, np.int64))
