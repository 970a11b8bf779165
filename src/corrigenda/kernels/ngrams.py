"""n-gram statistics against source and references; cpp/ngram_trie.hpp explains the counting."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.ragged import Ragged, check_offsets

NGRAM_COUNTS = ("tk", "td", "ti", "od", "oi", "ud", "ui", "source_only", "reference_only")
"""The last axis of `NgramIndex.count`: GREEN's seven regions, then the n-grams that the hypothesis
shares with the source alone, then those that it shares with the reference alone."""


class NgramIndex:
    """The n-grams of all sources and references of a corpus, counted once for all systems.

    Tests compare other ways of counting with it; scores do not use it.
    """

    def __init__(
        self,
        sources: Ragged,
        references: Ragged,
        references_of_sentence: npt.NDArray[np.int64],
        *,
        order: int,
        pooled: bool,
        threads: int,
    ) -> None:
        check_offsets(
            references_of_sentence, len(sources), len(references), "references_of_sentence"
        )
        if order < 1:
            raise ValueError("order must be at least 1")
        self._sentences = len(sources)
        self._index = _kernels.NgramIndex(
            sources.ids, sources.offsets,
            references.ids, references.offsets, references_of_sentence,
            order, pooled, threads,
        )  # fmt: skip

    def count(self, hypotheses: Ragged, *, threads: int) -> npt.NDArray[np.int64]:
        """Counts [row, n - 1, kind]: one row per sentence and reference; kinds as NGRAM_COUNTS."""
        if len(hypotheses) != self._sentences:
            raise ValueError(f"{len(hypotheses)} hypotheses for {self._sentences} sentences")
        counts: npt.NDArray[np.int64] = self._index.count(
            hypotheses.ids, hypotheses.offsets, threads
        )
        return counts
