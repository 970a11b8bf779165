"""Whether an SQLite file can be the campaign that it says it is.

SQLite takes any value in any column, and a file may hold views and triggers, which are programs.
So a file that somebody else wrote is looked at before anything is read from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, Boolean, Float, Integer

from corrigenda.errors import FormatError, Location
from corrigenda.formats.campaign_schema import campaign, metadata

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

_LISTS = ("outputs", "shown")
"""The columns of JSON that hold lists; all others hold objects."""
_REMEDY = "It was changed or damaged. Use a copy of the original file."


def check_file(connection: Connection, name: str) -> None:
    """Refuse a file with other things than a campaign has, or with values of other types."""
    for kind, found in connection.exec_driver_sql("SELECT type, name FROM sqlite_master"):
        if kind not in ("table", "index"):
            raise _damaged(f"it has a {kind}, {found!r}, which no campaign has", name)
    tables = {row[0] for row in connection.exec_driver_sql("SELECT name FROM sqlite_master")}
    for table in metadata.sorted_tables:
        if table.name not in tables:
            raise _damaged(f"it has no table {table.name!r}", name)
        wrong = " OR ".join(f"NOT coalesce({_is_right(column)}, 0)" for column in table.columns)
        query = f'SELECT rowid FROM "{table.name}" WHERE {wrong} LIMIT 1'
        if (row := connection.exec_driver_sql(query).scalar()) is not None:
            raise _damaged(f"row {row} of {table.name!r} has a value of another type", name)
    rows = connection.execute(campaign.select()).all()
    if len(rows) != 1:
        raise _damaged(f"it has {len(rows)} campaigns, not one", name)


def _is_right(column: Column[Any]) -> str:
    """An expression of SQL: whether the value is of the column's type."""
    name = f'"{column.name}"'
    if isinstance(column.type, JSON):
        kind = "array" if column.name in _LISTS else "object"
        right = f"typeof({name}) = 'text' AND json_valid({name}) AND json_type({name}) = '{kind}'"
    elif isinstance(column.type, Boolean):
        right = f"{name} IN (0, 1)"
    elif isinstance(column.type, Integer):
        right = f"typeof({name}) = 'integer'"
    elif isinstance(column.type, Float):
        right = f"typeof({name}) IN ('real', 'integer')"
    else:
        right = f"typeof({name}) = 'text'"
    return f"({name} IS NULL OR {right})" if column.nullable else f"({right})"


def _damaged(problem: str, name: str) -> FormatError:
    return FormatError(f"this is not a campaign: {problem}", at=Location(name), remedy=_REMEDY)
