"""The site of the documentation, where `make docs` has built it: links, narrow screens, axe-core."""

from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from report_page import ReportPage

from public_data import full

SITE = Path(__file__).resolve().parents[2] / "build" / "site"
AXE = SITE.parent / "axe" / "package" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PAGES = ["index.html", "which-metric.html", "gallery.html"]
MORE = [
    "reference/python.html", "tutorial.html", "judging.html", "metrics/green.html", "settings.html",
    "statistics.html", "reference/commands.html", "api.html", "languages.html", "search.html",
    "project/changes.html", "adr/0001-the-contract.html", "genindex.html",
]  # fmt: skip
pytestmark = pytest.mark.skipif(
    not (SITE / "index.html").is_file(), reason="the site is not built: make docs"
)


class _Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.anchors.update(found[name] or "" for name in ("id", "name") if name in found)
        self.links.update(found[name] or "" for name in ("href", "src") if name in found)


@pytest.mark.slow
def test_links_within_the_site_lead_somewhere() -> None:
    made = [path for path in SITE.rglob("*.html") if not path.is_relative_to(SITE / "gallery")]
    pages = {path: _Page(path) for path in made}
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            name = unquote(parts.path)
            target = Path(os.path.normpath(path.parent / name)) if name else path
            anchor = unquote(parts.fragment)
            known = pages.get(target)
            if not target.exists() or (anchor and known and anchor not in known.anchors):
                wrong.append(f"{path.relative_to(SITE)}: {link}")
    assert len(pages) > 80
    assert wrong == []


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), pytest.param(390, "dark", marks=full)]
)
@pytest.mark.parametrize("name", [*PAGES, *(pytest.param(name, marks=full) for name in MORE)])
def test_axe_finds_no_serious_problem(driver: Any, name: str, width: int, scheme: str) -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core: make axe")
    page = ReportPage(driver)
    page.screen(width, 900)
    page.prefer(scheme)
    driver.get((SITE / name).as_uri())
    driver.set_script_timeout(120)
    page.script(AXE.read_text(encoding="utf-8"))
    found = driver.execute_async_script(
        "const [rules, done] = arguments; axe.run(document, {runOnly: rules}).then(done)", RULES
    )
    page.normal_screen()
    assert [
        f"{each['id']}: {[node['target'] for node in each['nodes']][:5]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ] == []


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", [*PAGES, *(pytest.param(name, marks=full) for name in MORE)])
def test_a_narrow_screen_does_not_scroll_sideways(driver: Any, name: str) -> None:
    page = ReportPage(driver)
    page.screen(390, 844)
    driver.get((SITE / name).as_uri())
    fits = page.script("return document.documentElement.scrollWidth <= innerWidth + 1")
    page.normal_screen()
    assert fits
