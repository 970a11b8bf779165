"""Rank averages: ranks by hand, only among the systems of one run."""

from __future__ import annotations

import pytest

from corrigenda import evaluate, metric
from corrigenda.analysis.explain import explain
from corrigenda.cli import main
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.errors import MetricError, UsageError
from corrigenda.metrics import default_metrics

MEMBERS = ("green", "m2:beta=1", "bleu")
TESTED = "rank-average:green+m2:beta=1+bleu"


def standing(scores: list[float]) -> list[float]:
    return [
        sum((other < own) + (other == own) / 2 for other in scores[:i] + scores[i + 1 :])
        / (len(scores) - 1)
        for i, own in enumerate(scores)
    ]


@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_it_is_the_mean_rank(level):
    systems = sample_systems()
    found = evaluate(sample_corpus(), systems, [TESTED], level=level)
    by_metric = [evaluate(sample_corpus(), systems, [name], level=level) for name in MEMBERS]
    if level == "corpus":
        columns = [standing([result.score for result in results]) for results in by_metric]
        expected = [sum(column) / 3 for column in zip(*columns, strict=True)]
    else:
        expected = [0.0] * len(systems)
        for results in by_metric:
            of_sentences = [result.sentence_scores.tolist() for result in results]
            for scores in zip(*of_sentences, strict=True):
                for place, value in enumerate(standing(list(scores))):
                    expected[place] += value / 3 / 60
    assert [result.score for result in found] == pytest.approx(expected)


def test_the_best_and_the_worst():
    found = {r.system: r.score for r in evaluate(sample_corpus(), sample_systems(), [TESTED])}
    assert max(found, key=found.get) == "strong"
    assert min(found, key=found.get) == "empty"


def test_it_holds_only_among_the_systems_of_a_run():
    systems = sample_systems()
    whole = evaluate(sample_corpus(), systems, [TESTED])
    part = evaluate(sample_corpus(), systems[:2], [TESTED])
    assert "|systems:5|" in whole[0].signature
    assert "|systems:2|" in part[0].signature
    assert "metrics:green+m2(beta=1+bleu|" in whole[0].signature
    assert sorted(result.score for result in part) == [0.0, 1.0]
    with pytest.raises(UsageError, match="only one is given"):
        evaluate(sample_corpus(), systems[:1], [TESTED])


def test_its_text():
    assert metric(TESTED) == metric("rank-average:metrics=green+m2:beta=1+bleu")
    assert metric(str(metric(TESTED))) == metric(TESTED)
    assert metric("rank-average") == metric("rank-average:green+m2")
    for wrong in ("rank-average:green+nonsense", "rank-average:green+rank-average"):
        with pytest.raises(MetricError):
            metric(wrong)
    assert all(not each.needs_all_systems for each in default_metrics())


def test_command_and_explanation(capsys):
    files = [str(SAMPLE / f"{name}.txt") for name in ("strong", "eager")]
    corpus = ["--gold", str(SAMPLE / "gold.m2"), "--hyps", *files]
    assert main(["score", *corpus, "-m", TESTED, "-f", "csv"]) == 0
    assert "strong" in capsys.readouterr().out
    part, systems = sample_corpus()[:1], [system[:1] for system in sample_systems()]
    result, *_ = evaluate(part, systems, [TESTED], level="sentence")
    (table,) = explain(part, systems[0], result)
    assert [row[0].text for row in table.rows] == list(MEMBERS)
