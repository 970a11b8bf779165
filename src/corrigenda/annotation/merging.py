"""ERRANT's merging of neighbouring changes, for stretches that are too long for the package.

A stretch is a sequence of neighbouring changes. The errant package tries all pairs of steps in it.
Then it does the same for each part that is left. So its time grows with the fourth power of the
length. An output of 200 words that has nothing in common with its source takes minutes.

The rules here are the same and give the same edits. Most rules ask only about the pair, not about
the part that is left. So the pairs that match such a rule are found once, and each part only looks
up its first pair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from string import punctuation

from corrigenda.annotation.spacy_types import Document, Token
from corrigenda.annotation.steps import Step

Similarity = Callable[[Token, Token], float]
"""How similar the letters of two tokens are, from 0 to 1."""
LONG = 24
"""Longer stretches are merged here, all others by the package."""

_OPEN = ("ADJ", "AUX", "ADV", "NOUN", "VERB")
_VERBAL = ("AUX", "PART", "VERB")


def merged_long(
    steps: Sequence[Step], source: Document, target: Document, similarity: Similarity
) -> list[Step]:
    """The same as the package's `process_seq`: a stretch of changes merged into edits."""
    return _Stretch(steps, source, target, similarity).merged()


class _Side:
    """The facts about the tokens of one side that the rules use."""

    def __init__(self, tokens: Document) -> None:
        self.tokens = tokens
        self.lower = [token.lower for token in tokens]
        self.part_of_speech: list[str] = [token.pos_ for token in tokens]
        self.is_possessive: list[bool] = [token.tag_ == "POS" for token in tokens]
        self.is_punctuation: list[bool] = [
            token.pos_ == "PUNCT" or token.text in punctuation for token in tokens
        ]
        self.is_upper: list[bool] = [token.text[0].isupper() for token in tokens]
        self.letters = [re.sub("['-]", "", token.lower_) for token in tokens]
        self.letter_counts = [0, *accumulate(map(len, self.letters))]
        self.open_counts: list[int] = [
            0,
            *accumulate(name in _OPEN for name in self.part_of_speech),
        ]
        self.other_counts: list[int] = [
            0,
            *accumulate(name not in _VERBAL for name in self.part_of_speech),
        ]
        changes = (
            a != b for a, b in zip(self.part_of_speech, self.part_of_speech[1:], strict=False)
        )
        self.change_counts: list[int] = [0, *accumulate(changes)]

    def is_uniform(self, start: int, end: int) -> bool:
        return self.change_counts[start] == self.change_counts[end - 1]


