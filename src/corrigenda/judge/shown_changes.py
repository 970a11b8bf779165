"""What an output changes in the source, as a judge sees it: words, or characters without blanks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corrigenda.edits import extract_edits
from corrigenda.edits.difference import Piece, pieces


class _Cut(NamedTuple):
    """Two texts in parts, and what stands between parts."""

    source: list[str]
    target: list[str]
    glue: str


def _cut(source: str, target: str) -> _Cut:
    """Words; characters where neither text has a blank, as in Chinese."""
    words = source.split(), target.split()
    if len(words[0]) > 1 or len(words[1]) > 1:
        return _Cut(words[0], words[1], " ")
    return _Cut(list(source.strip()), list(target.strip()), "")


@dataclass(frozen=True)
class MarkedText:
    """An output in pieces that were kept, deleted or inserted."""

    pieces: tuple[Piece, ...]
    glue: str
    text: str


def marked(source: str, target: str) -> MarkedText:
    """The output with its changes against the source."""
    cut = _cut(source, target)
    found = pieces(cut.source, extract_edits(cut.source, cut.target))
    joined = tuple(
        Piece(piece.words if cut.glue else piece.words.replace(" ", ""), piece.change)
        for piece in found
    )
    return MarkedText(joined, cut.glue, target)


@dataclass(frozen=True)
class ShownEdit:
    """An edit, and the numbers of the outputs that contain it."""

    start: int
    end: int
    deleted: str
    correction: str
    outputs: tuple[int, ...]


def distinct_edits(source: str, outputs: Sequence[str]) -> list[ShownEdit]:
    """The edits of all outputs in the order of the source; equal edits are one."""
    found: dict[tuple[int, int, str], list[int]] = {}
    deleted: dict[tuple[int, int, str], str] = {}
    for number, output in enumerate(outputs):
        cut = _cut(source, output)
        for edit in extract_edits(cut.source, cut.target):
            correction = edit.correction if cut.glue else edit.correction.replace(" ", "")
            key = (edit.start, edit.end, correction)
            found.setdefault(key, []).append(number)
            deleted[key] = cut.glue.join(cut.source[edit.start : edit.end])
    return [
        ShownEdit(key[0], key[1], deleted[key], key[2], tuple(found[key])) for key in sorted(found)
    ]
