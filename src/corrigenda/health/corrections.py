"""Different corrections: how much it says that two texts are equal.

Two good systems agree on a hundred lines with one and the same error. That they agree on twenty
different corrections is another matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

WordChange = tuple[frozenset[str], frozenset[str]]

FEWEST_DIFFERENT = 20
_MOST_LINES_PER_BLOCK = 500
_LONG_WORD = 12
_FIRST_OF_THAI = "\u0e00"
"""Scripts without blanks begin here."""


@dataclass
class Corrections:
    """The different corrections so far, until there are enough of them."""

    known: set[WordChange] = field(default_factory=set)

    def add(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Look at sources beside their corrections."""
        for _, (source, text) in zip(range(_MOST_LINES_PER_BLOCK), pairs, strict=False):
            if self.are_many:
                return
            self.known.add(_correction(_units(source), _units(text)))

    @property
    def are_many(self) -> bool:
        """Whether it is no accident that they are equal."""
        return len(self.known) >= FEWEST_DIFFERENT


def _units(text: str) -> list[str]:
    """Words; characters where there are no blanks between words, as in Chinese."""
    words = text.split()
    if text.isascii() or max(map(len, words), default=0) < _LONG_WORD:
        return words
    has_no_blanks = any(letter >= _FIRST_OF_THAI and letter.isalpha() for letter in text)
    return list(text) if has_no_blanks else words


def _correction(source: list[str], text: list[str]) -> WordChange:
    """The words that go and the words that come."""
    before, after = Counter(source), Counter(text)
    return frozenset(before - after), frozenset(after - before)
