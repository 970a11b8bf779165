"""Backups of a campaign, and campaigns from backups.

The backup of an SQLite file is another SQLite file. The backup of a PostgreSQL database is a file
of JSON lines: first the version of the tables, then every row. It can be restored to both.
"""

from __future__ import annotations

import datetime
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import groupby
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from corrigenda import writing
from corrigenda.errors import CorrigendaError, FormatError, Location
from corrigenda.formats import campaign, input_file, text
from corrigenda.formats.json_text import JsonError, parsed_object
from corrigenda.text.sentences import Path

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, MetaData

_VERSION_TABLE = "alembic_version"
_HEADER = "corrigenda_campaign"
_ROWS_AT_ONCE = 1000
_VERSION = re.compile("[0-9]{4}")

BackupRow = dict[str, Any]
"""A line of a backup: the name of the table, and the values by column."""


def back_up(place: Path, engine: Engine, version: str) -> FilePath:
    """A copy beside the SQLite file; of a database by URL, all rows as JSON lines."""
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%S%f")
    if not campaign.is_url(place):
        path = FilePath(f"{place}.{version}.{now}.backup")
        with (
            writing.name_beside(path) as copy,
            closing(sqlite3.connect(place)) as old,
            closing(sqlite3.connect(copy)) as new,
        ):
            old.backup(new)
        return path
    path = FilePath(f"campaign.{version}.{now}.backup.jsonl")
    with writing.text_file(path) as file:
        file.writelines(line + "\n" for line in _lines(engine, version))
    return path


def _lines(engine: Engine, version: str) -> Iterator[str]:
    """The version, then every row of every table in an order that foreign keys allow."""
    import sqlalchemy

    yield json.dumps({_HEADER: version})
    with campaign.reading(engine) as connection:
        tables = sqlalchemy.MetaData()
        tables.reflect(connection)
        for table in tables.sorted_tables:
            if table.name != _VERSION_TABLE:
                query = sqlalchemy.select(table).order_by(*table.primary_key.columns)
                for row in connection.execute(query).mappings():
                    yield json.dumps({"table": table.name, "row": dict(row)}, ensure_ascii=False)


def version_of_backup(path: Path) -> str:
    """The version of the tables in a backup of JSON lines."""
    try:
        with FilePath(path).open("rb") as file:
            begin = file.read(len(campaign.SQLITE_BEGIN))
        first = "" if begin == campaign.SQLITE_BEGIN else next(_text_lines(path), "")
    except OSError as error:
        raise CorrigendaError(
            f"cannot read the backup: {error.strerror}", at=Location(str(path))
        ) from error
    if begin == campaign.SQLITE_BEGIN:
        raise FormatError(
            "this backup is an SQLite file: it is a campaign itself",
            at=Location(str(path)),
            remedy="Copy it to a name of its own, and use that: cp BACKUP campaign.db.",
        )
    try:
        version = parsed_object(first).get(_HEADER)
    except JsonError:
        version = None
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise FormatError(
            "this is not a backup of a campaign",
            at=Location(str(path), 1),
            remedy="Give a file that ends with .backup.jsonl; `judge` makes it before a migration.",
        )
    return version


def insert_rows(connection: Connection, path: Path) -> None:
    """All rows of a backup into empty tables of its version."""
    import sqlalchemy

    tables = sqlalchemy.MetaData()
    tables.reflect(connection)
    for (name, portion), group in groupby(_numbered(path, tables), key=lambda each: each[:2]):
        table = tables.tables[name]
        try:
            connection.execute(table.insert(), [row for _, _, row in group])
        except OverflowError as error:  # a number that SQLite cannot hold
            first = max(2, portion * _ROWS_AT_ONCE)
            raise _no_row(path, first, "one of these lines") from error
    if len(connection.execute(tables.tables["campaign"].select()).all()) != 1:
        raise _no_row(path, 2, "no line, or more than one,", "the row of the campaign")
    if connection.dialect.name == "postgresql":
        _continue_counting(connection, tables)


def _numbered(path: Path, tables: MetaData) -> Iterator[tuple[str, int, BackupRow]]:
    """The table, the number of a portion and the values of each row."""
    for number, line in enumerate(_text_lines(path), 1):
        if number > 1:
            yield _row(line, number, path, tables, number // _ROWS_AT_ONCE)


def _text_lines(path: Path) -> Iterator[str]:
    with ExitStack() as stack:
        yield from text.lines(input_file.open_binary(path, stack), input_file.shown(path))


def _row(
    line: str, number: int, path: Path, tables: MetaData, portion: int
) -> tuple[str, int, BackupRow]:
    try:
        found = parsed_object(line)
    except JsonError as problem:
        raise _no_row(path, number) from problem
    name, row = found.get("table"), found.get("row")
    if (
        isinstance(name, str)
        and isinstance(row, dict)
        and name in tables.tables
        and name != _VERSION_TABLE
        and set(row) == set(tables.tables[name].columns.keys())
    ):
        return name, portion, row
    raise _no_row(path, number)


def _no_row(
    path: Path, number: int, which: str = "this line", what: str = "a row of a campaign"
) -> FormatError:
    return FormatError(
        f"{which} is not {what}",
        at=Location(str(path), number),
        remedy="Give the backup as it was written; a part of it cannot be restored.",
    )


def _continue_counting(connection: Connection, tables: MetaData) -> None:
    """New rows get numbers after those of the backup."""
    for table in tables.sorted_tables:
        if "id" in table.columns:
            connection.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                f'(SELECT max(id) FROM "{table.name}"))'
            )
