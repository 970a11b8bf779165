"""Weighted sums over sentences as matrix products: one for all resamples and several draws.

Weights in single precision are small whole numbers: how often a sentence counts. Their sums of
whole counts are exact in single precision, where a product takes half of the time, as long as no
sum can pass 2^24. Columns that no draw of references changes are summed once for all draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_EXACT = 2**24
"""Whole numbers up to here are exact in single precision."""


def weighted_sums(weights: Array, draws: Sequence[Array]) -> Array:
    """Sums [B, draws, K] of the counts [sentences, K] of each draw, for weights [B, sentences]."""
    first = draws[0]
    sums = np.empty((len(weights), len(draws), first.shape[1]))
    differs = np.zeros(first.shape[1], bool)
    for other in draws[1:]:
        differs |= (other != first).any(axis=0)
    if not differs.all():
        same = ~differs
        sums[:, :, same] = _product(weights, first[:, same])[:, np.newaxis]
    if differs.any():
        stacked = np.concatenate([counts[:, differs] for counts in draws], axis=1)
        sums[:, :, differs] = _product(weights, stacked).reshape(len(weights), len(draws), -1)
    return sums


def _product(weights: Array, counts: Array) -> Array:
    """`weights @ counts`, in single precision where this is exact."""
    if _exact_in_single(weights, counts):
        return np.asarray(weights @ counts.astype(np.float32))
    return np.asarray(weights.astype(np.float64, copy=False) @ counts)


def _exact_in_single(weights: Array, counts: Array) -> bool:
    if weights.dtype != np.float32 or not np.issubdtype(counts.dtype, np.integer):
        return False
    largest = int(np.abs(counts).sum(axis=0).max(initial=0))
    return float(weights.max(initial=0)) * largest < _EXACT
