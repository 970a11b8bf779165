"""The units that metrics count: words by whitespace, code points, or graphemes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from corrigenda.kernels import Ragged

Unit = Literal["word", "char", "grapheme"]
"""`char` is a code point, as published. A `grapheme` is what readers see as one character."""
Whitespace = Literal["normalise", "raw"]


def normalise(sentence: str) -> str:
    """The words of a sentence, joined by single blanks; any whitespace separates words."""
    return " ".join(sentence.split())


_OTHER_BLANKS = (
    "\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
_AS_LETTERS = str.maketrans({blank: chr(0xFDD0 + i) for i, blank in enumerate(_OTHER_BLANKS)})
"""Each blank as a code point that no text has (a noncharacter of Unicode)."""


def keep_blanks(sentence: str) -> str:
    """The sentence with every blank that is not one of ASCII's six replaced by a letter.

    Python 2 splits bytes at blank, tab, line feed, vertical tab, form feed and carriage return.
    """
    return sentence.translate(_AS_LETTERS)


def pack_characters(
    sentences: Sequence[str], whitespace: Whitespace, unit: Unit = "char"
) -> Ragged:
    """The code points, or the graphemes, of each sentence, including blanks."""
    texts = sentences if whitespace == "raw" else [normalise(sentence) for sentence in sentences]
    if unit == "grapheme":
        from corrigenda.text.graphemes import STAND_INS

        texts = [STAND_INS.replace(text) for text in texts]
    joined = "".join(texts).encode("utf-32-le", "surrogatepass")
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    return Ragged(np.frombuffer(joined, np.int32), offsets)
