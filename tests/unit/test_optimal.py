"""The optimal choice of references is the best of all selections, in any order of sentences."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Metric, evaluate, metric
from corrigenda.core.choice import GreedyCumulative
from corrigenda.core.optimal import Optimal
from corrigenda.core.statistics import Statistics
from corrigenda.errors import MetricError
from examples import examples

small = st.integers(0, 3)
edits = st.tuples(small, small, small)
"""Right, wrong and missed edits against one reference."""
corpora = st.lists(st.lists(edits, min_size=1, max_size=3), min_size=1, max_size=5)
betas = st.sampled_from([0.0, 0.3, 0.5, 1.0, 2.0, 1e10, 0.123456789])


def as_statistics(sentences: list[list[tuple[int, int, int]]], tested: Metric) -> Statistics:
    rows = np.array([row for sentence in sentences for row in sentence], np.int64)
    if tested.name in ("m2", "pt-m2"):
        right, wrong, missed = rows.T
        rows = np.column_stack([right, right + wrong, right + missed])
    return Statistics(rows, np.cumsum([0, *map(len, sentences)]))


def all_selections(statistics: Statistics) -> np.ndarray:
    rows = [range(begin, end) for begin, end in itertools.pairwise(statistics.offsets.tolist())]
    return np.array(
        [statistics.counts[list(selection)].sum(axis=0) for selection in itertools.product(*rows)]
    )


@pytest.mark.parametrize("name", ["m2", "errant"])
@settings(max_examples=examples(150))
@given(corpora, betas)
def test_the_best_of_all_selections(
    name: str, sentences: list[list[tuple[int, int, int]]], beta: float
) -> None:
    tested = metric(f"{name}:choice=optimal,beta={beta}")
    statistics = as_statistics(sentences, tested)
    totals = tested.policy("corpus").choose(statistics).totals()[0]
    scores = tested.score(all_selections(statistics))
    assert tested.score(totals)[0] == pytest.approx(scores.max(), abs=1e-15)


@settings(max_examples=examples(150))
@given(corpora, st.lists(st.floats(0.01, 3), min_size=45, max_size=45), betas)
def test_weights_too(
    sentences: list[list[tuple[int, int, int]]], weights: list[float], beta: float
) -> None:
    tested = metric("m2:choice=optimal").__class__(beta=beta, choice="optimal")
    whole = as_statistics(sentences, tested)
    weighed = Statistics(
        whole.counts * np.array(weights[: len(whole.counts)])[:, np.newaxis], whole.offsets
    )
    totals = tested.policy("corpus").choose(weighed).totals()[0]
    assert tested.score(totals)[0] == pytest.approx(
        tested.score(all_selections(weighed)).max(), rel=1e-12
    )


@given(corpora, st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(
    sentences: list[list[tuple[int, int, int]]], random: object
) -> None:
    tested = metric("m2:choice=optimal")
    shuffled = list(sentences)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    choose = tested.policy("corpus").start
    first, second = (
        choose()(as_statistics(each, tested)).totals().tolist() for each in (sentences, shuffled)
    )
    assert first == second


def test_blocks_are_chosen_like_the_whole() -> None:
    tested = metric("m2:choice=optimal")
    policy = tested.policy("corpus")
    assert isinstance(policy, Optimal)
    random = np.random.default_rng(0)
    sentences = [[tuple(row) for row in random.integers(0, 4, (2, 3)).tolist()] for _ in range(60)]
    whole = as_statistics(sentences, tested)
    parts = [as_statistics(sentences[begin : begin + 7], tested) for begin in range(0, 60, 7)]
    totals = sum(chosen.totals() for chosen in policy.stream(lambda: parts))
    assert totals.tolist() == policy.choose(whole).totals().tolist()
    greedy = metric("m2").policy("corpus")
    assert isinstance(greedy, GreedyCumulative)
    published = greedy.choose(whole).totals()
    assert tested.score(totals)[0, 0] > tested.score(published)[0, 0]


large = st.integers(2**40, 2**40 + 3)


@given(
    st.lists(
        st.lists(st.tuples(large, large, large), min_size=2, max_size=2), min_size=2, max_size=3
    )
)
def test_large_numbers_are_compared_exactly(sentences: list[list[tuple[int, int, int]]]) -> None:
    """Such scores differ by less than a float can tell."""
    tested = metric("m2:choice=optimal,beta=1")
    statistics = as_statistics(sentences, tested)
    correct, proposed, gold = tested.policy("corpus").choose(statistics).totals()[0, 0].tolist()
    best = max(
        Fraction(2 * total[0], total[1] + total[2]) for total in all_selections(statistics).tolist()
    )
    assert Fraction(2 * correct, proposed + gold) == best


def test_the_published_choice_depends_on_the_order_and_the_optimal_one_does_not() -> None:
    corpus = Corpus.from_lists(
        ["a b c d", "e f g h", "i j k l"],
        [["a B c d", "e f g H"], ["A B C D", "E f g h"], ["i J K l", "i j k L"]],
        references_by="sentence",
    )
    outputs = ["a B C d", "E f g h", "i J K l"]
    greedy, optimal = evaluate(corpus, {"ours": outputs}, ["m2", "m2:choice=optimal"])
    assert optimal.score >= greedy.score
    assert "choice:optimal" in optimal.signature
    assert "choice" not in greedy.signature
    of_sentences = evaluate(
        corpus, {"ours": outputs}, ["m2", "m2:choice=optimal"], level="sentence"
    )
    assert of_sentences[0].signature == of_sentences[1].signature
    assert of_sentences[0].score == of_sentences[1].score


def test_weights_of_one_choose_like_m2() -> None:
    corpus = Corpus.from_lists(["a b c"] * 3, [["a B c"] * 3, ["A b c"] * 3])
    outputs = ["a B c", "A B c", "a b c"]
    plain, weighed = evaluate(
        corpus, {"ours": outputs}, ["m2:choice=optimal", "pt-m2:scorer=self,choice=optimal"]
    )
    assert plain.score == weighed.score


def test_nothing_to_choose() -> None:
    with pytest.raises(MetricError, match="nothing to choose"):
        metric("cleme:assumption=independent,choice=optimal")
