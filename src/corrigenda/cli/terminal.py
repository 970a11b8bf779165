"""Tables on the terminal: a wide table becomes several blocks, each with the key columns.

Rich is loaded only to draw on a terminal, and to measure texts with other letters than those of
Europe: some are wide, and some take no column.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from corrigenda.cli.display import isolated, printable_lines, terminal_columns
from corrigenda.cli.tables import Cell, Column, Row, Table

if TYPE_CHECKING:
    from corrigenda.core.explanation import Tone

WIDEST = 10_000
_GAP = 2
_NARROWEST_WRAPPED = 24
_MOST_KEY_LINES = 3
_IS_NARROW = re.compile("[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03c9\u2010-\u2026]*").fullmatch
"""Whether each character of a text takes one column: Latin, Greek, dashes, quotes."""
STYLES: dict[Tone, str] = {
    "plain": "",
    "good": "green",
    "bad": "red",
    "missed": "yellow",
    "faint": "dim",
}


def terminal_width() -> int:
    """The environment variable COLUMNS, else the terminal's width, else 80 columns."""
    return min(terminal_columns(), WIDEST)


class Line:
    """One line: its parts, each with its style."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self.parts: list[tuple[str, str]] = [(text, style)] if text else []

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.parts)

    def append(self, text: str, style: str = "") -> None:
        """Add a part."""
        if text:
            self.parts.append((text, style))

    def rstrip(self) -> None:
        """Remove the blanks at the end."""
        while self.parts:
            text, style = self.parts.pop()
            if stripped := text.rstrip():
                self.parts.append((stripped, style))
                return


def print_table(table: Table) -> None:
    """Print a table with its notes and signatures."""
    width = terminal_width()
    notes = table.notes_with_best("*")
    if table.has_marks and table.mark is not None and _shows_marks(table):
        notes.append(f"{table.sign} {table.mark.meaning}")
    below = [line for note in notes for line in note_lines(note, width)]
    # Line by line: the lines of a large table would take more memory than the table.
    print_lines(table_lines(table, width))
    print_lines(Line(line, "dim") for line in (*below, *table.signatures))


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines, with their styles if a terminal shows them."""
    if has_styles():
        from corrigenda.cli.rich_console import console, text_of

        out = console()
        for line in lines:
            out.print(text_of(line), soft_wrap=True)
    else:
        for line in lines:
            print(printable_lines(line.plain))


def has_styles() -> bool:
    """Whether rich may show styles: on a terminal, or if the environment asks for them."""
    asked = os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE") == "1"
    return bool(asked) or sys.stdout.isatty()


