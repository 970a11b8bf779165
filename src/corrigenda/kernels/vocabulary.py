"""Words to ids, split and looked up by compiled code."""

from __future__ import annotations

from collections.abc import Sequence

import corrigenda._kernels as _kernels
from corrigenda.kernels.lines import as_texts
from corrigenda.kernels.ragged import Ragged


class Vocabulary:
    """The words of a corpus. Call `add` first. After that, threads may share it for `encode`."""

    def __init__(self) -> None:
        self._words = _kernels.Vocabulary()

    def __len__(self) -> int:
        return len(self._words)

    def add(self, sentences: Sequence[str]) -> Ragged:
        """The ids of the sentences' words; words seen for the first time get new ids."""
        return Ragged(*self._words.add(as_texts(sentences)))

    def encode(self, sentences: Sequence[str]) -> Ragged:
        """The ids of the sentences' words; words never added are -1."""
        return Ragged(*self._words.encode(as_texts(sentences)))
