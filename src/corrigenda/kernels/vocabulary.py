"""Words to ids, split and looked up by compiled code."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

import corrigenda._kernels as _kernels
from corrigenda.kernels.ragged import Ragged

_OTHER_WHITESPACE = re.compile(r"[^\S \n]")


class Vocabulary:
    """The words of a corpus. Call `add` first. After that, threads may share it for `encode`."""

    def __init__(self) -> None:
        self._words = _kernels.Vocabulary()

    def __len__(self) -> int:
        return len(self._words)

    def add(self, sentences: Sequence[str]) -> Ragged:
        """The ids of the sentences' words; words seen for the first time get new ids."""
        return Ragged(*self._words.add(_joined(sentences))) if sentences else _nothing()

    def encode(self, sentences: Sequence[str]) -> Ragged:
        """The ids of the sentences' words; words never added are -1."""
        return Ragged(*self._words.encode(_joined(sentences))) if sentences else _nothing()


def _joined(sentences: Sequence[str]) -> bytes:
    lines = "\n".join(sentences)
    # The compiled code knows only spaces and line feeds; `split` knows every kind of whitespace.
    if lines.count("\n") != len(sentences) - 1 or _OTHER_WHITESPACE.search(lines):
        lines = "\n".join([" ".join(sentence.split()) for sentence in sentences])
    return lines.encode("utf-8", "surrogatepass")


def _nothing() -> Ragged:
    return Ragged(np.zeros(0, np.int32), np.zeros(1, np.int64))
