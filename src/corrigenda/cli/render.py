"""Prints what a command has found, in one of five formats: table, JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from corrigenda.cli.tables import Cell, Column, Records, Table
from corrigenda.errors import UsageError

FORMATS = ("table", "json", "csv", "markdown", "latex")


def output(
    args: argparse.Namespace,
    *,
    tables: Callable[[], Iterable[Table]],
    records: Mapping[str, Callable[[], Records]],
    data: Callable[[], object],
) -> None:
    """Print in the format of --format. `records` are the tables of CSV by name, the main one first."""
    if args.format == "json":
        print_json(data())
    elif args.format == "csv":
        print_csv(records[getattr(args, "table", None) or next(iter(records))]())
    else:
        print_tables(tables(), args.format)


def check(args: argparse.Namespace) -> None:
    """--table chooses among the tables of CSV; the other formats print them all."""
    if getattr(args, "table", None) and args.format != "csv":
        raise UsageError(
            "--table chooses what --format csv writes", remedy="Add --format csv, or leave it out."
        )


def print_json(data: object, *, indent: int | None = 2) -> None:
    """Print plain values."""
    json.dump(data, sys.stdout, ensure_ascii=False, indent=indent)
    print()


def print_csv(records: Records) -> None:
    """Print one header, and one row per record."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(records.header)
    writer.writerows(records.rows)


def print_tables(tables: Iterable[Table], style: str) -> None:
    """Print tables one below the other: `table`, `markdown` or `latex`."""
    for number, table in enumerate(tables):
        if number:
            print()
        if style == "table":
            # Only the terminal needs rich.
            from corrigenda.cli.terminal import print_table

            print_table(table)
        else:
            print("\n".join(markdown(table) if style == "markdown" else latex(table)))


def markdown(table: Table) -> Iterator[str]:
    """The lines of a table in Markdown."""
    if table.title:
        yield from (markdown_escaped(table.title), "")
    places = _on_paper(table.columns)
    columns = [table.columns[place] for place in places]
    yield f"| {' | '.join(markdown_escaped(column.heading) for column in columns)} |"
    yield f"|{'|'.join(':--' if column.left else '--:' for column in columns)}|"
    sign = table.mark.sign if table.mark is not None else ""
    for row in table.rows:
        yield f"| {' | '.join(_markdown_cell(row.cells[place], sign) for place in places)} |"
    notes = table.notes_with_best("**bold**:")
    if table.has_marks and table.mark is not None:
        # A star at the beginning of a line would begin a list.
        notes.append(f"\\{sign} {table.mark.meaning}")
    if notes or table.signatures:
        yield ""
    yield from (f"{markdown_escaped(note)}  " for note in notes)
    yield from (f"`{signature}`  " for signature in table.signatures)


def _on_paper(columns: Sequence[Column]) -> list[int]:
    return [place for place, column in enumerate(columns) if not column.screen_only]


def _markdown_cell(cell: Cell, sign: str) -> str:
    text = markdown_escaped(cell.text)
    text = f"**{text}**" if cell.best else text
    text += sign if cell.significant else ""
    return f"{text} {cell.interval}".rstrip()


def markdown_escaped(text: str) -> str:
    """The text for a cell of a Markdown table."""
    return text.replace("|", "\\|")


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--",
    "<": "$<$", ">": "$>$", "≤": r"$\leq$", "≥": r"$\geq$", "×": r"$\times$", "…": r"\ldots{}",
    "²": "$^2$", "·": r"$\cdot$", "β": r"$\beta$", "κ": r"$\kappa$", "μ": r"$\mu$", "ρ": r"$\rho$",
    "τ": r"$\tau$", "Δ": r"$\Delta$",
}  # fmt: skip


def latex(table: Table) -> Iterator[str]:
    """The lines of a table in LaTeX, with the rules of the package booktabs."""
    comments = (table.title, *table.notes_with_best("bold:"), *table.signatures)
    yield from (f"% {comment}" for comment in comments if comment)
    places = _on_paper(table.columns)
    columns = [table.columns[place] for place in places]
    yield rf"\begin{{tabular}}{{{''.join('l' if column.left else 'r' for column in columns)}}}"
    yield r"\toprule"
    yield " & ".join(latex_escaped(column.heading) for column in columns) + r" \\"
    yield r"\midrule"
    sign = table.mark.sign if table.mark is not None else ""
    for index, row in enumerate(table.rows, 1):
        cells = " & ".join(_latex_cell(row.cells[place], sign) for place in places)
        # After the end of a row LaTeX would take a bracket or a star for an argument.
        yield ("{}" if cells.startswith(("[", "*")) else "") + cells + r" \\"
        if row.ends_section and index < len(table.rows):
            yield r"\midrule"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    if table.has_marks and table.mark is not None:
        meaning = latex_escaped(table.mark.meaning)
        yield rf"\par\smallskip{{\footnotesize \textsuperscript{{{sign}}} {meaning}}}"


def _latex_cell(cell: Cell, sign: str) -> str:
    text = latex_escaped(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else text
    text += rf"\textsuperscript{{{sign}}}" if cell.significant else ""
    return rf"{text} {{\small {cell.interval}}}" if cell.interval else text


def latex_escaped(text: str) -> str:
    """The text for LaTeX."""
    return "".join(_LATEX_SPECIAL.get(character, character) for character in text)
