"""The report with wide characters and text from right to left."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_page import ReportPage

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import language_corpus, language_systems
from corrigenda.report import ReportOptions, write_report
from corrigenda.scoring import evaluate

pytestmark = pytest.mark.browser
NAMES = ("النظام الأول", "系统二")


@pytest.fixture(scope="module")
def arabic_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus: Corpus = language_corpus("ar")
    systems = [
        Hypotheses(name, system.sentences)
        for name, system in zip(NAMES, language_systems("ar"), strict=True)
    ]
    path = tmp_path_factory.mktemp("arabic") / "report.html"
    results = evaluate(corpus, systems, ["green", "errant:edits=any"])
    write_report(path, corpus, systems, results, options=ReportOptions(resamples=20))
    return path


SIDES = """
const rows = [...document.querySelectorAll("table.sortable tbody tr")].slice(0, 2);
return rows.map((row) => [...row.querySelectorAll("td.number")].map(
  (cell) => Math.round(cell.getBoundingClientRect().right)));
"""
DIRECTION = """
const text = document.querySelector(".opener .text");
const range = document.createRange();
const node = document.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode();
const side = (place) => {
  range.setStart(node, place); range.setEnd(node, place + 1);
  return range.getBoundingClientRect().left;
};
return [getComputedStyle(text).unicodeBidi, side(0) > side(3)];
"""


def test_numbers_stand_below_each_other(page: ReportPage, arabic_report: Path) -> None:
    page.open(arabic_report)
    first, second = page.script(SIDES)
    assert first
    assert first == second


def test_arabic_runs_from_right_to_left(page: ReportPage, arabic_report: Path) -> None:
    page.open(arabic_report)
    assert page.script(DIRECTION) == ["plaintext", True]
