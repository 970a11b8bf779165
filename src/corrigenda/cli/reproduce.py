"""`corrigenda reproduce`: published tables, with our numbers beside them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli import options, outputs, render
from corrigenda.cli.display import say
from corrigenda.errors import CorrigendaError, UsageError

if TYPE_CHECKING:
    from corrigenda.cli.tables import Cell, Records, Row, Table
    from corrigenda.meta.laboratory import Laboratory, PublishedCell, Reproduction

PAGE = "reproduce.html"
HELP = "compute published tables again: published, ours, difference"
EXAMPLES = f"""\
examples:
  corrigenda reproduce green-table2
  corrigenda reproduce green-table4 ptm2-table6
  corrigenda reproduce all --format json > tables.json
  corrigenda reproduce all --out reproduced     # one HTML page with every table and figure
  corrigenda reproduce ptm2-table5 --model path/to/encoder --layer 6

The data sets conll14, seeda and napoles15 are needed (`corrigenda data`). If a number cannot be
computed, because an extra is not installed or because a paper leaves something out, the reason is
given. Differences above --tolerance are marked with '!'. CSV has one row per number of each table.

{options.WIDTH_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from corrigenda.meta.reproduce import TABLES

    parser.add_argument(
        "tables",
        nargs="+",
        choices=(*TABLES, "all"),
        metavar="TABLE",
        help=f"{', '.join(TABLES)}, all",
    )
    parser.add_argument(
        "--tolerance",
        type=options.number_of("--tolerance", least=0),
        default=0.005,
        metavar="D",
        help="mark larger differences; scores × 100 are compared with 100 D (default: 0.005)",
    )
    options.add_format(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="write one HTML page with every table and figure into this folder, and print counts",
    )
    options.add_threads(parser)
    options.add_no_cache(parser)
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="another encoder for ptm2-table5, by name or folder "
        "(default: MiniLM, if its package is installed)",
    )
    options.add_whole_number(
        parser,
        "--layer",
        "layer of that model (default: its best known one, else its last)",
        least=0,
    )
    options.add_models(parser)


def run(args: argparse.Namespace) -> None:
    """Compute the tables, one after the other, and print each table as soon as it is done."""
    if args.layer is not None and not args.model:
        raise UsageError(
            "--layer needs --model: it is a layer of that model",
            remedy="Add --model NAME_OR_FOLDER.",
        )
    if args.out is not None:
        outputs.check_folder("--out", args.out, [PAGE], ())
    laboratory = _laboratory(args)
    failed: dict[str, Exception] = {}
    made = _made(args, laboratory, failed)
    if args.out is not None:
        _write_page(args.out, list(made), failed)
    elif args.format == "json":
        render.print_json([reproduction.to_dict() for reproduction in made])
    elif args.format == "csv":
        render.print_csv(_records(list(made)), raw=args.csv_raw)
    else:
        for number, reproduction in enumerate(made):
            if number:
                say()
            _print(reproduction, args.tolerance, args.format)
    _report(laboratory, failed)


def _laboratory(args: argparse.Namespace) -> Laboratory:
    from corrigenda.meta.laboratory import Laboratory
    from corrigenda.meta.stand_in import StandIn, installed

    stand_in = StandIn(args.model, args.layer) if args.model else installed()
    return Laboratory(threads=args.threads, stand_in=stand_in)


def _made(
    args: argparse.Namespace, laboratory: Laboratory, failed: dict[str, Exception]
) -> Iterator[Reproduction]:
    """One table after the other. If one fails, the others are still made."""
    from corrigenda.meta.kept_tables import KeptTables
    from corrigenda.meta.reproduce import TABLES, reproduce

    names = tuple(TABLES) if "all" in args.tables else tuple(dict.fromkeys(args.tables))
    with options.working(args):
        kept = KeptTables(laboratory)
    for name in names:
        try:
            with options.working(args):
                reproduction = kept.get(name) or reproduce(name, laboratory)
                kept.put(reproduction)
        except Exception as error:  # whatever it is, the finished tables must not be lost
            failed[name] = error
            continue
        yield reproduction


