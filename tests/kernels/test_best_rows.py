"""The compiled choice picks the same rows as numpy, and asks for no key without need."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.core.choice import BestLocal, BestRows
from corrigenda.core.statistics import Statistics
from corrigenda.kernels.best_rows import best_rows

rows = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=5)
corpora = st.lists(rows, max_size=6)


def statistics(corpus, kind=np.int64):
    counts = np.array([row for sentence in corpus for row in sentence], kind).reshape(-1, 3)
    return Statistics(counts, np.cumsum([0, *map(len, corpus)], dtype=np.int64))


def keys(counts):
    return [counts[:, 0] - counts[:, 2], counts[:, 1] / 3]


@given(corpora, st.sampled_from([np.int64, np.float64]))
def test_compiled_and_plain_choices_are_the_same(corpus, kind):
    given_statistics = statistics(corpus, kind)
    expected = [[]] if not corpus else BestLocal(keys).choose(given_statistics).rows.tolist()
    assert BestRows(keys).choose(given_statistics).rows.tolist() == expected


def asked_for(corpus):
    asked = []

    def lazy(counts):
        for number, key in enumerate(keys(counts)):
            asked.append(number)
            yield key

    rows = BestRows(lazy).choose(statistics(corpus)).rows
    return asked, rows.tolist()


def test_a_key_is_asked_for_where_ties_are_left():
    assert asked_for([[(1, 0, 0)], [(2, 0, 0)]]) == ([], [[0, 1]])
    assert asked_for([[(1, 0, 0), (2, 0, 0)]]) == ([0], [[1]])
    assert asked_for([[(2, 0, 0), (2, 1, 0)], [(1, 0, 0), (1, 0, 0)]]) == ([0, 1], [[1, 2]])
    assert asked_for([[(1, 0, 0), (1, 0, 0), (0, 0, 0)]]) == ([0], [[0]])


def test_what_is_refused():
    counts, offsets = np.zeros((3, 2), np.int64), np.array([0, 3])
    with pytest.raises(ValueError, match="a key of shape"):
        best_rows(counts, offsets, [np.zeros(2)])
    with pytest.raises(ValueError, match="must rise from 0 to 3"):
        best_rows(counts, np.array([0, 4]), [np.zeros(3)])
