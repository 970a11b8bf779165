"""Which edits of a system are right: by span, by token, with the correction or without, as errant compares."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Literal, NamedTuple

from corrigenda.edits import UNKNOWN_TYPE, Edit

Mode = Literal["correction", "correction-type", "detection", "token-detection"]


class Compared(NamedTuple):
    """The error types of true positives, false positives and false negatives.

    A true positive's type is the gold edit's.
    """

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    missed: tuple[str, ...]


class EditTable:
    """A sentence's edits by what counts as equal; several may be one (tokens of two insertions, say)."""

    def __init__(self, edits: Sequence[Edit], mode: Mode, *, keep_unknown: bool) -> None:
        self.entries: list[list[str]] = []
        self.places: dict[Hashable, int] = {}
        for edit in edits:
            if edit.type == UNKNOWN_TYPE and not keep_unknown:
                continue
            for keys in _keys(edit, mode):
                self._add(keys, category(edit))

    def _add(self, keys: Sequence[Hashable], kind: str) -> None:
        """The keys are alternatives: any of them stands for the entry."""
        place = self.places.get(keys[0])
        if place is None:
            place = len(self.entries)
            self.entries.append([])
        for key in keys:
            self.places.setdefault(key, place)
        self.entries[place].append(kind)


def compare(system: EditTable, gold: EditTable) -> Compared:
    """The system's edits against those of one annotator.

    A key that occurs in both counts as often as in the gold; that is errant's way.
    """
    right: list[str] = []
    wrong: list[str] = []
    met: set[int] = set()
    for key, place in system.places.items():
        gold_place = gold.places.get(key)
        if gold_place is None:
            wrong += system.entries[place]
        else:
            met.add(gold_place)
            right += gold.entries[gold_place]
    missed = [
        kind for place, kinds in enumerate(gold.entries) if place not in met for kind in kinds
    ]
    return Compared(tuple(right), tuple(wrong), tuple(missed))


def _keys(edit: Edit, mode: Mode) -> Iterator[list[Hashable]]:
    if mode == "token-detection":
        # An insertion is an error of the word on its right.
        for token in range(edit.start, max(edit.end, edit.start + 1)):
            yield [token]
    elif mode == "detection":
        yield [(edit.start, edit.end)]
    elif mode == "correction":
        yield [(edit.start, edit.end, correction) for correction in edit.corrections]
    else:
        yield [(edit.start, edit.end, edit.type, correction) for correction in edit.corrections]


def category(edit: Edit) -> str:
    """The type with its operation, which the types of other annotation schemes leave out."""
    if edit.type == UNKNOWN_TYPE or (edit.type[:1] in ("M", "R", "U") and edit.type[1:2] == ":"):
        return edit.type
    operation = "M" if edit.is_insertion else "R" if edit.correction else "U"
    return f"{operation}:{edit.type}"
