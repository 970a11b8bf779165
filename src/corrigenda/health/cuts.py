"""Is the end of a line missing, or its beginning?

A cut line stops in the middle of what its source says. Lengths alone do not tell: a correction may
make every line shorter.
"""

from __future__ import annotations

from collections.abc import Iterable

SENTENCE_ENDS = ".?!\"')。？！”’…।؟"
_COMPARED = 10
"""So many of the last letters of a line are looked for in its source."""
_SAME_END = 4
"""A line whose last letters are those of its source is whole."""
FEWEST_MISSING = 3
_LEAST_MISSING = 0.25
"""Of a source without a mark at its end, or of one word: the share of its letters."""
_ASCII_MARKS = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())
"""What is no letter of ASCII: Python removes it much faster than it looks at each letter."""


def lacks_end(source: str, text: str) -> bool:
    """Whether the text stops where its source goes on, by a word at least."""
    if text.rstrip()[-1:] in SENTENCE_ENDS:
        return False
    last = _first_with_letters(reversed(source.split()))
    if source.rstrip()[-1:] not in SENTENCE_ENDS:
        last = source
    return _stops_early(_letters(source), _letters(text), last)


def lacks_beginning(source: str, text: str) -> bool:
    """Whether the text begins where its source has begun already, by a word at least."""
    first = _first_with_letters(source.split())
    return _stops_early(_letters(source)[::-1], _letters(text)[::-1], first)


def _stops_early(source: str, text: str, last: str) -> bool:
    """`last`: the word of the source that must be missing; the whole source if it is unclear."""
    if not _SAME_END <= len(text) < len(source) or source.endswith(text[-_SAME_END:]):
        return False
    end = text[-_COMPARED:]
    place = source.rfind(end)
    of_word = len(_letters(last))
    least = of_word if of_word < len(source) else _LEAST_MISSING * len(source)
    missing = len(source) - place - len(end)
    return place >= 0 and missing >= max(FEWEST_MISSING, least)


def _first_with_letters(words: Iterable[str]) -> str:
    return next((word for word in words if _letters(word)), "")


def _letters(line: str) -> str:
    folded = line.casefold()
    if folded.isascii():
        return folded.translate(_ASCII_MARKS)
    return "".join(filter(str.isalnum, folded))
