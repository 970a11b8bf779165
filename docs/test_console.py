"""The commands of README and docs print what their pages say; links lead somewhere."""

import doctest
import re

import console
import pytest

PAGES = list(console.pages())
LINKING = [console.DOCS.parent / "README.md", *sorted(console.DOCS.rglob("*.md"))]


def _name(path):
    return str(path.relative_to(console.DOCS.parent))


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_commands_print_what_the_page_says(path):
    """Every command is run again."""
    page = path.read_text(encoding="utf-8")
    assert console.refreshed(page) == page, "run: python docs/console.py --write"


def test_python_of_the_readme():
    """The pages below docs/ are collected as doctests; the README is not."""
    failed, attempted = doctest.testfile(
        str(console.DOCS.parent / "README.md"), module_relative=False
    )
    assert attempted
    assert not failed


@pytest.mark.parametrize("path", LINKING, ids=_name)
def test_links_lead_somewhere(path):
    """Links to files of the repository."""
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{_name(path)} links to {target}"
