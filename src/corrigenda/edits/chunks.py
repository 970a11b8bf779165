"""A sentence cut into chunks at the edits of all its versions together (Ye et al. 2023).

Edits that overlap or touch are in one chunk, even if they belong to different versions. The words
between the chunks have no edits.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from corrigenda.edits import Edit, apply_edits


@dataclass(frozen=True)
class Chunk:
    """A span of source words, and the words that each version has there.

    The entry of a version without an edit in the span is None. `start` is the place of the span's
    first word in the source.
    """

    start: int
    source: tuple[str, ...]
    versions: tuple[tuple[str, ...] | None, ...]

    def text(self, version: int) -> tuple[str, ...]:
        """The words of a version; without an edit they are the source words."""
        words = self.versions[version]
        return self.source if words is None else words


@dataclass(frozen=True)
class ChunkedText:
    """The chunks with edits from left to right, and the number of spans without edits."""

    chunks: tuple[Chunk, ...]
    untouched: int


def chunk_text(words: Sequence[str], versions: Sequence[Sequence[Edit]]) -> ChunkedText:
    """The chunks of a sentence and its versions."""
    spans = _merged_spans([(edit.start, edit.end) for edits in versions for edit in edits])
    starts = [start for start, _ in spans]
    by_version = [_by_span(starts, edits) for edits in versions]
    return ChunkedText(
        tuple(
            Chunk(
                start,
                tuple(words[start:end]),
                tuple(_version(words, start, end, found.get(start)) for found in by_version),
            )
            for start, end in spans
        ),
        _untouched(spans, len(words)),
    )


def _by_span(starts: Sequence[int], edits: Sequence[Edit]) -> dict[int, list[Edit]]:
    """The edits of each span, by the start of the span.

    Touching spans are merged, so an edit that begins within a span ends within it.
    """
    found: dict[int, list[Edit]] = {}
    for edit in edits:
        start = starts[bisect_right(starts, edit.start) - 1]
        found.setdefault(start, []).append(edit)
    return found


def _merged_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _version(
    words: Sequence[str], start: int, end: int, edits: Sequence[Edit] | None
) -> tuple[str, ...] | None:
    if edits is None:
        return None
    inside = [Edit(edit.start - start, edit.end - start, edit.corrections) for edit in edits]
    return tuple(apply_edits(words[start:end], inside))


def _untouched(spans: Sequence[tuple[int, int]], words: int) -> int:
    if not spans:
        return int(words > 0)
    return len(spans) - 1 + (spans[0][0] > 0) + (spans[-1][1] < words)
