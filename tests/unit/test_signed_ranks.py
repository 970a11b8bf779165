"""Wilcoxon's test of many pairs at once, against all signs and against scipy one by one."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, wilcoxon

from corrigenda.human import signed_ranks
from corrigenda.human.signed_ranks import signed_rank_p_values


def _by_all_signs(differences: np.ndarray) -> float:
    """How many of all ways to change signs are as far out."""
    differences = differences[~np.isnan(differences)]
    ranks = np.where(differences == 0, 0.0, rankdata(np.abs(differences)))
    if not ranks.any():
        return 1.0
    observed = ranks[differences > 0].sum()
    sums = np.array([ranks @ signs for signs in product((0, 1), repeat=len(ranks))])
    return float(min(1.0, 2 * min((sums <= observed).mean(), (sums >= observed).mean())))


@given(st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=2, max_size=5))
def test_few_sentences_against_all_signs(rows: list[list[int]]) -> None:
    table = np.where(np.array(rows) == 4, np.nan, rows).astype(float)
    expected = [_by_all_signs(one - other) for one, other in combinations(table, 2)]
    assert signed_rank_p_values(table).tolist() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("sentences", [1, 13, 14, 50, 51, 120])
@pytest.mark.parametrize("distinct", [3, 40, None])
def test_many_sentences_against_scipy(
    sentences: int, distinct: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(sentences)
    size = (6, sentences)
    table = rng.normal(size=size) if distinct is None else rng.integers(0, distinct, size) / 1.0
    expected = [
        float(wilcoxon(one - other, zero_method="pratt").pvalue) if (one != other).any() else 1.0
        for one, other in combinations(table, 2)
    ]
    assert signed_rank_p_values(table).tolist() == pytest.approx(expected, rel=1e-12)
    monkeypatch.setattr(signed_ranks, "_CELLS_AT_ONCE", 1)
    assert signed_rank_p_values(table).tolist() == pytest.approx(expected, rel=1e-12)


def test_missing_values_leave_the_sentences_of_both() -> None:
    rng = np.random.default_rng(7)
    table = rng.integers(0, 9, (8, 30)).astype(float)
    table[rng.random(table.shape) < 0.4] = np.nan
    table[0] = np.nan
    expected = []
    for one, other in combinations(table, 2):
        kept = (one - other)[~np.isnan(one - other)]
        found = wilcoxon(kept, zero_method="pratt").pvalue if kept.any() else 1.0
        expected.append(float(found))
    assert signed_rank_p_values(table).tolist() == pytest.approx(expected, rel=1e-12)


def test_equal_tests_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 1,225 pairs was tested by itself: 500 systems took half a minute."""
    import scipy.stats

    calls = []

    def counted(*given: object, **options: object) -> object:
        calls.append(given)
        return wilcoxon(*given, **options)

    monkeypatch.setattr(scipy.stats, "wilcoxon", counted)
    signed_rank_p_values(np.random.default_rng(0).normal(size=(50, 4)))
    assert 0 < len(calls) <= 11
