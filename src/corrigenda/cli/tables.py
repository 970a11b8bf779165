"""Tables for people, and records for CSV: what every command prints, whatever the format."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from corrigenda.core.explanation import Tone
    from corrigenda.core.result import Interval

MISSING = "–"
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, its interval, and whether it is the best or significant."""

    text: str
    interval: str = ""
    best: bool = False
    significant: bool = False
    tone: Tone = "plain"

    def map_text(self, change: Callable[[str], str]) -> Cell:
        """The cell with its text changed; itself if nothing changes, as in most cells."""
        changed = change(self.text)
        return self if changed == self.text else replace(self, text=changed)


@dataclass(frozen=True)
class Column:
    """A heading, and how its column behaves when space is short.

    A `key` column names the rows: it is repeated in every block of a wide table. An `attached`
    column stays in the same block as the column before it. A `wraps` column may fold its texts at
    blanks. A `screen_only` column says in words what marks say in Markdown and LaTeX.
    """

    heading: str
    left: bool = False
    key: bool = False
    attached: bool = False
    wraps: bool = False
    screen_only: bool = False


@dataclass(frozen=True)
class Row:
    """The cells of one line; `ends_section` draws a line below it."""

    cells: tuple[Cell, ...]
    ends_section: bool = False


@dataclass(frozen=True)
class Mark:
    """The sign of a significant cell, and its meaning."""

    meaning: str
    sign: str = "*"


@dataclass(frozen=True)
class Table:
    """One table. `signatures` say how its numbers were made; they are never folded.

    `best_of` says what a cell marked as best is compared with: its column, or its row.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    mark: Mark | None = None
    best_of: Literal["column", "row"] = "column"

    @property
    def sign(self) -> str:
        """The sign of its mark."""
        return "" if self.mark is None else self.mark.sign

    @property
    def has_marks(self) -> bool:
        """Whether a cell is significant."""
        return self.mark is not None and any(
            cell.significant for row in self.rows for cell in row.cells
        )

    def map_texts(self, change: Callable[[str], str]) -> Table:
        """The table with every text changed."""
        return replace(
            self,
            columns=tuple(replace(each, heading=change(each.heading)) for each in self.columns),
            rows=tuple(
                Row(tuple(cell.map_text(change) for cell in row.cells), row.ends_section)
                for row in self.rows
            ),
            title=change(self.title),
            notes=tuple(map(change, self.notes)),
            signatures=tuple(map(change, self.signatures)),
        )

    def notes_with_best(self, sign: str) -> list[str]:
        """The notes; the first also says how the best cells are marked."""
        if not any(cell.best for row in self.rows for cell in row.cells):
            return list(self.notes)
        first, rest = self.notes[:1], self.notes[1:]
        return ["; ".join((*first, f"{sign} best of the {self.best_of}")), *rest]


@dataclass(frozen=True)
class Records:
    """Rows of plain values with one header, unrounded: what CSV holds."""

    header: tuple[str, ...]
    rows: Sequence[Sequence[Value]]


def key_column(heading: str) -> Column:
    """The column that names the rows."""
    return Column(heading, left=True, key=True)


def text(value: str, tone: Tone = "plain") -> Cell:
    """A text as it is."""
    return Cell(value, tone=tone)


def how_many(number: int, thing: str) -> str:
    """`1 judge`, `1,312 sentences`."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def count(value: float) -> Cell:
    """A number of things; weighed counts have two decimals."""
    return Cell(str(value) if isinstance(value, int) else f"{value:.2f}")


def percent(
    value: float | None,
    *,
    interval: Interval | None = None,
    best: bool = False,
    significant: bool = False,
    signed: bool = False,
) -> Cell:
    """A fraction as tables show it: times 100, two decimals."""
    shown = None if value is None else 100 * value
    bounds = "" if interval is None else _bounds(100 * interval.low, 100 * interval.high, 2, signed)
    return Cell(_number(shown, 2, signed), bounds, best, significant)


def number(
    value: float | None,
    digits: int = 3,
    *,
    interval: tuple[float, float] | None = None,
    significant: bool = False,
    signed: bool = False,
) -> Cell:
    """A coefficient; a dash where it is not defined."""
    bounds = "" if interval is None else _bounds(*interval, min(digits, 2), signed)
    return Cell(_number(value, digits, signed), bounds, significant=significant)


def probability(value: float | None, digits: int = 3, *, significant: bool = False) -> Cell:
    """A p-value. It is never 0, so one that would be rounded to 0 is shown as `<0.001`."""
    least = 10**-digits
    if value is not None and value < least / 2:
        return Cell(f"<{least:.{digits}f}", significant=significant)
    return number(value, digits, significant=significant)


def rank_range(best: int, worst: int) -> Cell:
    """`2`, or `2–4` where several ranks are possible."""
    return Cell(str(best) if best == worst else f"{best}–{worst}")


def bounds(interval: Interval, *, signed: bool = False) -> Cell:
    """An interval of fractions in a separate column, times 100."""
    return Cell(_bounds(100 * interval.low, 100 * interval.high, 2, signed))


def _number(value: float | None, digits: int, signed: bool) -> str:
    if value is None or math.isnan(value):
        return MISSING
    return f"{value:+z.{digits}f}" if signed else f"{value:z.{digits}f}"


def _bounds(low: float, high: float, digits: int, signed: bool) -> str:
    return f"[{_number(low, digits, signed)}, {_number(high, digits, signed)}]"
