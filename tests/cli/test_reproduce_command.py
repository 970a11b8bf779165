"""`reproduce`: finished tables survive, the exit code tells, and one page holds everything."""

from __future__ import annotations

import json
import re

import pytest
from program import output_of, run

from corrigenda.cli import main
from corrigenda.meta import reproduce as published
from corrigenda.meta.drawing import Drawing, Series
from corrigenda.meta.laboratory import Cause, PublishedCell, Reproduction, with_causes
from corrigenda.meta.reproduction_page import count_line, tables_page

EXAMPLES = ("imeasure-table1", "imeasure-table8", "imeasure-figure2")


def test_one_failing_table_does_not_lose_the_others(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("CORRIGENDA_CACHE", str(tmp_path))
    monkeypatch.setitem(published.TABLES, "imeasure-table2", f"{__name__}:failing")
    assert main(["reproduce", "imeasure-table1", "imeasure-table2", "imeasure-table8"]) == 1
    printed = capsys.readouterr()
    assert "I-measure, Table 1" in printed.out
    assert "I-measure, Table 8" in printed.out
    assert "imeasure-table2: ZeroDivisionError" in printed.err


def failing(laboratory):
    raise ZeroDivisionError("float division by zero")


def test_without_data_the_exit_code_is_1_and_the_remedy_is_given(tmp_path):
    environment = {"CORRIGENDA_DATA": str(tmp_path), "CORRIGENDA_CACHE": str(tmp_path / "cache")}
    done = run("reproduce", "green-table4", environment=environment)
    assert done.returncode == 1
    assert "not computed: M²" in done.stdout
    assert "'conll14' is not in" in done.stderr
    assert "corrigenda data get conll14" in done.stderr


def test_the_examples_of_the_paper_on_the_i_measure(tmp_path):
    """They need no data: every number equals the printed one."""
    names = [f"imeasure-table{number}" for number in (1, 2, 3, 5, 7, 8)]
    environment = {"CORRIGENDA_CACHE": str(tmp_path)}
    tables = json.loads(output_of("reproduce", *names, "-f", "json", environment=environment))
    statuses = [cell["status"] for table in tables for cell in table["cells"]]
    assert set(statuses) <= {"equal", "within rounding", "ours alone"}
    assert statuses.count("equal") >= 40


def test_the_page(tmp_path):
    folder, cache = tmp_path / "out", tmp_path / "cache"
    environment = {"CORRIGENDA_CACHE": str(cache)}
    text = output_of("reproduce", *EXAMPLES, "--out", str(folder), environment=environment)
    page = (folder / "reproduce.html").read_text(encoding="utf-8")
    count = r"3 tables and figures, 29 numbers: 28 equal, 1 ours alone"
    assert re.search(count, text)
    assert re.search(count, page)
    assert '<section id="imeasure-table8">' in page
    assert "<p>no numbers: the paper prints none</p>" in page
    assert page.count("<svg") == 1
    kept = list(cache.rglob("imeasure-table8.json"))
    assert len(kept) == 1
    again = output_of("reproduce", *EXAMPLES, "--out", str(folder), environment=environment)
    assert again == text
    assert (folder / "reproduce.html").read_text(encoding="utf-8") == page


@pytest.mark.parametrize(
    ("published_value", "ours", "digits", "status"),
    [
        (0.779, 0.7794, 3, "equal"),
        (0.779, 0.7796, 3, "within rounding"),
        (0.779, 0.781, 3, "differs"),
        (3, 4, 0, "differs"),
        (3, 3, 0, "equal"),
        (0.5, None, 2, "not computed"),
        (None, 0.5, 2, "ours alone"),
    ],
)
def test_status(published_value, ours, digits, status):
    assert PublishedCell("row", "column", published_value, ours, digits=digits).status == status


def test_causes_are_of_cells_that_differ():
    cells = [
        PublishedCell("a", "x r", 0.5, 0.7),
        PublishedCell("a", "y r", 0.5, 0.7),
        PublishedCell("b", "x r", 0.5, 0.5),
    ]
    found = with_causes(cells, [Cause("only x", rows=("a",), columns=("x",)), Cause("the rest")])
    assert [cell.cause for cell in found] == ["only x", "the rest", None]


def test_counts_and_causes_in_words():
    one = (PublishedCell("A", "rank", 1, 3, digits=0), PublishedCell("A", "r", 0.5, 0.5))
    cells = with_causes((*one, PublishedCell("B", "rank", 2, 4, digits=0)), [Cause("chance")])
    assert count_line([Reproduction("t", "T", cells)]) == (
        "1 tables and figures, 3 numbers: 1 equal, 2 differ"
    )
    page = tables_page([Reproduction("t", "T", cells)], {})
    assert "rank of A, B: differs because: chance" in page
    assert "<p>1 number: 1 differs (1 without a stated cause)</p>" in tables_page(
        [Reproduction("t", "T", one[:1])], {}
    )


def test_a_table_read_again_is_the_same():
    drawing = Drawing("t", "x", "y", (Series("s", "points", (1.0, 2.0), (3.0, 4.0), ("a", "b")),))
    cells = (PublishedCell("a", "x", 0.5, 0.7, cause="why", digits=2),)
    table = Reproduction("name", "title", cells, ("note",), (drawing,))
    assert Reproduction.from_dict(json.loads(json.dumps(table.to_dict()))) == table
    assert "<title>t</title>" in drawing.svg()
