"""Making a campaign's database, from a backup too; bringing an older one up to date."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from corrigenda import writing
from corrigenda.errors import CorrigendaError, Location
from corrigenda.formats import campaign
from corrigenda.judge.backup import back_up, insert_rows, version_of_backup
from corrigenda.text.sentences import Path

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_LONGEST_END = "-journal"
"""What SQLite adds to the name of the file that it keeps beside a database."""
_LONGEST_PATH = 511
"""The bytes of the longest path that SQLite opens."""


@contextmanager
def new_campaign(place: Path, version: str | None = None) -> Iterator[Connection]:
    """The transaction that fills an empty campaign; nothing may be there yet.

    The campaign is made whole or not at all. `version` is that of its tables, by default the
    newest.
    """
    from corrigenda.formats.campaign_schema import SCHEMA_VERSION

    campaign.require_judge_extra()
    with (
        campaign.database_errors(place),
        _new_engine(place) as engine,
        engine.begin() as connection,
    ):
        _migrate(connection, version or SCHEMA_VERSION)
        yield connection


@contextmanager
def _new_engine(place: Path) -> Iterator[Engine]:
    """The engine of a database that holds no campaign yet. A file gets its name at the end."""
    with ExitStack() as stack:
        if campaign.is_url(place):
            engine = campaign.engine_of(place)
            stack.callback(engine.dispose)
            _check_new_database(engine, place)
            yield engine
            return
        _check_new_file(FilePath(place))
        file = stack.enter_context(writing.name_beside(place))
        engine = campaign.engine_of(file)
        stack.callback(engine.dispose)
        yield engine
        engine.dispose()
        _write_ahead_from_now_on(file)


def _write_ahead_from_now_on(file: FilePath) -> None:
    """Choose the mode in which readers and the writer do not wait for each other.

    The file keeps it. Not before the campaign is filled: in this mode rows are first written to a
    second file, and SQLite does not say if a full disk keeps it from copying them.
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def _check_new_database(engine: Engine, place: Path) -> None:
    if campaign.version_of(engine) is not None:
        raise CorrigendaError(
            "this database already holds a campaign",
            at=Location(campaign.shown_place(place)),
            remedy="Give another database: one database holds one campaign.",
        )


def _check_new_file(path: FilePath) -> None:
    if os.path.lexists(path):
        raise CorrigendaError(
            "the file already exists",
            at=Location(str(path)),
            remedy="Give a new file: `judge new` never overwrites a campaign.",
        )
    if not path.absolute().parent.is_dir():
        raise CorrigendaError(
            f"the folder {path.absolute().parent} does not exist",
            at=Location(str(path)),
            remedy="Make the folder first.",
        )
    if _is_too_long(path):
        raise CorrigendaError(
            "the name is too long: SQLite keeps files beside it whose names are longer",
            at=Location(str(path)),
            remedy="Give a shorter name, or a folder that is less deep.",
        )


def _is_too_long(path: FilePath) -> bool:
    """Whether SQLite could not open the campaign once it has its name."""
    longest = f"{path.absolute()}{_LONGEST_END}"
    try:
        os.lstat(longest)
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG or len(os.fsencode(longest)) > _LONGEST_PATH
    return False


def upgrade(engine: Engine, version: str) -> None:
    """Run the migrations up to a version, all in one transaction."""
    with engine.begin() as connection:
        _migrate(connection, version)


def _migrate(connection: Connection, version: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FilePath(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
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
                backup = back_up(place, engine, version)
                upgrade(engine, SCHEMA_VERSION)
        engine.dispose()
    return campaign.open_engine(place), backup


def restore(backup: Path, place: Path) -> None:
    """A new campaign from a backup of JSON lines, with the newest tables."""
    from corrigenda.formats.campaign_schema import SCHEMA_VERSION

    version = version_of_backup(backup)
    if version > SCHEMA_VERSION:
        raise CorrigendaError(
            f"a newer version of Corrigenda made this backup "
            f"(tables {version}, not {SCHEMA_VERSION})",
            at=Location(str(backup)),
            remedy="Install a newer version: pip install -U 'corrigenda[judge]'.",
        )
    with new_campaign(place, version) as connection:
        insert_rows(connection, backup)
        _migrate(connection, SCHEMA_VERSION)
