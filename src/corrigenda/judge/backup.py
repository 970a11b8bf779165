"""Backups of a campaign, and campaigns from backups.

The backup of an SQLite file is another SQLite file. The backup of a PostgreSQL database is a file
of JSON lines: first the version of the tables, then every row. It can be restored to both.
"""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from corrigenda import writing
from corrigenda.errors import CorrigendaError, FormatError, Location
from corrigenda.formats import campaign
from corrigenda.text.sentences import Path

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, MetaData

_VERSION_TABLE = "alembic_version"
_HEADER = "corrigenda_campaign"
_ROWS_AT_ONCE = 1000

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
            file.seek(0)
            first = file.readline()
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
        version = json.loads(first)[_HEADER]
    except (ValueError, KeyError, TypeError):
        version = None
    if not isinstance(version, str):
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
    for (name, _), group in groupby(_numbered(path, tables), key=lambda each: (each[0], each[1])):
        table = tables.tables[name]
        connection.execute(table.insert(), [row for _, _, row in group])
    if connection.dialect.name == "postgresql":
        _continue_counting(connection, tables)


def _numbered(path: Path, tables: MetaData) -> Iterator[tuple[str, int, BackupRow]]:
    """The table, the number of a portion and the values of each row."""
    with FilePath(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            if number == 1:
                continue
            yield _row(line, number, path, tables, number // _ROWS_AT_ONCE)


def _row(
    line: bytes, number: int, path: Path, tables: MetaData, portion: int
) -> tuple[str, int, BackupRow]:
    try:
        found = json.loads(line)
        name, row = found["table"], found["row"]
        if set(row) == set(tables.tables[name].columns.keys()):
            return name, portion, row
    except (ValueError, KeyError, TypeError):
        pass
    raise FormatError(
        "this line is not a row of a campaign",
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
