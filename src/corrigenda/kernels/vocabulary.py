"""Words to ids, split and looked up by compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

import corrigenda._kernels as _kernels
from corrigenda.kernels.lines import as_texts
from corrigenda.kernels.ragged import Ragged


class Similar(NamedTuple):
    """Sentences with the ids of their words. Sentences that mostly repeat them are read faster."""

    texts: Sequence[str]
    words: Ragged


class Vocabulary:
    """The words of a corpus. Call `add` first. After that, threads may share it for `encode`."""

    def __init__(self) -> None:
        self._words = _kernels.Vocabulary()
        self._adding = Lock()

    def __len__(self) -> int:
        return len(self._words)

    def add(self, sentences: Sequence[str], similar: Similar | None = None) -> Ragged:
        """The ids of the sentences' words; words seen for the first time get new ids."""
        with self._adding:
            return Ragged(*self._words.add(as_texts(sentences), *_checked(sentences, similar)))

    def encode(self, sentences: Sequence[str], similar: Similar | None = None) -> Ragged:
        """The ids of the sentences' words; words never added are -1."""
        return Ragged(*self._words.encode(as_texts(sentences), *_checked(sentences, similar)))


def _checked(sentences: Sequence[str], similar: Similar | None) -> tuple[Any, Any, Any]:
    if similar is None:
        return None, np.zeros(0, np.int32), np.zeros(1, np.int64)
    texts, words = similar
    if not len(sentences) == len(texts) == len(words):
        raise ValueError(f"{len(texts)} similar sentences for {len(sentences)} sentences")
    return as_texts(texts), words.ids, words.offsets
