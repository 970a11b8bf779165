"""Units and resolution: how many resamples tests need, and what is a hypothesis at all."""

from __future__ import annotations

import inspect
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.analysis import all_pairs, permutation, significance
from corrigenda.analysis.families import BootstrapTests, family_p_values
from corrigenda.analysis.permutation import PermutationTests, finished_tests
from corrigenda.analysis.resolution import (
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
    alpha_of,
    enough_resamples,
    is_significant,
)
from corrigenda.analysis.slices import Slice, differences
from corrigenda.core.choice import Pooled
from corrigenda.core.result import Result
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Statistics
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.errors import UsageError
from corrigenda.metrics import metric
from corrigenda.report import ReportOptions
from corrigenda.scoring import evaluate
from examples import examples

M2 = metric("m2")


def p_values(*given, **options) -> list[float]:
    return finished_tests(*given, **options).p_values().tolist()


def made_up(counts: np.ndarray, name: str = "s") -> Result:
    chosen = Pooled().choose(Statistics(counts, np.arange(len(counts) + 1)))
    selection = Selection(M2, "corpus", chosen)
    return Result(name, M2, "corpus", selection.measures, {}, "", selection)


def skilled(generator: np.random.Generator, sentences: int, skill: float) -> np.ndarray:
    gold = generator.poisson(2.0, sentences)
    correct = generator.binomial(gold, skill)
    proposed = correct + generator.poisson(0.7, sentences)
    return np.column_stack([correct, proposed, gold]).astype(np.int64)


@pytest.mark.parametrize(
    ("confidence", "alpha"), [(0.9, 0.1), (0.95, 0.05), (0.99, 0.01), (0.8, 0.2), (0.999, 0.001)]
)
def test_alpha_is_what_is_written(confidence, alpha):
    """In floating point, 1 - 0.9 is below 0.1, and 1 - 0.95 is above 0.05."""
    assert alpha_of(confidence) == alpha
    assert not is_significant(alpha, confidence)
    assert not is_significant(sum([alpha / 10] * 10), confidence)
    assert is_significant(alpha - 1e-6, confidence)
    p_values = np.array([[1, alpha], [alpha, 1]])
    assert all_pairs.rank_ranges([2, 1], p_values, alpha_of(confidence)) == [(1, 2), (1, 2)]


@given(st.integers(1, 2000), st.sampled_from(["holm", "bh"]), st.sampled_from([0.9, 0.95, 0.99]))
@settings(max_examples=examples(40))
def test_a_difference_can_always_be_found(tests, correction, confidence):
    resamples = enough_resamples(1, tests, correction, confidence)
    assert tests / (resamples + 1) < alpha_of(confidence) / 19
    assert enough_resamples(10**9, tests, correction, confidence) == 10**9


def test_thirteen_systems_need_more_than_a_thousand_resamples():
    assert enough_resamples(1000, 78) == 31_200
    assert enough_resamples(1000, 78, "none") == 1000


@pytest.mark.parametrize("correction", ["bh", "holm"])
@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_many_pairs_do_not_hide_a_difference(correction, test):
    """Twelve equal systems and one that is far better: with 1000 resamples nothing was found."""
    generator = np.random.default_rng(0)
    base = skilled(generator, 80, 0.3)
    results = [made_up(skilled(generator, 80, 0.9), "good")]
    results += [made_up(base[generator.permutation(80)], str(place)) for place in range(12)]
    matrix = all_pairs.p_value_matrix(results, test=test, correction=correction)
    pairs = list(combinations(range(13), 2))
    corrected = significance.adjusted([matrix[pair] for pair in pairs], correction)
    beaten = {pair for pair, p in zip(pairs, corrected, strict=True) if is_significant(p, 0.95)}
    assert beaten == {(0, other) for other in range(1, 13)}


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_equal_outputs_do_not_count_in_a_correction(test):
    """A copy of a system was one more test, and made the p-values of the others larger."""
    generator = np.random.default_rng(3)
    base = made_up(skilled(generator, 80, 0.5), "base")
    other = made_up(skilled(generator, 80, 0.6), "other")
    copies = [made_up(base.selection.chosen.statistics.counts, f"copy{place}") for place in (1, 2)]
    compared = significance.compare_with_baseline([other, *copies], base, test=test)
    assert [each.hypothesis for each in compared] == [True, False, False]
    p_values = [each.p_value for each in compared]
    corrected = significance.adjusted(p_values, "holm", [each.hypothesis for each in compared])
    assert corrected == [p_values[0], 1.0, 1.0]
    pairs = [(0, 1), (0, 2), (1, 2)]
    p_values, hypotheses = all_pairs.pair_p_values(
        [base, other, copies[0]], pairs, test=test, resamples=1000, seed=0, confidence=0.95,
        correction="holm",
    )  # fmt: skip
    assert hypotheses == [True, False, True]
    assert p_values[1] == 1.0


