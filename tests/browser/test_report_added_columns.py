"""Columns of the leaderboard that are declared in Python alone: the page shows and sorts them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from report_page import ReportPage

from corrigenda.data import sample_corpus, sample_systems
from corrigenda.report import ReportOptions, columns, write_report
from corrigenda.report.columns import ComparedSystems
from corrigenda.report.schema import LeaderboardColumn
from corrigenda.scoring import evaluate

pytestmark = pytest.mark.browser

# One column of each kind. The systems are strong, cautious, eager, unchanged and empty; one of
# them has no value.
ADDED = (
    LeaderboardColumn("kept", "words that stay", "fraction", [0.9, 0.25, None, 1.0, 0.0]),
    LeaderboardColumn("words", "words of the output", "count", [1200, 30, 4, 1100, None]),
    LeaderboardColumn("place", "by people", "rank", [(1, 1), (2, 10), (2, 3), (11, 12), None]),
    LeaderboardColumn("chance", "that it is the best", "p", [0.0004, 0.05, 0.8, 1.0, None]),
    LeaderboardColumn("team", "who made it", "text", ["Osaka", "Brno", "Lund", None, "Tartu"]),
    LeaderboardColumn(
        "F1",
        "F1 with its interval",
        "score",
        [(0.5, 0.4, 0.6), (0.75, 0.7, 0.8), (0.1, None, None), (-0.2, -0.3, -0.1), None],
    ),
    LeaderboardColumn(
        "year", "when it was made", "text", ["2014", "2019", "2019", "2021", "2024"], under=True
    ),
)
SHOWN = {
    "kept": ["90.0", "25.0", "–", "100.0", "0.0"],
    "words": ["1,200", "30", "4", "1,100", "–"],
    "place": ["1", "2–10", "2–3", "11–12", "–"],
    "chance": ["<.001", ".050", ".800", "1.000", "–"],
    "team": ["Osaka", "Brno", "Lund", "–", "Tartu"],
}
SORTED = {
    "kept": ["unchanged", "strong", "cautious", "empty", "eager"],
    "words": ["strong", "unchanged", "cautious", "eager", "empty"],
    "place": ["strong", "eager", "cautious", "unchanged", "empty"],
    "chance": ["strong", "cautious", "eager", "unchanged", "empty"],
    "team": ["cautious", "eager", "strong", "empty", "unchanged"],
    "F1": ["cautious", "strong", "eager", "unchanged", "empty"],
}
REVERSED = {
    "kept": ["empty", "cautious", "strong", "unchanged", "eager"],
    "place": ["unchanged", "cautious", "eager", "strong", "empty"],
}
CLICK = """const heads = [...document.querySelectorAll('#leaderboard thead .sort')];
    heads.find((button) => button.textContent === arguments[0]).click()"""


def added(_: ComparedSystems) -> Iterator[LeaderboardColumn]:
    yield from ADDED


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("columns") / "report.html"
    corpus, systems = sample_corpus(), sample_systems()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "SYSTEM_COLUMNS", (*columns.SYSTEM_COLUMNS, added))
        results = evaluate(corpus, systems, ["green", "m2"])
        write_report(path, corpus, systems, results, options=ReportOptions(resamples=20))
    return path


@pytest.fixture
def page(driver, report: Path) -> Iterator[ReportPage]:
    opened = ReportPage(driver)
    opened.open(report)
    yield opened
    assert opened.console() == []


def headings(page: ReportPage) -> list[str]:
    """The main headings, without those that share a cell."""
    return page.script(
        "return [...document.querySelectorAll('#leaderboard th > .sort')].map(b => b.textContent)"
    )


def cells(page: ReportPage, title: str) -> dict[str, str]:
    place = headings(page).index(title) + 1
    names = page.texts("#leaderboard tbody th")
    texts = page.texts(f"#leaderboard tbody tr > :nth-child({place})")
    return dict(zip(names, texts, strict=True))


def order(page: ReportPage) -> list[str]:
    return page.texts("#leaderboard tbody th")


def test_they_follow_the_other_columns_with_headings_and_tooltips(page: ReportPage):
    found = headings(page)
    assert found[:2] == ["System", "Rank"]
    assert found[-6:] == ["kept", "words", "place", "chance", "team", "F1"]
    tooltips = page.script(
        "return [...document.querySelectorAll('#leaderboard .sort')].map(button => button.title)"
    )
    assert tooltips[-7:] == [column.note for column in ADDED]


def test_they_are_explained_below_the_table(page: ReportPage):
    page.script("document.querySelector('#leaderboard details').open = true")
    meanings = dict(zip(page.texts("#leaderboard dt"), page.texts("#leaderboard dd"), strict=True))
    assert {column.title: column.note for column in ADDED}.items() <= meanings.items()
    assert meanings["P"].startswith("precision")


@pytest.mark.parametrize("title", SHOWN)
def test_values_are_shown_by_their_kind(page: ReportPage, title: str):
    names = [system.name for system in sample_systems()]
    assert cells(page, title) == dict(zip(names, SHOWN[title], strict=True))


def test_a_score_has_its_interval_its_bar_and_a_star_if_it_is_the_best(page: ReportPage):
    found = cells(page, "F1")
    assert found["cautious"].split() == ["75.00★", "best", "70.00", "–", "80.00", "year", "2019"]
    assert found["unchanged"].split() == ["−20.00", "−30.00", "to", "−10.00", "year", "2021"]
    assert found["eager"].split() == ["10.00", "year", "2019"]  # without an interval
    assert found["empty"].split() == ["–", "year", "2024"]
    place = headings(page).index("F1") + 1
    assert len(page.all(f"#leaderboard tbody td:nth-child({place}) .whisker")) == 3


@pytest.mark.parametrize("title", SORTED)
def test_a_click_on_the_heading_sorts_and_missing_values_come_last(page: ReportPage, title: str):
    page.script(CLICK, title)
    assert order(page) == SORTED[title]
    if title in REVERSED:
        page.script(CLICK, title)
        assert order(page) == REVERSED[title]


@pytest.mark.parametrize(
    ("title", "expected"),
    [("R", "descending"), ("year", "ascending")],
)
def test_columns_that_share_a_cell_have_buttons_of_their_own(
    page: ReportPage, title: str, expected: str
):
    page.script(CLICK, title)
    cell = {"R": "m2", "year": "F1"}[title]
    values = [text.split(f"{title} ")[1].split()[0] for text in cells(page, cell).values()]
    assert values == sorted(values, key=float, reverse=expected == "descending")
    head = page.all("#leaderboard thead th")[headings(page).index(cell)]
    assert head.get_attribute("aria-sort") == expected
    arrows = page.script(
        """return [...arguments[0].querySelectorAll('.sort')].map(b => b.dataset.sorted)""", head
    )
    assert arrows.count(expected) == 1
    assert arrows[0] == "none"
