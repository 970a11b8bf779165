"""A report on a corpus with no references, or with references for some sentences only."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from corrigenda.corpus import Corpus
from corrigenda.data import sample_systems
from corrigenda.edits import Edit, apply_edits
from corrigenda.report import ReportOptions, report
from corrigenda.scoring import evaluate
from corrigenda.text.units import normalise
from reference_free import KeptWords, without_references

OPTIONS = ReportOptions(resamples=50)


@cache
def data(every: int) -> tuple[dict, dict]:
    corpus, systems = without_references(every), sample_systems()
    html = report(corpus, systems, evaluate(corpus, systems, [KeptWords()]), options=OPTIONS)
    found = re.findall(r'<script type="application/json" id="\w+">(.*?)</script>', html, re.DOTALL)
    summary, sentences = (json.loads(block) for block in found)
    return summary, sentences


def test_without_references_there_is_no_gold_and_no_count_of_edits():
    summary, sentences = data(1)
    assert summary["references"] == [0, 0]
    assert summary["gold"] is None
    assert summary["columns"] == []
    assert [column["title"] for column in summary["metrics"][0]["columns"]] == ["Rank", "kept"]
    assert [slicing["by"] for slicing in summary["slicings"]] == ["length"]
    assert sentences["chosen"] == [None]
    assert sentences["gold"] == sentences["compared_with"] == [[]] * 60


def test_scores_and_tests_are_there_without_references():
    metric = data(1)[0]["metrics"][0]
    assert metric["scores"][3] == 1.0  # the unchanged output keeps all words
    assert metric["scores"][4] == 0.0  # the empty output keeps none
    assert len(metric["p"]) == 10


@pytest.mark.parametrize("every", [1, 3])
def test_a_sentence_without_references_has_changes_without_verdicts(every: int):
    _, sentences = data(every)
    for system, hypotheses in enumerate(sample_systems()):
        for index in range(0, 60, every):
            row = sentences["outputs"][index][sentences["output_of"][index][system]]
            text, edits, changes = row
            assert text == normalise(hypotheses.sentences[index])
            assert edits == []
            made = [Edit(start, end, (correction,)) for start, end, correction in changes]
            assert " ".join(apply_edits(sentences["sources"][index].split(), made)) == text


def test_with_references_for_some_sentences_only_these_are_judged():
    summary, sentences = data(3)
    assert summary["references"] == [0, 3]
    assert summary["gold"] == "annotated"
    for index, references in enumerate(sentences["references"]):
        judged = index % 3 != 0
        assert bool(references) == judged
        assert len(sentences["gold"][index]) == len(references)
        assert len(sentences["compared_with"][index]) == (5 if judged else 0)
        for output in sentences["outputs"][index]:
            assert len(output) == (2 if judged else 3)
    by_edits = next(slicing for slicing in summary["slicings"] if slicing["by"] == "edits")
    assert sum(by_edits["counts"]) == 40  # a sentence without references is in no such slice


def test_the_edits_of_judged_sentences_are_those_of_a_corpus_of_these_alone():
    whole = without_references(3)
    judged = [index for index in range(60) if index % 3]
    part = Corpus(
        tuple(whole.sources[index] for index in judged),
        tuple(whole.references[index] for index in judged),
        tuple(whole.gold[index] for index in judged),
    )
    systems = [
        type(system)(system.name, tuple(system.sentences[index] for index in judged))
        for system in sample_systems()
    ]
    html = report(part, systems, evaluate(part, systems, [KeptWords()]), options=OPTIONS)
    summary = json.loads(re.search(r'id="summary">(.*?)</script>', html, re.DOTALL)[1])
    assert [column["title"] for column in summary["columns"]] == [
        "✓ correct",
        "✗ wrong",
        "○ missed",
    ]
    assert data(3)[0]["columns"] == summary["columns"]
