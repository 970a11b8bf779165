"""Sums that are the same to the last bit in any order and any grouping.

Whole numbers add up exactly. Every float is a whole multiple of 2⁻¹¹³⁰, so floats are added as
Python integers in that unit, and rounded once at the end. So a corpus has one total, no matter how
it is cut into parts.
"""

from __future__ import annotations

import math
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_UNIT = 1130
"""The smallest float is 2⁻¹⁰⁷⁴; the last of its 53 binary digits stands for 2⁻¹¹²⁶."""
_DIGITS = 53
_LOW_DIGITS = 27
"""The digits of a float are added in two halves: a sum of up to 2²⁶ halves is exact as a float."""


class PlainSum(TypedDict, total=False):
    """A sum ready for JSON, without loss."""

    whole: int | list[int] | list[list[int]]
    shape: list[int]
    units: list[str]
    not_finite: list[str]


class ExactSum:
    """The sum of arrays, element by element. An array of one row is added to all rows."""

    def __init__(self) -> None:
        self._whole: Array | None = None
        self._units: Array | None = None
        self._not_finite: Array | None = None

    @classmethod
    def of_rows(cls, values: Array) -> ExactSum:
        """The sum over the first axis of [N, …]."""
        total = cls()
        if np.issubdtype(values.dtype, np.integer):
            total._whole = np.asarray(values.sum(axis=0, dtype=np.int64))
            return total
        finite = np.isfinite(values)
        if not finite.all():
            with np.errstate(invalid="ignore"):
                total._not_finite = np.asarray(np.where(finite, 0.0, values).sum(axis=0))
            values = np.where(finite, values, 0.0)
        columns = np.asarray(values, np.float64).reshape(len(values), math.prod(values.shape[1:]))
        total._units = _in_units(columns).reshape(values.shape[1:])
        return total

    @classmethod
    def stacked(cls, parts: list[ExactSum]) -> ExactSum:
        """Several sums as the rows of one."""
        total = cls()
        for name in ("_whole", "_units", "_not_finite"):
            arrays = [getattr(part, name) for part in parts]
            shape = next((array.shape for array in arrays if array is not None), None)
            if shape is not None:
                filled = [np.zeros(shape, np.int64) if array is None else array for array in arrays]
                setattr(total, name, np.stack(filled))
        return total

    def merge(self, other: ExactSum) -> None:
        """Add another sum."""
        self._whole = _added(self._whole, other._whole)
        self._units = _added(self._units, other._units)
        self._not_finite = _added(self._not_finite, other._not_finite)

    def value(self) -> Array:
        """The sum: int64 if only whole numbers were added, else float64, rounded once."""
        if self._units is None:
            return np.zeros(0, np.int64) if self._whole is None else self._whole
        units = (
            self._units
            if self._whole is None
            else self._units + self._whole.astype(object) * 2**_UNIT
        )
        rounded = np.array([each / 2**_UNIT for each in units.ravel()], np.float64).reshape(
            units.shape
        )
        return rounded if self._not_finite is None else np.asarray(rounded + self._not_finite)

    def to_dict(self) -> PlainSum:
        """Ready for JSON, without loss."""
        data: PlainSum = {}
        if self._whole is not None:
            data["whole"] = self._whole.tolist()
        if self._units is not None:
            data["shape"] = list(self._units.shape)
            data["units"] = [hex(each) for each in self._units.ravel()]
        if self._not_finite is not None:
            data["not_finite"] = [str(each) for each in self._not_finite.ravel().tolist()]
        return data

    @classmethod
    def from_dict(cls, data: PlainSum) -> ExactSum:
        """The sum that `to_dict` wrote."""
        total = cls()
        if "whole" in data:
            total._whole = np.array(data["whole"], np.int64)
        if "units" in data:
            units = np.empty(len(data["units"]), object)
            units[:] = [int(each, 16) for each in data["units"]]
            total._units = units.reshape(data["shape"])
        if "not_finite" in data:
            total._not_finite = np.array([float(each) for each in data["not_finite"]]).reshape(
                data["shape"]
            )
        return total


def _added(left: Array | None, right: Array | None) -> Array | None:
    if left is None or right is None:
        return right if left is None else left
    return np.asarray(left + right)


def _in_units(columns: Array) -> Array:
    """The exact sum of each column [N, K], as integers.

    The digits of all floats with the same exponent are added at once.
    """
    fractions, exponents = np.frexp(columns)
    digits = (fractions * 2.0**_DIGITS).astype(np.int64)
    width = columns.shape[1]
    least = int(exponents.min(initial=0))
    # A float has one of some 2,100 exponents, so each pair of exponent and column has a place.
    places = ((exponents.astype(np.int64) - least) * width + np.arange(width)).ravel()
    high = np.bincount(places, (digits >> _LOW_DIGITS).ravel())
    low = np.bincount(places, (digits & (2**_LOW_DIGITS - 1)).ravel())
    sums = [0] * width
    for place in np.flatnonzero((high != 0) | (low != 0)).tolist():
        above, column = divmod(place, width)
        whole = (int(high[place]) << _LOW_DIGITS) + int(low[place])
        sums[column] += whole << (least + above - _DIGITS + _UNIT)
    units = np.empty(width, object)
    units[:] = sums
    return units
