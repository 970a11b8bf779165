"""The two calls that most users need, and their messages after a mistake."""

from __future__ import annotations

import pytest

from corrigenda import Corpus, CorrigendaError, Hypotheses, evaluate, metric, score
from corrigenda.core import evaluate as evaluation
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.errors import AlignmentError, FormatError, Location, MetricError
from corrigenda.metrics import default_metrics

SOURCE = ["I has a dog .", "He go home ."]
REFERENCES = [["I have a dog .", "He goes home ."], ["I had a dog .", "He went home ."]]
HYPOTHESIS = ["I have a dog .", "He go home ."]


def corpus() -> Corpus:
    return Corpus.from_lists(SOURCE, REFERENCES, references_by="text")


def test_score_is_evaluate_of_one_system():
    single = score(
        source=SOURCE, hypothesis=HYPOTHESIS, references=REFERENCES, references_by="text"
    )
    (result,) = evaluate(corpus(), {"hypothesis": HYPOTHESIS}, ["green"])
    assert single == result
    assert single.system == "hypothesis"
    assert single.metric == metric("green")


def test_results_come_system_by_system():
    systems = {"b": HYPOTHESIS, "a": SOURCE}
    results = evaluate(corpus(), systems, ["bleu", metric("green")])
    assert [(result.system, str(result.metric)) for result in results] == [
        ("b", "bleu"), ("b", "green"), ("a", "bleu"), ("a", "green"),
    ]  # fmt: skip


def test_systems_may_be_hypotheses():
    listed = [Hypotheses("a", tuple(HYPOTHESIS))]
    assert evaluate(corpus(), listed, ["green"]) == evaluate(corpus(), {"a": HYPOTHESIS}, ["green"])


def test_a_perfect_system_scores_one():
    for reference in REFERENCES:
        result = score(
            source=SOURCE, hypothesis=reference, references=REFERENCES, references_by="text"
        )
        assert (result.score, result.precision, result.recall) == (1.0, 1.0, 1.0)


def test_scores_are_fractions_and_precision_is_there_where_it_is_defined():
    (green, bleu) = evaluate(corpus(), {"a": HYPOTHESIS}, ["green", "bleu"])
    assert 0 < green.score < 1
    assert green.recall is not None
    assert bleu.recall is None


def test_sentences_that_were_not_kept():
    (result,) = evaluate(corpus(), {"a": HYPOTHESIS}, ["green"], keep_statistics=False)
    with pytest.raises(CorrigendaError, match="keep_statistics=True"):
        list(result.sentences())


def test_counts_that_differ_name_every_system():
    systems = {"short": HYPOTHESIS[:1], "right": HYPOTHESIS, "long": [*HYPOTHESIS, "x"]}
    with pytest.raises(AlignmentError) as caught:
        evaluate(corpus(), systems, ["green"])
    assert all(
        part in str(caught.value) for part in ("source: 2", "short: 1", "right: 2", "long: 3")
    )
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"metrics": "green"}, MetricError),
        ({"metrics": metric("green")}, MetricError),
        ({"metrics": ["gren"]}, MetricError),
        ({"level": "word"}, MetricError),
        ({"systems": {"a": "one string"}}, FormatError),
        ({"systems": {"a": ["x\ny", "z"]}}, FormatError),
        ({"systems": {"a": ["x", None]}}, FormatError),
    ],
)
def test_mistakes_are_users_errors(change, error):
    arguments = {"systems": {"a": HYPOTHESIS}, "metrics": ["green"], **change}
    with pytest.raises(error):
        evaluate(corpus(), **arguments)


def test_nothing_to_score():
    with pytest.raises(CorrigendaError, match="no sentences"):
        evaluate(Corpus.from_lists([], [[]]), {"a": []}, ["green"])
    assert evaluate(corpus(), {}, ["green"]) == []
    assert evaluate(corpus(), {"a": HYPOTHESIS}, []) == []


@pytest.mark.slow
def test_a_long_corpus_is_cut_into_blocks_unnoticed(monkeypatch):
    whole = evaluate(sample_corpus(), sample_systems(), default_metrics())
    monkeypatch.setattr(evaluation, "BLOCK_SENTENCES", 7)
    in_blocks = evaluate(sample_corpus(), sample_systems(), default_metrics())
    assert [r.to_dict(per_sentence=True) for r in in_blocks] == [
        r.to_dict(per_sentence=True) for r in whole
    ]


def test_an_error_says_what_where_and_what_to_do():
    error = CorrigendaError("it is broken", at=Location("file.txt", 3), remedy="Mend it.")
    assert str(error) == "file.txt:3: it is broken\n  Mend it."
    assert str(CorrigendaError("it is broken", at=Location("file.txt"))) == "file.txt: it is broken"
    assert str(CorrigendaError("it is broken")) == "it is broken"
