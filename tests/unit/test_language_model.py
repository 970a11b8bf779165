"""Perplexities: common beginnings are read once, and nothing changes by it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.neural.model_source import find
from corrigenda.neural.prefix_trees import MOST_NODES, prefix_trees
from corrigenda.neural.settings import ModelSettings
from examples import examples
from tiny_models import language_model_folder, needs_torch  # noqa: F401

ROWS = st.lists(
    st.lists(st.integers(0, 2), max_size=9).map(lambda words: (7, *words)), max_size=12, unique=True
)


TEXTS = [(3,), (3, 5, 6, 7, 8, 9), (3, 5, 6, 7, 9, 9, 4), (3, 5, 6, 7), (3, 8), (3, 5, 6, 7, 8)]


@settings(max_examples=examples(200))
@given(rows=ROWS)
def test_trees_hold_all_rows(rows):
    found = {}
    for tree in prefix_trees(rows):
        values = [
            10.0**depth * token for depth, token in zip(tree.depths, tree.tokens, strict=True)
        ]
        for row, end, total in zip(tree.rows, tree.ends, tree.sums(values), strict=True):
            assert row not in found
            path = [end]
            while tree.parents[path[-1]] >= 0:
                assert tree.parents[path[-1]] < path[-1]
                path.append(tree.parents[path[-1]])
            found[row] = tuple(tree.tokens[node] for node in reversed(path))
            assert [tree.depths[node] for node in path] == list(reversed(range(len(path))))
            assert total == sum(10.0**depth * token for depth, token in enumerate(found[row]))
    assert found == dict(enumerate(rows))


def test_rows_that_begin_alike_share_nodes_and_no_tree_is_large():
    begin = tuple(range(100))
    rows = [(*begin, last) for last in range(500)]
    trees = list(prefix_trees(rows))
    assert all(len(tree) <= MOST_NODES for tree in trees)
    assert sum(map(len, trees)) < 5 * sum(map(len, rows)) / 100
    assert len(list(prefix_trees([(0, 1), (0, 2), (0, 3)]))) == 3  # one common token is not enough
    (long,) = prefix_trees([tuple(range(MOST_NODES + 5))])
    assert len(long) == MOST_NODES + 5


@pytest.mark.model
@needs_torch
class TestModel:
    @pytest.fixture
    def model(self, language_model_folder):  # noqa: F811
        from corrigenda.neural.language_model import LanguageModel

        return LanguageModel(find(language_model_folder), ModelSettings(device="cpu"))

    def perplexities(self, model):
        return {row: value for part in model.perplexities(TEXTS) for row, value in part}

    def test_trees_have_the_losses_of_their_rows(self, model):
        assert model.reads_trees
        found = self.perplexities(model)
        assert found[(3,)] == math.inf
        for row in TEXTS[1:]:
            (alone,) = model.losses_of_rows([row])
            assert math.log(found[row]) == pytest.approx(alone / (len(row) - 1), abs=1e-5)

    def test_a_model_that_does_not_see_paths_reads_row_by_row(self, model, monkeypatch):
        expected = self.perplexities(model)
        monkeypatch.setattr(
            type(model), "_paths", lambda self, batch, width: self._torch.zeros(1, 1, width, width)
        )
        del model.reads_trees
        assert not model.reads_trees
        assert self.perplexities(model) == pytest.approx(expected, rel=1e-5)

    def test_a_model_that_refuses_trees_reads_row_by_row(self, model, monkeypatch):
        def refuse(*_):
            raise TypeError("unexpected keyword argument 'position_ids'")

        monkeypatch.setattr(type(model), "_paths", refuse)
        assert not model.reads_trees
        assert self.perplexities(model)[(3,)] == math.inf
