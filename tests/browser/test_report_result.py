"""The result on top of the page, copies of the leaderboard, pairs, and an earlier run."""

from __future__ import annotations

import csv
import io
import re
import warnings
from pathlib import Path

import pytest
from report_page import ReportPage

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.edits import Annotation, Edit
from corrigenda.report import ReportOptions, write_report
from corrigenda.report.against import EarlierScores
from corrigenda.report.human import from_judgments
from corrigenda.scoring import evaluate

pytestmark = pytest.mark.browser
AXE = Path(__file__).resolve().parents[2] / "build" / "axe" / "package" / "axe.min.js"


@pytest.fixture(scope="module")
def result_page(driver, tmp_path_factory: pytest.TempPathFactory) -> ReportPage:
    path = tmp_path_factory.mktemp("result") / "report.html"
    corpus, systems = sample_corpus(), sample_systems()
    results = evaluate(corpus, systems, ["m2", "green"], health="off")
    before = {(each.system, str(each.metric), each.level): each.score - 0.01 for each in results}
    del before["empty", "m2", "corpus"]
    before["gone", "m2", "corpus"] = 0.5
    write_report(
        path,
        corpus,
        systems,
        results,
        options=ReportOptions(resamples=100),
        human=from_judgments(SAMPLE / "judgments.xml"),
        earlier=EarlierScores("last <month>", before, {}),
    )
    page = ReportPage(driver)
    page.open(path)
    return page


def copied(page: ReportPage, label: str) -> str:
    page.script(
        "[...document.querySelectorAll('.copy button')]"
        ".find((node) => node.textContent === arguments[0]).click()",
        label,
    )
    page.wait(
        lambda: page.script("return document.querySelector('.copy [role=status]').textContent")
    )
    return str(page.script("return document.querySelector('.copied').value"))


@pytest.mark.slow
def test_the_result_is_on_top(result_page: ReportPage) -> None:
    text = result_page.find("#headline").text
    assert text.startswith("strong leads (83.92); it is significantly above all others by m2")
    assert "People put strong first (Expected Wins)." in text
    assert "Since last <month>, by m2:" in text
    assert "new: empty; no longer here: gone." in text
    assert result_page.find("h1").text == "strong, cautious and 3 other systems"
    heads = [node.text for node in result_page.all("#leaderboard thead th")]
    assert any("Expected Wins" in head for head in heads)
    assert "Δ +1.00" in result_page.find("#leaderboard tbody").text
    assert result_page.console() == []


@pytest.mark.slow
def test_the_leaderboard_as_csv_and_latex(result_page: ReportPage) -> None:
    rows = list(csv.reader(io.StringIO(copied(result_page, "Copy as CSV"))))
    assert rows[0][:6] == ["System", "Rank", "m2", "m2 P", "m2 R", "m2 Δ"]
    assert rows[1][0] == "strong"
    assert rows[1][2] == "83.92"
    assert len({len(row) for row in rows}) == 1
    latex = copied(result_page, "Copy as LaTeX")
    assert latex.startswith("% m2|beta")
    body = re.search(r"\\midrule\n(.*)\\bottomrule", latex, re.DOTALL)
    assert body is not None
    lines = body[1].strip().splitlines()
    assert len(lines) == 5
    assert all(line.endswith(r"\\") for line in lines)
    assert {line.count("&") for line in lines} == {len(rows[0]) - 1}


@pytest.mark.slow
def test_significant_pairs_come_first(result_page: ReportPage) -> None:
    result_page.script("document.querySelector('#significance details').open = true")
    rows = result_page.all("#significance .pairs tbody tr")
    assert len(rows) == 10
    verdicts = ["not" not in row.text for row in rows]
    assert verdicts == sorted(verdicts, reverse=True)
    number = sum(verdicts)
    assert (
        f"{number} of 10 pairs differ significantly"
        in result_page.find("#significance details summary").text
    )


