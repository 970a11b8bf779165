"""Gold errors from the edits of annotators: overlapping edits are one error."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from math import prod

from corrigenda.edits import Edit
from corrigenda.edits.gold_errors import (
    Alternative,
    ErrorCorrection,
    GoldError,
    GoldSentence,
    Words,
)
from corrigenda.errors import FormatError

# If an annotator lists several accepted corrections (`a||b`) for several overlapping edits, each
# combination is an alternative. A file with more alternatives is refused, because they would fill
# the memory.
MAX_ALTERNATIVES = 10_000
MOST_COMBINED = 200_000
"""The most corrections in the combinations of a sentence: each combination lists all its edits."""
_FEWER_ALTERNATIVES = "List fewer alternatives (a||b) for overlapping edits."


def gold_sentence(words: Words, edits: Mapping[int, Sequence[Edit]]) -> GoldSentence:
    """The gold of one M2 sentence; an annotator with a noop has an empty list of edits."""
    return GoldSentence(words, errors_of(edits), len(edits))


def errors_of(edits: Mapping[int, Sequence[Edit]]) -> tuple[GoldError, ...]:
    """The errors of a sentence: each group of overlapping edits by any annotators is one error.

    An error is required if every annotator corrected something there.
    """
    clusters = [_by_annotator(cluster) for cluster in _clusters(edits)]
    combined = 0
    for cluster in clusters:
        combined += sum(_combined(annotator, own) for annotator, own in cluster.items())
        if combined > MOST_COMBINED:
            raise FormatError(
                f"the accepted ways to correct overlapping words have more than {MOST_COMBINED:,} "
                f"corrections, up to words {_span(chain.from_iterable(cluster.values()))}",
                remedy=_FEWER_ALTERNATIVES,
            )
    return tuple(_error(cluster, len(edits)) for cluster in clusters)


Owned = tuple[int, Edit]


def _clusters(edits: Mapping[int, Sequence[Edit]]) -> list[list[Owned]]:
    """Groups of overlapping edits by position; in a group, by annotator, then in file order."""
    by_extent: dict[tuple[int, int], list[Owned]] = {}
    extents = _extents({(edit.start, edit.end) for each in edits.values() for edit in each})
    for annotator in sorted(edits):
        for edit in edits[annotator]:
            extent = extents[edit.start, edit.end]
            by_extent.setdefault(extent, []).append((annotator, edit))
    return [by_extent[extent] for extent in sorted(by_extent)]


def _extents(spans: Iterable[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """For each span, the start and the end of its group.

    Spans that share a token form one extent. An insertion inside an extent belongs to it. Such an
    extent always has a span that covers both neighbours of the insertion: only such a span joins
    the words before and after it.
    """
    chained: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if chained and start < chained[-1][1]:
            chained[-1] = (chained[-1][0], max(chained[-1][1], end))
        else:
            chained.append((start, end))
    starts = [start for start, _ in chained]
    extents = {}
    for span in spans:
        # Extents do not overlap, so only the last that begins before the span can hold it.
        place = bisect_left(starts, span[0] + (span[0] < span[1])) - 1
        holds = place >= 0 and _within(span, chained[place])
        extents[span] = chained[place] if holds else span
    return extents


def _within(span: tuple[int, int], extent: tuple[int, int]) -> bool:
    start, end = span
    if start == end:
        return extent[0] < start < extent[1]
    return extent[0] <= start and end <= extent[1]


_Cluster = Mapping[int, Sequence[Edit]]
"""Overlapping edits by annotator."""


def _by_annotator(cluster: Sequence[Owned]) -> _Cluster:
    found: dict[int, list[Edit]] = {}
    for annotator, edit in cluster:
        found.setdefault(annotator, []).append(edit)
    return found


def _error(cluster: _Cluster, annotators: int) -> GoldError:
    alternatives = tuple(
        alternative
        for annotator, edits in cluster.items()
        for alternative in _alternatives(annotator, edits)
    )
    types = dict.fromkeys(edit.type for edits in cluster.values() for edit in edits)
    return GoldError(alternatives, len(cluster) == annotators, "/".join(types))


def _combined(annotator: int, edits: Sequence[Edit]) -> int:
    """The corrections in all combinations of several edits; 0 if there is one combination."""
    ways = prod(len(edit.corrections) for edit in edits)
    if ways > MAX_ALTERNATIVES:
        raise FormatError(
            f"annotator {annotator} accepts more than {MAX_ALTERNATIVES} ways "
            f"to correct words {_span(edits)}",
            remedy=_FEWER_ALTERNATIVES,
        )
    return ways * len(edits) if ways > 1 and len(edits) > 1 else 0


def _span(edits: Iterable[Edit]) -> str:
    places = [(edit.start, edit.end) for edit in edits]
    return f"{min(start for start, _ in places)}-{max(end for _, end in places)}"


def _alternatives(annotator: int, edits: Sequence[Edit]) -> Iterator[Alternative]:
    """One alternative per combination of accepted corrections.

    The first alternative takes the first correction of each edit.
    """
    for texts in product(*(edit.corrections for edit in edits)):
        corrections = (
            ErrorCorrection(edit.start, edit.end, tuple(text.split()))
            for edit, text in zip(edits, texts, strict=True)
        )
        yield Alternative(annotator, tuple(corrections))
