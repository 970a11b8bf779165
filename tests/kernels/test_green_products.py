"""GREEN's products are those of the plain formula, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.kernels.green_products import REGIONS, green_products
from examples import examples

whole = st.integers(0, 3)
weights = st.floats(0, 10, allow_nan=False)


def plain_products(regions, is_counted):
    """Numpy's cumulative products of the fractions."""
    tk, td, ti, od, oi, ud, ui = np.moveaxis(regions, -1, 0)
    right = tk + td + ti
    expected = np.stack([right + od + oi, right + ud + ui])
    fractions = np.zeros(expected.shape)
    fractions[0] = 1.0
    np.divide(right, expected, out=fractions, where=expected != 0)
    if is_counted is not None:
        fractions[:, ~is_counted] = 1.0
    return np.moveaxis(np.cumprod(fractions, axis=-1), -1, 0)


@settings(max_examples=examples(60))
@given(st.data(), st.integers(0, 4), st.integers(1, 5), st.sampled_from([whole, weights]))
def test_products_are_those_of_numpy(data, rows, order, values):
    size = rows * order * REGIONS
    kind = np.int64 if values is whole else np.float64
    numbers = data.draw(st.lists(values, min_size=size, max_size=size))
    regions = np.array(numbers, kind).reshape(rows, order, REGIONS)
    flags = st.lists(st.booleans(), min_size=rows * order, max_size=rows * order)
    drawn = data.draw(st.none() | flags)
    is_counted = None if drawn is None else np.array(drawn, bool).reshape(rows, order)
    made = green_products(regions, is_counted)
    assert made.tobytes() == plain_products(regions, is_counted).tobytes()


def test_large_numbers_and_other_types():
    regions = np.full((2, 1, REGIONS), 2**51)
    assert green_products(regions).tolist() == [[[0.6, 0.6], [0.6, 0.6]]]
    assert green_products(np.ones((1, 1, REGIONS), np.float32)).tolist() == [[[0.6], [0.6]]]


@pytest.mark.parametrize("number", [2**62, 2**63 - 1, -(2**63), 3**39])
def test_sums_that_are_too_large_are_those_of_numpy(number):
    regions = np.full((2, 3, REGIONS), number, np.int64)
    assert green_products(regions).tobytes() == plain_products(regions, None).tobytes()


def test_what_is_refused():
    with pytest.raises(ValueError, match="regions of shape"):
        green_products(np.zeros((2, 7)))
    with pytest.raises(ValueError, match="is_counted of shape"):
        green_products(np.zeros((2, 1, 7)), np.ones((1, 2), bool))
