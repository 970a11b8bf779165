"""The human ceiling below the leaderboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_page import ReportPage

from corrigenda import metric
from corrigenda.analysis.ceiling import ceilings
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.report import ReportOptions, write_report
from corrigenda.scoring import evaluate
from reference_free import KeptWords

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_people_and_systems_against_the_same_references(driver, tmp_path: Path):
    corpus = sample_corpus()[:12]
    systems = [each[:12] for each in sample_systems() if each.name in ("strong", "eager")]
    metrics = [metric("green"), KeptWords(), metric("m2")]
    results = evaluate(corpus, systems, metrics, health="off")
    path = tmp_path / "report.html"
    options = ReportOptions(resamples=10, ceiling=True)
    write_report(path, corpus, systems, results, options=options)
    page = ReportPage(driver)
    page.open(path)
    green, m2 = ceilings(corpus, systems, [metrics[0], metrics[2]])
    rows = {
        cells[0]: cells[1:]
        for cells in page.script(
            "return [...document.querySelectorAll('#ceiling ~ .scroll tbody tr')]"
            ".map(row => [...row.cells].map(cell => cell.innerText))"
        )
    }
    wanted = {"human ceiling": [green.human, m2.human]} | {
        system.name: [green.systems[system.name], m2.systems[system.name]] for system in systems
    }
    assert rows.keys() == wanted.keys()
    for name, (first, second) in wanted.items():
        # A metric without references has no ceiling.
        assert rows[name] == [f"{100 * first:.2f}", "–", f"{100 * second:.2f}"]
    assert page.console() == []


def test_without_being_asked_there_is_none(driver, sample_report: Path):
    page = ReportPage(driver)
    page.open(sample_report)
    assert not page.all("#ceiling")