def note_lines(note: str, width: int) -> list[str]:
    """A remark, folded at blanks."""
    lines: list[str] = []
    for word in note.split():
        if lines and cell_len(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def cell_len(text: str) -> int:
    """The number of columns that a text takes."""
    if _IS_NARROW(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def table_lines(table: Table, width: int, *, rules: bool = True) -> Iterator[Line]:
    """The lines of a table, none wider than `width` unless a single column is."""
    for number, part in enumerate(split(table, width)):
        if number:
            yield Line()
        elif table.title:
            yield from (Line(line, "italic") for line in _folded(table.title, width, str.split))
        block = _drawn(part, width)
        yield from _block_lines(block, part.rows, _widths(block, width), rules=rules)


def split(table: Table, width: int) -> Iterator[Table]:
    """The table in parts that fit, each with the key columns."""
    for block in _blocks(_drawn(table, width), width):
        places = [column.place for column in block]
        rows = tuple(
            Row(tuple(row.cells[place] for place in places), row.ends_section) for row in table.rows
        )
        yield replace(table, columns=tuple(c.column for c in block), rows=rows)


def _drawn(table: Table, width: int) -> list[_Drawn]:
    return [_Drawn.of(table, place, column, width) for place, column in enumerate(table.columns)]


Styled = list[tuple[str, str]]
"""The lines of a cell, each with its style."""


class _Drawn(NamedTuple):
    """A column ready to be printed: its place, the sign of its marks, and what it is wide."""

    column: Column
    place: int
    sign: str
    longest: int
    """The width of its cells."""
    natural: int
    """The same with the heading."""
    compact: int
    """Its smallest width."""

    @classmethod
    def of(cls, table: Table, place: int, column: Column, width: int) -> _Drawn:
        of_column = [row.cells[place] for row in table.rows]
        marked = _shows_marks(table) and any(cell.significant for cell in of_column)
        sign = table.sign if marked else ""
        lines = [text for cell in of_column for text, _ in _styled(cell, sign)]
        longest = _longest(lines)
        natural = max(cell_len(column.heading), longest)
        return cls(column, place, sign, longest, natural, _compact(column, lines, natural, width))

    def cell(self, row: Row) -> Styled:
        """Its cell in a row."""
        return _styled(row.cells[self.place], self.sign)

    @property
    def gap(self) -> int:
        """The blanks before it."""
        return 1 if self.column.attached else _GAP


def _compact(column: Column, lines: Sequence[str], natural: int, width: int) -> int:
    """The smallest width: keys and texts are folded, and anything wider than half a line.

    Numbers are not: half a line has always room for them.
    """
    half = max(width // 2, _NARROWEST_WRAPPED)
    pieces = _pieces(column.heading)
    if column.key:
        parts = [part for line in lines for part in _pieces(line)]
        # Names in more than a few lines are harder to read than a table in several blocks.
        return min(max(_longest([*pieces, *parts]), -(-_longest(lines) // _MOST_KEY_LINES)), half)
    if column.wraps:
        return min(natural, _NARROWEST_WRAPPED)
    return min(_longest([*pieces, *lines]), half)


def _shows_marks(table: Table) -> bool:
    """Where a column says it in words, marks would only repeat it."""
    return not any(column.screen_only for column in table.columns)


def _styled(cell: Cell, sign: str) -> Styled:
    # The mark of the best stands before the number, so that the numbers stay aligned.
    shown = f"*{cell.text}" if cell.best else cell.text
    if sign:
        shown += sign if cell.significant else " " * cell_len(sign)
    lines = [(shown, "bold green" if cell.best else STYLES[cell.tone])]
    return [*lines, (cell.interval, "dim")] if cell.interval else lines


def _longest(texts: Sequence[str]) -> int:
    return max(map(cell_len, texts), default=0)


_FOLDS = re.compile(r"\s+|(?<=[:,_/-])(?=\S)|(?<=\.)(?=[^\W\d])")
"""Blanks, and the places after a sign between words; a decimal point is none."""


def _pieces(text: str) -> list[str]:
    """The parts of a heading or a name that stay together."""
    return [piece for piece in _FOLDS.split(text) if piece] or [""]


def _blocks(columns: list[_Drawn], width: int) -> Iterator[list[_Drawn]]:
    """The key columns with as many of the others as fit; attached columns stay together."""
    keys = [column for column in columns if column.column.key]
    groups: list[list[_Drawn]] = []
    for column in columns:
        if column.column.key:
            continue
        if column.column.attached and groups:
            groups[-1].append(column)
        else:
            groups.append([column])
    block = [*keys]
    for group in groups:
        if len(block) > len(keys) and _total([*block, *group]) > width:
            yield block
            block = [*keys]
        block += group
    yield block


def _total(block: Sequence[_Drawn]) -> int:
    return sum(column.compact + column.gap for column in block) - _GAP


def _widths(block: Sequence[_Drawn], width: int) -> list[int]:
    """Each column as narrow as it can be, and wider where there is room.

    Texts come first, then keys, then cells that are wider than half a line.

    Headings stay folded unless there is room for all of them.
    """
    room = max(0, width - _total(block))
    widths = [column.compact for column in block]
    by_need = [
        [c.column.wraps for c in block],
        [c.column.key for c in block],
        [c.longest > c.compact for c in block],
    ]
    for wanted in by_need:
        for place, column in enumerate(block):
            if wanted[place]:
                more = min(room, column.natural - widths[place])
                widths[place] += more
                room -= more
    if sum(column.natural for column in block) <= sum(widths) + room:
        return [column.natural for column in block]
    return widths


def _block_lines(
    block: Sequence[_Drawn], rows: Sequence[Row], widths: list[int], *, rules: bool
) -> Iterator[Line]:
    headings: list[Styled] = [
        [(line, "bold") for line in _folded(column.column.heading, width, _pieces)]
        for column, width in zip(block, widths, strict=True)
    ]
    if any(column.column.heading for column in block):
        yield from _joined(block, headings, widths, to_bottom=True)
    rule = Line(_dash() * (sum(widths) + sum(column.gap for column in block[1:])), "dim")
    if rules:
        yield rule
    for index, row in enumerate(rows):
        cells = [_fitted(column, row, width) for column, width in zip(block, widths, strict=True)]
        yield from _joined(block, cells, widths)
        if row.ends_section and index + 1 < len(rows):
            yield rule


def _dash() -> str:
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return "─" if encoding.startswith("utf") else "-"


def _fitted(column: _Drawn, row: Row, width: int) -> Styled:
    pieces = str.split if column.column.wraps else _pieces
    return [
        (line, style) for text, style in column.cell(row) for line in _folded(text, width, pieces)
    ]


def _folded(text: str, width: int, pieces: Callable[[str], list[str]]) -> list[str]:
    """The text in lines of at most `width`; only a piece that is longer than a line is cut."""
    if cell_len(text) <= width:
        return [text]
    lines = [""]
    end = 0
    for piece in pieces(text):
        begin = text.index(piece, end)
        before = text[end:begin] if lines[-1] else ""
        end = begin + len(piece)
        joined = f"{lines[-1]}{before}{piece}"
        if cell_len(joined) <= width or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(piece)
        if cell_len(lines[-1]) > width:
            lines[-1:] = _cut(lines[-1], width)
    return lines


def _cut(text: str, width: int) -> list[str]:
    """The text in parts of at most `width`, cut between graphemes; each part has at least one."""
    if _IS_NARROW(text):
        step = max(1, width)
        return [text[begin : begin + step] for begin in range(0, len(text), step)] or [""]
    from corrigenda.text.graphemes import graphemes

    parts, taken = [""], 0
    for grapheme in graphemes(text):
        wide = cell_len(grapheme)
        if parts[-1] and taken + wide > width:
            parts.append("")
            taken = 0
        parts[-1] += grapheme
        taken += wide
    return parts


def _joined(
    block: Sequence[_Drawn], cells: list[Styled], widths: list[int], *, to_bottom: bool = False
) -> Iterator[Line]:
    """Cells of one or more lines, side by side."""
    height = max(map(len, cells), default=0)
    for number in range(height):
        line = Line()
        for column, lines, width in zip(block, cells, widths, strict=True):
            place = number - (height - len(lines) if to_bottom else 0)
            text, style = lines[place] if 0 <= place < len(lines) else ("", "")
            padding = " " * (width - cell_len(text))
            line.append(" " * column.gap if column is not block[0] else "")
            line.append(padding if not column.column.left else "")
            line.append(isolated(text), style)
            line.append(padding if column.column.left else "")
        line.rstrip()
        yield line
