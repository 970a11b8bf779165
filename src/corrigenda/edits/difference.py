"""A sentence as pieces of text that edits kept, deleted or inserted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from corrigenda.edits import Edit, extract_edits


@dataclass(frozen=True)
class Piece:
    """Words that were kept, deleted or inserted."""

    words: str
    change: Literal["kept", "deleted", "inserted"]


def word_difference(source: Sequence[str], target: Sequence[str]) -> list[Piece]:
    """The target as changes to the source, by a minimal alignment."""
    return list(pieces(source, extract_edits(source, target)))


def pieces(source: Sequence[str], edits: Sequence[Edit]) -> Iterator[Piece]:
    """The source with edits shown in place, deleted words before inserted ones."""
    position = 0
    for edit in edits:
        yield from _piece(source[position : edit.start], "kept")
        yield from _piece(source[edit.start : edit.end], "deleted")
        yield from _piece(edit.correction.split(), "inserted")
        position = edit.end
    yield from _piece(source[position:], "kept")


def _piece(words: Sequence[str], change: Literal["kept", "deleted", "inserted"]) -> Iterator[Piece]:
    if words:
        yield Piece(" ".join(words), change)
