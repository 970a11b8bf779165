"""What a metric declares about itself is true: what it needs, what it offers, its scope."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import subprocess
import sys
import typing
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from over_metrics import (
    assert_close_counts,
    assert_same_result,
    each_metric,
    each_published,
    many_sentences,
    over_registry,
    result_of,
)
from registered import NAMES, READS_GOLD_ANYWAY, tolerance

from corrigenda import evaluate, metric
from corrigenda.analysis.explain import explain
from corrigenda.cli.detail_tables import detail_tables
from corrigenda.cli.tables import percent
from corrigenda.core import spec
from corrigenda.core.metric import LEVELS, Metric
from corrigenda.core.statistics import Statistics
from corrigenda.core.survey import Survey, add_up, give
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.edits import Annotation, Edit
from corrigenda.errors import MetricError, UsageError
from corrigenda.metrics import DEFAULTS, REGISTRY, metric_class
from small_corpora import Case, cases

BETAS = (0.0, 0.3, 1.0, 4.0)


def sample_part(sentences: int = 20) -> Case:
    """A part of the sample by one of its systems; enough for everything that is looked for here."""
    return Case(sample_corpus()[:sentences], sample_systems()[2][:sentences])


def counted(tested: Metric, part: Case, survey: Survey | None = None) -> Statistics:
    """The statistics; with a survey, as a part of a larger corpus."""
    if survey is not None:
        give(tested, part.corpus, part.hypotheses, survey)
    return tested.statistics(part.corpus, part.hypotheses, threads=1)


# What it needs.


def test_the_defaults_need_nothing_that_may_be_absent():
    def needs_nothing(each: type[Metric]) -> bool:
        return each.extra is None and not each.needs_service and not each.needs_all_systems

    assert list(DEFAULTS) == [name for name in REGISTRY if needs_nothing(metric_class(name))]


def test_extras_exist():
    known = set(importlib.metadata.metadata("corrigenda").get_all("Provides-Extra") or [])
    for name in NAMES:
        extra = metric_class(name).extra
        assert extra is None or set(extra.split(",")) <= known
        assert (extra is None) == (not metric_class(name).modules)


def test_metrics_without_a_model_load_none():
    """Neither torch nor spaCy, which take seconds."""
    names = [name for name in NAMES if not metric_class(name).needs_model]
    assert {"green", "m2"} <= set(names)
    program = (
        "import sys; from corrigenda import score\n"
        f"for name in {names}:\n"
        "    score(source=['a b'], hypothesis=['a c'], references=['a d'], metric=name)\n"
        "assert not {'torch', 'transformers', 'spacy', 'errant'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


@each_metric
def test_modules_in_use_are_declared(tested):
    assert set(tested.modules_in_use) <= set(tested.modules)
    if tested.modules_in_use:
        assert tested.needs_model


@each_published
def test_whether_other_systems_matter(tested):
    """The counts of a system alone are those among others, unless the metric says otherwise."""
    whole, others = sample_part(), [system[:20] for system in sample_systems()]
    (alone,) = evaluate(whole.corpus, [whole.hypotheses], [tested], threads=1)
    together = evaluate(sample_corpus()[:20], others, [tested], threads=1)
    among_others = next(each for each in together if each.system == alone.system)
    if tested.needs_all_systems:
        assert among_others.score != alone.score
    else:
        assert_same_result(alone, among_others)


@each_published
def test_edits_matter_to_metrics_that_need_edits(tested):
    """Two corpora with the same texts and other annotated edits."""
    source = ("he go to the school on Monday",)
    references = (("he goes to school on Monday", "he go to the schools on Mondays"),)
    apart = (
        Annotation(0, (Edit(1, 2, ("goes",), "R"), Edit(3, 4, ("",), "U"))),
        Annotation(1, (Edit(4, 5, ("schools",), "R"), Edit(6, 7, ("Mondays",), "R"))),
    )
    joined = (
        Annotation(0, (Edit(1, 4, ("goes to",), "R"),)),
        Annotation(1, (Edit(4, 7, ("schools on Mondays",), "R"),)),
    )
    output = [Hypotheses("ours", ("he goes to the school on Mondays",))]
    scores = [
        evaluate(Corpus(source, references, (gold,)), output, [tested], threads=1)[0].score
        for gold in (apart, joined)
    ]
    looks_at_edits = tested.needs_references == "edits" or tested.name in READS_GOLD_ANYWAY
    assert (scores[0] != scores[1]) == looks_at_edits


# Its scope.


@over_registry(whole=cases(max_sentences=5), cut=st.integers(0, 5))
def test_statistics_of_parts_are_those_of_the_whole(tested, whole, cut):
    """With scope `survey`, if every part knows the surveys of all parts."""
    if tested.scope == "corpus":
        return
    parts = [part for part in (whole.part(0, cut), whole.part(cut, 5)) if len(part.corpus)]
    survey: Survey | None = None
    if tested.scope == "survey":
        survey = {}
        for part in parts:
            add_up(survey, tested.survey(part.corpus, part.hypotheses, threads=1))
    together = counted(tested, whole.fresh())
    apart = [counted(tested, part, survey) for part in parts]
    assert_close_counts(tested, np.concatenate([part.counts for part in apart]), together.counts)
    references = np.concatenate([part.references for part in apart])
    np.testing.assert_array_equal(references, together.references)


@over_registry(whole=cases())
def test_a_sentence_alone_scores_what_it_scores_among_others(tested, whole):
    if tested.scope != "sentence":
        return
    together = result_of(tested, whole, "sentence").sentence_scores
    alone = [
        result_of(tested, whole.part(i, i + 1), "sentence").score for i in range(len(whole.corpus))
    ]
    assert_close_counts(tested, together, alone)


@each_metric
def test_other_sentences_matter_only_where_the_scope_says_so(tested):
    whole = many_sentences(12)
    together = counted(tested, whole).counts
    parts = [whole.part(i, i + 1) for i in range(len(whole.corpus))]
    alone = np.concatenate([counted(tested, part).counts for part in parts])
    allowed = tolerance(tested)
    same = np.isclose(alone, together, rtol=0, atol=10 * allowed).all()
    assert same == (tested.scope == "sentence")


@each_metric
def test_a_wide_scope_says_how_to_do_without(tested):
    if tested.scope != "sentence":
        assert tested.scope_remedy != Metric.scope_remedy.fget(tested)
    if tested.scope == "survey":
        assert tested.survey(*sample_part(3), threads=1)


# What it offers.


@over_registry(whole=cases())
def test_the_score_alone_is_that_of_the_measures(tested, whole):
    """`score` may be quicker than `measures`; it gives the same bits."""
    counts = counted(tested, whole).counts
    for level in LEVELS:
        for totals in (counts, counts.sum(axis=0)):
            np.testing.assert_array_equal(
                tested.score(totals, level), tested.measures(totals, level).score
            )


@each_metric
def test_precision_and_recall(tested):
    for level in LEVELS:
        measures = result_of(tested, sample_part(5), level).measures
        has_both = measures.precision is not None and measures.recall is not None
        assert has_both == ("precision-recall" in tested.offers)
    if tested.shows_precision_recall:
        assert "precision-recall" in tested.offers


@each_published
def test_beta(tested):
    """β changes the score on some corpus, or there is no such offer."""
    scores = set()
    if any(field.name == "beta" for field in dataclasses.fields(tested)):
        swept = [dataclasses.replace(tested, beta=beta) for beta in BETAS]
        scores = {result_of(each, sample_part()).score for each in swept}
    assert (len(scores) == len(BETAS)) == ("beta" in tested.offers)
    assert len(scores) in (0, 1, len(BETAS))


@each_metric
def test_types(tested):
    assert bool(result_of(tested, sample_part()).types) == ("types" in tested.offers)


@each_metric
def test_explain(tested):
    """Tables with headings, and with rows for a sentence with errors."""
    whole = sample_part(1)
    tables = explain(*whole, result_of(tested, whole, "sentence"))
    assert bool(tables) == ("explain" in tested.offers)
    for table in tables:
        assert all(len(row) == len(table.headers) for row in table.rows)
    assert any(table.rows for table in tables) == bool(tables)


@each_metric
def test_extract(tested):
    whole = sample_part(5)
    if "extract" not in tested.offers:
        with pytest.raises(UsageError, match=f"{tested.name} does not extract edits"):
            tested.compare(*whole, threads=1)
        return
    compared = tested.compare(*whole, threads=1)
    assert [sentence.source for sentence in compared] == list(whole.corpus.sources)
    assert any(comparison.edits for each in compared for comparison in each.comparisons)


# Its parameters.

WRONG_VALUES: dict[type, list[object]] = {
    bool: ["yes", 1, 0.5],
    int: ["3", 1.5, True, 2**40],
    float: ["3", True, float("nan"), float("inf")],
    str: [3, True, ["text"]],
}


def wrong_values(kind: Any) -> list[object]:
    """Values that a parameter of this type must refuse."""
    if spec.choices(kind):
        return ["nonsense", 3, True, ["nonsense"], {}]
    plain = next(each for each in (typing.get_args(kind) or (kind,)) if each is not type(None))
    optional = type(None) in typing.get_args(kind)
    return WRONG_VALUES[plain] + ([] if optional else [None])


FILLED_IN = ("green:n", "gleu:n", "pt-green:n")
"""Parameters whose default is None: it stands for a number that depends on the unit."""


@pytest.mark.parametrize("name", NAMES)
def test_parameters_of_wrong_types_are_refused(name):
    made = metric_class(name)
    kinds = typing.get_type_hints(made)
    for field in dataclasses.fields(made):
        public = spec.public_name(field.name)
        for value in wrong_values(kinds[field.name]):
            if value is None and f"{name}:{field.name}" in FILLED_IN:
                continue
            with pytest.raises(MetricError, match=f"{name}: {public} is"):
                made(**{field.name: value})


OUT_OF_RANGE = {
    "layer": -1,
    "similar": 1.5,
    "same_word": -1.5,
    "no_meaning": -1.5,
    "full_meaning": 1.5,
    "threshold": 1.5,
}
"""Layers are numbered from 0. The others are cosines, or shares of a text."""


@pytest.mark.parametrize("name", NAMES)
def test_parameters_out_of_range_are_refused(name):
    made = metric_class(name)
    for field in dataclasses.fields(made):
        if (wrong := OUT_OF_RANGE.get(field.name)) is not None:
            given = {"match": "soft"} if field.name == "similar" else {}
            with pytest.raises(MetricError, match=f"{name}: {field.name} is {wrong}"):
                made(**{field.name: wrong}, **given)


@pytest.mark.parametrize("name", NAMES)
def test_parameters_that_do_not_exist_are_refused(name):
    with pytest.raises(MetricError, match=f"{name} has no parameter 'nonsense'"):
        metric(f"{name}:nonsense=1")
    with pytest.raises(TypeError):
        metric_class(name)(nonsense=1)


def test_a_scorer_that_does_not_exist_is_refused():
    for name in ("pt-m2", "pt-errant"):
        with pytest.raises(MetricError, match=f"{name}: scorer is 'nonsense'"):
            metric_class(name)(scorer="nonsense")


# Every command can show it.


@each_metric
@pytest.mark.parametrize("level", LEVELS)
def test_all_counts_and_measures_can_be_shown(tested, level):
    """The tables of `score --details`: one row per system, with the score in the first table."""
    part = sample_part(6)
    other = dataclasses.replace(part.hypotheses, name="other")
    results = evaluate(part.corpus, [part.hypotheses, other], [tested], level=level, threads=1)
    tables = detail_tables(results)
    assert tables
    for table in tables:
        assert [len(row.cells) for row in table.rows] == [len(table.columns)] * 2
    (score,) = {percent(result.score) for result in results}
    assert all(score in row.cells for row in tables[0].rows)
