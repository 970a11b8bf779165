"""Slices and reports by ERRANT's error types."""

from __future__ import annotations

import json
import re

from corrigenda.analysis.slices import by_type, errant_edits, slices_by
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import sample_corpus
from corrigenda.report import ReportOptions, report
from corrigenda.scoring import evaluate
from errant_model import cache, errant_ready, model  # noqa: F401


def test_reference_texts_get_types(errant_ready):  # noqa: F811
    corpus = Corpus.from_lists(
        ["He go home .", "It is fine ."], [["He goes home .", "It is fine ."]], references_by="text"
    )
    slices = by_type(corpus, gold=errant_edits(corpus))
    assert [(part.label, part.sentences.tolist()) for part in slices] == [("R:VERB:SVA", [0])]
    assert [part.label for part in by_type(corpus, 2, errant_edits(corpus))] == ["VERB:SVA"]


def test_without_references_there_are_no_edits(errant_ready):  # noqa: F811
    corpus = Corpus.from_lists(["He go home ."])
    assert errant_edits(corpus) == ((),)
    assert [part.label for part in slices_by(corpus, "length", gold=errant_edits(corpus))] == [
        "≤10"
    ]


def test_annotated_edits_stay_as_many_and_get_new_types(errant_ready):  # noqa: F811
    corpus = sample_corpus()
    typed = errant_edits(corpus)
    numbers = [[len(annotation.edits) for annotation in sentence] for sentence in corpus.gold]
    assert [[len(edits) for edits in sentence] for sentence in typed] == numbers
    assert all(part.label[1] == ":" or part.label == "UNK" for part in by_type(corpus, gold=typed))


def test_a_report_by_errant_has_types_of_wrong_edits(errant_ready):  # noqa: F811
    corpus = Corpus.from_lists(["He go home ."], [["He goes home ."]], references_by="text")
    systems = [Hypotheses("x", ("He goes home today .",)), Hypotheses("y", ("He go home .",))]
    html = report(
        corpus,
        systems,
        evaluate(corpus, systems, ["m2"]),
        options=ReportOptions(resamples=10, extractor="errant"),
    )
    summary, sentences = (
        json.loads(block) for block in re.findall(r'json" id="\w+">(.*?)</script>', html)
    )
    assert summary["slicings"][2]["labels"] == ["R:VERB:SVA"]
    made = [[1, 2, "goes", 0], [3, 3, "today", -1, "M:NOUN"]]
    assert sentences["outputs"][0][0] == ["He goes home today .", [made]]
