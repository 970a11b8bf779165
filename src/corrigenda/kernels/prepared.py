"""Sources with their references, prepared for hypotheses that come batch by batch; see cpp/prepared.hpp."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from corrigenda import _kernels
from corrigenda._kernels import PreparedSentence

Counts = npt.NDArray[np.int64]


def prepare(
    source: str, references: tuple[str, ...], *, unit: str, order: int, pooled: bool
) -> PreparedSentence:
    """One source with its references; `unit` is word, char, or raw for characters with their blanks as they are."""
    if order < 1:
        raise ValueError("order must be at least 1")
    return PreparedSentence(source, references, unit, order, pooled)


def count_prepared(
    prepared: Sequence[PreparedSentence], hypotheses: Sequence[str], *, threads: int
) -> tuple[Counts, Counts, Counts, Counts]:
    """Counts [row, n - 1, kind], hypothesis lengths, reference lengths, and where each sentence's references begin.

    All must have been prepared with the same order.
    """
    if len(prepared) != len(hypotheses):
        raise ValueError(f"{len(hypotheses)} hypotheses for {len(prepared)} sentences")
    return _kernels.count_prepared(tuple(prepared), tuple(hypotheses), threads)


__all__ = ["PreparedSentence", "count_prepared", "prepare"]