class _Stretch:
    """Neighbouring steps that are not matches or transpositions.

    A range of steps is (begin, end) without `end`. A pair is (first, last) with `last`.
    """

    def __init__(
        self, steps: Sequence[Step], source: Document, target: Document, similarity: Similarity
    ) -> None:
        self.steps = list(steps)
        self.source, self.target = _Side(source), _Side(target)
        self.similarity = similarity
        self.substitutions = [0, *accumulate(step[0] == "S" for step in steps)]
        # The order in which the package tries pairs: longest first, then from the left.
        self.ruled = [
            (first, last)
            for length in range(len(steps) - 1, 0, -1)
            for first in range(len(steps) - length)
            if self._has_substitution(first, (last := first + length))
            and self._falls_under_a_rule(first, last)
        ]

    def merged(self) -> list[Step]:
        """All steps. Steps of the same edit are joined."""
        result: list[Step] = []
        waiting: list[Step | tuple[int, int]] = [(0, len(self.steps))]
        while waiting:
            item = waiting.pop()
            if len(item) == 2:
                waiting += reversed(list(self._cut(*item)))
            else:
                result.append(item)
        return result

    def _cut(self, begin: int, end: int) -> Iterator[Step | tuple[int, int]]:
        """Edits, and ranges that must be cut further, from left to right."""
        operations = {step[0] for step in self.steps[begin:end]}
        if end - begin <= 1:
            yield from self.steps[begin:end]
        elif operations in ({"D"}, {"I"}):
            yield self._joined(begin, end - 1)
        elif (pair := self._first_pair(begin, end)) is not None:
            yield from self._cut_at(begin, end, *pair)
        elif "S" in operations and self._has_open_class(begin, end - 1):
            yield self._joined(begin, end - 1)
        else:
            yield from self.steps[begin:end]

    def _first_pair(self, begin: int, end: int) -> tuple[int, int] | None:
        pairs = [pair for pair in self.ruled if begin <= pair[0] and pair[1] < end][:1]
        for last in range(end - 1, begin, -1):
            if self._has_substitution(begin, last) and self._falls_under_a_rule_of_beginnings(
                begin, last
            ):
                pairs.append((begin, last))
                break
        if self._has_substitution(end - 2, end - 1) and self._ends_with_determiner(end - 1):
            pairs.append((end - 2, end - 1))
        return min(pairs, key=lambda pair: (pair[0] - pair[1], pair[0]), default=None)

    def _cut_at(
        self, begin: int, end: int, first: int, last: int
    ) -> Iterator[Step | tuple[int, int]]:
        """Cut by the first rule that holds for the pair."""
        if first == begin and self._begins_with_possessive(first):
            yield self.steps[begin]
            yield begin + 1, end
        elif self._ends_with_possessive(last):
            yield from self._with_joined(begin, last - 1, last, end)
        elif first == begin and self._is_case_change_of_beginning(first, last):
            yield from self._with_joined(begin, first, last, end)
        elif self._is_case_change_after_punctuation(first, last):
            yield from self._with_joined(begin, last - 1, last, end)
        elif self._has_same_letters(first, last) or self._has_one_class(first, last):
            yield from self._with_joined(begin, first, last, end)
        elif self._is_split(first, last):
            yield begin, first + 1
            yield first + 1, end
        else:
            yield begin, end - 1
            yield self.steps[end - 1]

    def _with_joined(
        self, begin: int, first: int, last: int, end: int
    ) -> Iterator[Step | tuple[int, int]]:
        yield begin, first
        yield self._joined(first, last)
        yield last + 1, end

    def _joined(self, first: int, last: int) -> Step:
        return (
            "X",
            self.steps[first][1],
            self.steps[last][2],
            self.steps[first][3],
            self.steps[last][4],
        )

    def _falls_under_a_rule(self, first: int, last: int) -> bool:
        """Whether a rule holds that does not depend on where the range begins or ends."""
        return (
            self._ends_with_possessive(last)
            or self._is_case_change_after_punctuation(first, last)
            or self._has_same_letters(first, last)
            or self._has_one_class(first, last)
            or self._is_split(first, last)
        )

    def _falls_under_a_rule_of_beginnings(self, first: int, last: int) -> bool:
        return self._begins_with_possessive(first) or self._is_case_change_of_beginning(first, last)

    def _span(self, first: int, last: int) -> tuple[int, int, int, int]:
        return self.steps[first][1], self.steps[last][2], self.steps[first][3], self.steps[last][4]

    def _has_substitution(self, first: int, last: int) -> bool:
        return self.substitutions[last + 1] > self.substitutions[first]

    def _begins_with_possessive(self, first: int) -> bool:
        # If a side has no word in the first step, the pair begins with the next word of that side.
        start, begin = self.steps[first][1], self.steps[first][3]
        return self.source.is_possessive[start] or self.target.is_possessive[begin]

    def _ends_with_possessive(self, last: int) -> bool:
        end, finish = self.steps[last][2], self.steps[last][4]
        return self.source.is_possessive[end - 1] or self.target.is_possessive[finish - 1]

    def _is_case_change(self, last: int) -> bool:
        end, finish = self.steps[last][2], self.steps[last][4]
        return bool(self.source.lower[end - 1] == self.target.lower[finish - 1])

    def _is_case_change_of_beginning(self, first: int, last: int) -> bool:
        """[Cat → The big cat]."""
        start, end, begin, finish = self._span(first, last)
        return self._is_case_change(last) and (
            (end - start == 1 and self.target.is_upper[begin])
            or (finish - begin == 1 and self.source.is_upper[start])
        )

    def _is_case_change_after_punctuation(self, first: int, last: int) -> bool:
        """[, we → . We]."""
        start, end, begin, finish = self._span(first, last)
        return self._is_case_change(last) and (
            (end - start > 1 and self.source.is_punctuation[end - 2])
            or (finish - begin > 1 and self.target.is_punctuation[finish - 2])
        )

    def _has_same_letters(self, first: int, last: int) -> bool:
        """[sub - way → subway]."""
        start, end, begin, finish = self._span(first, last)
        source, target = self.source, self.target
        if source.letter_counts[end] - source.letter_counts[start] != (
            target.letter_counts[finish] - target.letter_counts[begin]
        ):
            return False
        return "".join(source.letters[start:end]) == "".join(target.letters[begin:finish])

    def _has_one_class(self, first: int, last: int) -> bool:
        """[to eat → eating], [watch → look at]."""
        start, end, begin, finish = self._span(first, last)
        if end - start == finish - begin:
            return False
        source, target = self.source, self.target
        uniform = (
            source.part_of_speech[start] == target.part_of_speech[begin]
            and source.is_uniform(start, end)
            and target.is_uniform(begin, finish)
        )
        others = source.other_counts[end] - source.other_counts[start]
        others += target.other_counts[finish] - target.other_counts[begin]
        return uniform or others == 0

    def _is_split(self, first: int, last: int) -> bool:
        """Two substitutions, or one substitution of similar words at the edge of the pair."""
        if last - first > 1:
            return False
        start, end, begin, finish = self._span(first, last)
        if end - start == finish - begin == 2:
            return True
        source, target = self.source.tokens, self.target.tokens
        return (
            self.steps[first][0] == "S" and self.similarity(source[start], target[begin]) > 0.75
        ) or (
            self.steps[last][0] == "S"
            and self.similarity(source[end - 1], target[finish - 1]) > 0.75
        )

    def _ends_with_determiner(self, last: int) -> bool:
        operation, _, end, _, finish = self.steps[last]
        return (operation in ("D", "S") and self.source.part_of_speech[end - 1] == "DET") or (
            operation in ("I", "S") and self.target.part_of_speech[finish - 1] == "DET"
        )

    def _has_open_class(self, first: int, last: int) -> bool:
        start, end, begin, finish = self._span(first, last)
        found = self.source.open_counts[end] - self.source.open_counts[start]
        found += self.target.open_counts[finish] - self.target.open_counts[begin]
        return found > 0
