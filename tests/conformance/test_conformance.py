"""Properties that every metric of the registry must have."""

from __future__ import annotations

import functools
import importlib.util
import json
import math
import re
import warnings

import numpy as np
import pytest
from hypothesis import strategies as st
from over_metrics import (
    assert_close_counts,
    assert_same,
    assert_same_result,
    each_level,
    each_metric,
    each_metric_mostly_published,
    each_published,
    many_sentences,
    over_registry,
    result_of,
)
from registered import (
    ANNOTATED_EDITS_NOT_FOUND,
    METRICS,
    NAMES,
    NOT_TESTED,
    ONE_CHOICE_IS_ENOUGH,
    PUBLISHED,
    TRIED,
    as_parameters,
    listed_values,
    low_high,
    not_maximal,
    takes_plain_text,
    tolerance,
)

from corrigenda import evaluate, metric
from corrigenda.core.evaluate import Block, evaluate_blocks
from corrigenda.core.metric import LEVELS, Metric
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.errors import CorrigendaError
from corrigenda.formats import read_hypotheses
from corrigenda.health.finding import HealthWarning
from corrigenda.metrics import REGISTRY, metric_class
from reference_free import KeptWords
from small_corpora import Case, case, cases, without_gold


def test_every_metric_of_the_registry_is_tested():
    """A name is tested, or NOT_TESTED says why it is not."""
    assert {tested.name for tested in METRICS} == set(NAMES)
    assert set(NAMES) | set(NOT_TESTED) == set(REGISTRY)
    assert not set(NAMES) & set(NOT_TESTED)
    assert all(NOT_TESTED.values())


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_a_parameter_is_tested(name):
    """A value is tried with some other parameters, or ONE_CHOICE_IS_ENOUGH says why it is not."""
    of_name = [tested for tested in METRICS if tested.name == name]
    left_out = {
        f"{name}:{field}"
        for field, value in listed_values(name)
        if not any(getattr(tested, field) == value for tested in of_name)
    }
    assert left_out <= ONE_CHOICE_IS_ENOUGH.keys()


def test_a_metric_without_references_need_not_prefer_one():
    assert all(not_maximal(KeptWords(), level) for level in LEVELS)


@pytest.mark.parametrize("name", [name for name in NAMES if metric_class(name).extra])
def test_without_its_extra_a_metric_is_skipped_with_a_message(name, monkeypatch):
    """Its tests are still collected, so they are shown as skipped, not as passed."""
    absent = metric_class(name).modules
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda each: None if each in absent else find(each)
    )
    of_name = [tested for tested in PUBLISHED if tested.name == name and tested.modules_in_use]
    parameters = as_parameters(of_name)
    assert len(parameters) == len(of_name) > 0
    for parameter in parameters:
        (skip,) = [mark for mark in parameter.marks if mark.name == "skip"]
        assert re.search(rf"{name} needs .*: pip install 'corrigenda\[.+\]'", skip.args[0])


@each_metric
def test_printed_form(tested):
    assert metric(str(tested)) == tested


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
        assert_same_result(at_once, in_blocks)
        assert_same(in_blocks.to_dict(), not_kept.to_dict())


@over_registry(whole=cases(max_sentences=5), level=st.sampled_from(LEVELS), randomness=st.randoms())
def test_shuffling_changes_nothing_where_the_choice_is_local(tested, whole, level, randomness):
    if tested.policy(level).reach != "sentence":
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
    if allowed := tolerance(tested):
        assert after.score == pytest.approx(before.score, abs=allowed)
    else:
        assert_same(before.to_dict(), after.to_dict())
    assert_close_counts(tested, before.sentence_scores[order], after.sentence_scores)


@pytest.mark.parametrize("tested", as_parameters([*PUBLISHED, *METRICS]))
def test_threads_change_nothing(tested):
    """The processes of ERRANT have tests of their own, in test_errant_workers.py."""
    count = 30 if tested.modules_in_use else 200
    one, four = (result_of(tested, many_sentences(count), threads=threads) for threads in (1, 4))
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


