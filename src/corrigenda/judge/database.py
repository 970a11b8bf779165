"""Making a campaign's database, and bringing an older one up to date after a backup."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from corrigenda import writing
from corrigenda.errors import CorrigendaError, Location
from corrigenda.formats import campaign
from corrigenda.text.sentences import Path

if TYPE_CHECKING:
    from sqlalchemy import Engine


def create_database(place: Path) -> Engine:
    """An empty campaign; nothing may be there yet."""
    from corrigenda.formats.campaign_schema import SCHEMA_VERSION

    campaign.require_judge_extra()
    if not campaign.is_url(place):
        _check_new_file(FilePath(place))
    engine = campaign.engine_of(place)
    with campaign.database_errors(place):
        if campaign.is_url(place) and campaign.version_of(engine) is not None:
            raise CorrigendaError(
                "this database holds a campaign already",
                at=Location(campaign.shown_place(place)),
                remedy="Give another database: one database holds one campaign.",
            )
        if not campaign.is_url(place):
            # The mode is kept in the file: readers and the writer do not wait for each other.
            with closing(sqlite3.connect(place)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
        upgrade(engine, SCHEMA_VERSION)
    return engine


def _check_new_file(path: FilePath) -> None:
    if path.exists():
        raise CorrigendaError(
            "the file exists already",
            at=Location(str(path)),
            remedy="Give a new file: `judge new` never overwrites a campaign.",
        )
    if not path.absolute().parent.is_dir():
        raise CorrigendaError(
            f"the folder {path.absolute().parent} does not exist",
            at=Location(str(path)),
            remedy="Make the folder first.",
        )


def upgrade(engine: Engine, version: str) -> None:
    """Run the migrations up to a version, all in one transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FilePath(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def open_campaign(place: Path) -> tuple[Engine, FilePath | None]:
    """The engine of a campaign; an older one is migrated, and its backup is returned too."""
    from corrigenda.formats.campaign_schema import SCHEMA_VERSION

    backup = None
    if campaign.is_url(place) or FilePath(place).is_file():
        engine = campaign.engine_of(place)
        with campaign.database_errors(place):
            version = campaign.version_of(engine)
            if version is not None and version < SCHEMA_VERSION:
                backup = _back_up(place, engine, version)
                upgrade(engine, SCHEMA_VERSION)
        engine.dispose()
    return campaign.open_engine(place), backup


def _back_up(place: Path, engine: Engine, version: str) -> FilePath:
    """A copy beside the SQLite file; of a database by URL, all rows as JSON lines."""
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%S%f")
    if not campaign.is_url(place):
        path = FilePath(f"{place}.{version}.{now}.backup")
        with closing(sqlite3.connect(place)) as old, closing(sqlite3.connect(path)) as new:
            old.backup(new)
        return path
    path = FilePath(f"campaign.{version}.{now}.backup.jsonl")
    with writing.text_file(path) as file:
        file.writelines(line + "\n" for line in _rows(engine))
    return path


def _rows(engine: Engine) -> Iterator[str]:
    """Every row of every table, as JSON with the name of the table."""
    import sqlalchemy

    with campaign.reading(engine) as connection:
        tables = sqlalchemy.MetaData()
        tables.reflect(connection)
        for table in tables.sorted_tables:
            for row in connection.execute(sqlalchemy.select(table)).mappings():
                yield json.dumps({"table": table.name, **row}, ensure_ascii=False)
