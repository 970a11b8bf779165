"""Metrics against humans: scores as those of `evaluate`, sweeps of β, agreement, reports."""

import dataclasses
import json

import numpy as np
import pytest

from corrigenda import Corpus, evaluate, metric
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.errors import CorrigendaError, MetricError, UsageError
from corrigenda.human.methods import METHODS
from corrigenda.judgments import Judgments, RankedOutput, Ranking
from corrigenda.meta import benchmark as benchmarks
from corrigenda.meta.analysis import analyse
from corrigenda.meta.choices import AGGREGATIONS, BENCHMARKS, HUMAN_SCORES
from corrigenda.meta.comparison import compare_metrics
from corrigenda.meta.curves import beta_curve
from corrigenda.meta.scores import metric_pairs, score_systems
from corrigenda.meta.sentence import sentence_agreement
from corrigenda.meta.settings import MetaSettings
from corrigenda.meta.sweep import sweep_beta
from corrigenda.metrics.green import Green
from reference_free import KeptWords, without_references

SPECIFICATIONS = (
    "green",
    "green:unit=char",
    "gleu:draws=9",
    "gleu:variant=paper,draws=9",
    "m2",
    "bleu",
    "imeasure",
)
BETAS = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)


@pytest.fixture(scope="module")
def sample():
    return benchmarks.load("sample")


