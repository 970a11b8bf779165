"""Text of a corpus is shown, never run."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_page import ReportPage

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Annotation, Edit, apply_edits
from corrigenda.report import HumanScores, ReportOptions, write_report
from corrigenda.scoring import evaluate

pytestmark = pytest.mark.browser

ATTACKS = (
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "<!--<script>",
    "javascript:window.hacked=1",
    "{{script}}",
    "a\u2028b\u2029c",
    "';window.hacked=1;//",
    "<svg onload=window.hacked=1>",
    "&lt;b&gt; &amp;",
)


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Attacks in every text that a report takes: sentences, types, names, columns, title."""
    words = [attack.replace(" ", "_") for attack in ATTACKS]
    sources = tuple(f"this {word} is" for word in words)
    gold = tuple((Annotation(0, (Edit(1, 2, (f"not_{word}",), word),)),) for word in words)
    references = tuple(
        (" ".join(apply_edits(source.split(), annotations[0].edits)),)
        for source, annotations in zip(sources, gold, strict=True)
    )
    corpus = Corpus(sources, references, gold)
    systems = [Hypotheses(name, tuple(f"{word} {name}" for word in words)) for name in ATTACKS]
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    write_report(
        path,
        corpus,
        systems,
        evaluate(corpus, systems, ["green", "m2"]),
        options=ReportOptions(title=ATTACKS[1], resamples=20, min_sentences=1),
        columns={attack: list(ATTACKS) for attack in ATTACKS},
        human=HumanScores(ATTACKS[1], {name: float(place) for place, name in enumerate(ATTACKS)}),
    )
    return path


@pytest.fixture
def hostile(driver, hostile_report: Path) -> ReportPage:
    page = ReportPage(driver)
    page.open(hostile_report)
    return page


def harmless(page: ReportPage) -> None:
    assert page.script("return window.hacked === undefined")
    assert (
        page.script(
            "return document.querySelectorAll('img, iframe, object, embed, b, main script').length"
        )
        == 0
    )
    assert page.script("return document.scripts.length") == 3
    assert page.console() == []


def test_everything_is_shown_as_it_is(hostile: ReportPage):
    assert hostile.script("return document.querySelector('h1').textContent") == ATTACKS[1]
    names = hostile.script(
        "return [...document.querySelectorAll('#leaderboard tbody th')].map(n => n.textContent)"
    )
    assert sorted(names) == sorted(ATTACKS)
    sources = hostile.script(
        "return [...document.querySelectorAll('#list .text')].map(n => n.textContent)"
    )
    # The two separators are whitespace, which separates words; all else stays.
    assert sources == [
        " ".join(f"this {attack.replace(' ', '_')} is".split()) for attack in ATTACKS
    ]
    harmless(hostile)


def test_open_sentences_run_nothing(hostile: ReportPage):
    hostile.script("document.querySelectorAll('.opener').forEach(opener => opener.click())")
    details = hostile.script("return document.querySelector('#list').textContent")
    for attack in (ATTACKS[0], ATTACKS[2].replace(" ", "_")):
        assert f"not_{attack}" in details
    assert len(hostile.all("#list tbody th")) == len(ATTACKS) ** 2
    harmless(hostile)


def test_every_filter_slice_and_order_runs_nothing(hostile: ReportPage):
    hostile.script(
        """for (const select of document.querySelectorAll('select'))
             for (const option of [...select.options]) {
               if (!select.isConnected) break;
               select.value = option.value;
               select.dispatchEvent(new Event('change', {bubbles: true}));
             }
           [...document.querySelectorAll('#slices .link')].slice(0, 20).forEach(link => link.click());"""
    )
    hostile.type_into("search", ATTACKS[0])
    harmless(hostile)


def test_a_hostile_address_runs_nothing(driver, hostile_report: Path):
    page = ReportPage(driver)
    page.open(hostile_report, "#sentence-1<script>window.hacked=1</script>")
    harmless(page)


def test_the_policy_stops_what_would_get_into_the_page(hostile: ReportPage):
    """Even if markup came in, neither handlers nor scripts nor styles nor pictures would work."""
    hostile.script(
        """const box = document.createElement('div');
           box.insertAdjacentHTML('beforeend',
             '<img src="https://example.invalid/x.png" onerror="window.hacked=1">' +
             '<p id="styled" style="color: red">');
           document.body.append(box);
           const script = document.createElement('script');
           script.textContent = 'window.hacked = 1';
           document.body.append(script);"""
    )
    hostile.wait(lambda: True)
    assert hostile.script("return window.hacked === undefined")
    assert hostile.colour("#styled") != (255, 0, 0)
    assert any("Content Security Policy" in message for message in hostile.console())
