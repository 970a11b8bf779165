"""What a line has lost: its apostrophes, its numbers, its capitals?

Corrections do the same now and then: `do not` for `don't`, `three` for `3`, one sentence for two. A
closer look at the words tells them from a damage.
"""

from __future__ import annotations

import itertools
import re

from corrigenda.health.cuts import SENTENCE_ENDS

_NO_QUOTES = str.maketrans("", "", "'\"’‘“”`´«»")
_NUMBER = re.compile(r"\d+")
_ZEROS = re.compile(r"(?<!\d)0+(?!\d)")
_MASK = re.compile(r"\W*(?:NUM|NUMBER|DIGITS?)\W*", re.IGNORECASE)


def lacks_quotes(source: str, text: str) -> bool:
    """Whether the text has the words of its source without their apostrophes: `dont`."""
    words = set(text.split())
    bare = ((word, word.translate(_NO_QUOTES)) for word in source.split())
    return all(not short or short in words for word, short in bare if short != word)


def masks_digits(source: str, text: str) -> bool:
    """Whether the numbers of the source are masked in the text: `##`, `00`, `NUM`."""
    if any(map(_MASK.fullmatch, text.split())) or ("#" in text and "#" not in source):
        return True
    lengths = {len(number) for number in _NUMBER.findall(source)}
    return any(len(zeros) in lengths for zeros in _ZEROS.findall(text))


def lacks_capitals(source: str, text: str) -> bool:
    """Whether a word that the source has with a capital, within a sentence, has none here."""
    words = set(text.split())
    return any(
        word[0].isupper() and word not in words and word.lower() in words
        for before, word in itertools.pairwise(source.split())
        if before[-1] not in SENTENCE_ENDS + ":"
    )
