"""Tables line up whatever script their cells have."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from corrigenda.cli.display import isolated
from corrigenda.cli.tables import Cell, Column, Row, Table
from corrigenda.cli.terminal import _cut, table_lines
from corrigenda.cli.terminal import cell_len as quick_cell_len

NAMES = ["plain", "系统一", "النظام", "מערכת", "e\u0301te\u0301", "👨‍👩‍👧‍👦", "ｶﾞ", "क्षि", "🇩🇪 team"]


def test_numbers_stand_below_each_other():
    table = Table(
        [Column("system", left=True, key=True), Column("score"), Column("note", left=True)],
        [Row([Cell(name), Cell(f"{i}.5"), Cell("x")]) for i, name in enumerate(NAMES)],
    )
    rows = [line.plain for line in table_lines(table, 60)][2:]
    assert len(rows) == len(NAMES)
    ends = set()
    for i, row in enumerate(rows):
        before, _, _ = row.partition(f"{i}.5")
        ends.add(cell_len(before))
    assert len(ends) == 1
    assert len({cell_len(row) for row in rows}) == 1


def test_text_from_right_to_left_is_isolated():
    assert isolated("plain é 漢") == "plain é 漢"
    for name in ("النظام", "a מערכת"):
        assert isolated(name) == f"\u2068{name}\u2069"
        assert cell_len(isolated(name)) == cell_len(name)


def test_the_quick_measure_says_what_rich_says():
    for number in range(0x2800):
        character = chr(number)
        if character.isprintable():
            assert quick_cell_len(f"a{character}") == cell_len(f"a{character}"), hex(number)


@pytest.mark.parametrize("name", ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "e\u0301e\u0301", "漢漢", "क्षिक्षि"])
def test_a_cut_keeps_graphemes_whole(name):
    half = cell_len(name) // 2
    head, tail = _cut(name, half)
    assert head == tail == name[: len(name) // 2]
    assert _cut(name, 0)[0] == head
