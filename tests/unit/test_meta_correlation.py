"""Correlations against scipy and their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.errors import CorrigendaError
from corrigenda.meta.correlation import (
    COEFFICIENTS,
    kendall,
    leave_one_out,
    pearson,
    ranks,
    spearman,
)
from corrigenda.meta.subsets import top_k, windows
from lazily import Lazily

stats = Lazily("scipy.stats")
# Few different values: ties are where implementations differ.
scores = st.lists(st.integers(0, 4), min_size=3, max_size=8)


@st.composite
def two_rows(draw):
    first = draw(scores)
    return first, draw(st.lists(st.integers(0, 4), min_size=len(first), max_size=len(first)))


@pytest.mark.slow
@given(two_rows())
@pytest.mark.filterwarnings("ignore")
def test_coefficients_equal_scipy(rows):
    first, second = rows
    expected = {
        "pearson": stats.pearsonr(first, second)[0],
        "spearman": stats.spearmanr(first, second)[0],
        "kendall": stats.kendalltau(first, second)[0],
    }
    for name, correlate in COEFFICIENTS.items():
        assert float(correlate(first, second)) == pytest.approx(expected[name], nan_ok=True), name


@pytest.mark.slow
def test_ranks_equal_scipy_and_work_on_many_rows():
    values = np.random.default_rng(0).integers(0, 4, (5, 3, 7))
    assert (ranks(values) == stats.rankdata(values, axis=-1)).all()
    for correlate in (pearson, spearman, kendall):
        together = correlate(values[0], values[1])
        assert together == pytest.approx(
            [float(correlate(a, b)) for a, b in zip(values[0], values[1], strict=True)]
        )


def test_the_layout_in_memory_changes_no_bit():
    generator = np.random.default_rng(5)
    scores, human = generator.random((40, 13)), generator.random(13)
    for correlate in COEFFICIENTS.values():
        alone = [float(correlate(row.copy(), human)) for row in scores]
        by_columns = np.asfortranarray(scores)
        assert correlate(by_columns, np.broadcast_to(human, scores.shape)).tolist() == alone


def test_equal_scores_have_no_correlation():
    # The mean of equal numbers may differ from them in the last digit.
    assert np.isnan(pearson(np.full(13, 0.1), np.arange(13)))
    assert np.isnan(kendall([1, 1, 1], [1, 2, 3]))


@pytest.mark.parametrize("correlate", COEFFICIENTS.values())
def test_a_score_that_is_no_number_has_no_correlation(correlate):
    """ρ was .87 and τ was .71 of these scores: a NaN had a rank."""
    human = np.array([1.0, 2.0, 3.0, 4.0])
    scores = np.array([[1.0, np.nan, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]])
    assert np.isnan(correlate(scores[0], human))
    assert np.isnan(correlate(human, scores[0]))
    both = correlate(scores, np.broadcast_to(human, scores.shape))
    assert np.isnan(both[0])
    assert both[1] == 1.0


def test_leave_one_out_is_the_range_without_each_system():
    human, metric = np.array([1.0, 2, 3, 4, 10]), np.array([1.0, 3, 2, 4, 0])
    values = [float(pearson(np.delete(metric, i), np.delete(human, i))) for i in range(5)]
    assert leave_one_out(metric, human, "pearson") == pytest.approx((min(values), max(values)))


def test_top_k_and_windows():
    human = np.array([3.0, 1.0, 4.0, 2.0])
    metric = np.array([3.0, 1.0, 2.0, 2.5])
    assert [(part.first, part.last) for part in top_k(metric, human, "pearson")] == [(1, 4), (1, 3)]
    found = windows(metric, human, "spearman", 3)
    assert [(part.first, part.last) for part in found] == [(1, 3), (2, 4)]
    assert found[1].value == pytest.approx(float(spearman([3.0, 2.5, 1.0], [3.0, 2.0, 1.0])))
    with pytest.raises(CorrigendaError, match="window of 5"):
        windows(metric, human, "pearson", 5)
