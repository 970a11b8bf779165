"""M²'s edits of hypotheses against gold edits; cpp/maxmatch.hpp explains how they are found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.ragged import Ragged

Offsets = npt.NDArray[np.int64]

# More unchanged words than any sentence has: the largest int32.
_NO_LIMIT = 2**31 - 1

MOST_ARCS = 5_000
"""If a sentence has more arcs, they are not listed. Only those of best paths are searched."""

MOST_VISITS = 100_000_000
"""If that takes more visits of cells, the short form of the rule finds the edits."""


@dataclass(frozen=True)
class GoldBatch:
    """The edits of all annotators on all sentences, in flat arrays.

    The arrays are checked once, here, so the kernel can trust them. Sentence i has annotations
    `annotation_offsets[i]` up to `[i + 1]`. Annotation a has edits `edit_offsets[a]` up to
    `[a + 1]`. Edit e replaces the source words of `spans[e]` by any of the corrections
    `correction_offsets[e]` up to `[e + 1]`.
    """

    annotation_offsets: Offsets
    edit_offsets: Offsets
    spans: npt.NDArray[np.int32]
    correction_offsets: Offsets
    corrections: Ragged

    def __post_init__(self) -> None:
        for offsets, count in (
            (self.annotation_offsets, len(self.edit_offsets) - 1),
            (self.edit_offsets, len(self.spans)),
            (self.correction_offsets, len(self.corrections)),
        ):
            if offsets[0] != 0 or offsets[-1] != count or (np.diff(offsets) < 0).any():
                raise ValueError("offsets must rise from 0 to the number of things they group")
        if len(self.correction_offsets) != len(self.spans) + 1 or self.spans.shape[1:] != (2,):
            raise ValueError("every edit needs a span and corrections")


@dataclass(frozen=True)
class MaxMatched:
    """The result of M²: the counts (correct, proposed, gold) and the system's edits per annotation.

    The edits of annotation a are `edits[offsets[a]:offsets[a + 1]]`, from left to right. Each edit
    is a row of start and end in the source, begin and finish in the hypothesis, and the index of
    the equal gold edit, or -1. `by_short_form` is the number of sentences for which the exact rule
    would take too long.
    """

    counts: npt.NDArray[np.int64]
    edits: npt.NDArray[np.int32]
    offsets: Offsets
    by_short_form: int

    def edits_of(self, annotation: int) -> list[list[int]]:
        """The rows of one annotation."""
        rows: list[list[int]] = self.edits[
            self.offsets[annotation] : self.offsets[annotation + 1]
        ].tolist()
        return rows

    def only(self, keep: npt.NDArray[np.bool_]) -> MaxMatched:
        """Only the edits to keep. Gold edits that equal a removed edit then count as missed."""
        annotations = np.repeat(np.arange(len(self.counts)), np.diff(self.offsets))[keep]
        edits = self.edits[keep]
        counts = self.counts.copy()
        counts[:, 0] = np.bincount(annotations[edits[:, 4] >= 0], minlength=len(counts))
        counts[:, 1] = np.bincount(annotations, minlength=len(counts))
        offsets = np.concatenate(([0], np.cumsum(counts[:, 1])))
        return MaxMatched(counts, edits, offsets, self.by_short_form)


def max_match(
    sources: Ragged,
    hypotheses: Ragged,
    gold: GoldBatch,
    *,
    max_unchanged_words: int,
    threads: int,
    with_edits: bool = True,
    most_arcs: int = MOST_ARCS,
    most_visits: int = MOST_VISITS,
) -> MaxMatched:
    """The system's edits that agree best with each annotation; or, without edits, their counts."""
    if not len(sources) == len(hypotheses) == len(gold.annotation_offsets) - 1:
        raise ValueError("sources, hypotheses and gold must have the same number of sentences")
    if max_unchanged_words < 0:
        raise ValueError("max_unchanged_words must be at least 0")
    return MaxMatched(
        *_kernels.max_match(
            sources.ids,
            sources.offsets,
            hypotheses.ids,
            hypotheses.offsets,
            gold.annotation_offsets,
            gold.edit_offsets,
            gold.spans.reshape(-1),
            gold.correction_offsets,
            gold.corrections.ids,
            gold.corrections.offsets,
            min(max_unchanged_words, _NO_LIMIT),
            most_arcs,
            most_visits,
            threads,
            with_edits,
        )
    )
