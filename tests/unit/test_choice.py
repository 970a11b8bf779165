"""Each policy picks what a plain loop picks, for any division of the corpus into blocks."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.core.choice import (
    BestCumulative,
    BestLocal,
    Choice,
    GreedyCumulative,
    MeanOverReferences,
    Pooled,
    SeededDraws,
)
from corrigenda.core.f_scores import quotient
from corrigenda.core.statistics import Statistics, concatenate

Rows = list[list[list[int]]]  # sentence, reference, count

counts = st.lists(st.integers(0, 3), min_size=2, max_size=2)
sentences = st.lists(st.lists(counts, min_size=1, max_size=4), max_size=8)


def statistics_of(rows: Rows) -> Statistics:
    flat = [row for references in rows for row in references]
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return Statistics(np.array(flat, np.int64).reshape(-1, 2), offsets)


def f_measure(totals: tuple[Any, ...], beta: Any) -> tuple[Any, ...]:
    correct, wrong = totals
    return quotient(correct, correct + beta * wrong, 0.0), correct


def keys(values: np.ndarray) -> list[np.ndarray]:
    return [values[:, 0] - values[:, 1], values[:, 0]]


POLICIES: dict[str, Choice] = {
    "best": BestLocal(keys),
    "greedy": GreedyCumulative(f_measure, 1.0),
    "best so far": BestCumulative(keys),
    "seeded": SeededDraws(7, 101),
    "mean": MeanOverReferences(),
}


def references_of(policy: Choice, rows: Rows) -> list[int]:
    return policy.choose(statistics_of(rows)).references.tolist()


@given(sentences)
def test_best_local_against_a_loop(rows):
    expected = [
        max(range(len(references)), key=lambda i, r=references: (r[i][0] - r[i][1], r[i][0], -i))
        for references in rows
    ]
    assert references_of(POLICIES["best"], rows) == expected


@given(sentences)
def test_best_local_without_keys_takes_the_first(rows):
    assert references_of(BestLocal(lambda values: []), rows) == [0] * len(rows)


@given(sentences)
def test_greedy_cumulative_against_a_loop(rows):
    so_far, expected = (0, 0), []
    for references in rows:
        best, best_value, best_totals = 0, None, so_far
        for index, row in enumerate(references):
            totals = (so_far[0] + row[0], so_far[1] + row[1])
            if (
                best_value is None or f_measure(totals, 1.0) > best_value
            ):  # on ties the earlier one stays
                best, best_value, best_totals = index, f_measure(totals, 1.0), totals
        so_far = best_totals
        expected.append(best)
    assert references_of(POLICIES["greedy"], rows) == expected


@given(sentences)
def test_best_cumulative_is_greedy_by_the_same_keys(rows):
    greedy = GreedyCumulative(lambda totals, _: (totals[0] - totals[1], totals[0]), 1.0)
    assert references_of(BestCumulative(keys), rows) == references_of(greedy, rows)


@given(sentences, st.lists(st.floats(0, 4), min_size=1, max_size=5))
def test_many_values_of_beta_at_once_pick_what_each_picks(rows, betas):
    choices = [GreedyCumulative(f_measure, beta) for beta in betas]
    flipped = [[row[::-1] for row in references] for references in rows]
    systems = [statistics_of(rows), statistics_of(flipped)]
    for statistics, together in zip(
        systems, GreedyCumulative.choose_all(choices, systems), strict=True
    ):
        alone = [choice.choose(statistics).rows[0].tolist() for choice in choices]
        assert together.rows.tolist() == alone


@given(st.lists(st.lists(counts, min_size=1, max_size=4), max_size=8), st.integers(1, 5))
def test_seeded_draws_against_a_loop(rows, draws):
    generators = [random.Random(draw * 101) for draw in range(draws)]
    expected = [
        [int(generator.random() * len(references)) for references in rows]
        for generator in generators
    ]
    chosen = SeededDraws(draws, 101).choose(statistics_of(rows))
    # One draw may stand for all where no sentence has a choice.
    drawn = np.broadcast_to(chosen.rows, (draws, len(rows)))
    assert (drawn - chosen.statistics.offsets[:-1]).tolist() == expected
    totals = np.broadcast_to(chosen.totals()[0], (draws, 2))
    for draw in range(draws):
        picked = [references[pick] for references, pick in zip(rows, expected[draw], strict=True)]
        assert totals[draw].tolist() == np.sum(np.array(picked).reshape(-1, 2), axis=0).tolist()


@pytest.mark.parametrize("most", [1, 40, 1 << 20])
def test_draws_are_summed_for_some_sentences_at_a_time(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    rng = np.random.default_rng(0)
    references = rng.integers(1, 6, 50)
    rows = [rng.integers(0, 9, (number, 2)).tolist() for number in references]
    chosen = SeededDraws(7, 101).choose(statistics_of(rows))
    expected = [np.sum(chosen.values(draw), axis=0).tolist() for draw in range(7)]
    monkeypatch.setattr("corrigenda.core.statistics._MOST_DRAWN", most)
    assert chosen.totals()[0].tolist() == expected


def test_the_memory_of_many_references_is_bounded() -> None:
    """Draws × references would take 800 MB here."""
    rows = [[[1, 2]] * 1_000 for _ in range(200)]
    chosen = SeededDraws(500, 101).choose(statistics_of(rows))
    tracemalloc.start()
    try:
        totals = chosen.totals()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert totals[0].tolist() == [[200, 400]] * 500
    assert peak < 150e6


@given(sentences)
def test_mean_over_references_against_a_loop(rows):
    chosen = MeanOverReferences().choose(statistics_of(rows))
    expected = np.array([np.mean(references, axis=0) for references in rows]).reshape(-1, 2)
    np.testing.assert_allclose(chosen.values(0), expected)
    np.testing.assert_allclose(chosen.totals()[0, 0], expected.sum(axis=0))
    squares = chosen.per_sentence(lambda values: values[:, 0] ** 2)
    np.testing.assert_allclose(
        squares, [np.mean([row[0] ** 2 for row in references]) for references in rows]
    )
    assert chosen.references is None


@given(st.lists(counts, max_size=8))
def test_pooled_statistics_are_taken_as_they_are(rows):
    chosen = Pooled().choose(statistics_of([[row] for row in rows]))
    assert chosen.references is None
    assert chosen.sentence_counts().tolist() == rows


@pytest.mark.parametrize("name", POLICIES)
@given(rows=sentences.filter(bool), data=st.data())
def test_choosing_block_by_block_is_choosing_at_once(name, rows, data):
    cuts = sorted(data.draw(st.sets(st.integers(1, len(rows) - 1))) if len(rows) > 1 else [])
    bounds = zip([0, *cuts], [*cuts, len(rows)], strict=True)
    policy = POLICIES[name]
    at_once = policy.choose(statistics_of(rows))
    choose = policy.start()
    parts = [choose(statistics_of(rows[begin:end])) for begin, end in bounds]
    joined = concatenate(parts)
    np.testing.assert_array_equal(joined.statistics.counts, at_once.statistics.counts)
    np.testing.assert_array_equal(joined.statistics.offsets, at_once.statistics.offsets)
    assert joined.draws == at_once.draws
    if at_once.rows is None:
        assert joined.rows is None
    else:
        np.testing.assert_array_equal(joined.rows, at_once.rows)
    sums = sum(part.totals()[0] for part in parts)
    np.testing.assert_allclose(
        np.broadcast_to(sums, at_once.totals()[0].shape), at_once.totals()[0]
    )


@pytest.mark.parametrize("name", POLICIES)
@given(rows=sentences.filter(bool))
def test_starting_again_forgets(name, rows):
    policy, statistics = POLICIES[name], statistics_of(rows)
    first, second = policy.choose(statistics), policy.choose(statistics)
    if first.rows is not None:
        np.testing.assert_array_equal(first.rows, second.rows)


@pytest.mark.parametrize("name", POLICIES)
@given(rows=sentences.filter(bool), data=st.data())
def test_weights_weigh_sentences(name, rows, data):
    """Ones give the plain sum, a mask the sum of a subset, and multiplicities repeat sentences."""
    chosen = POLICIES[name].choose(statistics_of(rows))
    given_weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    weights = np.array([[1] * len(rows), given_weights])
    totals = chosen.totals(weights)
    assert totals.shape == (2, chosen.draws, 2)
    np.testing.assert_allclose(totals[0], chosen.totals()[0])
    for draw in range(chosen.draws):
        expected = (chosen.values(draw) * np.array(given_weights)[:, np.newaxis]).sum(axis=0)
        np.testing.assert_allclose(totals[1, draw], expected)


def test_counts_stay_whole_numbers():
    for name in ("best", "greedy", "best so far", "seeded"):
        assert POLICIES[name].choose(statistics_of([[[1, 2], [3, 0]]])).totals().dtype == np.int64


def test_draws_with_one_reference_make_no_generators(monkeypatch):
    def refused(*_):
        raise AssertionError("each generator takes 2.5 kB")

    monkeypatch.setattr("corrigenda.core.choice.SeededPicks", refused)
    statistics = Statistics(np.zeros((3, 1), np.int64), np.arange(4))
    chosen = SeededDraws(500, 101).start()(statistics)
    assert chosen.references.tolist() == [0, 0, 0]
