"""GREEN's products of precisions and of recalls; cpp/green_products.cpp has the code."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels

REGIONS = 7


def green_products(
    regions: npt.NDArray[Any], is_counted: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.float64]:
    """Products [n - 1, 2, row] of the precisions, and of the recalls, of 1..n.

    `regions` [row, n - 1, region] has int64 or float64. With `is_counted` [row, n - 1], sizes that
    are not counted are left out.
    """
    if regions.ndim != 3 or regions.shape[2] != REGIONS:
        raise ValueError(f"regions of shape {regions.shape}, not [rows, sizes, {REGIONS}]")
    # Whole numbers are added exactly; all others become floats.
    kind = np.int64 if regions.dtype == np.int64 else np.float64
    regions = np.ascontiguousarray(regions, kind)
    counted = [] if is_counted is None else [np.ascontiguousarray(is_counted)]
    if is_counted is not None and is_counted.shape != regions.shape[:2]:
        raise ValueError(f"is_counted of shape {is_counted.shape} for {regions.shape[:2]}")
    products: npt.NDArray[np.float64] = _kernels.green_products(regions, *counted)
    return products
