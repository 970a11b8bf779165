"""What a line has lost: its apostrophes, its numbers, its capitals?

Corrections do the same now and then: `do not` for `don't`, `three` for `3`, one sentence for two. A
closer look at the words tells them from a damage.
"""

from __future__ import annotations

import itertools
import re

from corrigenda.health.cuts import SENTENCE_ENDS

_NO_QUOTES = str.maketrans("", "", "'\"’‘“”`´«»")
_DIGIT = re.compile(r"\d")
_MASK = re.compile(r"\W*(?:NUM|NUMBER|DIGITS?)\W*", re.IGNORECASE)


def lacks_quotes(source: str, text: str) -> bool:
    """Whether the text has the words of its source without their apostrophes: `dont`."""
    words = set(text.split())
    bare = ((word, word.translate(_NO_QUOTES)) for word in source.split())
    return all(not short or short in words for word, short in bare if short != word)


def masks_digits(source: str, text: str) -> bool:
    """Whether the numbers of the source are masked in the text: `##`, `00`, `NUM`."""
    words = set(text.split())
    numbers = [word for word in source.split() if _DIGIT.search(word)]
    masked = {_DIGIT.sub(mask, word) for word in numbers for mask in "#0"}
    return bool(masked & words) or any(map(_MASK.fullmatch, words))


def lacks_capitals(source: str, text: str) -> bool:
    """Whether a word that the source has with a capital, within a sentence, has none here."""
    words = set(text.split())
    return any(
        word[0].isupper() and word not in words and word.lower() in words
        for before, word in itertools.pairwise(source.split())
        if before[-1] not in SENTENCE_ENDS + ":"
    )
