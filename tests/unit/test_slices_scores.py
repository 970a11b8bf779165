"""Scores of slices, and differences on them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.analysis.significance import adjusted, compare_two
from corrigenda.analysis.slices import (
    Slice,
    by_length,
    by_type,
    differences,
    restricted,
    slice_scores,
)
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.errors import CorrigendaError
from corrigenda.metrics import default_metrics
from corrigenda.scoring import evaluate
from reference_free import KeptWords, without_references

PLAIN = [each.name for each in default_metrics()]


def part(*sentences: int) -> Slice:
    return Slice("test", "these", np.array(sentences, np.int64))


@cache
def sample_results():
    return evaluate(sample_corpus(), sample_systems(), default_metrics())


@pytest.fixture
def results():
    return sample_results()


@pytest.mark.slow
@given(st.sets(st.integers(0, 59), min_size=1))
def test_a_slice_scores_as_the_restricted_result_and_as_weights(chosen: set[int]):
    found = sample_results()[: len(default_metrics())]
    sentences = part(*sorted(chosen))
    scores = slice_scores(found, [sentences])[:, 0].tolist()
    assert [restricted(result, sentences.sentences).score for result in found] == scores
    weights = np.isin(np.arange(60), sentences.sentences)[np.newaxis].astype(float)
    resampled = [float(result.selection.resampled(weights)[0]) for result in found]
    assert resampled == pytest.approx(scores)


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_the_slice_of_everything_has_the_score_of_the_corpus(name: str, level: str):
    corpus = sample_corpus()
    result = evaluate(corpus, sample_systems()[:1], [name], level=level)[0]
    assert slice_scores([result], [part(*range(len(corpus)))])[0, 0] == result.score


def test_a_slice_with_one_reference_scores_as_a_corpus_of_its_sentences():
    corpus = sample_corpus()
    plain = Corpus(corpus.sources, tuple(references[:1] for references in corpus.references))
    system = sample_systems()[0]
    few = Hypotheses(system.name, system.sentences[:20])
    for name in PLAIN:
        alone = evaluate(plain[:20], [few], [name])[0].score
        whole = evaluate(plain, [system], [name])
        assert slice_scores(whole, [part(*range(20))])[0, 0] == alone, name


def test_a_restricted_result_keeps_the_chosen_references(results):
    whole = next(result for result in results if result.metric.name == "green")
    sentences = np.array([3, 5, 40], np.int64)
    assert restricted(whole, sentences).references.tolist() == whole.references[sentences].tolist()


def test_an_empty_slice_is_refused(results):
    with pytest.raises(CorrigendaError, match="'these' by test has no sentences"):
        slice_scores(results[:1], [part()])
    with pytest.raises(CorrigendaError, match="has no score"):
        restricted(results[0], np.array([], np.int64))


@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_slices_without_references(level: str):
    corpus, systems = without_references(), sample_systems()[:2]
    one, other = evaluate(corpus, systems, [KeptWords()], level=level)
    slices = by_length(corpus)
    scores = slice_scores([one, other], slices)
    for found in differences([(one, other)], slices, resamples=50):
        column = [item.label for item in slices].index(found.label)
        assert [found.score, found.baseline_score] == scores[:, column].tolist()


class TestDifferences:
    def of_metric(self, results, name):
        return [result for result in results if result.metric.name == name]

    def test_a_difference_is_that_of_the_restricted_results(self, results):
        strong, _, eager, *_ = self.of_metric(results, "green")
        slices = by_length(sample_corpus())[:2]
        for found in differences([(strong, eager)], slices, resamples=800):
            sentences = next(item.sentences for item in slices if item.label == found.label)
            expected = compare_two(
                restricted(strong, sentences), restricted(eager, sentences), resamples=800
            )
            assert (found.difference, found.p_value) == (expected.difference, expected.p_value)
            assert found.score - found.baseline_score == found.difference

    def test_the_largest_lead_comes_first_and_small_slices_are_left_out(self, results):
        strong, _, eager, *_ = self.of_metric(results, "m2")
        found = differences(
            [(strong, eager)], by_type(sample_corpus()), resamples=100, min_sentences=10
        )
        assert [item.difference for item in found] == sorted(
            (item.difference for item in found), reverse=True
        )
        assert min(item.sentences for item in found) >= 10

    def test_p_values_are_adjusted_over_all_that_was_tested(self, results):
        strong, cautious, eager, *_ = self.of_metric(results, "m2")
        found = differences(
            [(strong, eager), (cautious, eager)], by_type(sample_corpus()), resamples=100
        )
        expected = adjusted([item.p_value for item in found], "bh")
        assert [item.adjusted_p_value for item in found] == pytest.approx(expected)

    @pytest.mark.slow
    def test_false_discoveries_are_rare_where_there_is_no_difference(self):
        """Where two systems differ only by chance, a slice is hardly ever significant."""
        generator = np.random.default_rng(7)
        discoveries = 0
        runs = 40
        for seed in range(runs):
            sentences = 120
            corpus = Corpus.from_lists(
                ["a b c d"] * sentences, [["a b c e"] * sentences], references_by="text"
            )
            outputs = [
                Hypotheses(
                    name,
                    tuple(
                        np.where(generator.random(sentences) < 0.5, "a b c e", "a b c d").tolist()
                    ),
                )
                for name in "xy"
            ]
            one, other = evaluate(corpus, outputs, ["m2"])
            slices = [Slice("test", str(k), np.arange(k, sentences, 6)) for k in range(6)]
            found = differences([(one, other)], slices, resamples=200, seed=seed)
            discoveries += any(item.adjusted_p_value < 0.05 for item in found)
        # With no true difference, every discovery is false: 5 % of 40 runs are 2. More than 6
        # happen in less than one of a hundred such tests.
        assert discoveries <= 6

    def test_a_true_difference_in_one_slice_is_found(self):
        sentences = 90
        corpus = Corpus.from_lists(
            ["a b c d"] * sentences, [["a b c e"] * sentences], references_by="text"
        )
        outputs = [
            Hypotheses(
                "x",
                tuple("a b c e" if k % 3 == 0 or k % 2 else "a b c d" for k in range(sentences)),
            ),
            Hypotheses("y", tuple("a b c e" if k % 2 else "a b c d" for k in range(sentences))),
        ]
        one, other = evaluate(corpus, outputs, ["m2"])
        slices = [Slice("test", str(k), np.arange(k, sentences, 3)) for k in range(3)]
        found = differences([(one, other)], slices)
        assert [item.label for item in found if item.adjusted_p_value < 0.05] == ["0"]
