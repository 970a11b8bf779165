"""The pieces into which GoToScorer cuts a source, and what a system did with each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from corrigenda.edits import UNKNOWN_TYPE, Edit


class SourcePiece(NamedTuple):
    """A span of the source, the text that stands there, and whether that is an edit."""

    start: int
    end: int
    text: str
    edited: bool


class Judgment(NamedTuple):
    """What a system did with a piece of the reference."""

    edited: bool
    right: bool


def words_and_places(words: Sequence[str]) -> list[SourcePiece]:
    """The pieces of a source without edits: a place of an insertion, a word, a place, …, a place.

    Place n is at 2n, word n at 2n + 1.
    """
    pieces = []
    for place, word in enumerate(words):
        pieces.append(SourcePiece(place, place, "", False))
        pieces.append(SourcePiece(place, place + 1, word, False))
    return [*pieces, SourcePiece(len(words), len(words), "", False)]


def pieces_of(unedited: Sequence[SourcePiece], edits: Sequence[Edit]) -> list[SourcePiece]:
    """The source cut along edits: each edit, each other word, and each place of an insertion.

    `unedited` are the words and places of the source. A place where an edit inserts is that edit.
    """
    pieces: list[SourcePiece] = []
    position = 0
    # 1 after an insertion: it stands for the place before the next piece.
    inserted = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.type == UNKNOWN_TYPE:
            continue
        if position < edit.start:
            pieces += unedited[2 * position + inserted : 2 * edit.start]
            inserted = 0
        if edit.start < edit.end and not inserted:
            pieces.append(unedited[2 * edit.start])
        pieces.append(SourcePiece(edit.start, edit.end, edit.correction, True))
        inserted = int(edit.start == edit.end)
        position = max(position, edit.end)
    return [*pieces, *unedited[2 * position + inserted :]]


def judge_all(pieces: Sequence[SourcePiece], own: Sequence[SourcePiece]) -> list[Judgment]:
    """Whether a system edits each piece of the reference, and whether it is right there."""
    # Most pieces of the two are the same, and no edit has the span of an unedited piece.
    shared = set(own)
    rest = [piece for piece in pieces if piece not in shared]
    by_span: dict[tuple[int, int], list[SourcePiece]] = {}
    if rest:
        for other in own:
            by_span.setdefault((other.start, other.end), []).append(other)
    edits = [other for other in own if other.edited]
    judged = iter([_judge(piece, by_span.get((piece.start, piece.end)), edits) for piece in rest])
    return [_RIGHT[piece.edited] if piece in shared else next(judged) for piece in pieces]


_RIGHT = (Judgment(False, True), Judgment(True, True))


def _judge(
    piece: SourcePiece, same: Sequence[SourcePiece] | None, edits: Sequence[SourcePiece]
) -> Judgment:
    """`same` are the system's pieces with the same span, `edits` those that it edits."""
    if same:
        equal = next((other for other in same if other.text == piece.text), None)
        if equal is not None:
            return Judgment(equal.edited, True)
        return Judgment(any(other.edited for other in same), False)
    if piece.start == piece.end:
        # The system edits around this place, which says nothing about this place.
        return Judgment(False, not piece.edited)
    # The system cuts the source otherwise: what lies in the piece, and what the piece lies in.
    around = any(
        piece.start <= other.start < piece.end or other.start <= piece.start < other.end
        for other in edits
    )
    return Judgment(around, False)