def _report(laboratory: Laboratory, failed: Mapping[str, Exception]) -> None:
    """An error, after all output, if a table failed or data are missing."""
    if failed:
        reasons = "; ".join(f"{name}: {_reason(error)}" for name, error in failed.items())
        raise CorrigendaError(
            f"{len(failed)} of the tables could not be computed: {reasons}",
            remedy="The other tables are complete.",
        )
    for error in laboratory.missing_data.values():
        raise error


def _reason(error: Exception) -> str:
    if isinstance(error, CorrigendaError):
        return error.problem
    return f"{type(error).__name__}: {error}"


def _write_page(folder: str, made: Sequence[Reproduction], failed: Mapping[str, Exception]) -> None:
    from corrigenda import writing
    from corrigenda.meta.reproduction_page import count_line, tables_page

    path = Path(folder) / PAGE
    reasons = {name: _reason(error) for name, error in failed.items()}
    with writing.together(make_folders=True) as batch, batch.text_file(path) as file:
        file.write(tables_page(made, reasons))
    say(path)
    say(count_line(made))


def _print(reproduction: Reproduction, tolerance: float, style: str = "table") -> None:
    render.print_tables([_table(reproduction, tolerance)], style)
    sys.stdout.flush()


def _records(made: Sequence[Reproduction]) -> Records:
    from corrigenda.cli.tables import Records

    return Records(
        ("table", "row", "column", "published", "ours", "difference", "reason"),
        [
            (
                reproduction.name,
                cell.row,
                cell.column,
                cell.published,
                cell.ours,
                cell.difference,
                cell.reason,
            )
            for reproduction in made
            for cell in reproduction.cells
        ],
    )


def _table(reproduction: Reproduction, tolerance: float) -> Table:
    from corrigenda.cli.tables import Column, Mark, Row, Table, key_column

    columns = list(dict.fromkeys(cell.column for cell in reproduction.cells))
    names = list(dict.fromkeys(cell.row for cell in reproduction.cells))
    cells = {(cell.row, cell.column): cell for cell in reproduction.cells}
    rows: list[Row] = []
    for name in names:
        found = [cells.get((name, column)) for column in columns]
        lines = _lines(name, found, tolerance)
        rows += [*lines[:-1], Row(lines[-1].cells, ends_section=True)]
    return Table(
        (key_column(""), key_column(""), *map(Column, columns)),
        tuple(rows),
        title=reproduction.title,
        notes=(*_reasons(reproduction.cells), *(f"· {note}" for note in reproduction.notes)),
        mark=Mark(f"above the tolerance of {tolerance:g}", "!"),
    )


def _lines(name: str, cells: list[PublishedCell | None], tolerance: float) -> list[Row]:
    """What is published, ours, and the difference, as far as there are any."""
    from corrigenda.cli.tables import Cell, Row, text

    found = [cell for cell in cells if cell is not None]
    lines: list[tuple[Cell, list[Cell]]] = []
    if any(cell.published is not None for cell in found):
        lines.append((text("published"), [_number(cell, "published") for cell in cells]))
    if any(cell.ours is not None for cell in found):
        lines.append((text("ours"), [_number(cell, "ours") for cell in cells]))
    else:
        lines.append((text("not computed", "missed"), [Cell("")] * len(cells)))
    if any(cell.difference is not None for cell in found):
        lines.append((text("difference"), [_difference(cell, tolerance) for cell in cells]))
    first, *others = lines
    return [
        Row((text(name), first[0], *first[1])),
        *(Row((text(""), kind, *values)) for kind, values in others),
    ]


def _number(cell: PublishedCell | None, which: str) -> Cell:
    from corrigenda.cli.tables import MISSING, Cell, number

    return Cell(MISSING) if cell is None else number(getattr(cell, which), cell.digits)


def _difference(cell: PublishedCell | None, tolerance: float) -> Cell:
    from corrigenda.cli.tables import MISSING, Cell, number

    if cell is None or cell.difference is None:
        return Cell(MISSING)
    # Scores × 100 are compared with a hundred times the tolerance; ranks must be equal.
    limit = {0: 0.5, 2: 100 * tolerance}.get(cell.digits, tolerance)
    return number(
        cell.difference, cell.digits, signed=True, significant=abs(cell.difference) > limit
    )


def _reasons(cells: tuple[PublishedCell, ...]) -> Iterator[str]:
    """Which numbers could not be computed, and why."""
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
        yield f"not computed: {', '.join(columns if by_column else rows)}: {reason}"
