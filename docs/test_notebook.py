"""Pages that read like a notebook print what they show, and the notebook runs from end to end."""

from pathlib import Path

import notebook
import pytest

NOTEBOOK = Path(__file__).with_name("notebook.ipynb")


@pytest.mark.slow
@pytest.mark.parametrize("path", notebook.PAGES, ids=lambda path: path.name)
def test_cells_print_what_the_page_says(path):
    """Run every cell again, in order, and compare."""
    page = path.read_text(encoding="utf-8")
    assert notebook.refreshed(page) == page, "run: python docs/notebook.py --write"


@pytest.mark.slow
@pytest.mark.cluster
def test_the_notebook_runs():
    """Every cell runs in a real kernel, and shows a table, a picture or a page."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    found = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in found.cells if cell.cell_type == "code"]
    assert all(not cell.outputs for cell in cells), "it is kept without outputs"
    nbclient.NotebookClient(found, timeout=120, kernel_name="python3").execute()
    shown = [set(output.data) for cell in cells for output in cell.outputs if "data" in output]
    assert len(shown) == len(cells)
    assert all(kinds & {"text/html", "image/png"} for kinds in shown)
    assert sum("image/png" in kinds for kinds in shown) == 3
    assert "<iframe" in cells[-1].outputs[-1].data["text/html"]
    assert not [
        output for cell in cells for output in cell.outputs if output.output_type == "stream"
    ]
