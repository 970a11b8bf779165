"""A bar under each edit: what it did to the score of its sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_page import ReportPage

from corrigenda import metric
from corrigenda.analysis.attribution import attribute
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.errors import MetricError
from corrigenda.report import ReportOptions, write_report
from corrigenda.scoring import evaluate

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SENTENCES = 6


@pytest.fixture(scope="module")
def parts():
    corpus = sample_corpus()[:SENTENCES]
    return corpus, [each[:SENTENCES] for each in sample_systems() if each.name == "eager"]


@pytest.fixture(scope="module")
def with_gains(parts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus, systems = parts
    path = tmp_path_factory.mktemp("gains") / "report.html"
    options = ReportOptions(resamples=10, attribute=metric("m2"))
    results = evaluate(corpus, systems, ["green"], health="off")
    write_report(path, corpus, systems, results, options=options)
    return path


def test_each_edit_has_the_value_of_the_attribution(driver, parts, with_gains: Path):
    corpus, (system,) = parts
    page = ReportPage(driver)
    page.open(with_gains)
    found = 0
    for number, sentence in enumerate(attribute(corpus, system, metric("m2")), 1):
        page.find(f"#sentence-{number} .opener").click()
        shown = page.texts(f"#detail-{number} .gain small")
        wanted = [f"{100 * each.value:+.1f}".replace("-", "−") for each in sentence.edits]
        assert [text.lstrip("+") for text in shown] == [text.lstrip("+") for text in wanted]
        assert all(text[0] in "+−0" for text in shown)
        found += len(shown)
    assert found > 3
    bars = page.script(
        "return [...document.querySelectorAll('.gain-bar rect')].map(e => e.getBoundingClientRect())"
    )
    assert len(bars) == found
    assert any(bar["width"] > 1 for bar in bars)
    # The bar is under the words of its edit.
    below = page.script(
        "return [...document.querySelectorAll('.with-gain')].map(e => "
        "e.querySelector('.gain').getBoundingClientRect().top"
        " - e.querySelector('.edit').getBoundingClientRect().top)"
    )
    assert min(below) > 8
    assert "add up to the change" in page.find("#method").text
    assert page.console() == []


def test_against_another_reference_no_value_is_shown(driver, with_gains: Path):
    page = ReportPage(driver)
    page.open(with_gains)
    page.choose("Edits against", "reference 2")
    chosen = page.script("return JSON.parse(document.querySelector('#corpus').textContent)")
    number = next(i for i, row in enumerate(chosen["compared_with"]) if row[0] != 1)
    page.find(f"#sentence-{number + 1} .opener").click()
    assert page.all(f"#detail-{number + 1} .systems .edit")
    assert not page.all(f"#detail-{number + 1} .gain")


def test_a_metric_without_sentence_scores_is_refused(parts, tmp_path: Path):
    corpus, systems = parts
    options = ReportOptions(resamples=10, attribute=metric("gotoscorer"))
    results = evaluate(corpus, systems, ["green"], health="off")
    with pytest.raises(MetricError, match="compares all systems"):
        write_report(tmp_path / "r.html", corpus, systems, results, options=options)