@pytest.fixture(scope="module")
def scored(sample):
    metrics = [metric(text) for text in SPECIFICATIONS]
    found = score_systems(metrics, sample.corpus_for, sample.systems)
    return dict(zip(SPECIFICATIONS, found, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("specification", SPECIFICATIONS)
def test_scores_are_those_of_evaluate(scored, specification):
    corpus, systems = sample_corpus(), sample_systems()
    for level in ("corpus", "sentence"):
        expected = [
            result.score for result in evaluate(corpus, systems, [specification], level=level)
        ]
        assert scored[specification].level(level).tolist() == expected


def test_a_metric_sees_all_systems_before_the_first(sample, monkeypatch):
    """A parse or an encoding that two systems need is made once."""
    seen = []
    monkeypatch.setattr(
        Green, "prepare", lambda self, corpus, systems, threads: seen.append((len(corpus), systems))
    )
    monkeypatch.setattr(
        Green, "statistics", lambda self, corpus, hypotheses, threads: seen.append(hypotheses.name)
    )
    score_systems([metric("green")], sample.corpus_for, sample.systems)
    assert seen == [
        (len(sample.corpus), sample.systems),
        *(system.name for system in sample.systems),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize(
    "specification",
    ["green", "green:unit=char", "green:n=1", "m2", "m2:choice=optimal", "pt-m2:scorer=self"],
)
def test_a_sweep_equals_the_metric_with_each_beta(sample, level, specification):
    (entry,) = score_systems([metric(specification)], sample.corpus_for, sample.systems)
    swept = sweep_beta(entry, BETAS, level)
    for beta, row in zip(BETAS, swept, strict=True):
        changed = dataclasses.replace(entry.metric, beta=beta)
        expected = evaluate(sample.corpus_for(changed), sample.systems, [changed], level=level)
        assert row.tolist() == [result.score for result in expected]


def test_a_sweep_needs_a_beta(scored):
    with pytest.raises(MetricError, match="no β"):
        sweep_beta(scored["bleu"], BETAS)


def test_a_curve_is_the_correlation_for_each_beta(sample, scored):
    human = sample.human([system.name for system in sample.systems])
    curve = beta_curve(scored["green"], human, BETAS)
    assert curve[BETAS.index(2.0)] == pytest.approx(
        np.corrcoef(scored["green"].corpus, human)[0, 1]
    )


def test_metrics_judge_as_humans_do(scored):
    entry = scored["green"]
    pairs = metric_pairs(entry.sentences, entry.systems)
    assert len(pairs) == 10 * 60
    i, j = entry.systems.index("strong"), entry.systems.index("empty")
    assert pairs.wins()[i, j] == (entry.sentences[i] > entry.sentences[j]).sum()
    assert entry.aggregated("expected-wins").argmax() == i
    pytest.importorskip("scipy")
    assert entry.aggregated("trueskill", runs=5).argmax() == i


def judged(*rankings):
    return Judgments(
        tuple(
            Ranking(
                str(sentence),
                "x",
                tuple(RankedOutput((name,), rank) for name, rank in ranks.items()),
            )
            for sentence, ranks in rankings
        )
    )


def test_sentence_agreement_by_hand():
    sentences = np.array([[0.9, 0.1], [0.5, 0.1], [0.1, 0.7]])
    judgments = judged((1, {"A": 1, "B": 2, "C": 3}), (2, {"A": 1, "B": 2, "C": 1}))
    found = sentence_agreement(sentences, ["A", "B", "C"], judgments, first_sentence=1)
    # Sentence 1: three pairs are right. Sentence 2: the metric gives A and B equal scores, C before
    # B is right, and the judge ties A and C.
    assert (found.agree, found.disagree, found.ties) == (4, 0, 1)
    assert found.accuracy == 4 / 5
    assert found.tau == 1.0
    only = sentence_agreement(sentences[:2], ["A", "B"], judgments, first_sentence=1)
    assert only.decided == 2


def test_sentences_out_of_the_corpus_are_an_error():
    with pytest.raises(CorrigendaError, match="no sentence '2'"):
        sentence_agreement(np.zeros((2, 2)), ["A", "B"], judged((2, {"A": 1, "B": 2})))
    with pytest.raises(CorrigendaError, match="no sentence 'x'"):
        sentence_agreement(np.zeros((2, 2)), ["A", "B"], judged(("x", {"A": 1, "B": 2})))
    with pytest.raises(CorrigendaError, match=r"no sentence '9+\.\.\.9+'"):
        sentence_agreement(np.zeros((2, 2)), ["A", "B"], judged(("9" * 5000, {"A": 1, "B": 2})))


def test_analysis_of_the_sample(sample):
    settings = MetaSettings(
        aggregations=("corpus", "mean", "expected-wins"), resamples=50, window=3
    )
    report = analyse(sample, [metric("green"), metric("m2")], sample.subset(["base"]), settings)
    assert len(report.metrics) == 6
    check_data(report)
    assert {len(entry.windows["pearson"]) for entry in report.metrics} == {3}
    pytest.importorskip("scipy")
    for how in ("corpus", "mean"):
        ((pair, found),) = compare_metrics(report, how, permutations=50).pairs.items()
        assert pair == ("green", "m2")
        assert 0 < found.permutation_p <= 1
        assert 0 <= found.williams_p <= 1
        assert found.difference == pytest.approx(found.first - found.second)


def check_data(report):
    """The JSON has the documented keys, in their order."""
    data = json.loads(json.dumps(report.to_dict()))
    assert list(data) == [
        "benchmark", "references", "systems", "human", "metrics", "judged_pairs", "sentence_level",
    ]  # fmt: skip
    assert [entry["aggregation"] for entry in data["metrics"][:3]] == [
        "corpus", "mean", "expected-wins",
    ]  # fmt: skip
    first = data["metrics"][0]
    assert list(first) == [
        "metric", "aggregation", "scores", "ranks", "rank_difference", "pairwise", "standing",
        "pearson", "spearman", "kendall", "top_k", "windows",
    ]  # fmt: skip
    assert first["pearson"]["value"] > 0.9
    assert len(first["pearson"]["interval"]) == 2
    assert list(first["windows"]["kendall"][0]) == ["first", "last", "value"]
    assert list(data["sentence_level"]["green"]) == [
        "pairs_of", "agree", "disagree", "ties", "accuracy", "chance", "tau",
        "acc_eq", "acc_eq_chance", "epsilon",
    ]  # fmt: skip


class TestWithoutReferences:
    @pytest.fixture
    def own(self, sample):
        return benchmarks.from_parts(
            Corpus.from_lists(sample.corpus.sources), sample.systems, sample.judgments
        )

    def test_a_metric_that_needs_none(self, own):
        report = analyse(own, [KeptWords()], own.subset(["base"]), MetaSettings(resamples=10))
        (entry,) = report.metrics
        expected = evaluate(own.corpus, own.systems, [KeptWords()])
        assert entry.scores.tolist() == [result.score for result in expected]
        assert report.sentences["kept"].decided > 0

    def test_a_metric_that_needs_some_is_named(self, own):
        with pytest.raises(UsageError, match="m2 needs references, but the corpus has none"):
            analyse(own, [KeptWords(), metric("m2")], own.subset(["base"]))

    def test_one_sentence_without_references_is_named(self, sample):
        own = benchmarks.from_parts(without_references(every=100), sample.systems, sample.judgments)
        with pytest.raises(UsageError, match="green needs references, but sentence 1 has none"):
            analyse(own, [metric("green")], own.subset(["base"]))


def test_subsets_of_systems(sample):
    assert sample.subset(["nonempty"]) == ("strong", "cautious", "eager", "unchanged")
    assert sample.subset(["empty", "strong"]) == ("strong", "empty")
    with pytest.raises(UsageError, match="no system or subset '\\+fluency'"):
        sample.subset(["+fluency"])
    with pytest.raises(UsageError, match="says nothing"):
        analyse(sample, [metric("green")], ("strong", "empty"))
    with pytest.raises(UsageError, match="no published"):
        sample.human(["strong"], "published")
    with pytest.raises(UsageError, match="no benchmark"):
        benchmarks.load("wmt")


def test_judgments_of_other_outputs_are_noticed(sample):
    shifted = Judgments(
        tuple(
            Ranking(str(int(ranking.sentence) + 1), ranking.judge, ranking.outputs)
            for ranking in sample.judgments.rankings
        )
    )
    with pytest.raises(CorrigendaError, match="judged as one output"):
        benchmarks.from_parts(sample.corpus, sample.systems, shifted)
    whole = benchmarks.from_parts(sample.corpus, sample.systems, shifted, first_sentence=1)
    assert whole.subset(["all"]) == tuple(system.name for system in sample.systems)


def test_systems_that_were_not_judged_are_left_out(sample):
    renamed = [
        dataclasses.replace(system, name=f"my-{system.name}") for system in sample.systems[:1]
    ]
    with pytest.warns(UserWarning, match="my-strong"):
        found = benchmarks.from_parts(
            sample.corpus, [*sample.systems[1:], *renamed], sample.judgments
        )
    assert len(found.systems) == 4
    with pytest.raises(CorrigendaError, match="3 are needed"):
        benchmarks.from_parts(sample.corpus, renamed, sample.judgments)


def test_every_ranking_method_can_rank_metrics_and_humans(sample, scored):
    """A new method needs no code in the meta-evaluation."""
    pytest.importorskip("scipy")
    names = [system.name for system in sample.systems]
    for how in METHODS:
        assert how in AGGREGATIONS
        assert how in HUMAN_SCORES
        assert scored["green"].aggregated(how, runs=3).argmax() == names.index("strong")
        assert sample.human(names, how, runs=3).argmax() == names.index("strong")
    with pytest.raises(UsageError, match="no ranking method 'dice'"):
        scored["green"].aggregated("dice")


def test_the_benchmarks_have_names_and_loaders():
    assert tuple(benchmarks._LOADERS) == BENCHMARKS
    with pytest.raises(UsageError, match="no benchmark 'dice'"):
        benchmarks.load("dice")