@each_metric_mostly_published
@pytest.mark.parametrize("name", ODD_CASES)
def test_odd_cases_give_finite_numbers_in_range(tested, name):
    low, high = low_high(tested)
    slack = max(1e-12, tolerance(tested))
    for level in LEVELS:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", HealthWarning)
            result = result_of(tested, ODD_CASES[name].fresh(), level)
        assert low <= result.score <= high + slack
        assert all(low <= score <= high + slack for score in result.sentence_scores.tolist())
        for fraction in (result.precision, result.recall):
            assert fraction is None or min(low, 0) <= fraction <= max(high, 1) + slack


@over_registry(whole=cases())
def test_results_are_plain_json(tested, whole):
    low, high = low_high(tested)
    high += max(1e-12, tolerance(tested))
    for level in LEVELS:
        data = result_of(tested, whole, level).to_dict(per_sentence=True)
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert low <= data["score"] <= high
        for sentence in data["sentences"]:
            assert set(sentence) - {"edits"} == {"score", "reference", "counts"}
            assert sentence["reference"] is None or sentence["reference"] >= 0
            assert low <= sentence["score"] <= high


def copy_of_the_reference(given_case: Case) -> Case:
    """The same corpus with its first reference alone, and a system that copies it."""
    references = tuple(refs[:1] for refs in given_case.corpus.references)
    return case(given_case.corpus.sources, references, tuple(refs[0] for refs in references))


def check_reference_is_maximal(tested: Metric, given_case: Case, *, empty: bool) -> None:
    perfect = copy_of_the_reference(given_case)
    if tested.name in ANNOTATED_EDITS_NOT_FOUND:
        if not takes_plain_text(tested):
            return
        perfect = Case(without_gold(perfect.corpus), perfect.hypotheses)
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


@each_published
@each_level
def test_no_system_of_the_sample_beats_its_reference(tested, level):
    if reason := not_maximal(tested, level):
        pytest.skip(reason)
    systems = [read_hypotheses(SAMPLE / "ref0.txt"), *sample_systems()]
    best, *others = evaluate(sample_corpus(), systems, [tested], level=level, threads=1)
    assert best.system == "ref0"
    for other in others:
        assert best.score >= other.score


def check_many_systems_and_metrics(metrics: list[Metric], level: str, sentences: int = 60) -> None:
    corpus = sample_corpus()[:sentences]
    systems = [each[:sentences] for each in sample_systems()]
    together = evaluate(corpus, systems, metrics, level=level, threads=1)
    assert [(r.system, r.metric) for r in together] == [
        (s.name, m) for s in systems for m in metrics
    ]
    backwards = evaluate(
        sample_corpus()[:sentences], systems[::-1], metrics[::-1], level=level, threads=1
    )
    for one, other in zip(together, backwards[::-1], strict=True):
        assert_same_result(one, other)


@pytest.mark.slow
@each_level
def test_systems_and_metrics_do_not_affect_each_other(level):
    """What is computed once and shared must not leak from one system or metric into another."""
    check_many_systems_and_metrics([each for each in METRICS if not each.modules_in_use], level)


@pytest.mark.model("spacy", "torch")
@each_level
def test_systems_and_metrics_with_models_do_not_affect_each_other(level):
    for module in ("spacy", "torch"):
        pytest.importorskip(module)
    with_models = [each for of_name in TRIED.values() for each in of_name if each.modules_in_use]
    check_many_systems_and_metrics(with_models, level, sentences=20)


@each_published
def test_text_without_gold_edits_is_enough(tested):
    """Metrics of edits use the edits of an alignment if no edits were annotated."""
    whole = many_sentences(30 if tested.modules_in_use else 200)
    plain = without_gold(whole.corpus)
    (result,) = evaluate(plain, [whole.hypotheses], [tested], threads=1)
    low, high = low_high(tested)
    assert low <= result.score <= high


@each_metric
def test_gold_that_is_not_there_is_refused(tested):
    """A metric that asks for annotated edits says so where there are none."""
    whole = many_sentences(3)
    plain = without_gold(whole.corpus)
    if takes_plain_text(tested):
        assert evaluate(plain, [whole.hypotheses], [tested], threads=1)
    else:
        with pytest.raises(CorrigendaError, match="annotated edits"):
            evaluate(plain, [whole.hypotheses], [tested], threads=1)
