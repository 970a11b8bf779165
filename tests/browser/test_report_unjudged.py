"""The report of a corpus without references, or with references for some sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_page import ReportPage

pytestmark = pytest.mark.browser


@pytest.fixture
def unjudged(driver, report_without_references: Path) -> ReportPage:
    page = ReportPage(driver)
    page.open(report_without_references)
    return page


@pytest.fixture
def partly_judged(driver, report_with_some_references: Path) -> ReportPage:
    page = ReportPage(driver)
    page.open(report_with_some_references)
    return page


def options(page: ReportPage, label: str) -> list[str]:
    return page.script(
        """const fields = [...document.querySelectorAll('#filters label.field')];
           const field = fields.find((node) => node.firstChild.textContent === arguments[0]);
           return field ? [...field.querySelectorAll('option')].map((o) => o.textContent) : []""",
        label,
    )


def test_the_page_says_that_there_are_no_references(unjudged: ReportPage):
    assert "no references" in unjudged.find("#facts").text
    assert "The corpus has no references" in unjudged.find("#method").text
    assert unjudged.console() == []


def test_there_are_no_columns_slices_or_filters_of_edits(unjudged: ReportPage):
    heads = [head.split()[0] for head in unjudged.texts("#leaderboard thead th")]
    assert heads == ["System", "Rank", "kept"]
    assert "P " not in unjudged.find("#leaderboard tbody").text
    assert unjudged.texts("#slices option")[0] == "length in words"
    assert "number of gold edits" not in unjudged.find("#slices").text
    assert options(unjudged, "Outcome") == ["any outcome", "outputs differ", "all outputs equal"]
    assert "references" not in options(unjudged, "Search in")
    assert options(unjudged, "Selected system") == options(unjudged, "Edits against") == []


def test_changes_are_shown_without_verdicts(unjudged: ReportPage):
    unjudged.find("#sentence-2 .opener").click()
    assert unjudged.all("#detail-2 .edit.changed")
    assert not unjudged.all("#detail-2 :is(.edit.correct, .edit.wrong, .edit.missed)")
    assert not unjudged.all("#detail-2 .references")
    assert {"no change", "1 change", "2 changes"} & set(unjudged.texts("#detail-2 .judged"))
    assert "right" not in unjudged.find("#list").text
    assert unjudged.console() == []


def test_only_sentences_with_references_have_verdicts(partly_judged: ReportPage):
    page = partly_judged
    assert "0 to 3 references per sentence" in page.find("#facts").text
    page.script("document.querySelectorAll('.opener').forEach((opener) => opener.click())")
    assert "This sentence has no references." in page.find("#detail-3").text
    assert page.all("#detail-3 .edit.changed")
    assert not page.all("#detail-3 :is(.edit.correct, .edit.wrong, .edit.missed)")
    assert page.all("#detail-2 .edit.missed")
    assert not page.all("#detail-2 .edit.changed")
    tallies = page.texts("#list .tally")
    assert [text.startswith("no references") for text in tallies[:4]] == [True, False, True, False]
    assert page.console() == []


def test_outcomes_keep_only_sentences_with_references(partly_judged: ReportPage):
    kept = 0
    for outcome in ("all systems wrong", "all systems right", "some systems right, some wrong"):
        partly_judged.choose("Outcome", outcome)
        kept += int(partly_judged.count().split()[0])
        assert all(number % 2 == 0 for number in partly_judged.listed())
    assert kept == 30
