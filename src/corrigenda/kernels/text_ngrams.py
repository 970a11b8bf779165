"""n-gram counts straight from text; cpp/text_ngrams.hpp explains the counting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.limits import bounded
from corrigenda.kernels.lines import as_texts, reference_views
from corrigenda.kernels.numbered_words import NumberedWords
from corrigenda.kernels.ragged import check_offsets

Counts = npt.NDArray[np.int64]


def count_text_ngrams(
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    hypotheses: Sequence[str],
    *,
    by_text: bool,
    unit: str,
    order: int,
    pooled: bool,
    threads: int,
    types: bool = True,
) -> tuple[Counts, Counts, Counts, Counts]:
    """Counts [row, n - 1, kind], hypothesis lengths, reference lengths, and reference offsets.

    `references` has one item per reference text if `by_text`, else one per sentence. `unit` is
    word, char or raw. Raw means characters with all spaces unchanged. There is one row per
    reference, or with `pooled` one per sentence; kinds are NGRAM_COUNTS. Without `types` the last
    two kinds, which ask whether a text has an n-gram at all, are not counted: they are 0.
    """
    if order < 1:
        raise ValueError("order must be at least 1")
    if len(hypotheses) != len(sources):
        raise ValueError(f"{len(hypotheses)} hypotheses for {len(sources)} sentences")
    given = reference_views(references, len(sources), by_text=by_text)
    with bounded():
        counts, lengths, reference_lengths, offsets = _kernels.count_text_ngrams(
            as_texts(sources), given, as_texts(hypotheses), unit, order, pooled, types, threads
        )
    # Views, so that numpy shows them as its own whole numbers.
    return (
        counts.view(np.int64),
        lengths.view(np.int64),
        reference_lengths.view(np.int64),
        offsets.view(np.int64),
    )


def count_numbered_ngrams(
    words: NumberedWords, *, order: int, pooled: bool, threads: int, types: bool = True
) -> tuple[Counts, Counts, Counts, Counts]:
    """The same as `count_text_ngrams`, for words that have their numbers already."""
    if order < 1:
        raise ValueError("order must be at least 1")
    sources, references, hypotheses, offsets = words
    if len(hypotheses) != len(sources):
        raise ValueError(f"{len(hypotheses)} hypotheses for {len(sources)} sentences")
    check_offsets(offsets, len(sources), len(references), "references_of_sentence")
    with bounded():
        counts, lengths, reference_lengths = _kernels.count_numbered_ngrams(
            sources.ids, sources.offsets, references.ids, references.offsets, offsets,
            hypotheses.ids, hypotheses.offsets, order, pooled, types, threads,
        )  # fmt: skip
    return counts.view(np.int64), lengths.view(np.int64), reference_lengths.view(np.int64), offsets
