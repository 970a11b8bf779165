"""The report in a real browser: it opens from disk, sorts, filters, and follows the keyboard."""

from __future__ import annotations

import pytest
from report_page import ReportPage
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser


def test_it_opens_from_disk_with_all_its_parts(page: ReportPage):
    assert page.find("h1").text == "The bundled sample"
    assert page.driver.title == "The bundled sample – Corrigenda report"
    for section in (
        "leaderboard",
        "significance",
        "scores",
        "scatter",
        "slices",
        "sentences",
        "method",
    ):
        assert page.find(f"#{section}-body").text, section
    assert page.count() == "All 60 sentences"
    assert page.script("return performance.getEntriesByType('resource').length") == 0


class TestLeaderboard:
    def order(self, page: ReportPage) -> list[str]:
        return page.texts("#leaderboard tbody th")

    def test_the_best_by_the_first_metric_is_first_and_marked(self, page: ReportPage):
        assert self.order(page)[0] == "strong"
        assert page.all("#leaderboard tbody tr:first-child td.best .star")

    def test_a_click_on_a_heading_sorts_and_a_second_one_reverses(self, page: ReportPage):
        page.all("#leaderboard thead button")[0].click()
        assert self.order(page) == sorted(self.order(page))
        assert page.all("#leaderboard thead th")[0].get_attribute("aria-sort") == "ascending"
        page.all("#leaderboard thead button")[0].click()
        assert self.order(page) == sorted(self.order(page), reverse=True)

    def test_scores_sort_as_numbers(self, page: ReportPage):
        heads = page.texts("#leaderboard thead th")
        column = next(place for place, head in enumerate(heads) if head.startswith("m2"))
        page.all("#leaderboard thead button")[column].click()
        cells = page.texts(f"#leaderboard tbody tr > :nth-child({column + 1}) .value")
        assert [float(cell) for cell in cells] == sorted(map(float, cells), reverse=True)

    def test_edit_metrics_show_precision_and_recall(self, page: ReportPage):
        heads = page.texts("#leaderboard thead th")
        row = page.texts("#leaderboard tbody tr:first-child > *")
        shown = {head.split()[0] for head, cell in zip(heads, row, strict=True) if "R " in cell}
        assert shown == {"m2", "imeasure"}
        assert "P 87.3 · R 72.7" in next(cell for cell in row if "83.92" in cell)


def test_the_matrix_follows_its_metric(page: ReportPage):
    def scores() -> list[str]:
        return page.texts("#significance .matrix tbody td:nth-child(2)")

    before = scores()
    page.choose("Metric", "m2", "#significance")
    assert scores() != before
    assert len(page.all("#significance .matrix tbody tr")) == 5
    assert page.all("#significance td.better")


def test_plots_are_drawn_and_named(page: ReportPage):
    names = [plot.get_attribute("aria-label") for plot in page.all("svg.plot")]
    assert "Scores by green" in names
    # People are on the horizontal axis, as in the figures of `corrigenda meta`.
    assert any(name.startswith("green against human scores") for name in names)
    assert any("by length in words" in name for name in names)
    assert page.texts("#scatter-body table tbody th")  # each metric's correlation with people


def test_a_system_can_be_left_out_of_the_correlation(page: ReportPage):
    assert "over 5 systems" in page.find("#scatter-body figcaption").text
    page.find(".counted summary").click()
    page.find(".counted input").click()
    assert "over 4 systems" in page.find("#scatter-body figcaption").text


class TestSlices:
    def test_kind_measure_and_pair_can_be_chosen(self, page: ReportPage):
        page.choose("Slices by", "error type", "#slices")
        page.choose("Measure", "recall of gold edits", "#slices")
        assert page.all("svg[aria-label='recall of gold edits by error type']")
        page.choose("● First system", "cautious", "#slices")
        heading = page.find("#slices h3").text
        assert heading.startswith("Where cautious beats")

    def test_a_slice_shows_its_sentences(self, page: ReportPage):
        button = page.find("#slices .tall button.link")
        row = button.find_element("xpath", "./ancestor::tr")
        expected = row.find_element("css selector", "td").text
        page.script("arguments[0].click()", button)
        assert page.count().startswith(f"{expected} of 60 ")


