"""What holds for every metric of the registry, whatever it measures."""

from __future__ import annotations

import functools
import json
import math
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from registered import METRICS, PUBLISHED, VARIANTS, low_high, not_maximal

from corrigenda import evaluate, metric
from corrigenda.core.choice import BestLocal, MeanOverReferences, Pooled
from corrigenda.core.evaluate import Block
from corrigenda.core.evaluate import evaluate as evaluate_blocks
from corrigenda.core.metric import LEVELS, Metric
from corrigenda.core.result import Result
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.formats import read_hypotheses
from small_corpora import Case, case, cases


def over_registry(
    **strategies: st.SearchStrategy,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test for each name of the registry: every example is checked with all variants of the metric."""

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(check)
        def test(name: str, **example: Any) -> None:
            for tested in VARIANTS[name]:
                note(f"metric: {PRINTED[tested]}")
                check(tested, **example)

        del test.__wrapped__  # its arguments are not the check's
        examples = settings(max_examples=10)(given(**strategies)(test))
        return pytest.mark.parametrize("name", VARIANTS)(examples)

    return decorate


PRINTED = {tested: str(tested) for tested in METRICS}
each_metric = pytest.mark.parametrize("tested", METRICS, ids=str)
each_level = pytest.mark.parametrize("level", LEVELS)


def result_of(tested: Metric, given_case: Case, level: str = "corpus", threads: int = 1) -> Result:
    (result,) = evaluate(
        given_case.corpus, [given_case.hypotheses], [tested], level=level, threads=threads
    )
    return result


def assert_same(first: Any, second: Any, *, exactly: bool = True) -> None:
    """Equal plain values; where weights or means were added up, equal but for rounding."""
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first:
            assert_same(first[key], second[key], exactly=exactly)
    elif isinstance(first, list):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other, exactly=exactly)
    elif isinstance(first, float) and not exactly:
        assert second == pytest.approx(first, rel=1e-12, abs=1e-12)
    else:
        assert first == second


def sums_are_exact(tested: Metric, given_case: Case, level: str) -> bool:
    """Whole numbers add up to the same in any order; weights and means over references need not."""
    statistics = tested.statistics(given_case.corpus, given_case.hypotheses, threads=1)
    whole = np.issubdtype(statistics.counts.dtype, np.integer)
    return bool(whole) and not isinstance(tested.policy(level), MeanOverReferences)


@each_metric
def test_printed_form(tested):
    assert metric(str(tested)) == tested


@over_registry(whole=cases(max_sentences=5), cut=st.integers(0, 5))
def test_statistics_of_parts_are_those_of_the_whole(tested, whole, cut):
    parts = [part for part in (whole.part(0, cut), whole.part(cut, 5)) if len(part.corpus)]
    together = tested.statistics(whole.corpus, whole.hypotheses, threads=1)
    apart = [tested.statistics(part.corpus, part.hypotheses, threads=1) for part in parts]
    np.testing.assert_array_equal(np.concatenate([part.counts for part in apart]), together.counts)
    references = np.concatenate([part.references for part in apart])
    np.testing.assert_array_equal(references, together.references)


@over_registry(whole=cases(max_sentences=5), size=st.integers(1, 5))
def test_blocks_change_nothing(tested, whole, size):
    parts = [whole.part(begin, begin + size) for begin in range(0, len(whole.corpus), size)]
    blocks = [Block(part.corpus, [part.hypotheses]) for part in parts]
    for level in LEVELS:
        at_once = result_of(tested, whole, level)
        (in_blocks,) = evaluate_blocks(blocks, [tested], level=level, threads=1)
        (not_kept,) = evaluate_blocks(
            blocks, [tested], level=level, threads=1, keep_statistics=False
        )
        exactly = sums_are_exact(tested, whole, level)
        assert_same(
            at_once.to_dict(per_sentence=True),
            in_blocks.to_dict(per_sentence=True),
            exactly=exactly,
        )
        assert_same(in_blocks.to_dict(), not_kept.to_dict())


@over_registry(whole=cases(max_sentences=5), level=st.sampled_from(LEVELS), randomness=st.randoms())
def test_shuffling_changes_nothing_where_the_choice_is_local(tested, whole, level, randomness):
    if not isinstance(tested.policy(level), BestLocal | MeanOverReferences | Pooled):
        whole = case(  # with a single reference there is nothing to choose, whatever the policy
            whole.corpus.sources,
            tuple(refs[:1] for refs in whole.corpus.references),
            whole.hypotheses.sentences,
        )
    order = list(range(len(whole.corpus)))
    randomness.shuffle(order)
    shuffled = case(
        tuple(whole.corpus.sources[i] for i in order),
        tuple(whole.corpus.references[i] for i in order),
        tuple(whole.hypotheses.sentences[i] for i in order),
    )
    before, after = result_of(tested, whole, level), result_of(tested, shuffled, level)
    assert_same(before.to_dict(), after.to_dict(), exactly=False)
    np.testing.assert_array_equal(before.sentence_scores[order], after.sentence_scores)


def many_sentences() -> Case:
    """More than a chunk of the kernels, with up to three references."""
    generator = random.Random(11)

    def sentence() -> str:
        return " ".join(generator.choices("abcd", k=generator.randrange(10)))

    sources = tuple(sentence() for _ in range(200))
    references = tuple(tuple(sentence() for _ in range(1 + i % 3)) for i in range(200))
    return case(sources, references, tuple(sentence() for _ in range(200)))


@pytest.mark.parametrize("tested", list(dict.fromkeys([*PUBLISHED, *METRICS])), ids=str)
def test_threads_change_nothing(tested):
    one, four = (result_of(tested, many_sentences(), threads=threads) for threads in (1, 4))
    assert_same(one.to_dict(per_sentence=True), four.to_dict(per_sentence=True))


@over_registry(whole=cases())
def test_score_works_along_leading_axes(tested, whole):
    counts = tested.statistics(whole.corpus, whole.hypotheses, threads=1).counts
    stacked = np.stack([counts, counts[::-1]])[:, np.newaxis]  # [2, 1, rows, K]
    for level in LEVELS:
        measure = functools.partial(tested.score, level=level)
        scores = np.asarray(measure(stacked))
        assert scores.shape == stacked.shape[:-1]
        single = np.array([float(measure(row)) for row in counts])
        np.testing.assert_array_equal(scores[0, 0], single)
        np.testing.assert_array_equal(scores[1, 0], single[::-1])


@over_registry(whole=cases())
def test_the_corpus_score_is_the_mean_score_of_the_draws(tested, whole):
    """statistics, choice, totals, score: nothing else makes the number."""
    statistics = tested.statistics(whole.corpus, whole.hypotheses, threads=1)
    totals = tested.policy("corpus").choose(statistics).totals()
    result = result_of(tested, whole)
    assert result.score == pytest.approx(float(np.mean(tested.score(totals))), rel=1e-12, abs=1e-15)


@over_registry(whole=cases())
def test_the_sentence_level_score_is_the_mean_of_the_sentences(tested, whole):
    result = result_of(tested, whole, "sentence")
    scores = [sentence["score"] for sentence in result.sentences()]
    assert scores == result.sentence_scores.tolist()
    assert len(scores) == len(whole.corpus)
    assert result.score == pytest.approx(math.fsum(scores) / len(scores), rel=1e-12, abs=1e-15)


@over_registry(whole=cases())
def test_a_sentence_alone_scores_what_it_scores_among_others(tested, whole):
    together = result_of(tested, whole, "sentence").sentence_scores
    alone = [
        result_of(tested, whole.part(i, i + 1), "sentence").score for i in range(len(whole.corpus))
    ]
    np.testing.assert_allclose(together, alone, rtol=1e-12, atol=1e-15)


ODD_CASES = {
    "nothing at all": case(("",), (("",),), ("",)),
    "nothing, twice": case(("", ""), (("", ""), ("",)), ("", "")),
    "one sentence": case(("a b c d e",), (("a b c d f",),), ("a b c x e",)),
    "one word": case(("a",), (("b",),), ("c",)),
    "one right word": case(("a",), (("a",),), ("a",)),
    "empty hypothesis": case(("a b c d e",), (("a b c d f", "a"),), ("",)),
    "empty source": case(("",), (("a b c d e",),), ("a b c d e",)),
    "empty reference": case(("a b c d e",), (("", ""),), ("a b c d e",)),
    "only a hypothesis": case(("",), (("",),), ("a b c d e",)),
    "no n-gram of size N": case(("a b", "c"), (("a b",), ("d",)), ("a b", "c d")),
    "blanks alone": case((" \t ", "a"), (("\u3000",), ("a",)), ("  ", "a")),
    "empty lines between": case(
        ("a b c d", "", "e"), (("a b c d",), ("",), ("e f",)), ("a b c d", "", "e")
    ),
    "nothing in common": case(("a b c d e",), (("f g h i j", "k l"),), ("m n o p q r s t",)),
    "repetition": case(("a b",), (("a a a a b",),), (" ".join(["a"] * 60),)),
    "other characters": case(
        ("é 中 \U0001f600",), (("e\u0301 中 . \U0001f601",),), ("é 中 . \ufeff",)
    ),
}


@each_metric
@pytest.mark.parametrize("name", ODD_CASES)
def test_odd_cases_give_finite_numbers_in_range(tested, name):
    low, high = low_high(tested)
    for level in LEVELS:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = result_of(tested, ODD_CASES[name].fresh(), level)
        assert low <= result.score <= high + 1e-12
        assert all(low <= score <= high + 1e-12 for score in result.sentence_scores.tolist())
        for fraction in (result.precision, result.recall):
            assert fraction is None or 0 <= fraction <= 1 + 1e-12


@over_registry(whole=cases())
def test_results_are_plain_json(tested, whole):
    low, high = low_high(tested)
    for level in LEVELS:
        data = result_of(tested, whole, level).to_dict(per_sentence=True)
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert low <= data["score"] <= high + 1e-12
        for sentence in data["sentences"]:
            assert set(sentence) == {"score", "reference", "counts"}
            assert sentence["reference"] is None or sentence["reference"] >= 0
            assert low <= sentence["score"] <= high + 1e-12


def copy_of_the_reference(given_case: Case) -> Case:
    """The same corpus with its first reference alone, and a system that copies it."""
    references = tuple(refs[:1] for refs in given_case.corpus.references)
    return case(given_case.corpus.sources, references, tuple(refs[0] for refs in references))


def check_reference_is_maximal(tested: Metric, given_case: Case, *, empty: bool) -> None:
    perfect = copy_of_the_reference(given_case)
    other = Case(perfect.corpus, given_case.hypotheses)
    for level in LEVELS:
        if not not_maximal(tested, level, empty=empty):
            assert (
                result_of(tested, perfect, level).score
                >= result_of(tested, other, level).score - 1e-12
            )


@over_registry(whole=cases(min_words=1))
def test_the_only_reference_is_the_best_output(tested, whole):
    check_reference_is_maximal(tested, whole, empty=False)


@over_registry(whole=cases(max_words=4))
def test_the_only_reference_is_the_best_output_even_if_it_is_empty(tested, whole):
    check_reference_is_maximal(tested, whole, empty=True)


@pytest.mark.parametrize("tested", PUBLISHED, ids=str)
@each_level
def test_no_system_of_the_sample_beats_its_reference(tested, level):
    systems = [read_hypotheses(SAMPLE / "ref0.txt"), *sample_systems()]
    best, *others = evaluate(sample_corpus(), systems, [tested], level=level, threads=1)
    assert best.system == "ref0"
    for other in others:
        assert best.score >= other.score


@each_level
def test_many_systems_and_metrics_are_each_alone(level):
    """What is computed once and shared must not leak from one system or metric into another."""
    corpus, systems = sample_corpus(), sample_systems()
    together = evaluate(corpus, systems, METRICS, level=level, threads=1)
    assert [(r.system, r.metric) for r in together] == [
        (s.name, m) for s in systems for m in METRICS
    ]
    backwards = evaluate(sample_corpus(), systems[::-1], METRICS[::-1], level=level, threads=1)
    for one, other in zip(together, backwards[::-1], strict=True):
        assert_same(one.to_dict(), other.to_dict())


@pytest.mark.parametrize("tested", PUBLISHED, ids=str)
def test_text_without_gold_edits_is_enough(tested):
    """Metrics of edits take those of an alignment where nobody annotated any."""
    whole = many_sentences()
    plain = type(whole.corpus)(whole.corpus.sources, whole.corpus.references)
    (result,) = evaluate(plain, [whole.hypotheses], [tested], threads=1)
    low, high = low_high(tested)
    assert low <= result.score <= high
