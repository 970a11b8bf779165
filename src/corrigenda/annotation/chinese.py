"""Chinese by characters, with ChERRANT's conventions (Zhang et al. 2022).

The words of the text are characters, as in ChERRANT's M2 files. The types are ChERRANT's: M for a
missing text, R for a redundant one, S for a substitution, W for another order.

ChERRANT also asks a thesaurus, a confusion set and pinyin how near two characters are. They cannot
be shipped, so every pair of characters has the costs that ChERRANT gives to unknown characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from corrigenda.annotation.annotator import Merger
from corrigenda.annotation.request import Span
from corrigenda.annotation.steps import Step, WordAligner, edit_of, joined, minimised
from corrigenda.annotation.text_annotator import TextAnnotator
from corrigenda.edits import Edit
from corrigenda.errors import CorrigendaError
from corrigenda.kernels.errant_align import ErrantAligner

_MOVES = ("DI", "ID")


class ChineseAnnotator(TextAnnotator):
    """ChERRANT's edits of characters."""

    version = "1"

    def __init__(self, merger: Merger) -> None:
        super().__init__(merger)
        self._aligner = WordAligner(ErrantAligner(costs="characters"), _is_punctuation)

    def spans(self, source: Sequence[str], target: Sequence[str]) -> list[Span]:
        """The edits without their types."""
        return [step[1:] for step in self._steps(source, target)]

    def edits(self, source: Sequence[str], target: Sequence[str]) -> list[Edit]:
        """The edits, with types by the kind of change."""
        return [
            edit_of(step[1:], target, "W" if step[0][0] == "T" else _type_of_span(step[1:]))
            for step in self._steps(source, target)
        ]

    def type_of(self, source: Sequence[str], target: Sequence[str]) -> str:
        """W if only the order differs, else by what is missing."""
        if source and sorted(source) == sorted(target):
            return "W"
        return "M" if not source else "R" if not target else "S"

    def _steps(self, source: Sequence[str], target: Sequence[str]) -> list[Step]:
        _check_characters(source)
        _check_characters(target)
        grouped = list(_grouped(self._aligner.steps(source, target)))
        found = []
        for step in _with_moves(grouped, source, target):
            span = step[1:]
            if step[0] == "S":
                span = minimised(span, source, target)
            start, end, begin, finish = span
            # Changes that cancel each other are no edit.
            if list(source[start:end]) != list(target[begin:finish]):
                found.append((step[0], *span))
        return found


def _type_of_span(span: Span) -> str:
    start, end, begin, finish = span
    return "M" if start == end else "R" if begin == finish else "S"


def _is_punctuation(character: str) -> int:
    return int(all(unicodedata.category(each)[0] in "PS" for each in character))


def _check_characters(words: Sequence[str]) -> None:
    """Refuse text without blanks between Chinese characters."""
    for word in words:
        if len(word) > 1 and sum(map(_is_ideograph, word)) > 1 and not word.startswith("["):
            raise CorrigendaError(
                f"the annotator zh counts characters, but {word[:20]!r} has no blanks",
                remedy="Write a blank between any two characters, or add --tokenise zh.",
            )


def _is_ideograph(character: str) -> bool:
    return unicodedata.name(character, "").startswith("CJK UNIFIED IDEOGRAPH")


def _grouped(steps: Sequence[Step]) -> Iterator[Step]:
    """Neighbouring matches are one step, and so are most neighbouring changes."""
    for kind, group in groupby(steps, lambda step: step[0][0] if step[0][0] in "MT" else ""):
        found = list(group)
        kinds = {step[0] for step in found}
        if kind == "T" or kinds == {"D", "I"}:
            yield from found
        else:
            yield (kinds.pop() if len(kinds) == 1 else "S", *joined(found))


def _with_moves(
    steps: Sequence[Step], source: Sequence[str], target: Sequence[str]
) -> Iterator[Step]:
    """The changes. Two changes around a text that stays are one move if they are the same text."""
    place = 0
    while place < len(steps):
        three = steps[place : place + 3]
        if len(three) == 3 and _is_move(three, source, target):
            yield ("T", *joined(three))
            place += 3
            continue
        if steps[place][0] != "M":
            yield steps[place]
        place += 1


def _is_move(three: Sequence[Step], source: Sequence[str], target: Sequence[str]) -> bool:
    first, between, last = three
    before = ["".join(source[step[1] : step[2]]) for step in (first, last)]
    after = ["".join(target[step[3] : step[4]]) for step in (first, last)]
    if (first[0], between[0], last[0]) == ("S", "M", "S"):
        texts = [*before, *after]
        if min(map(len, texts)) == 1:
            return before == after[::-1]
        return _nearly_equal(before[0], after[1]) and _nearly_equal(before[1], after[0])
    if between[0][0] not in "MT" or first[0] + last[0] not in _MOVES:
        return False
    deleted, inserted = "".join(before), "".join(after)
    is_punctuation = _is_punctuation(deleted) or _is_punctuation(inserted)
    if is_punctuation or abs(len(deleted) - len(inserted)) > 1:
        return False
    if min(len(deleted), len(inserted)) == 1:
        return deleted == inserted
    rotated = len(deleted) == len(inserted) and inserted in deleted + deleted
    return rotated or _nearly_equal(deleted, inserted)


def _nearly_equal(first: str, second: str) -> bool:
    """Whether at most one character must be inserted, deleted or replaced."""
    if abs(len(first) - len(second)) > 1:
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    rest, other = first[start:], second[start:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
