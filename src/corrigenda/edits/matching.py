"""Which edits of a system are right, compared as errant does.

Edits are compared by span or by token, with or without the correction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Literal, NamedTuple

from corrigenda.edits import UNKNOWN_TYPE, Edit

Mode = Literal["correction", "correction-type", "detection", "token-detection"]


class Compared(NamedTuple):
    """The error types of true positives, false positives and false negatives.

    A true positive has the type of the gold edit.
    """

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    missed: tuple[str, ...]


class EditTable:
    """The edits of a sentence, by the keys that decide whether two edits are equal.

    Several edits may share one entry, for example two insertions before the same token.
    """

    def __init__(self, edits: Sequence[Edit], mode: Mode, *, keep_unknown: bool) -> None:
        self.entries: list[list[str]] = []
        self.places: dict[Hashable, int] = {}
        for edit in edits:
            if edit.type == UNKNOWN_TYPE and not keep_unknown:
                continue
            for keys in _keys(edit, mode):
                self._add(keys, category(edit))

    def _add(self, keys: Sequence[Hashable], kind: str) -> None:
        """Add an entry that can be found by each of the keys."""
        place = self.places.get(keys[0])
        if place is None:
            place = len(self.entries)
            self.entries.append([])
        for key in keys:
            self.places.setdefault(key, place)
        self.entries[place].append(kind)


def compare_edits(system: EditTable, gold: EditTable) -> Compared:
    """The system's edits against those of one annotator.

    As in errant, a key that both have counts as often as it occurs in the gold edits.
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
        # An insertion counts as an error of the word on its right.
        for token in range(edit.start, max(edit.end, edit.start + 1)):
            yield [token]
    elif mode == "detection":
        yield [(edit.start, edit.end)]
    elif mode == "correction":
        yield [(edit.start, edit.end, correction) for correction in edit.corrections]
    else:
        yield [(edit.start, edit.end, edit.type, correction) for correction in edit.corrections]


def category(edit: Edit) -> str:
    """The type with its operation, which is added if the annotation scheme leaves it out."""
    if edit.type == UNKNOWN_TYPE or (edit.type[:1] in ("M", "R", "U") and edit.type[1:2] == ":"):
        return edit.type
    operation = "M" if edit.is_insertion else "R" if edit.correction else "U"
    return f"{operation}:{edit.type}"
