"""Correlations over systems, for many rows of scores at once.

Every function takes scores [..., systems] and works along the last axis. A correlation is NaN where
all scores of one side are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from corrigenda.core.statistics import Array

Floats = npt.NDArray[np.float64]
Coefficient = Literal["pearson", "spearman", "kendall"]
_ROUNDING = 1e-12
"""Differences up to this part of the largest score come from rounding; such scores are equal."""


def pearson(first: Array, second: Array) -> Floats:
    """Pearson's r."""
    first, second = _centred(first), _centred(second)
    products = (first * second).sum(axis=-1)
    size = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.clip(np.where(size > 0, products / size, np.nan), -1, 1))


def _centred(values: Array) -> Floats:
    # The order in which numpy adds depends on the layout in memory. With the same layout always, a
    # row gives the same bits alone and among other rows.
    values = np.ascontiguousarray(values, np.float64)
    centred = values - values.mean(axis=-1, keepdims=True)
    largest = np.abs(values).max(axis=-1, keepdims=True, initial=0.0)
    return np.where(np.abs(centred) <= _ROUNDING * largest, 0.0, centred)


def ranks(values: Array) -> Floats:
    """Ranks from 1 (the smallest); equal values share the mean of their ranks."""
    values = np.asarray(values)
    rows, columns = values[..., :, np.newaxis], values[..., np.newaxis, :]
    smaller = (columns < rows).sum(axis=-1)
    equal = (columns == rows).sum(axis=-1)
    return np.asarray(smaller + (equal + 1) / 2)


def spearman(first: Array, second: Array) -> Floats:
    """Spearman's ρ: Pearson's r of the ranks."""
    rho = pearson(ranks(first), ranks(second))
    return np.asarray(np.where(_known(first, second), rho, np.nan))


def _known(first: Array, second: Array) -> npt.NDArray[np.bool_]:
    """Whether all scores of a row are numbers; what is not a number has no rank."""
    return np.asarray(~(np.isnan(first).any(axis=-1) | np.isnan(second).any(axis=-1)))


def kendall(first: Array, second: Array) -> Floats:
    """Kendall's τ-b, which corrects for ties."""
    first, second = np.broadcast_arrays(np.asarray(first), np.asarray(second))
    agreement, of_first, of_second = np.zeros((3, *first.shape[:-1]), np.int64)
    for apart in range(1, first.shape[-1]):
        one, other = _directions(first, apart), _directions(second, apart)
        agreement += (one * other).sum(axis=-1, dtype=np.int64)
        of_first += np.count_nonzero(one, axis=-1)
        of_second += np.count_nonzero(other, axis=-1)
    size = np.sqrt(of_first.astype(np.float64) * of_second)
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = np.where(size > 0, agreement / size, np.nan)
    return np.asarray(np.where(_known(first, second), tau, np.nan))


def _directions(values: Array, apart: int) -> npt.NDArray[np.int8]:
    """The sign of the difference of every two systems that are this many places apart."""
    before, after = values[..., :-apart], values[..., apart:]
    return np.asarray((after > before).view(np.int8) - (after < before).view(np.int8))


COEFFICIENTS: dict[Coefficient, Callable[[Array, Array], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}
SYMBOLS: dict[Coefficient, str] = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


def without_one(scores: Array, human: Array, coefficient: Coefficient) -> Floats:
    """The correlation without each of the systems: [systems]."""
    scores, human = np.asarray(scores), np.asarray(human)
    rest = np.array([np.delete(np.arange(len(human)), place) for place in range(len(human))])
    return COEFFICIENTS[coefficient](scores[rest], human[rest])


def leave_one_out(scores: Array, human: Array, coefficient: Coefficient) -> tuple[float, float]:
    """The smallest and the largest correlation when any one system is left out."""
    values = without_one(scores, human, coefficient)
    if np.isnan(values).all():
        return float("nan"), float("nan")
    return float(np.nanmin(values)), float(np.nanmax(values))
