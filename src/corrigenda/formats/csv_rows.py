"""Rows of CSV: one per line, all as long as the first, which names each column once."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

from corrigenda.errors import FormatError, Location, brief
from corrigenda.formats import input_file, text
from corrigenda.text.sentences import Path


def csv_rows(path: Path) -> Iterator[tuple[Location, list[str]]]:
    """The rows of a file with their places; the first one names the columns."""
    name = input_file.shown(path)
    with ExitStack() as stack:
        reader = csv.reader(text.lines(input_file.open_binary(path, stack), name), strict=True)
        header: list[str] | None = None
        before = 0
        try:
            for row in reader:
                at = Location(name, before + 1)
                if reader.line_num > before + 1:
                    raise FormatError(
                        "a value contains a line end",
                        at=at,
                        remedy="Names of systems, judges and sentences have no line ends. "
                        "Check the quotation marks.",
                    )
                if header is None:
                    _check_header(row, at)
                    header = row
                elif len(row) != len(header):
                    raise FormatError(
                        f"the row has {len(row)} values, but there are {len(header)} columns",
                        at=at,
                        remedy="Give one value per column.",
                    )
                before = reader.line_num
                yield at, row
        except csv.Error as error:
            raise FormatError(
                f"not CSV: {error}",
                at=Location(name, reader.line_num),
                remedy="Check the commas and quotation marks of this line.",
            ) from error


def _check_header(header: list[str], at: Location) -> None:
    if repeated := [column for column, times in Counter(header).items() if times > 1]:
        raise FormatError(
            f"the column {brief(repeated[0])} occurs twice",
            at=at,
            remedy="Name each column once.",
        )
