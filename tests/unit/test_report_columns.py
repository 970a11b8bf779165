"""The columns of the leaderboard: their values, and one that is added in Python alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

import pytest

from corrigenda.analysis.all_pairs import rank_ranges
from corrigenda.corpus import Corpus
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.report import ReportOptions, columns, report
from corrigenda.report.resampling import square
from corrigenda.report.schema import ColumnKind, LeaderboardColumn
from corrigenda.report.schema_files import FOLDER
from corrigenda.report.standings import Standings
from corrigenda.scoring import evaluate
from reference_free import KeptWords, without_references

OPTIONS = ReportOptions(resamples=50)


def summary(metrics: list, systems: int = 5, corpus: Corpus | None = None) -> dict:
    corpus, hypotheses = corpus or sample_corpus(), sample_systems()[:systems]
    html = report(corpus, hypotheses, evaluate(corpus, hypotheses, metrics), options=OPTIONS)
    return json.loads(re.search(r'id="summary">(.*?)</script>', html, re.DOTALL)[1])


def titles(found: list[dict]) -> list[str]:
    return [column["title"] for column in found]


def test_each_metric_has_its_score_and_edit_metrics_have_precision_and_recall():
    data = summary(["green", "m2"])
    green, m2 = (metric["columns"] for metric in data["metrics"])
    assert titles(green) == ["Rank", "green"]
    assert titles(m2) == ["m2", "P", "R"]
    assert titles(data["columns"]) == ["✓ correct", "✗ wrong", "○ missed"]
    results = evaluate(sample_corpus(), sample_systems(), ["m2"])
    assert m2[1]["values"] == [round(result.precision, 6) for result in results]
    assert m2[2]["values"] == [round(result.recall, 6) for result in results]
    assert m2[1]["under"] is m2[2]["under"] is True


def test_the_column_says_that_gold_was_extracted():
    texts = replace(sample_corpus(), gold=None, errors=None)
    green, m2 = (metric["columns"] for metric in summary(["green", "m2"], corpus=texts)["metrics"])
    assert titles(green) == ["Rank", "green"]
    assert titles(m2) == ["m2 (extracted)", "P", "R"]
    assert "published scores use annotated edits" in m2[0]["note"]


def test_ranks_are_those_of_the_tests_of_the_first_metric():
    data = summary(["green", "m2"])
    first = data["metrics"][0]
    ranks = rank_ranges(first["scores"], square(first["p"], 5, 1.0))
    assert first["columns"][0]["values"] == [list(ranges) for ranges in ranks]


def test_scores_are_stored_once():
    for metric in summary(["green", "m2"])["metrics"]:
        score = next(column for column in metric["columns"] if column["kind"] == "score")
        assert "values" not in score


def test_a_single_system_has_no_rank():
    assert titles(summary(["m2"], systems=1)["metrics"][0]["columns"]) == ["m2", "P", "R"]


def test_without_references_there_are_no_columns_of_edits():
    data = summary([KeptWords()], corpus=without_references())
    assert titles(data["metrics"][0]["columns"]) == ["Rank", "kept"]
    assert data["columns"] == []


@pytest.mark.slow
def test_every_column_says_what_it_means_and_has_a_value_for_each_system():
    data = summary(["green", "m2", "imeasure"])
    for column in [*data["columns"], *(c for metric in data["metrics"] for c in metric["columns"])]:
        assert column["note"]
        assert len(column.get("values", data["systems"])) == len(data["systems"])


def test_the_page_shows_every_kind():
    script = (FOLDER / "leaderboard.js").read_text(encoding="utf-8")
    kinds = re.search(r"COLUMN_KINDS = \{\n(.*?)\n\};", script, re.DOTALL)[1]
    assert re.findall(r"^  (\w+):", kinds, re.MULTILINE) == list(get_args(ColumnKind))


def test_a_new_column_is_one_function_in_a_list(monkeypatch: pytest.MonkeyPatch):
    def width(standings: Standings) -> Iterator[LeaderboardColumn]:
        widths = [high - low for low, high in zip(standings.low, standings.high, strict=True)]
        yield LeaderboardColumn("width", "how wide the interval is", "fraction", list(widths))

    monkeypatch.setattr(columns, "METRIC_COLUMNS", (*columns.METRIC_COLUMNS, width))
    metrics = summary(["green", "bleu"])["metrics"]
    assert [titles(metric["columns"])[-1] for metric in metrics] == ["width", "width"]
    assert metrics[0]["columns"][-1]["values"] != metrics[1]["columns"][-1]["values"]


@pytest.mark.slow
@pytest.mark.parametrize("values", [None, [], [1, 2, 3, 4]])
def test_a_column_needs_one_value_per_system(monkeypatch: pytest.MonkeyPatch, values: list | None):
    def short(_: object) -> Iterator[LeaderboardColumn]:
        yield LeaderboardColumn("size", "how large it is", "count", values)

    for name in ("METRIC_COLUMNS", "SYSTEM_COLUMNS"):
        with monkeypatch.context() as patch:
            patch.setattr(columns, name, (*getattr(columns, name), short))
            with pytest.raises(ValueError, match=r"column size: \d values for 5 systems"):
                summary(["bleu"])
