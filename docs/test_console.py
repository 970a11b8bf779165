"""Commands in the README and docs print what the pages show, and links lead to files."""

import doctest
import re

import console
import pytest

PAGES = list(console.pages())
LINKING = [console.DOCS.parent / "README.md", *sorted(console.DOCS.rglob("*.md"))]


_PROGRAM = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def _name(path):
    return str(path.relative_to(console.DOCS.parent))


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_commands_print_what_the_page_says(path):
    """Run every command again and compare."""
    page = path.read_text(encoding="utf-8")
    assert console.refreshed(page) == page, "run: python docs/console.py --write"


def test_python_of_the_readme():
    """pytest collects the pages below docs/ as doctests, but not the README."""
    failed, attempted = doctest.testfile(
        str(console.DOCS.parent / "README.md"), module_relative=False
    )
    assert attempted
    assert not failed


@pytest.mark.parametrize("path", LINKING, ids=_name)
def test_links_lead_somewhere(path):
    """Every link to a file of the repository leads to a file, and to a heading of it."""
    text = _PROGRAM.sub("", path.read_text(encoding="utf-8"))
    for target, anchor in re.findall(r"\]\(([^)#]*?)(?:#([^)]*))?\)", text):
        if "://" in target:
            continue
        page = path.parent / target if target else path
        assert page.exists(), f"{_name(path)} links to {target}"
        if anchor:
            assert anchor in _anchors(page), f"{_name(path)} links to {target}#{anchor}"


def _anchors(page):
    """The anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall(
        r"^#+ (.+)$", _PROGRAM.sub("", page.read_text(encoding="utf-8")), re.MULTILINE
    )
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in plain}
