"""Light, dark, wide, narrow, on paper; names for assistive technology."""

from __future__ import annotations

import itertools

import pytest
from report_page import ReportPage

pytestmark = pytest.mark.browser


def luminance(colour: tuple[int, ...]) -> float:
    """The relative luminance of the Web Content Accessibility Guidelines."""
    parts = [part / 255 for part in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_dark_mode_follows_the_system_and_the_button(page: ReportPage):
    page.prefer("light")
    assert luminance(page.colour("body", "backgroundColor")) > 0.8
    page.prefer("dark")
    assert luminance(page.colour("body", "backgroundColor")) < 0.05
    page.find("#theme").click()  # from automatic to light
    assert luminance(page.colour("body", "backgroundColor")) > 0.8
    page.find("#theme").click()
    page.prefer("light")
    assert luminance(page.colour("body", "backgroundColor")) < 0.05


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(page: ReportPage, scheme: str):
    page.prefer(scheme)
    page.find("#sentence-2 .opener").click()
    for selector in (".edit.correct", ".edit.wrong", ".edit.missed", "td.better", "td.worse"):
        assert contrast(page.colour(selector), page.colour(selector, "backgroundColor")) >= 4.5, (
            selector
        )
    sheet = page.colour("#list", "backgroundColor")
    for selector in (".tally", ".judged", ".chosen", ".opener .text", "#slices .link", ".interval"):
        assert contrast(page.colour(selector), sheet) >= 4.5, selector


def test_only_tables_scroll_sideways(page: ReportPage):
    page.find("#sentence-2 .opener").click()
    for width in (320, 390, 768, 1280, 1920):
        page.screen(width, 800)
        assert page.script("return document.documentElement.scrollWidth") <= width, width


def test_plots_keep_their_text_readable_on_a_phone(page: ReportPage):
    page.screen(390, 800)
    page.wait(
        lambda: (
            page.script("return document.querySelector('#slices svg.plot').viewBox.baseVal.width")
            < 390
        )
    )
    for selector in ("#slices svg.plot", "#scatter-body svg.plot", "#scores-body svg.plot"):
        scale = """const plot = document.querySelector(arguments[0]);
            return plot.getBoundingClientRect().width / plot.viewBox.baseVal.width"""
        assert page.script(scale, selector) > 0.75, selector


def test_on_paper_there_are_no_controls_and_it_is_light(page: ReportPage):
    page.prefer("dark", media="print")
    for selector in (".bar", "#filters form", "#pages", ".controls"):
        assert not page.find(selector).is_displayed(), selector
    assert luminance(page.colour("h2")) < 0.1
    pdf = page.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    assert len(pdf) > 10_000


def test_everything_that_can_be_used_has_a_name(page: ReportPage):
    page.find("#sentence-2 .opener").click()
    nameless = page.script(
        """return [...document.querySelectorAll('button, input, select, a')].filter(node =>
        !(node.getAttribute('aria-label') || node.textContent.trim() && node.tagName !== 'SELECT'
          || node.labels?.[0]?.textContent.trim())).map(node => node.outerHTML)"""
    )
    assert nameless == []


def test_tables_have_captions_and_heads(page: ReportPage):
    page.find("#sentence-2 .opener").click()
    for table in page.all("table"):
        assert page.script("return arguments[0].caption.textContent", table)
        assert table.find_elements("css selector", "th[scope=col]")
        assert table.find_elements("css selector", "th[scope=row]")


def test_ids_are_unique_and_headings_in_order(page: ReportPage):
    ids = page.script("return [...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))
    levels = page.script(
        """return [...document.querySelectorAll('main :is(h1,h2,h3,h4)')]
             .map(heading => Number(heading.tagName[1]))"""
    )
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
