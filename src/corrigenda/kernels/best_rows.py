"""The best row of each sentence, key by key; cpp/best_rows.cpp has the code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels
from corrigenda.kernels.ragged import check_offsets


def best_rows(
    counts: npt.NDArray[Any],
    offsets: npt.NDArray[np.int64],
    keys: Iterable[npt.NDArray[np.float64]],
) -> npt.NDArray[np.int64]:
    """The best row of each sentence [1, sentences].

    The first key decides; the next key breaks ties; the earliest row wins if all keys are equal.
    A key is requested only if the keys before it left ties between rows with different counts.
    """
    check_offsets(offsets, len(offsets) - 1, len(counts), "offsets")
    alive: npt.NDArray[np.uint8] = _kernels.distinct_rows(np.ascontiguousarray(counts), offsets)
    for key in keys:
        if key.shape != alive.shape:
            raise ValueError(f"a key of shape {key.shape} for {len(alive)} rows")
        if not _kernels.keep_best(np.ascontiguousarray(key, np.float64), offsets, alive):
            break
    # The view has numpy's default 64-bit type, so numpy prints the array without its type.
    rows: npt.NDArray[np.int64] = _kernels.first_alive(alive, offsets).view(np.int64)
    return rows