def test_a_bootstrap_of_one_sentence_finds_nothing():
    """All resamples are that sentence: p was 1/1001."""
    one, other = (made_up(np.array([[correct, 3, 3]])) for correct in (1, 3))
    assert one.score != other.score
    assert significance.compare_two(one, other, test="bootstrap").p_value == 1.0
    assert all_pairs.p_value_matrix([one, other], test="bootstrap")[0, 1] == 1.0


def test_power_counts_sentences_also_of_documents():
    """`compare --power` said "with 12 sentences" of 60 sentences in 12 documents."""
    corpus = sample_corpus()
    grouped = replace(corpus, documents=tuple(str(place // 5) for place in range(len(corpus))))
    results = evaluate(grouped, sample_systems()[:2], ["green"], health="off")
    assert results[0].selection.units == 12
    (row,) = significance.compare_with_baseline(results[1:], results[0])
    assert row.power.units == len(corpus) == 60


def test_one_default_everywhere():
    functions = (
        significance.interval,
        significance.compare_two,
        significance.compare_with_baseline,
        all_pairs.p_value_matrix,
        differences,
    )
    for function in functions:
        parameters = inspect.signature(function).parameters
        assert parameters["resamples"].default == DEFAULT_RESAMPLES, function
        if "correction" in parameters:
            assert parameters["correction"].default == DEFAULT_CORRECTION, function
    assert inspect.signature(significance.adjusted).parameters["correction"].default == "bh"
    assert ReportOptions().resamples == DEFAULT_RESAMPLES
    assert ReportOptions().correction == DEFAULT_CORRECTION


def test_compare_and_report_give_one_answer():
    """The same p-values of the same pairs, in the order of the report."""
    from corrigenda.report.options import ReportOptions
    from corrigenda.report.standings import standings_of

    results = evaluate(sample_corpus(), sample_systems(), ["green"])
    (standings,) = standings_of([results], ReportOptions(resamples=200))
    matrix = all_pairs.p_value_matrix(results, resamples=200)
    pairs = [(one, other) for one in range(len(results)) for other in range(one)]
    expected = significance.adjusted([matrix[pair] for pair in pairs])
    assert standings.p == pytest.approx(expected, abs=1e-4)


class TestSharedExchanges:
    @pytest.mark.parametrize("level", ["corpus", "sentence"])
    @pytest.mark.parametrize("name", ["m2", "green", "gleu:draws=3"])
    def test_shared_exchanges_equal_exchanging_sentence_by_sentence(self, name, level):
        results = evaluate(sample_corpus(), sample_systems()[:3], [name], level=level)
        selections = [result.selection for result in results]
        masks = np.concatenate(list(permutation.exchange_masks(len(sample_corpus()), 30, 5)))
        for (i, j), found in zip(
            [(0, 1), (1, 2)],
            p_values(selections, [(0, 1), (1, 2)], resamples=30, seed=5),
            strict=True,
        ):
            gaps = []
            for mask in masks.astype(bool):
                one, other = [], []
                for draw in range(selections[i].chosen.draws if level == "corpus" else 1):
                    if level == "corpus":
                        ours, theirs = (selections[k].chosen.values(draw) for k in (i, j))
                        swap = mask[:, np.newaxis]
                    else:
                        ours, theirs = (selections[k].sentence_scores for k in (i, j))
                        swap = mask
                    first = np.where(swap, theirs, ours).sum(axis=0)
                    second = np.where(swap, ours, theirs).sum(axis=0)
                    if level == "corpus":
                        scorer = results[0].metric.score
                        first, second = float(scorer(first)), float(scorer(second))
                    one.append(first)
                    other.append(second)
                scale = 1 if level == "corpus" else len(mask)
                gaps.append(abs(np.mean(one) - np.mean(other)) / scale)
            observed = abs(selections[i].score - selections[j].score)
            expected = (sum(gap >= observed - 1e-9 for gap in gaps) + 1) / 31
            assert found == pytest.approx(expected)

    def test_a_certain_p_value_stops_early_and_hardly_changes(self):
        generator = np.random.default_rng(4)
        results = [made_up(skilled(generator, 60, 0.5)).selection for _ in range(4)]
        pairs = list(combinations(range(4), 2))
        stopped = p_values(results, pairs, resamples=20_000, seed=0, first_round=500)
        full = p_values(results, pairs, resamples=20_000, seed=0)
        assert stopped == pytest.approx(full, rel=0.35)
        assert stopped != full

    @pytest.mark.parametrize("correction", ["bh", "holm"])
    def test_clear_answers_stop_early_and_are_the_same(self, correction):
        generator = np.random.default_rng(11)
        skills = (*np.linspace(0.3, 0.6, 10), 0.6, 0.6)
        results = [made_up(skilled(generator, 100, skill)) for skill in skills]
        selections = [result.selection for result in results]
        pairs = list(combinations(range(len(results)), 2))

        def corrected(values, real):
            return np.array(significance.adjusted(values.tolist(), correction, real))

        shared = {"resamples": 80_000, "seed": 2, "first_round": 1000}
        full = finished_tests(selections, pairs, **shared)
        early = finished_tests(selections, pairs, **shared, corrected=corrected)
        assert early._made.sum() < full._made.sum() / 2
        assert early._made.max() == 80_000 or not early.active
        answers = [
            corrected(tests.p_values(), tests.hypotheses()) < 0.05 for tests in (full, early)
        ]
        assert answers[0].tolist() == answers[1].tolist()
        assert 5 < answers[0].sum() < len(pairs) - 10


def test_too_many_systems_are_not_all_compared():
    one = made_up(np.ones((2, 3), np.int64))
    with pytest.raises(UsageError, match="at most 500 systems"):
        all_pairs.p_value_matrix([one] * 501)


class TestNoHypothesis:
    def zeros(self) -> tuple[Result, Result]:
        """Nothing was gold in the last half of the sentences, and both systems proposed edits."""
        generator = np.random.default_rng(1)
        one, other = skilled(generator, 80, 0.8), skilled(generator, 80, 0.2)
        for counts in (one, other):
            counts[40:, 0] = counts[40:, 2] = 0
            counts[40:, 1] = generator.integers(1, 3, 40)
        return made_up(one, "a"), made_up(other, "b")

    @pytest.mark.parametrize("test", ["permutation", "bootstrap"])
    def test_scores_that_are_0_by_structure_are_not_tested(self, test):
        one, other = self.zeros()
        gold = [Slice("x", "gold", np.arange(40))]
        none = [Slice("x", f"none {begin}", np.arange(begin, begin + 10)) for begin in (40, 50, 60)]
        alone = differences([(one, other)], gold, test=test, resamples=500)
        among = differences([(one, other)], gold + none, test=test, resamples=500)
        by_label = {item.label: item for item in among}
        assert by_label["none 40"].p_value == by_label["none 40"].adjusted_p_value == 1
        assert by_label["gold"].p_value == alone[0].p_value
        # Three slices without a hypothesis do not raise the p-value of the fourth.
        assert by_label["gold"].adjusted_p_value == by_label["gold"].p_value

    def test_families(self):
        one, other = self.zeros()
        selections = [one.selection, other.selection]
        for tests in (PermutationTests, BootstrapTests):
            found = family_p_values(
                [tests(selections, [(0, 1), (0, 0)], 0)],
                resamples=100,
                correction="holm",
                confidence=0.95,
            )
            assert found[0][0] == found[0][1] < 0.05
            assert found[1][1] == 1


@pytest.mark.slow
@given(st.lists(st.integers(0, 20), min_size=2, max_size=12))
@settings(max_examples=examples(6))
def test_corrections_equal_statsmodels_with_ties(twentieths):
    """Few examples: statsmodels collects all garbage of the process in each call."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p_values = [value / 20 for value in twentieths]
    for ours, theirs in (("holm", "holm"), ("bh", "fdr_bh")):
        expected = multitest.multipletests(p_values, method=theirs)[1]
        assert significance.adjusted(p_values, ours) == pytest.approx(list(expected))
