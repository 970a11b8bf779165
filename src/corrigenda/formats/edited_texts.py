"""References from edits: the source after the edits of each annotator.

A short line of edits makes a text as long as the source, so a small file can make very large ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.edits import Annotation, apply_edits
from corrigenda.errors import FormatError, Location
from corrigenda.formats.packed import FREE_BYTES

MOST_REFERENCES = 10_000
"""The most references of one sentence."""
_MOST_GROWTH = 20
"""How many times larger than the sources and the edits of a file the references may be."""
_EDIT_BYTES = 40
"""About this many bytes of a file are an edit, or an annotator without one."""


def check_reference_number(number: int, at: Location) -> None:
    """Refuse a sentence with too many references."""
    if number > MOST_REFERENCES:
        raise FormatError(
            too_many_references(number), at=at, remedy="Leave out all references but the best ones."
        )


def too_many_references(number: int) -> str:
    """The problem of a sentence with too many references."""
    return f"the sentence has {number:,} references; at most {MOST_REFERENCES:,} are allowed"


class EditedTexts:
    """The references of one file. They are refused if they become out of proportion large."""

    def __init__(self) -> None:
        self._given = self._made = 0

    def of(
        self, words: Sequence[str], annotations: Sequence[Annotation], at: Location
    ) -> tuple[str, ...]:
        """The source after each annotator's edits."""
        check_reference_number(len(annotations), at)
        self._given += sum(map(len, words)) + len(words)
        made: list[str] = []
        for annotation in annotations:
            made.append(" ".join(apply_edits(words, annotation.edits)))
            self._given += _EDIT_BYTES * max(1, len(annotation.edits))
            self._made += len(made[-1])
            if self._made > max(FREE_BYTES, _MOST_GROWTH * self._given):
                raise FormatError(
                    f"the references that edits make are more than {_MOST_GROWTH} times as large "
                    "as sources and edits",
                    at=at,
                    remedy="Give one sentence per line, and leave out annotators who change "
                    "nothing.",
                )
        return tuple(made)
