"""Commands in the README and docs print what the pages show, and links lead to files."""

import doctest
import re

import console
import pytest

PAGES = list(console.pages())
LINKING = [console.DOCS.parent / "README.md", *sorted(console.DOCS.rglob("*.md"))]


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
    """Every link to a file of the repository leads to an existing file."""
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{_name(path)} links to {target}"
