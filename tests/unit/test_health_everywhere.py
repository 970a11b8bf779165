"""One examination for scores, rewards and reports; presets and labels say what a number is."""

from __future__ import annotations

import pickle
import warnings

import pytest

import corrigenda
from corrigenda.analysis.foreign_types import foreign_types, with_types
from corrigenda.cli.leaderboard import leaderboard
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.edits import Annotation, Edit
from corrigenda.errors import UsageError
from corrigenda.health.finding import HealthWarning, findings_of
from corrigenda.metrics import metric
from corrigenda.report import ReportOptions, write_report


@pytest.fixture(scope="module")
def text_corpus() -> Corpus:
    corpus = sample_corpus()
    return Corpus(corpus.sources, tuple(each[:2] for each in corpus.references))


@pytest.fixture(scope="module")
def outputs() -> dict[str, tuple[str, ...]]:
    return {system.name: system.sentences for system in sample_systems()}


def test_results_have_the_findings_of_their_system(
    text_corpus: Corpus, outputs: dict[str, tuple[str, ...]]
) -> None:
    damaged = {
        "upper": [line.upper() for line in outputs["strong"]],
        "strong": list(outputs["strong"]),
    }
    with pytest.warns(HealthWarning, match="upper: case: 60 of 60 lines") as said:
        results = corrigenda.evaluate(text_corpus, damaged, ["green", "bleu"])
    assert len(said) == 1
    assert [[each.code for each in result.health] for result in results] == [
        ["case"], ["case"], [], [],
    ]  # fmt: skip
    assert len(findings_of(results)) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quiet = corrigenda.evaluate(text_corpus, damaged, ["green", "bleu"], health="quiet")
        off = corrigenda.evaluate(text_corpus, damaged, ["green", "bleu"], health="off")
    assert [result.health for result in quiet] == [result.health for result in results]
    assert not findings_of(off)
    assert [result.score for result in off] == [result.score for result in results]


def test_a_reward_says_each_thing_once(
    text_corpus: Corpus, outputs: dict[str, tuple[str, ...]]
) -> None:
    reward = corrigenda.reward("green:short=available")
    batch = (text_corpus.sources, [f"<s> {each}" for each in outputs["strong"]],
             text_corpus.references)  # fmt: skip
    with pytest.warns(HealthWarning, match="markup") as said:
        scores = reward(*batch)
    assert len(said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (reward(*batch) == scores).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        silent = corrigenda.reward("green:short=available", health=False)
        assert (silent(*batch) == scores).all()
    assert pickle.loads(pickle.dumps(silent)).health is False


def test_the_report_has_a_box(
    tmp_path, text_corpus: Corpus, outputs: dict[str, tuple[str, ...]]
) -> None:
    systems = [Hypotheses(name, outputs[name]) for name in ("strong", "unchanged")]
    results = corrigenda.evaluate(text_corpus, systems, ["green"], health="quiet")
    path = tmp_path / "report.html"
    write_report(path, text_corpus, systems, results, options=ReportOptions(resamples=20))
    page = path.read_text(encoding="utf-8")
    assert '"health":[{"subject":"unchanged","code":"unchanged"' in page


def test_the_column_says_which_gold(text_corpus: Corpus) -> None:
    strong = [each for each in sample_systems() if each.name == "strong"]
    extracted = leaderboard(corrigenda.evaluate(text_corpus, strong, ["m2", "green"]))
    annotated = leaderboard(corrigenda.evaluate(sample_corpus(), strong, ["m2", "green"]))
    assert [column.heading for column in extracted.columns][1] == "m2 (extracted)"
    assert any("published scores use annotated edits" in note for note in extracted.notes)
    assert [column.heading for column in annotated.columns][1] == "m2"
    assert len(annotated.notes) == 1


def test_foreign_gold_edits_get_the_types_of_the_metric() -> None:
    def gold(kind: str) -> Corpus:
        edits = (Edit(1, 2, ("goes",), kind),)
        return Corpus(("He go .",), (("He goes .",),), ((Annotation(0, edits),),))

    assert foreign_types(gold("SVA")) == ["SVA"]
    assert not foreign_types(gold("R:VERB:SVA"))
    assert with_types(metric("errant")).gold == "retyped"  # type: ignore[attr-defined]
    assert with_types(metric("errant:gold=annotated")) == metric("errant:gold=annotated")
    assert with_types(metric("green")) == metric("green")


def test_a_choice_that_does_not_exist(text_corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="health is False"):
        corrigenda.evaluate(text_corpus, {"a": text_corpus.sources}, ["green"], health=False)


@pytest.mark.parametrize(
    ("level", "short", "found"),
    [("corpus", 40, True), ("corpus", 10, False), ("sentence", 10, True), ("sentence", 0, False)],
)
def test_many_short_sentences_are_said(level, short, found):
    source = ["I goes ."] * short + ["She like to read a book ."] * (60 - short)
    corpus = Corpus.from_lists(source, [line.replace("goes", "go") for line in source])
    (result,) = corrigenda.evaluate(corpus, {"a": source}, ["green"], level=level, health="quiet")
    assert ("short-sentences" in {each.code for each in result.health}) == found
    available = ["green:short=available"]
    (result,) = corrigenda.evaluate(corpus, {"a": source}, available, level=level, health="quiet")
    assert "short-sentences" not in {each.code for each in result.health}
