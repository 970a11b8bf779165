"""p-values of all pairs of systems, as a report holds them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corrigenda.core.statistics import Array


def all_pairs(systems: int) -> list[tuple[int, int]]:
    """Every pair (one, other), other < one: (1, 0), (2, 0), (2, 1), (3, 0), …"""
    return [(one, other) for one in range(systems) for other in range(one)]


def square(values: Sequence[float], systems: int, diagonal: float) -> Array:
    """The values of all pairs, in the order of `all_pairs`, as a symmetric matrix."""
    matrix = np.full((systems, systems), diagonal)
    rows, columns = np.tril_indices(systems, -1)
    matrix[rows, columns] = matrix[columns, rows] = values
    return matrix


def rounded(value: float) -> float:
    """Four decimals."""
    return round(float(value), 4)
