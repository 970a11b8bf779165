"""Prints what a command has found, in one of five formats: table, JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from corrigenda.cli.display import data_output, no_formula, printable
from corrigenda.cli.tables import Cell, Records, Row, Table
from corrigenda.errors import CorrigendaError, UsageError

FORMATS = ("table", "json", "csv", "markdown", "latex")


def output(
    args: argparse.Namespace,
    *,
    tables: Callable[[], Iterable[Table]],
    records: Mapping[str, Callable[[], Records]],
    data: Callable[[], object],
) -> None:
    """Print as --format says. `records` are the tables of CSV by name, the main one first."""
    if args.format == "json":
        print_json(data())
    elif args.format == "csv":
        chosen = records[getattr(args, "table", None) or next(iter(records))]()
        print_csv(chosen, raw=args.csv_raw)
    else:
        print_tables(tables(), args.format)
    # A command may print what it found and then fail, because that is bad news.
    sys.stdout.flush()


def check(args: argparse.Namespace) -> None:
    """--table chooses among the tables of CSV; the other formats print them all."""
    if getattr(args, "table", None) and args.format != "csv":
        raise UsageError(
            "--table chooses what --format csv writes", remedy="Add --format csv, or leave it out."
        )
    if getattr(args, "csv_raw", False) and args.format != "csv":
        raise UsageError("--csv-raw goes with --format csv", remedy="Add it, or leave it out.")


def print_json(data: object, *, indent: int | None = 2) -> None:
    """Print plain values."""
    import json

    json.dump(data, data_output(), ensure_ascii=False, indent=indent)
    print()


def print_csv(records: Records, *, raw: bool = False) -> None:
    """Print one header, and one row per record. Unless `raw`, no text can be a formula."""
    import csv

    writer = csv.writer(data_output(), lineterminator="\n")
    for row in (records.header, *records.rows):
        if raw:
            writer.writerow(row)
        else:
            writer.writerow([no_formula(each) if isinstance(each, str) else each for each in row])


def print_tables(tables: Iterable[Table], style: str) -> None:
    """Print tables one below the other: `table`, `markdown` or `latex`."""
    for number, given in enumerate(tables):
        check_size(len(given.rows), len(given.columns))
        table = given.map_texts(printable)
        if number:
            print()
        if style == "table":
            # Only the terminal needs rich.
            from corrigenda.cli.terminal import print_table

            print_table(table)
        else:
            print("\n".join(markdown(table) if style == "markdown" else latex(table)))


_MANY_COLUMNS = 100
_MOST_CELLS = 1_000_000
"""Of a table with many columns. It is a product, such as annotators times types: a small file makes
a large one."""


def check_size(rows: int, columns: int) -> None:
    """Refuse a table with too many cells; a command calls it before it makes a large one."""
    if columns > _MANY_COLUMNS and rows * columns > _MOST_CELLS:
        raise CorrigendaError(
            f"the table has {rows:,} rows and {columns:,} columns, too many to be printed",
            remedy="Add --format json.",
        )


def markdown(table: Table) -> Iterator[str]:
    """The lines of a table in Markdown."""
    paper = _on_paper(table)
    if paper.title:
        yield from (markdown_escaped(paper.title), "")
    yield f"| {' | '.join(markdown_escaped(column.heading) for column in paper.columns)} |"
    yield f"|{'|'.join(':--' if column.left else '--:' for column in paper.columns)}|"
    for row in paper.rows:
        yield f"| {' | '.join(_markdown_cell(cell, paper.sign) for cell in row.cells)} |"
    escaped = replace(paper, notes=tuple(map(markdown_escaped, paper.notes)))
    notes = escaped.notes_with_best("**bold**:")
    if paper.has_marks and paper.mark is not None:
        # A star at the beginning of a line would begin a list.
        notes.append(f"\\{paper.sign} {markdown_escaped(paper.mark.meaning)}")
    notes += [f"`{signature}`" for signature in paper.signatures]
    yield from (["", *(f"{note}  " for note in notes)] if notes else [])


def _on_paper(table: Table) -> Table:
    """The table without the columns that say in words what marks say."""
    places = [place for place, column in enumerate(table.columns) if not column.screen_only]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in places),
        rows=tuple(
            Row(tuple(row.cells[place] for place in places), row.ends_section) for row in table.rows
        ),
    )


def _markdown_cell(cell: Cell, sign: str) -> str:
    text = markdown_escaped(cell.text)
    text = f"**{text}**" if cell.best else text
    text += sign if cell.significant else ""
    return f"{text} {cell.interval}".rstrip()


_MARKDOWN_SPECIAL = re.compile(
    r"[\\`*~|$]"  # code, emphasis, cells, formulas
    r"|(?<!\w)_|_(?!\w)"  # emphasis, but not inside a word
    r"|&(?=#?\w+;)|<(?=[\w/!?])"  # entities and tags
    r"|\["  # links, if their end follows
)
"""Signs that would not be shown as they are."""


def markdown_escaped(text: str) -> str:
    """The text for a cell of a Markdown table."""
    end = -1  # the next bracket that closes; each is looked for once

    def escaped(found: re.Match[str]) -> str:
        nonlocal end
        if found[0] == "[":
            if end < found.start():
                end = text.find("]", found.start())
                end = len(text) if end < 0 else end
            if text[end + 1 : end + 2] not in ("(", "["):
                return "["
        return f"\\{found[0]}"

    return _MARKDOWN_SPECIAL.sub(escaped, text)


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--",
    "<": "$<$", ">": "$>$", "|": r"\textbar{}", "≤": r"$\leq$", "≥": r"$\geq$", "×": r"$\times$",
    "…": r"\ldots{}", "²": "$^2$", "·": r"$\cdot$", "β": r"$\beta$", "κ": r"$\kappa$",
    "μ": r"$\mu$", "ρ": r"$\rho$", "τ": r"$\tau$", "Δ": r"$\Delta$",
    **{chr(0x2080 + digit): f"$_{digit}$" for digit in range(10)},
}  # fmt: skip


def latex(table: Table) -> Iterator[str]:
    """The lines of a table in LaTeX, with the rules of the package booktabs."""
    paper = _on_paper(table)
    comments = (paper.title, *paper.notes_with_best("bold:"), *paper.signatures)
    yield from (f"% {comment}" for comment in comments if comment)
    kinds = "".join("l" if column.left else "r" for column in paper.columns)
    yield rf"\begin{{tabular}}{{{kinds}}}"
    yield r"\toprule"
    yield " & ".join(latex_escaped(column.heading) for column in paper.columns) + r" \\"
    yield r"\midrule"
    for index, row in enumerate(paper.rows, 1):
        yield _latex_row(row, paper.sign)
        if row.ends_section and index < len(paper.rows):
            yield r"\midrule"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    if paper.has_marks and paper.mark is not None:
        meaning = latex_escaped(paper.mark.meaning)
        yield rf"\par\smallskip{{\footnotesize \textsuperscript{{{paper.sign}}} {meaning}}}"


def _latex_row(row: Row, sign: str) -> str:
    cells = " & ".join(_latex_cell(cell, sign) for cell in row.cells)
    # After the end of a row LaTeX would take a bracket or a star for an argument.
    front = "{}" if cells.startswith(("[", "*")) else ""
    return rf"{front}{cells} \\"


def _latex_cell(cell: Cell, sign: str) -> str:
    text = _latex_value(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else text
    text += rf"\textsuperscript{{{sign}}}" if cell.significant else ""
    return rf"{text} {{\small {_latex_value(cell.interval)}}}" if cell.interval else text


_MINUS = re.compile(r"(?<![^\s(\[])-(?=\d)")


def _latex_value(text: str) -> str:
    """The text of a cell for LaTeX; the minus of a number is not a hyphen."""
    return "$-$".join(map(latex_escaped, _MINUS.split(text)))


def latex_escaped(text: str) -> str:
    """The text for LaTeX."""
    return "".join(_LATEX_SPECIAL.get(character, character) for character in text)
