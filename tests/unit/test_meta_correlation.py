"""Correlations against scipy, tests of their difference against their definitions."""

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
    permutation_of_both,
    ranks,
    spearman,
    williams,
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


def test_leave_one_out_is_the_range_without_each_system():
    human, metric = np.array([1.0, 2, 3, 4, 10]), np.array([1.0, 3, 2, 4, 0])
    values = [float(pearson(np.delete(metric, i), np.delete(human, i))) for i in range(5)]
    assert leave_one_out(metric, human, "pearson") == pytest.approx((min(values), max(values)))


@pytest.mark.slow
def test_williams_by_its_formula():
    """As documented for psych::r.test in R: n=103, r12=.4, r13=.6, r23=.5 gives t = -2.23."""
    target = np.array([[1, 0.4, 0.6], [0.4, 1, 0.5], [0.6, 0.5, 1]])
    generator = np.random.default_rng(0)
    raw = generator.normal(size=(103, 3))
    raw -= raw.mean(axis=0)
    white = raw @ np.linalg.inv(np.linalg.cholesky(np.cov(raw.T))).T
    human, first, second = (white @ np.linalg.cholesky(target).T).T
    t, p = williams(first, second, human)
    determinant = 1 - 0.16 - 0.36 - 0.25 + 2 * 0.4 * 0.6 * 0.5
    expected = (0.4 - 0.6) * np.sqrt(102 * 1.5 / (2 * determinant * 102 / 100 + 0.25 * 0.125))
    assert t == pytest.approx(expected)
    assert p == pytest.approx(2 * stats.t.sf(abs(expected), 100))
    assert williams(second, first, human)[0] == pytest.approx(-t)


def test_williams_without_a_difference_or_without_systems():
    human = np.array([1.0, 2.0, 4.0, 3.0, 7.0])
    assert williams(human * 2, human * 3 + 1, human) == (0.0, 1.0)
    assert np.isnan(williams(np.ones(5), human, human)).all()
    with pytest.raises(CorrigendaError, match="4 systems"):
        williams(human[:3], human[:3], human[:3])


def test_permutation_tells_a_good_metric_from_noise():
    generator = np.random.default_rng(0)
    human = np.arange(10.0)
    good = human[:, np.newaxis] + generator.normal(size=(10, 200))
    noise = generator.normal(size=(10, 200))
    assert permutation_of_both(good, noise, human, permutations=200) < 0.02
    twin = good + generator.normal(scale=1e-3, size=good.shape)
    assert permutation_of_both(good, twin, human, permutations=200) > 0.05
    assert permutation_of_both(good, good, human, permutations=50) == 1.0


def test_permutation_of_corpus_scores_is_exact_for_few_systems():
    """One score per system gives 2^n assignments; the p-value is their exact share."""
    human = np.array([1.0, 2.0, 3.0, 4.0])
    first, second = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([[2.0], [1.0], [4.0], [3.0]])
    normal = [(values - values.mean()) / values.std() for values in (first, second)]
    observed = abs(pearson(normal[0][:, 0], human) - pearson(normal[1][:, 0], human))
    as_large = 0
    for mask in range(16):
        swap = np.array([mask >> bit & 1 for bit in range(4)], bool)
        one, other = (
            np.where(swap, normal[1][:, 0], normal[0][:, 0]),
            np.where(swap, normal[0][:, 0], normal[1][:, 0]),
        )
        as_large += abs(pearson(one, human) - pearson(other, human)) >= observed - 1e-12
    for seed in (0, 1):
        assert permutation_of_both(first, second, human, seed=seed) == as_large / 16
    many = np.random.default_rng(0).normal(size=(2, 15, 1))
    assert permutation_of_both(*many, np.arange(15.0), permutations=9) * 10 % 1 == 0


def test_top_k_and_windows():
    human = np.array([3.0, 1.0, 4.0, 2.0])
    metric = np.array([3.0, 1.0, 2.0, 2.5])
    assert [(part.first, part.last) for part in top_k(metric, human, "pearson")] == [(1, 4), (1, 3)]
    found = windows(metric, human, "spearman", 3)
    assert [(part.first, part.last) for part in found] == [(1, 3), (2, 4)]
    assert found[1].value == pytest.approx(float(spearman([3.0, 2.5, 1.0], [3.0, 2.0, 1.0])))
    with pytest.raises(CorrigendaError, match="window of 5"):
        windows(metric, human, "pearson", 5)
