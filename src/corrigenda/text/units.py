"""The units that metrics count: words by whitespace, characters by their code points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from corrigenda.kernels import Ragged

Unit = Literal["word", "char"]
Whitespace = Literal["normalise", "raw"]


def normalise(sentence: str) -> str:
    """The words of a sentence, joined by single blanks; any whitespace separates words."""
    return " ".join(sentence.split())


def pack_characters(sentences: Sequence[str], whitespace: Whitespace) -> Ragged:
    """The code points of each sentence, including blanks."""
    texts = sentences if whitespace == "raw" else [normalise(sentence) for sentence in sentences]
    joined = "".join(texts).encode("utf-32-le", "surrogatepass")
    offsets = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    return Ragged(np.frombuffer(joined, np.int32), offsets)
