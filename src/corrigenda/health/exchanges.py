"""Is a reference exchanged with the source, or with an output? Misspellings tell.

A word that stands on one line only, and is one letter away from a word of other lines, is taken for
a misspelling. Which texts have it on that line, and which have the other word? A source has
misspellings that its references mend, and not the other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corrigenda.health.block import TextBlock
from corrigenda.health.finding import SHOWN_LINES
from corrigenda.health.spelling import is_one_letter_away
from corrigenda.kernels.line_traits import Rows

FEWEST_ADDED = 5
"""Different misspellings that a reference adds to its source. Real ones add up to 4."""
MORE_THAN_MENDED = 3
"""It must add this many times more than it mends."""
FEWEST_KEPT = 15
"""Different misspellings that a reference keeps and an output mends."""
MOST_MENDED = 0.1
"""The share of what an output mends that an exchanged reference mends.

Real ones mend 17 % or more, where an output mends 10 different misspellings.
"""
MOST_LINES = 1536
FEWER_LINES = 512
"""This many are enough of a large file, so that health costs little beside a score."""
_FEWEST_ELSEWHERE = 2
"""A right word stands on this many other lines."""


class SpellingChoice(NamedTuple):
    """Two words of a line that are one letter apart; the source has the first of them alone."""

    of_source: str
    other: str
    with_first: frozenset[int]
    """The texts that have the first word and not the other: references, then outputs."""
    with_other: frozenset[int]
    line: int


class SeenWords(NamedTuple):
    """Different words, and the first lines that have them."""

    words: set[str]
    lines: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.words)


@dataclass
class Choices:
    """The choices between two spellings in the first lines, of all texts."""

    most_lines: int = MOST_LINES
    lines: int = 0
    references: int = 0
    texts: int = 0
    choices: list[SpellingChoice] = field(default_factory=list)
    seen: list[str | set[str]] = field(default_factory=list)
    """The words of each line, of all texts; or its text, where all texts are equal.

    They are counted if there are choices to judge.
    """
    _lines_with: tuple[int, Counter[str]] = (0, Counter())

    def add(
        self,
        source: TextBlock,
        references: Sequence[TextBlock],
        outputs: Sequence[TextBlock],
        numbers: Rows,
    ) -> None:
        """Look at consecutive lines."""
        wanted = min(len(source), self.most_lines - self.lines)
        if wanted <= 0 or not references:
            return
        self.lines += wanted
        self.references = max(self.references, len(references))
        self.texts = self.references + len(outputs)
        columns = [each.lines[:wanted] for each in (*references, *outputs)]
        rows = zip(source.lines[:wanted], zip(*columns, strict=True), strict=True)
        for number, (line, texts) in zip(numbers.tolist(), rows, strict=False):
            self._add_line(line, texts, number)

    def _add_line(self, source: str, texts: Sequence[str], number: int) -> None:
        different = set(texts)
        different.discard(source)
        if not different:
            self.seen.append(source)
            return
        before = set(source.lower().split())
        words = {text: set(text.lower().split()) for text in different}
        self.seen.append(before.union(*words.values()))
        added = set().union(*words.values()) - before
        if not added:
            return
        removed = before - before.intersection(*words.values())
        for one in removed:
            if not one.isalpha():
                continue
            for other in added:
                if other[-1] == one[-1] and other.isalpha() and is_one_letter_away(one, other):
                    each = [words.get(text, before) for text in texts]
                    first = [i for i, has in enumerate(each) if one in has and other not in has]
                    second = [i for i, has in enumerate(each) if other in has and one not in has]
                    choice = SpellingChoice(one, other, frozenset(first), frozenset(second), number)
                    self.choices.append(choice)

    def _is_misspelt(self, word: str, right: str) -> bool:
        lines_with = self._counted()
        return lines_with[word] == 1 and lines_with[right] > _FEWEST_ELSEWHERE

    def _counted(self) -> Counter[str]:
        """On how many lines each word of the choices is, in any text."""
        lines, counts = self._lines_with
        if lines != self.lines:
            wanted = {word for each in self.choices for word in (each.of_source, each.other)}
            counts = Counter()
            for words in self.seen:
                here = words.lower().split() if isinstance(words, str) else words
                counts.update(wanted.intersection(here))
            self._lines_with = self.lines, counts
        return counts

    def _added(self, text: int) -> SeenWords:
        """The misspellings that a text adds to its source."""
        return _words(
            (each.other, each.line)
            for each in self.choices
            if text in each.with_other and self._is_misspelt(each.other, each.of_source)
        )

    def _mended(self, text: int) -> list[SpellingChoice]:
        """The misspellings of the source that a text mends."""
        return [
            each
            for each in self.choices
            if text in each.with_other and self._is_misspelt(each.of_source, each.other)
        ]

    def reference_as_source(self) -> tuple[int, SeenWords, int] | None:
        """The reference that may be the source, what it adds, and how much it mends.

        Of all texts, the source has most misspellings.
        """
        if len(self.choices) < FEWEST_ADDED:
            return None
        added = [self._added(text) for text in range(self.texts)]
        most = max(map(len, added), default=0)
        if most < FEWEST_ADDED:
            return None
        for place, words in enumerate(added[: self.references]):
            mended = len({each.of_source for each in self._mended(place)})
            if len(words) == most and most >= MORE_THAN_MENDED * mended:
                return place, words, mended
        return None

    def balance(self, output: int) -> int:
        """How many more misspellings an output adds to its source than it mends."""
        text = self.references + output
        return len(self._added(text)) - len({each.of_source for each in self._mended(text)})

    def kept(self, reference: int, output: int) -> tuple[SeenWords, int] | None:
        """What an output mends and a reference keeps, and how much of it the reference mends.

        None unless nearly all of it is kept, so that the reference may be an output.
        """
        if len(self.choices) < FEWEST_KEPT:
            return None
        mended = self._mended(self.references + output)
        kept = _words(
            (each.of_source, each.line) for each in mended if reference in each.with_first
        )
        both = {each.of_source for each in mended} - kept.words
        if len(kept) < FEWEST_KEPT or len(both) > MOST_MENDED * (len(both) + len(kept)):
            return None
        return kept, len(both)


def _words(found: Iterator[tuple[str, int]]) -> SeenWords:
    lines: dict[int, None] = {}
    words = set()
    for word, line in found:
        words.add(word)
        lines[line] = None
    return SeenWords(words, tuple(lines)[:SHOWN_LINES])
