"""`corrigenda reproduce`: published tables, with our numbers beside them."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from corrigenda.cli.model_options import add_model_arguments, model_settings
from corrigenda.cli.progress_bar import bars
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from rich.text import Text

    from corrigenda.meta.laboratory import PublishedCell, Reproduction

HELP = "compute published tables anew: published, ours, difference"
EXAMPLES = """\
examples:
  corrigenda reproduce green-table2
  corrigenda reproduce green-table4 ptm2-table6
  corrigenda reproduce all --format json > tables.json
  corrigenda reproduce ptm2-table5 --model path/to/encoder --layer 6

The data sets conll14, seeda and napoles15 are needed (`corrigenda data`). What the installed extras do not allow,
or what a paper does not say, is named with the reason. A difference above --tolerance is marked.
"""
NAMES = (
    "green-table2", "green-table3", "green-table4", "green-figure3", "gleu-table2", "gleu-table3",
    "imeasure-table10", "imeasure-table11", "ptm2-table5", "ptm2-table6",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "tables",
        nargs="+",
        choices=(*NAMES, "all"),
        metavar="TABLE",
        help=f"{', '.join(NAMES)}, all",
    )
    parser.add_argument(
        "--tolerance", type=float, default=0.005, metavar="D",
        help="differences above it are marked, × 100 where scores are (default: 0.005)",
    )  # fmt: skip
    parser.add_argument(
        "--format", "-f", choices=("table", "json"), default="table", help="(default: table)"
    )
    parser.add_argument(
        "--threads", type=int, metavar="N", help="threads of the kernels (default: all cores)"
    )
    parser.add_argument(
        "--model", metavar="MODEL",
        help="another encoder for ptm2-table5, by name or folder (default: MiniLM, if its package is installed)",
    )  # fmt: skip
    parser.add_argument(
        "--layer",
        type=int,
        metavar="N",
        help="of that model (default: its best known one, else its last)",
    )
    add_model_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Compute the tables, one after the other, and print each as soon as it is done."""
    from corrigenda.meta.laboratory import Laboratory
    from corrigenda.meta.reproduce import reproduce
    from corrigenda.meta.stand_in import StandIn, installed

    if args.layer is not None and not args.model:
        raise UsageError(
            "--layer is of the model that --model names", remedy="Add --model NAME_OR_FOLDER."
        )
    names = NAMES if "all" in args.tables else tuple(dict.fromkeys(args.tables))
    stand_in = StandIn(args.model, args.layer) if args.model else installed()
    laboratory = Laboratory(threads=args.threads, progress=_progress, stand_in=stand_in)
    made = []
    for name in names:
        with bars(), model_settings(args):
            reproduction = reproduce(name, laboratory)
        made.append(reproduction)
        if args.format == "table":
            _print(reproduction, args.tolerance)
            sys.stdout.flush()
    if args.format == "json":
        json.dump(
            [reproduction.to_dict() for reproduction in made],
            sys.stdout,
            ensure_ascii=False,
            indent=2,
        )
        print()


def _progress(what: str) -> None:
    if sys.stderr.isatty():
        print(f"corrigenda: {what} …", file=sys.stderr)


def _print(reproduction: Reproduction, tolerance: float) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 250, highlight=False)
    columns = list(dict.fromkeys(cell.column for cell in reproduction.cells))
    rows = list(dict.fromkeys(cell.row for cell in reproduction.cells))
    cells = {(cell.row, cell.column): cell for cell in reproduction.cells}
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=reproduction.title, title_justify="left")
    table.add_column("")
    table.add_column("")
    for column in columns:
        # One word a line keeps twelve columns within a terminal.
        table.add_column(Text(column.replace(" ", "\n")), justify="right")
    for row in rows:
        found = [cells.get((row, column)) for column in columns]
        for line in _lines(row, found, tolerance):
            table.add_row(*line)
        table.add_section()
    console.print(table)
    _print_reasons(reproduction.cells)
    for note in reproduction.notes:
        console.print(Text(f"· {note}", "dim"))
    console.print()


def _lines(row: str, cells: list[PublishedCell | None], tolerance: float) -> list[list[str | Text]]:
    """A row of the table: what is published, ours, and the difference, as far as there are any."""
    from rich.text import Text

    lines: list[list[str | Text]] = []
    if any(cell and cell.published is not None for cell in cells):
        lines.append(["", "published", *(_number(cell, "published") for cell in cells)])
    if any(cell and cell.ours is not None for cell in cells):
        lines.append(["", "ours", *(_number(cell, "ours") for cell in cells)])
    else:
        lines.append(["", Text("not computed", "yellow")])
    if any(cell and cell.difference is not None for cell in cells):
        lines.append(["", "difference", *(_difference(cell, tolerance) for cell in cells)])
    lines[0][0] = Text(row, "bold")
    return lines


def _number(cell: PublishedCell | None, which: str) -> str:
    value = None if cell is None else getattr(cell, which)
    return "–" if cell is None or value is None else f"{value:.{cell.digits}f}"


def _difference(cell: PublishedCell | None, tolerance: float) -> str:
    if cell is None or cell.difference is None:
        return "–"
    shown = f"{cell.difference:+.{cell.digits}f}"
    # Scores × 100 are compared with a hundred times the tolerance; ranks must be equal.
    limit = {0: 0.5, 2: 100 * tolerance}.get(cell.digits, tolerance)
    return f"{shown}!" if abs(cell.difference) > limit else shown


def _print_reasons(cells: tuple[PublishedCell, ...]) -> None:
    all_columns = {cell.column for cell in cells}
    reasons: dict[str, list[PublishedCell]] = {}
    for cell in cells:
        if cell.reason:
            reasons.setdefault(cell.reason, []).append(cell)
    for reason, found in reasons.items():
        rows = dict.fromkeys(cell.row for cell in found)
        columns = dict.fromkeys(cell.column for cell in found)
        # Metrics are rows in some tables and columns in others.
        by_column = len(columns) < len(rows) and columns.keys() < all_columns
        print(f"not computed: {', '.join(columns if by_column else rows)}: {reason}")
