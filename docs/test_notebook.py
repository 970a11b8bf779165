"""The cells of pages that read like a notebook print what the pages show."""

import notebook
import pytest


@pytest.mark.slow
@pytest.mark.parametrize("path", notebook.PAGES, ids=lambda path: path.name)
def test_cells_print_what_the_page_says(path):
    """Run every cell again, in order, and compare."""
    page = path.read_text(encoding="utf-8")
    assert notebook.refreshed(page) == page, "run: python docs/notebook.py --write"
