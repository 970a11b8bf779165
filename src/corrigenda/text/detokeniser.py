"""Words back to plain text: the blanks that a tokeniser added go, and nothing else changes.

It knows the habits of English and of tokenisers for it: the Penn Treebank, Moses, spaCy. Blanks
between Chinese or Japanese characters go, too. Where a blank may be somebody's own, it stays:
around hyphens, dashes and slashes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLOSING = re.compile(r"[.,;:!?%)\]}…»”’。，、；：！？）」』】]+|''|\.\.+")
_OPENING = re.compile(r"[(\[{«“‘¿¡（「『【]+|``|[$£€¥]")
_CLITIC = re.compile(r"n['’]t|['’](?:s|re|ve|ll|d|m)", re.IGNORECASE)
_WHOLE = re.compile("[\u2e80-\u303f\u3040-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U00031fff]")
_QUOTES = ("'", '"')
_IN_A_WORD = -1
"""The place of an opening quote that is one with its word already."""


def detokenise(text: str) -> str:
    """The sentence as people write it. Its characters are the same except for blanks."""
    words = text.split()
    glued = _glued_quotes(words)
    made = words[:1]
    for place in range(1, len(words)):
        before, word = words[place - 1], words[place]
        joined = (
            (place in glued and glued[place] == "left")
            or (place - 1 in glued and glued[place - 1] == "right")
            or _belong_together(before, word)
        )
        made.append(word if joined else f" {word}")
    return "".join(made)


def _belong_together(before: str, word: str) -> bool:
    """Whether there is no blank between two words, quotes aside."""
    if _CLOSING.fullmatch(word) or (_CLITIC.fullmatch(word) and before[-1].isalpha()):
        return True
    if _OPENING.fullmatch(before):
        return before not in "$£€¥" or word[0].isdigit()
    return bool(_WHOLE.fullmatch(before[-1]) and _WHOLE.fullmatch(word[0]))


def _glued_quotes(words: Sequence[str]) -> dict[int, str]:
    """Which quotes are one with the word at their left, or at their right.

    A quote opens and the next one closes. A single quote after an s is a genitive (`the boys '
    room`), unless a quote is open. A quote without a partner keeps its blanks.
    """
    glued: dict[int, str] = {}
    for quote in _QUOTES:
        opened: int | None = None
        for place, word in enumerate(words):
            if word != quote:
                if word[0] == quote and quote not in word[1:] and not _CLITIC.fullmatch(word):
                    opened = _IN_A_WORD
                continue
            if opened is not None:
                glued[place] = "left"
                if opened != _IN_A_WORD:
                    glued[opened] = "right"
                opened = None
            elif quote == "'" and place and words[place - 1][-1] in "sS":
                glued[place] = "left"
            else:
                opened = place
    return glued