class TestFilters:
    def test_search_finds_words_of_any_text_or_of_one_kind(self, page: ReportPage):
        page.type_into("search", "AUNT teresa")
        assert page.listed() == [1]
        page.choose("Search in", "references")
        assert page.listed() == [1]

    def test_nothing_found_is_said(self, page: ReportPage):
        page.type_into("search", "no such words")
        assert page.count() == "0 of 60 sentences"
        assert page.texts("#list li") == ["No sentence matches these filters."]

    def test_outcomes(self, page: ReportPage):
        def numbers(outcome: str) -> int:
            page.choose("Outcome", outcome)
            text = page.count()
            return 60 if text.startswith("All") else int(text.split()[0])

        wrong, right = numbers("all systems wrong"), numbers("all systems right")
        disagree = numbers("some systems right, some wrong")
        assert wrong > 0
        assert disagree > 0
        assert wrong + right + disagree == 60
        assert numbers("outputs differ") + numbers("all outputs equal") == 60
        assert numbers("selected system wrong") + numbers("selected system right") == 60

    def test_all_systems_wrong_means_no_system_right(self, page: ReportPage):
        page.choose("Outcome", "all systems wrong")
        assert all(text.startswith("0 of 5 right") for text in page.texts("#list .tally"))

    def test_type_and_length(self, page: ReportPage):
        page.choose("error type", "Prep (13)")
        assert page.count() == "13 of 60 sentences"
        page.type_into("longest", "10")
        lengths = [len(text.split()) for text in page.texts("#list .opener .text")]
        assert 0 < len(lengths) < 13
        assert max(lengths) <= 10

    @pytest.mark.parametrize(
        ("order", "descending"), [("worst score first", False), ("best score first", True)]
    )
    def test_worst_and_best_by_a_metric_of_a_system(
        self, page: ReportPage, order: str, descending: bool
    ):
        page.choose("Order", order)
        page.choose("by metric", "m2")
        page.choose("of system", "eager")
        scores = [
            float(text.rsplit(" ", 1)[1].replace("−", "-")) for text in page.texts("#list .tally")
        ]
        assert scores == sorted(scores, reverse=descending)

    def test_reset(self, page: ReportPage):
        page.choose("Outcome", "all systems wrong")
        page.find(".found button").click()
        assert page.count() == "All 60 sentences"


class TestSentence:
    def test_it_opens_and_closes(self, page: ReportPage):
        opener = page.find("#sentence-2 .opener")
        opener.click()
        assert opener.get_attribute("aria-expanded") == "true"
        assert page.texts("#detail-2 .references dt") == ["Reference 1", "Reference 2"]
        assert sorted(page.texts("#detail-2 tbody th")) == sorted(
            ["strong", "cautious", "eager", "unchanged", "empty"]
        )
        opener.click()
        assert page.texts("#detail-2 *") == []

    def test_edits_are_correct_wrong_and_missed_by_more_than_colour(self, page: ReportPage):
        page.find("#sentence-2 .opener").click()
        for kind, mark in (("correct", "✓"), ("wrong", "✗"), ("missed", "○")):
            edits = page.all(f"#detail-2 .edit.{kind}")
            assert edits, kind
            assert edits[0].text.startswith(mark)
            assert kind in page.script("return arguments[0].textContent", edits[0])

    def test_edits_follow_the_reference_that_is_chosen(self, page: ReportPage):
        page.find("#sentence-2 .opener").click()
        page.choose("Edits against", "reference 2")
        assert all("against reference 2" in text for text in page.texts("#detail-2 .judged"))

    def test_each_metric_scores_each_system_and_names_its_reference(self, page: ReportPage):
        page.find("#sentence-2 .opener").click()
        metrics = page.texts("#detail-2 thead th")[2:]
        rows = page.all("#detail-2 tbody tr")
        assert all(
            len(row.find_elements("css selector", "td.number")) == len(metrics) for row in rows
        )
        assert {"r1", "r2"} & {text.split()[-1] for text in page.texts("#detail-2 .chosen")}

    def test_a_link_goes_to_a_sentence(self, driver, sample_report):
        opened = ReportPage(driver)
        opened.open(sample_report, "#sentence-43")
        assert opened.find("#sentence-43 .opener").get_attribute("aria-expanded") == "true"
        assert opened.console() == []

    def test_only_a_page_of_sentences_is_in_the_document(self, page: ReportPage):
        assert len(page.all("#list > li")) == 25
        page.find("button[aria-label='Last page']").click()
        assert page.listed() == list(range(51, 61))


class TestKeyboard:
    def test_slash_searches_and_escape_leaves(self, page: ReportPage):
        page.press("/")
        assert page.script("return document.activeElement.id") == "search"
        page.press("j")
        assert page.find("#search").get_attribute("value") == "j"
        page.press(Keys.ESCAPE)
        assert page.script("return document.activeElement.id") != "search"

    def focused(self, page: ReportPage) -> str:
        return page.script("return document.activeElement.parentElement.id")

    def test_j_and_k_walk_and_enter_opens(self, page: ReportPage):
        page.press("j", "j", "j", "k")
        assert self.focused(page) == "sentence-2"
        page.press_enter()
        assert page.find("#sentence-2 .opener").get_attribute("aria-expanded") == "true"
        page.press("j")
        assert self.focused(page) == "sentence-3"

    def test_walking_turns_the_page(self, page: ReportPage):
        page.press("n")
        assert self.focused(page) == "sentence-26"
        page.press("k")
        assert self.focused(page) == "sentence-25"

    def test_headings_sort_by_keyboard(self, page: ReportPage):
        page.script("document.querySelector('#leaderboard thead button').focus()")
        page.press_enter()
        assert page.all("#leaderboard thead th")[0].get_attribute("aria-sort") == "ascending"

    def test_the_list_of_keys(self, page: ReportPage):
        page.press("?")
        assert page.find("#keys").is_displayed()
        page.press(Keys.ESCAPE)
        assert not page.find("#keys").is_displayed()

    def test_the_focus_can_be_seen(self, page: ReportPage):
        page.press(Keys.TAB)
        style = page.script("return getComputedStyle(document.activeElement).outlineStyle")
        assert style == "solid"