@pytest.mark.slow
def test_both_runs_side_by_side(result_page: ReportPage) -> None:
    table = result_page.find("#leaderboard .two-runs table")
    assert "last <month> and this report" in result_page.find("#leaderboard .two-runs summary").text
    rows = {
        row.find_element("css selector", "th").text: [
            cell.text for cell in row.find_elements("css selector", "td")
        ]
        for row in table.find_elements("css selector", "tbody tr")
    }
    assert rows["strong"][:3] == ["82.92", "83.92", "+1.00"]
    assert [rows["empty"][0], rows["empty"][2]] == ["–", "–"]
    assert rows["gone"][:3] == ["50.00", "–", "–"]


@pytest.mark.slow
def test_precision_recall_and_f_by_type(driver, tmp_path: Path) -> None:
    gold = Annotation(0, (Edit(0, 1, ("A",), "R:X"), Edit(2, 3, ("C",), "R:Y")))
    corpus = Corpus(("a b c d",), (("A b C d",),), ((gold,),))
    made = (Edit(0, 1, ("A",), "R:X"), Edit(1, 2, ("B",), "R:X"))
    systems = [Hypotheses("x", ("A B c d",), (made,)), Hypotheses("y", ("a b c d",), ((),))]
    results = evaluate(corpus, systems, ["errant"], health="off")
    path = tmp_path / "types.html"
    options = ReportOptions(resamples=10, extractor="errant")
    write_report(path, corpus, systems, results, options=options)
    page = ReportPage(driver)
    page.open(path)
    page.choose("Slices by", "error type", "#slices")
    page.choose("Measure", "F0.5 of edits", "#slices")
    assert page.all("svg[aria-label='F0.5 of edits by error type']")
    page.script("document.querySelector('#slices .by-type').open = true")
    cells = [row.text.split() for row in page.all("#slices .by-type tbody tr")]
    # P = 1/2 and R = 1 give F0.5 = 1.25 · 1/2 / (1/8 + 1); a system without edits has no precision.
    assert sorted(cells) == [
        ["R:X", "1", "50.0", "100.0", "55.6", "–", "0.0", "0.0"],
        ["R:Y", "1", "–", "0.0", "0.0", "–", "0.0", "0.0"],
    ]
    assert page.console() == []


@pytest.mark.slow
def test_the_health_box(driver, tmp_path: Path) -> None:
    """Findings stand in a box on top, as text; without findings there is no box."""
    corpus, (good, *_) = sample_corpus(), sample_systems()
    shifted = Hypotheses("<b>late</b>", ("", *good.sentences[:-1]))
    for system, is_healthy in ((good, True), (shifted, False)):
        with warnings.catch_warnings(record=True):
            results = evaluate(corpus, [system], ["green"])
        path = tmp_path / f"{is_healthy}.html"
        write_report(path, corpus, [system], results, options=ReportOptions(resamples=10))
        page = ReportPage(driver)
        page.open(path)
        box = page.find("#health")
        assert box.is_displayed() is not is_healthy
        if not is_healthy:
            assert "These scores are doubtful" in box.text
            assert "<b>late</b>: out-of-step" in box.text
            first = page.find("#leaderboard").rect["y"]
            assert box.rect["y"] < first
            assert serious_findings(page) == []
        assert page.console() == []


def serious_findings(page: ReportPage) -> list[tuple[str, list[str]]]:
    """What axe-core finds serious; it is not installed everywhere."""
    if not AXE.is_file():
        return []
    page.script(AXE.read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(
        "const done = arguments[0];"
        "axe.run(document, {resultTypes: ['violations']}).then((all) => done(all.violations))"
    )
    return [
        (each["id"], [node["target"] for node in each["nodes"]])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_names_stay_and_axe_finds_nothing_serious(
    result_page: ReportPage, width: int, scheme: str
) -> None:
    driver = result_page.driver
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme_feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme_feature]})
    try:
        wide, left = result_page.script(
            """
            const box = document.querySelector("#leaderboard .scroll");
            box.scrollLeft = 150;
            const name = box.querySelector("tbody th").getBoundingClientRect();
            const page = document.documentElement;
            const begin = box.getBoundingClientRect().left;
            return [page.scrollWidth - page.clientWidth, name.left - begin];
            """
        )
        assert wide == 0
        assert abs(left) <= 2
        if not AXE.is_file():
            pytest.skip("no axe-core: make axe")
        assert serious_findings(result_page) == []
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
