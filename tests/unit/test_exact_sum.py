"""Sums do not depend on order or grouping, and are the exact sum, rounded once."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.core.exact_sum import ExactSum

finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


def total(rows: np.ndarray) -> np.ndarray:
    return ExactSum.of_rows(rows).value()


@given(st.lists(st.tuples(finite, finite), max_size=30))
def test_the_exact_sum_rounded_once(rows: list[tuple[float, float]]) -> None:
    values = np.array(rows, np.float64).reshape(-1, 2)
    assert total(values).tolist() == [math.fsum(column) for column in values.T]


@given(st.lists(finite, min_size=1, max_size=30), st.data())
def test_any_grouping_through_json(values: list[float], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(values)))
    merged = ExactSum()
    for part in (values[cut:], values[:cut]):
        saved = json.loads(
            json.dumps(ExactSum.of_rows(np.array(part, np.float64)[:, np.newaxis]).to_dict())
        )
        merged.merge(ExactSum.from_dict(saved))
    assert merged.value().tolist() == [math.fsum(values)]


def test_whole_numbers_stay_whole() -> None:
    merged = ExactSum.of_rows(np.array([[1, 2], [3, 4]]))
    merged.merge(
        ExactSum.from_dict(json.loads(json.dumps(ExactSum.of_rows(np.array([[10, 20]])).to_dict())))
    )
    assert merged.value().dtype == np.int64
    assert merged.value().tolist() == [14, 26]


def test_one_row_broadcasts_over_draws() -> None:
    draws = ExactSum.stacked(
        [ExactSum.of_rows(np.array([[0.5]])), ExactSum.of_rows(np.array([[0.25]]))]
    )
    draws.merge(ExactSum.stacked([ExactSum.of_rows(np.array([[1.0]]))]))
    assert draws.value().tolist() == [[1.5], [1.25]]


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1.0, math.inf], math.inf), ([math.inf, -math.inf], math.nan), ([math.nan], math.nan)],
)
def test_what_is_not_finite_stays_so(values: list[float], expected: float) -> None:
    summed = ExactSum.of_rows(np.array(values)[:, np.newaxis])
    saved = ExactSum.from_dict(json.loads(json.dumps(summed.to_dict())))
    np.testing.assert_equal(saved.value(), [expected])
