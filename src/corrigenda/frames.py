"""Results as tables for notebooks and data frames, without importing what is not installed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from corrigenda.errors import CorrigendaError

FrameColumns = Mapping[str, Sequence[object]]
"""The name of each column, with its values from the first row to the last."""
SHOWN_ROWS = 20
"""How many rows of a long table a notebook shows."""
_STYLE = "text-align:right;padding:.2em .8em"


class Tabular(ABC):
    """Something that has rows and columns.

    >>> import corrigenda
    >>> corpus = corrigenda.Corpus.from_lists(["He go ."], ["He goes ."])
    >>> results = corrigenda.evaluate(corpus, {"ours": ["He goes ."]}, ["bleu"])
    >>> results.columns()["system"], results.columns()["score"]
    (['ours'], [1.0])
    """

    @abstractmethod
    def columns(self) -> FrameColumns:
        """The columns of the table, in their order."""

    def to_pandas(self) -> Any:
        """The table as a `pandas.DataFrame`."""
        with _installed("pandas"):
            import pandas
        return pandas.DataFrame(_lists(self.columns()))

    def to_polars(self) -> Any:
        """The table as a `polars.DataFrame`."""
        with _installed("polars"):
            import polars
        return polars.DataFrame(_lists(self.columns()), strict=False)

    def to_arrow(self) -> Any:
        """The table as a `pyarrow.Table`."""
        with _installed("pyarrow"):
            import pyarrow
        return pyarrow.table(_lists(self.columns()))

    def _repr_html_(self) -> str:
        return table_html(self.columns())


def table_html(columns: FrameColumns, *, notes: Iterable[str] = ()) -> str:
    """A table for a notebook: the first rows, and how many more there are. All text is escaped."""
    names = list(columns)
    rows = list(zip(*(values[:SHOWN_ROWS] for values in columns.values()), strict=True))
    head = "".join(f'<th style="{_STYLE}">{_escaped(name)}</th>' for name in names)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_STYLE}">{_cell(value)}</td>' for value in row) + "</tr>"
        for row in rows
    )
    total = len(next(iter(columns.values()), ()))
    more = [f"… and {total - len(rows):,} more rows"] if total > len(rows) else []
    below = "".join(f"<div><small>{_escaped(line)}</small></div>" for line in (*more, *notes))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list | tuple):
        return "<br>".join(_escaped(str(part)) for part in value)
    return _escaped(str(value))


def _escaped(text: str) -> str:
    import html

    return f'<bdi dir="auto">{html.escape(text)}</bdi>'


def _lists(columns: FrameColumns) -> dict[str, list[object]]:
    return {name: list(values) for name, values in columns.items()}


@contextmanager
def _installed(name: str) -> Iterator[None]:
    try:
        yield
    except ImportError:
        raise CorrigendaError(
            f"{name} is not installed", remedy=f"pip install {name}; or use columns()."
        ) from None
