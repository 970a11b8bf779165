"""Intervals and paired tests: on simulated data, where the truth is known, and against scipy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda import Corpus, CorrigendaError, Hypotheses, Result, evaluate
from corrigenda.analysis import permutation, significance
from corrigenda.analysis.all_pairs import clusters, p_value_matrix, rank_ranges
from corrigenda.analysis.significance import (
    adjusted,
    bootstrap_scores,
    bootstrap_weights,
    compare_two,
    interval,
    with_interval,
)
from corrigenda.core.choice import Choice, Pooled
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Array, Statistics
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.metrics import metric

M2 = metric("m2")


@dataclass(frozen=True, repr=False)
class GivenScores(Metric):
    """The count of a sentence is its score."""

    name = "given-scores"
    title = "given scores"
    citation = "none: for tests"
    needs_references = "none"

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        raise NotImplementedError

    def policy(self, level: Level) -> Choice:
        return Pooled()

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        return Measures(totals[..., 0])

    def named_counts(self, counts: Array) -> NamedCounts:
        return {"sum": float(counts[0])}


def simulated(counts: np.ndarray, *, by: Metric = M2, level: Level = "corpus") -> Result:
    """A result on made-up counts, one row per sentence; M² counts correct, proposed, gold edits."""
    selection = Selection(
        by, level, Pooled().choose(Statistics(counts, np.arange(len(counts) + 1)))
    )
    return Result("simulated", by, level, selection.measures, {}, "", selection)


def edit_counts(generator: np.random.Generator, sentences: int, skill: float) -> np.ndarray:
    gold = generator.poisson(2.0, sentences)
    correct = generator.binomial(gold, skill)
    proposed = correct + generator.poisson(0.7, sentences)
    return np.column_stack([correct, proposed, gold]).astype(np.int64)


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return evaluate(sample_corpus(), sample_systems(), ["green"])


class TestResampling:
    def test_a_resample_has_as_many_sentences_as_the_corpus(self) -> None:
        (weights,) = bootstrap_weights(37, 100, seed=0)
        assert weights.shape == (100, 37)
        assert (weights.sum(axis=1) == 37).all()

    def test_the_size_of_the_batches_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = np.concatenate(list(bootstrap_weights(11, 50, seed=3)))
        masks = np.concatenate(list(permutation.exchange_masks(11, 50, seed=3)))
        monkeypatch.setattr(significance, "MASKS_AT_ONCE", 70)
        monkeypatch.setattr(permutation, "MASKS_AT_ONCE", 70)
        assert np.array_equal(whole, np.concatenate(list(bootstrap_weights(11, 50, seed=3))))
        assert np.array_equal(
            masks, np.concatenate(list(permutation.exchange_masks(11, 50, seed=3)))
        )

    def test_seeds_matter_and_repeat(self, results: list[Result]) -> None:
        sample = results[0].selection
        first = bootstrap_scores(sample, 20, seed=0)
        assert np.array_equal(first, bootstrap_scores(sample, 20, seed=0))
        assert not np.array_equal(first, bootstrap_scores(sample, 20, seed=1))

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "name", ["green", "gleu", "gleu:references=mean", "bleu", "m2", "imeasure"]
    )
    @pytest.mark.parametrize("level", ["corpus", "sentence"])
    def test_a_resampled_score_is_that_of_the_resampled_sentences(
        self, name: str, level: str
    ) -> None:
        """With the references of the full corpus: what `choice:frozen` says."""
        result = evaluate(sample_corpus(), sample_systems()[:1], [name], level=level)[0]  # type: ignore[arg-type]
        sample = result.selection
        assert sample.score == result.score
        (weights,) = bootstrap_weights(len(sample), 3, seed=5)
        for row, score in zip(weights, sample.resampled(weights), strict=True):
            if level == "sentence":
                expected = np.average(result.sentence_scores, weights=row)
            else:
                assert result.chosen is not None
                totals = [
                    (result.chosen.values(draw) * row[:, np.newaxis]).sum(axis=0)
                    for draw in range(result.chosen.draws)
                ]
                expected = np.mean([result.metric.score(total) for total in totals])
            assert score == pytest.approx(expected, abs=1e-12)

    def test_leaving_one_out_is_a_weight_of_zero(self, results: list[Result]) -> None:
        sample = results[2].selection
        weights = 1 - np.eye(len(sample))
        assert sample.leave_one_out() == pytest.approx(sample.resampled(weights), abs=1e-12)


class TestIntervals:
    @pytest.mark.slow
    @pytest.mark.parametrize("method", ["percentile", "bca"])
    def test_coverage(self, method: str) -> None:
        """Intervals of 90 % hold the true score in about 90 % of made-up corpora."""
        generator = np.random.default_rng(7)
        truth = simulated(edit_counts(generator, 400_000, 0.5)).selection.score
        held = 0
        corpora = 300
        for seed in range(corpora):
            made = interval(
                simulated(edit_counts(generator, 150, 0.5)),
                resamples=300,
                seed=seed,
                confidence=0.9,
                method=method,  # type: ignore[arg-type]
            )
            held += made.low <= truth <= made.high
        # Four standard errors of a proportion around 90 %.
        assert abs(held / corpora - 0.9) < 4 * np.sqrt(0.9 * 0.1 / corpora)

    def test_bca_equals_scipy(self) -> None:
        stats = pytest.importorskip("scipy.stats")
        scores = np.random.default_rng(1).exponential(size=60)
        result = simulated(scores[:, np.newaxis], by=GivenScores(), level="sentence")
        made = interval(result, resamples=20_000, method="bca")
        theirs = stats.bootstrap(
            (scores,), np.mean, n_resamples=20_000, method="BCa", rng=0
        ).confidence_interval
        assert (made.low, made.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)
        plain = interval(result, resamples=20_000)
        assert abs(plain.high - theirs.high) > 0.02  # The correction can be seen.

    def test_bca_of_a_corpus_score_equals_scipy(self) -> None:
        stats = pytest.importorskip("scipy.stats")
        counts = edit_counts(np.random.default_rng(3), 60, 0.5)

        def f(correct: np.ndarray, proposed: np.ndarray, gold: np.ndarray, axis: int) -> np.ndarray:
            sums = [each.sum(axis=axis) for each in (correct, proposed, gold)]
            return np.asarray(1.25 * sums[0] / (sums[1] + 0.25 * sums[2]))

        made = interval(simulated(counts), resamples=20_000, method="bca")
        theirs = stats.bootstrap(
            tuple(counts.T), f, paired=True, n_resamples=20_000, method="BCa", rng=0
        ).confidence_interval
        assert (made.low, made.high) == pytest.approx((theirs.low, theirs.high), abs=0.005)

    def test_resamples_that_equal_the_score_count_half(self) -> None:
        """A float sum of the same scores in another order may differ in the last bit."""
        scores = np.random.default_rng(0).integers(0, 2, size=(40, 1)) * 0.1
        result = simulated(scores, by=GivenScores(), level="sentence")
        resampled = bootstrap_scores(result.selection, 2000, seed=0)
        tens = np.rint(resampled * 400)  # Exact: each score is 0 or 0.1.
        ours = np.rint(result.score * 400)
        expected = ((tens < ours).sum() + (tens == ours).sum() / 2) / 2000
        assert significance._part_below(resampled, result.score) == expected

    def test_the_signature_says_how(self, results: list[Result]) -> None:
        made = with_interval(results[0], resamples=50, seed=4)
        assert made.signature.endswith("|bootstrap:50|seed:4|interval:percentile|choice:frozen")
        assert made.interval is not None
        assert made.interval.low <= made.score <= made.interval.high
        assert made.to_dict()["interval"]["resamples"] == 50

    def test_a_corpus_of_one_sentence_has_no_width(self) -> None:
        corpus = Corpus.from_lists(["a b c d e"], ["a b c d f"])
        result = evaluate(corpus, {"same": ["a b c d f"]}, ["green"])[0]
        for method in ("percentile", "bca"):
            made = interval(result, resamples=20, method=method)
            assert made.low == made.high == pytest.approx(result.score)

    def test_statistics_must_have_been_kept(self) -> None:
        result = evaluate(sample_corpus(), sample_systems()[:1], ["green"], keep_statistics=False)[
            0
        ]
        with pytest.raises(CorrigendaError, match="keep_statistics"):
            interval(result)


class TestPairedTests:
    @pytest.mark.slow
    @pytest.mark.parametrize("test", ["permutation", "bootstrap"])
    def test_false_positives_are_as_rare_as_promised(self, test: str) -> None:
        """At 10 %, two systems of equal skill differ in about 10 % of made-up corpora."""
        generator = np.random.default_rng(11)
        trials = 300
        alarms = sum(
            compare_two(
                simulated(edit_counts(generator, 120, 0.4)),
                simulated(edit_counts(generator, 120, 0.4)),
                test=test,  # type: ignore[arg-type]
                resamples=200,
                seed=seed,
            ).p_value
            <= 0.1
            for seed in range(trials)
        )
        assert abs(alarms / trials - 0.1) < 4 * np.sqrt(0.1 * 0.9 / trials)

    @pytest.mark.parametrize("test", ["permutation", "bootstrap"])
    def test_a_real_difference_is_found(self, results: list[Result], test: str) -> None:
        strong, cautious = results[0], results[1]
        found = compare_two(strong, cautious, test=test, resamples=500)  # type: ignore[arg-type]
        assert found.difference == strong.score - cautious.score
        assert found.p_value < 0.01
        assert found.interval.low > 0

    def test_a_system_does_not_differ_from_itself(self, results: list[Result]) -> None:
        for test in ("permutation", "bootstrap"):
            assert compare_two(results[0], results[0], test=test, resamples=100).p_value == 1

    def test_permutation_p_values_equal_scipy(self) -> None:
        """All 2^10 exchanges by scipy, 20 000 random ones by us, of a corpus score."""
        stats = pytest.importorskip("scipy.stats")
        generator = np.random.default_rng(2)
        ours, theirs = edit_counts(generator, 10, 0.6), edit_counts(generator, 10, 0.35)

        def corpus_score(counts: np.ndarray) -> float:
            return float(M2.score(counts.sum(axis=0)))

        def difference(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
            rows = np.moveaxis(np.stack([np.asarray(a), np.asarray(b)]), axis, -1).astype(int)
            flat = rows.reshape(2, -1, rows.shape[-1])
            both = [
                [corpus_score(table[system][which]) for which in flat[system]] for system in (0, 1)
            ]
            return (np.array(both[0]) - np.array(both[1])).reshape(rows.shape[1:-1])

        # scipy exchanges indices: index i of either sample stands for sentence i of its system.
        table = [np.concatenate([ours, theirs]), np.concatenate([ours, theirs])]
        exact = stats.permutation_test(
            (np.arange(10), np.arange(10, 20)),
            difference,
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=True,
        ).pvalue
        found = compare_two(simulated(ours), simulated(theirs), resamples=20_000).p_value
        assert found == pytest.approx(exact, abs=0.015)

    def test_only_like_results_are_compared(self, results: list[Result]) -> None:
        other = evaluate(sample_corpus(), sample_systems()[:1], ["bleu"])[0]
        for test in (compare_two, lambda *both: p_value_matrix(both)):
            with pytest.raises(CorrigendaError, match=r"one metric.*green at corpus.*bleu at"):
                test(results[0], other)

    @pytest.mark.parametrize("test", ["permutation", "bootstrap"])
    def test_the_matrix_has_the_p_values_of_every_pair(
        self, results: list[Result], test: str
    ) -> None:
        matrix = p_value_matrix(
            results,
            test=test,  # type: ignore[arg-type]
            resamples=500,
            seed=3,
            correction="none",
        )
        assert (np.diag(matrix) == 1).all()
        for i, one in enumerate(results):
            for j, other in enumerate(results[:i]):
                found = compare_two(one, other, test=test, resamples=500, seed=3)  # type: ignore[arg-type]
                assert matrix[i, j] == matrix[j, i] == found.p_value


class TestManyComparisons:
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
    def test_benjamini_hochberg_equals_scipy(self, p_values: list[float]) -> None:
        stats = pytest.importorskip("scipy.stats")
        assert adjusted(p_values, "bh") == pytest.approx(
            list(stats.false_discovery_control(p_values))
        )

    def test_holm_by_hand(self) -> None:
        assert adjusted([0.01, 0.04, 0.03, 0.005], "holm") == pytest.approx(
            [0.03, 0.06, 0.06, 0.02]
        )

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
    def test_corrections_never_help(self, p_values: list[float]) -> None:
        for correction in ("holm", "bh", "none"):
            corrected = adjusted(p_values, correction)  # type: ignore[arg-type]
            assert all(0 <= p <= q <= 1 for p, q in zip(p_values, corrected, strict=True))

    def test_clusters_are_where_ranges_overlap(self) -> None:
        p_values = np.array([[1, 0.01, 0.01], [0.01, 1, 0.5], [0.01, 0.5, 1]])
        ranges = rank_ranges([0.9, 0.5, 0.4], p_values)
        assert ranges == [(1, 1), (2, 3), (2, 3)]
        assert clusters(ranges) == [1, 2, 2]

    def test_overlap_may_go_through_others(self) -> None:
        assert clusters([(3, 4), (1, 2), (2, 3), (5, 5)]) == [1, 1, 1, 2]


def test_draws_are_averaged_within_each_resample() -> None:
    corpus = Corpus.from_lists(
        ["a b c d e f", "g h i j k l"],
        [["a b c d e f", "g h i j k l"], ["a b c d e x", "g h i j k y"]],
        references_by="text",
    )
    system = Hypotheses("s", ("a b c d e f", "g h i j k y"))
    (result,) = evaluate(corpus, [system], ["gleu:draws=7"])
    assert result.chosen is not None
    assert result.chosen.draws == 7
    weights = np.array([[2.0, 0.0], [1.0, 1.0]])
    one_by_one = np.stack([weights @ result.chosen.values(draw) for draw in range(7)], axis=1)
    assert result.chosen.totals(weights) == pytest.approx(one_by_one)
    assert replace(result, system="t").chosen is result.chosen
