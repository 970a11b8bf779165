"""Is the end of a line missing, or its beginning?

A cut line stops in the middle of what its source says. Lengths alone do not tell: a correction may
make every line shorter.
"""

from __future__ import annotations

SENTENCE_ENDS = ".?!\"')。？！”’…।؟"
_COMPARED = 10
"""So many of the last letters of a line are looked for in its source."""
_SAME_END = 4
"""A line whose last letters are those of its source is whole."""
_FEWEST_MISSING = 3
_LEAST_MISSING = 0.25
"""Of a source without a mark at its end, or of one word: the share of its letters."""


def lacks_end(source: str, text: str) -> bool:
    """Whether the text stops where its source goes on, by a word at least."""
    if text.rstrip()[-1:] in SENTENCE_ENDS:
        return False
    words = list(filter(None, map(_letters, source.split())))
    is_clear = source.rstrip()[-1:] in SENTENCE_ENDS
    return _stops_early(words, _letters(text), is_clear=is_clear)


def lacks_beginning(source: str, text: str) -> bool:
    """Whether the text begins where its source has begun already, by a word at least."""
    words = list(filter(None, map(_letters, source.split())))
    backwards = [word[::-1] for word in reversed(words)]
    return _stops_early(backwards, _letters(text)[::-1], is_clear=True)


def _stops_early(words: list[str], text: str, *, is_clear: bool) -> bool:
    source = "".join(words)
    if not _SAME_END <= len(text) < len(source) or source.endswith(text[-_SAME_END:]):
        return False
    end = text[-_COMPARED:]
    place = source.rfind(end)
    is_clear = is_clear and len(words) > 1
    least = len(words[-1]) if is_clear else _LEAST_MISSING * len(source)
    missing = len(source) - place - len(end)
    return place >= 0 and missing >= max(_FEWEST_MISSING, least)


def _letters(line: str) -> str:
    return "".join(filter(str.isalnum, line.casefold()))
