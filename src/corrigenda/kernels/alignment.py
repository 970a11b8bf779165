"""Exact three-way alignment of source, hypothesis and reference; cpp/align3.hpp explains it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.limits import bounded
from corrigenda.kernels.ragged import Ragged, check_offsets

Offsets = npt.NDArray[np.int64]

COLUMN_CLASSES = ("corrected", "kept", "spoiled", "missed", "miscorrected")
"""The classes of a column: the last axis of `count_columns`."""


@dataclass(frozen=True)
class Grouped:
    """Several texts per sentence: sentence i has the texts `offsets[i]` up to `offsets[i + 1]`."""

    texts: Ragged
    offsets: Offsets

    def __post_init__(self) -> None:
        check_offsets(self.offsets, len(self.offsets) - 1, len(self.texts), "offsets")


def count_columns(
    sources: Ragged, references: Grouped, hypotheses: Grouped, *, threads: int
) -> npt.NDArray[np.int64]:
    """The number of columns of each class [rows, 5].

    Rows are ordered by sentence, then hypothesis, then reference.
    """
    if not len(sources) == len(references.offsets) - 1 == len(hypotheses.offsets) - 1:
        raise ValueError(
            "sources, references and hypotheses must have the same number of sentences"
        )
    with bounded():
        counts: npt.NDArray[np.int64] = _kernels.count_alignment_columns(
            sources.ids, sources.offsets,
            references.texts.ids, references.texts.offsets, references.offsets,
            hypotheses.texts.ids, hypotheses.texts.offsets, hypotheses.offsets,
            threads,
        )  # fmt: skip
    return counts


def align(source: Ragged, hypothesis: Ragged, reference: Ragged) -> list[tuple[bool, bool, bool]]:
    """For each column, whether source, hypothesis and reference have a word in it.

    Each argument holds one sentence.
    """
    columns: list[tuple[bool, bool, bool]]
    with bounded():
        _, columns = _kernels.align_three(source.ids, hypothesis.ids, reference.ids)
    return columns
