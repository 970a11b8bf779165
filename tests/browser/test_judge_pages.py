"""The judge's page in a real browser: keys, drag, tap, undo, skip, pause, lost connections."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from report_page import ReportPage

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats.campaign_schema import event, judgment
from corrigenda.judge.gate import GateSettings
from corrigenda.judge.serving import served
from judging import corpus_and_systems, make_campaign
from public_data import full

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NO_LIMITS = GateSettings(per_address=1e9, per_token=1e9)
REPOSITORY = Path(__file__).resolve().parents[2]
AXE = REPOSITORY / "build" / "axe" / "package" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


class JudgePage(ReportPage):
    """A judge at a campaign of their own."""

    store: Any
    url: str

    def enter(self) -> None:
        self.driver.get(f"{self.url}/j/{self.store.add_judge()}")

    def item(self) -> str:
        return self.script("return document.querySelector('input[name=form]')?.value.split('.')[0]")

    def next_item(self, do: Callable[[], None]) -> None:
        """Do something that leads to another page, and wait for it."""
        self.script("document.body.old = true")
        do()
        self.wait(
            lambda: self.script("return document.readyState == 'complete' && !document.body.old")
        )

    def checked(self) -> list[str]:
        return self.script(
            "return [...document.querySelectorAll('#answer input:checked')].map(e => e.name + e.value)"
        )

    def ranks(self) -> list[list[int]]:
        return [
            [output.rank for output in ranking.outputs]
            for ranking in self.store.judgments().rankings
        ]

    def find_problems(self) -> list[str]:
        """What axe-core finds on the page."""
        self.script(AXE.read_text(encoding="utf-8"))
        found = self.driver.execute_async_script(
            "const [rules, done] = arguments; axe.run(document, {runOnly: rules}).then(done)", RULES
        )
        return [
            f"{each['id']}: {[node['target'] for node in each['nodes']]}"
            for each in found["violations"]
            if each["impact"] in ("serious", "critical", "moderate")
        ]


@pytest.fixture
def opened(driver: Any, tmp_path: Path) -> Iterator[Callable[..., JudgePage]]:
    """Opens a campaign; at the end the console must be empty."""
    page = JudgePage(driver)
    servers = []

    def open_campaign(**settings: Any) -> JudgePage:
        defaults = {"repeats": 0.0, "controls": 0.0, "texts": corpus_and_systems(8, 3)}
        page.store = make_campaign(tmp_path / "c.db", **{**defaults, **settings})
        servers.append(served(page.store, NO_LIMITS))
        page.url = f"http://127.0.0.1:{servers[-1].__enter__()}"
        page.console()
        page.enter()
        return page

    yield open_campaign
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    page.driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    page.normal_screen()
    left = page.console()
    page.driver.get("about:blank")
    for server in servers:
        server.__exit__(None, None, None)
        page.store.close()
    assert [line for line in left if "INTERNET_DISCONNECTED" not in line] == []


def test_ranking_by_keys_undo_skip_pause_and_the_end(opened: Callable[..., JudgePage]) -> None:
    page = opened(per_judge=3, completion_code="THE-END")
    first = page.item()
    page.press("2", "1", "1")
    assert page.checked() == ["rank-A2", "rank-B1", "rank-C1"]
    assert page.script("return document.activeElement.id") == "save"
    page.next_item(page.press_enter)
    assert page.ranks() == [[2, 1, 1]]
    second = page.item()
    assert second != first
    assert page.texts(".progress label") == ["1 done, 2 left"]
    # Undo shows the same item with the same answer.
    page.next_item(page.find("#undo").click)
    assert page.item() == first
    assert page.checked() == ["rank-A2", "rank-B1", "rank-C1"]
    assert page.ranks() == []
    page.find(".candidate[data-letter=A] label:nth-child(3)").click()
    page.next_item(page.find("#save").click)
    assert page.ranks() == [[3, 1, 1]]
    # Pause, close the page, come back by the link to the same place.
    assert page.item() == second
    page.next_item(page.find("#pause").click)
    assert page.texts("h1") == ["Paused"]
    page.next_item(page.find("a.button").click)
    assert page.item() == second
    # Skip with a reason.
    page.find("#skipping summary").click()
    page.script("document.getElementById('reason').value = 'offensive'")
    page.next_item(page.find("#skip").click)
    assert page.item() not in (first, second)
    assert page.store.count(event, event.c.what == "skipped") == 1
    page.find("details:not(#skipping) summary").click()
    page.find("#comment").send_keys("All 3 are fine")
    assert page.checked() == [], "digits in a comment rank nothing"
    page.script("document.activeElement.blur()")
    page.press("1", "1", "1")
    page.next_item(page.find("#save").click)
    assert page.texts("#code") == ["THE-END"]
    with page.store.reading() as connection:
        rows = connection.execute(judgment.select().order_by(judgment.c.id)).all()
    assert [row.kind for row in rows] == ["answer", "undo", "answer", "skip", "answer"]
    assert rows[-1].comment == "All 3 are fine"
    assert all(row.milliseconds is not None for row in rows if row.kind == "answer")


def test_keys_and_marks_can_be_turned_off(opened: Callable[..., JudgePage]) -> None:
    corpus = Corpus.from_lists(["I goes home"] * 2, [], references_by="text")
    systems = [Hypotheses("S", ["I go home"] * 2), Hypotheses("I", ["I goes home"] * 2)]
    page = opened(texts=(corpus, systems))
    assert page.find("del").is_displayed()
    page.find("#marks").click()
    assert not page.find("del").is_displayed()
    assert sorted(re.sub(r"\s+", " ", text) for text in page.texts(".candidate .text")) == [
        "I go home", "I goes home",
    ]  # fmt: skip
    page.find("#keys").click()
    page.script("document.activeElement.blur()")
    page.press("1")
    assert page.checked() == []
    page.driver.refresh()
    assert not page.find("#keys").is_selected(), "this device remembers it"
    assert not page.find("#marks").is_selected()
    page.script("localStorage.clear()")


def test_ranking_by_drag_with_the_mouse_and_a_double_click(
    opened: Callable[..., JudgePage],
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    page = opened()
    for letter, rank in zip("ABC", (2, 3, 1), strict=True):
        handle = page.find(f".candidate[data-letter={letter}] .handle")
        ActionChains(page.driver, 10).click_and_hold(handle).move_by_offset(3, 3).perform()
        lane = page.find(f".lane[data-rank='{rank}']")
        assert lane.is_displayed()
        ActionChains(page.driver, 10).move_to_element(lane).release().perform()
        assert not lane.is_displayed()
    assert page.checked() == ["rank-A2", "rank-B3", "rank-C1"]
    page.next_item(
        lambda: page.script(
            "const f = document.getElementById('answer'), b = document.getElementById('save');"
            "f.requestSubmit(b); f.requestSubmit(b); b.click()"
        )
    )
    time.sleep(0.3)
    assert page.ranks() == [[2, 3, 1]]
    assert page.store.count(judgment) == 1, "a double click counts once"


def test_ranking_by_tap_and_by_touch_drag_on_a_narrow_screen(
    opened: Callable[..., JudgePage],
) -> None:
    page = opened(context=1)
    page.screen(390, 844)
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    assert page.script("return document.documentElement.scrollWidth <= innerWidth")

    def place(selector: str) -> tuple[float, float]:
        box = page.script(
            "const e = document.querySelector(arguments[0]);"
            "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2, b.width, b.height]",
            selector,
        )
        if ".lane" not in selector and ".handle" not in selector:
            assert min(box[2:]) >= 24, "large enough for a finger"
        return box[0], box[1]

    def touch(kind: str, *points: tuple[float, float]) -> None:
        page.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    for letter, rank in (("A", 1), ("B", 2)):
        spot = place(f".candidate[data-letter={letter}] input[value='{rank}']")
        touch("touchStart", spot)
        touch("touchEnd")
    touch("touchStart", place(".candidate[data-letter=C] .handle"))
    touch("touchMove", (100, 400))
    page.wait(lambda: page.find(".lanes").is_displayed())
    lane = page.script(
        "const b = document.querySelector('.lane[data-rank=\"3\"]').getBoundingClientRect();"
        "return [b.x + b.width / 2, b.y + b.height / 2]"
    )
    touch("touchMove", tuple(lane))
    touch("touchEnd")
    page.wait(lambda: page.checked() == ["rank-A1", "rank-B2", "rank-C3"])
    page.next_item(page.find("#save").click)
    assert page.ranks() == [[1, 2, 3]]
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_without_javascript(opened: Callable[..., JudgePage]) -> None:
    page = opened(per_judge=2)
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    page.driver.refresh()
    assert not page.all(".with-script") or not page.find(".with-script").is_displayed()
    for letter, rank in zip("ABC", (1, 2, 2), strict=True):
        page.find(f"input[name=rank-{letter}][value='{rank}']").click()
    page.next_item(page.find("#save").click)
    assert "1 done" in page.find(".progress label").text
    page.next_item(page.find("#undo").click)
    assert page.find("input[name=rank-C][value='2']").is_selected()
    page.next_item(page.find("#save").click)
    page.find("#skipping summary").click()
    page.next_item(page.find("#skip").click)
    assert page.find("#code").text
    assert page.ranks() == [[1, 2, 2]]


def test_a_lost_connection_loses_nothing(opened: Callable[..., JudgePage]) -> None:
    page = opened()
    page.driver.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.press("1", "2", "3")
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    page.press_enter()
    page.wait(lambda: "kept on this device" in page.find("#status").text)
    assert page.ranks() == []
    kept = json.loads(page.script("return localStorage.getItem('corrigenda-kept-answer')"))
    assert "rank-A=1" in kept["body"]
    page.next_item(
        lambda: page.driver.execute_cdp_cmd(
            "Network.emulateNetworkConditions", {**offline, "offline": False}
        )
    )
    assert page.ranks() == [[1, 2, 3]]
    assert page.script("return localStorage.getItem('corrigenda-kept-answer')") is None
    # The page was closed before the answer arrived: it is sent when the judge comes back, once.
    page.script(
        "localStorage.setItem('corrigenda-kept-answer', arguments[0])",
        json.dumps({**kept, "next": "/judge"}),
    )
    page.driver.refresh()
    page.wait(lambda: page.script("return localStorage.getItem('corrigenda-kept-answer')") is None)
    assert page.ranks() == [[1, 2, 3]]
    assert page.store.count(judgment) == 1


@pytest.mark.parametrize(
    "mode", ["edits", *(pytest.param(mode, marks=full) for mode in ("pair", "rate"))]
)
def test_the_other_modes(opened: Callable[..., JudgePage], mode: str) -> None:
    page = opened(mode=mode)
    if mode == "pair":
        page.press("2")
    elif mode == "rate":
        for letter, value in zip("ABC", (90, 10, 50), strict=True):
            page.script(
                "const r = document.querySelector(`input[data-for=rating-${arguments[0]}]`);"
                "r.value = arguments[1]; r.dispatchEvent(new Event('input'))",
                letter,
                value,
            )
    else:
        labels = page.all(".edits input[value=right]")
        assert len(labels) == 3
        for label in labels:
            label.click()
        page.script("document.activeElement.blur()")
        page.press("1", "2", "3")
    page.next_item(page.find("#save").click)
    assert page.ranks() == [{"pair": [2, 1], "rate": [1, 3, 2], "edits": [1, 2, 3]}[mode]]


def names(tree: list[dict[str, Any]], role: str) -> list[str]:
    return [
        node.get("name", {}).get("value", "").strip()
        for node in tree
        if node.get("role", {}).get("value") == role and not node.get("ignored")
    ]


def test_what_a_screen_reader_finds(opened: Callable[..., JudgePage]) -> None:
    corpus = Corpus.from_lists(["I goes home"] * 2, [], references_by="text")
    systems = [Hypotheses("S", ["I go home"] * 2), Hypotheses("E", [""] * 2)]
    page = opened(texts=(corpus, systems))
    page.driver.execute_cdp_cmd("Accessibility.enable", {})
    tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    assert names(tree, "main") != []
    assert names(tree, "heading") == [
        "A test", "Source", "Rank the outputs: 1 is best, ties are allowed",
    ]  # fmt: skip
    groups = [name for name in names(tree, "group") if name.startswith("Output")]
    assert groups == ["Output A", "Output B"]
    assert names(tree, "radio") == ["1 best", "2 worst"] * 2
    assert "empty output" in names(tree, "image") + names(tree, "img")
    assert "Save and go on" in names(tree, "button")
    assert len(names(tree, "status")) == 2
    assert all(names(tree, "checkbox"))
    # The order of focus is the order of the page.
    order = page.script(
        "return [...document.querySelectorAll('a[href], button:enabled, input:not([type=hidden]),"
        " summary, select, textarea')].filter(e => e.checkVisibility()).map(e => e.name || e.id ||"
        " e.tagName)"
    )
    assert order == [
        "A", "pause", "marks", "keys", *["rank-A"] * 2, *["rank-B"] * 2, "action", "SUMMARY", "SUMMARY",
    ]  # fmt: skip
    assert (
        page.script("return document.querySelectorAll('[tabindex]:not([tabindex=\"0\"])').length")
        == 0
    )
    page.driver.execute_cdp_cmd("Accessibility.disable", {})


@pytest.mark.parametrize(
    "mode", ["rank", *(pytest.param(mode, marks=full) for mode in ("pair", "rate", "edits"))]
)
def test_axe_finds_no_problem(opened: Callable[..., JudgePage], mode: str) -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core: make axe")
    page = opened(mode=mode, context=1, instructions="Read carefully.", per_judge=1)
    looks = [("light", 1280), ("dark", 390)]
    for scheme, width in looks if mode == "rank" else looks[1:]:
        page.screen(width, 900)
        page.prefer(scheme)
        assert page.find_problems() == [], (scheme, width)
    page.find("#skipping summary").click()
    page.next_item(page.find("#skip").click)
    assert page.find_problems() == []
    page.driver.get(f"{page.url}/o/{page.store.organiser_token}")
    assert page.find_problems() == []


def luminance(colour: tuple[int, ...]) -> float:
    parts = [value / 255 for value in colour]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@full
def test_colours_have_contrast(opened: Callable[..., JudgePage]) -> None:
    page = opened()
    page.press("1")
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        for selector in ("body", "ins", "#save", ".choice input:checked + span"):
            back = page.colour(selector, "backgroundColor")
            light, dark = sorted((luminance(page.colour(selector)), luminance(back)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (scheme, selector)
        assert (luminance(page.colour("body", "backgroundColor")) < 0.2) == (scheme == "dark")


def test_right_to_left_and_chinese_texts(opened: Callable[..., JudgePage]) -> None:
    corpus = Corpus.from_lists(["ذهبت الى البيت", "我今天去学校"], [], references_by="text")
    systems = [
        Hypotheses("S", ["ذهبت إلى البيت", "我今天去了学校"]),
        Hypotheses("I", ["ذهبت الى البيت", "\u202e我今天去学校"]),
    ]
    page = opened(texts=(corpus, systems), overlap=0.0)
    seen = {}
    for _ in range(2):
        seen[page.texts(".source .text")[0]] = (
            page.script(
                "return getComputedStyle(document.querySelector('.source .text')).direction"
            ),
            sorted(page.texts("ins")),
        )
        page.press("1", "2")
        page.next_item(page.find("#save").click)
    assert seen["ذهبت الى البيت"] == ("rtl", ["إلى"])
    direction, inserted = seen["我今天去学校"]
    assert direction == "ltr"
    assert "了" in inserted, "characters are compared where there are no blanks"
    assert page.texts("#code") != []
