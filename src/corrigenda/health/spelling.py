"""Which of two texts has the misspellings? It tells a source from an output.

A system removes misspellings. Where an output has words that are one letter away from a word of its
source, and the references know the source's word but not the new one, the files may be exchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from corrigenda.health.finding import SHOWN_LINES

FEWEST_NEW = 5
MORE_THAN_GONE = 2
MOST_LINES = 600
_SHORTEST_WORD = 4


@dataclass
class Misspellings:
    """The misspellings that a text adds to its source, and those that it removes."""

    new_words: set[str] = field(default_factory=set)
    """Different words: that one word is corrected a hundred times says no more than once."""
    gone_words: set[str] = field(default_factory=set)
    compared: int = 0
    lines: list[int] = field(default_factory=list)

    def add(
        self, pairs: Iterable[tuple[str, str]], numbers: Sequence[int], known: Collection[str]
    ) -> None:
        """Compare sources with their outputs; `known` are the words of the references."""
        for (source, output), number in zip(pairs, numbers, strict=True):
            if self.compared == MOST_LINES:
                return
            self.compared += 1
            before, after = set(source.lower().split()), set(output.lower().split())
            added, removed = after - before, before - after
            new = _misspelt(added, removed, known)
            self.new_words |= new
            self.gone_words |= _misspelt(removed, added, known)
            if new and len(self.lines) < SHOWN_LINES:
                self.lines.append(number)

    @property
    def new(self) -> int:
        """How many misspellings the text adds."""
        return len(self.new_words)

    @property
    def gone(self) -> int:
        """How many it removes."""
        return len(self.gone_words)

    @property
    def are_on_the_wrong_side(self) -> bool:
        """Whether the text has misspellings that its source has not, and hardly the reverse."""
        return self.new >= FEWEST_NEW and self.new >= MORE_THAN_GONE * self.gone


def _misspelt(words: set[str], others: set[str], known: Collection[str]) -> set[str]:
    """Which of the words are unknown and nearly equal to a known word of the others."""
    unknown = [word for word in words if word not in known and word.isalpha()]
    if not unknown:
        return set()
    correct = [word for word in others if word in known and word.isalpha()]
    return {word for word in unknown if any(is_one_letter_away(word, each) for each in correct)}


def is_one_letter_away(one: str, other: str) -> bool:
    """One letter more, less or other, or two exchanged; not at the end, where words inflect."""
    shorter = min(len(one), len(other))
    if shorter < _SHORTEST_WORD or abs(len(one) - len(other)) > 1 or one[-1] != other[-1]:
        return False
    begin = 0
    while begin < shorter and one[begin] == other[begin]:
        begin += 1
    end = 0
    while end < shorter - begin and one[-1 - end] == other[-1 - end]:
        end += 1
    rest, other_rest = one[begin : len(one) - end], other[begin : len(other) - end]
    if _is_dialect(one, other, begin) or _is_dialect(other, one, begin):
        return False
    if len(rest) <= 1 and len(other_rest) <= 1:
        return True
    return len(rest) == 2 and rest == other_rest[::-1]


def _is_dialect(british: str, american: str, place: int) -> bool:
    """`organise` and `organize`, `behaviour` and `behavior`: both are right."""
    if (british[place : place + 1], american[place : place + 1]) == ("s", "z"):
        return british[place + 1 :] == american[place + 1 :]
    return british[place - 1 : place + 2] == "our" and british[place + 1 :] == american[place:]
