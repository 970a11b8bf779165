"""Sources with references, prepared for hypotheses in batches; cpp/prepared.hpp has the code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NewType

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.limits import bounded

Counts = npt.NDArray[np.int64]

PreparedSentence = NewType("PreparedSentence", object)
"""A compiled object: a source with its references, ready to be compared with hypotheses."""


def prepare(
    source: str, references: tuple[str, ...], *, unit: str, order: int, pooled: bool
) -> PreparedSentence:
    """One source with its references.

    `unit` is word, char or raw. Raw means characters with all spaces unchanged.
    """
    if order < 1:
        raise ValueError("order must be at least 1")
    with bounded():
        made = _kernels.PreparedSentence(source, references, unit, order, pooled)
    return PreparedSentence(made)


def count_prepared(
    prepared: Sequence[PreparedSentence], hypotheses: Sequence[str], *, threads: int
) -> tuple[Counts, Counts, Counts, Counts]:
    """Counts [row, n - 1, kind], hypothesis lengths, reference lengths, and reference offsets.

    Sentence i has the reference lengths `offsets[i]` up to `offsets[i + 1]`. All sentences must be
    prepared with the same order.
    """
    if len(prepared) != len(hypotheses):
        raise ValueError(f"{len(hypotheses)} hypotheses for {len(prepared)} sentences")
    counted: tuple[Counts, Counts, Counts, Counts] = _kernels.count_prepared(
        tuple(prepared), tuple(hypotheses), threads
    )
    return counted
