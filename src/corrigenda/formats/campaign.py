"""A judging campaign as a source of judgments: an SQLite file, or a PostgreSQL database by its URL.

The answers that count are read as rankings. Controls are left out: their broken outputs belong to
no system. Ratings become ranks, best first.
"""

from __future__ import annotations

import logging
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from corrigenda.errors import CorrigendaError, FormatError, Location, MissingExtraError
from corrigenda.judgments import Judgments, RankedOutput, Ranking
from corrigenda.text.sentences import Path

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

SQLITE_BEGIN = b"SQLite format 3\x00"
_POSTGRESQL = ("postgresql://", "postgres://")
_BUSY_MILLISECONDS = 30_000
_LARGEST = 1 << 53

WrittenOutputs = Mapping[int, tuple[str, ...]]
"""The names of the systems that wrote each output, by the output's id."""


def is_url(place: Path) -> bool:
    """Whether a campaign is named by a URL, and not by a file."""
    return str(place).startswith(_POSTGRESQL)


def is_campaign(place: Path) -> bool:
    """Whether this is the URL of a database, or an SQLite file."""
    if is_url(place):
        return True
    path = FilePath(place)
    if not path.is_file():
        return path.suffix.lower() in (".db", ".sqlite")
    with path.open("rb") as file:
        return file.read(len(SQLITE_BEGIN)) == SQLITE_BEGIN


def shown_place(place: Path) -> str:
    """The place of a campaign for messages; a password is hidden."""
    text = str(place)
    if not is_url(text):
        return text
    scheme, _, rest = text.partition("://")
    user, at, host = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{host}"


def require_judge_extra() -> None:
    """An error that says what to install, unless the packages of judging are there."""
    for name in ("sqlalchemy", "alembic"):
        if find_spec(name) is None:
            raise MissingExtraError(
                f"campaigns of judgments need the package {name}",
                remedy="pip install 'corrigenda[judge]'",
            )


def engine_of(place: Path) -> Engine:
    """The engine of a database. Transactions that write lock SQLite when they begin."""
    require_judge_extra()
    import sqlalchemy

    if is_url(place):
        address = str(place).partition("://")[2]
        return sqlalchemy.create_engine(
            f"postgresql+psycopg://{address}",
            pool_pre_ping=True,
            pool_size=8,
            max_overflow=32,
            connect_args={"connect_timeout": 10},
        )
    # A connection that cannot be closed is only told to those who set up logging.
    logging.getLogger("sqlalchemy.pool").addHandler(logging.NullHandler())
    url = sqlalchemy.URL.create("sqlite", database=str(place))
    engine = sqlalchemy.create_engine(url, pool_size=8, max_overflow=32)
    sqlalchemy.event.listen(engine, "connect", _prepare_sqlite)
    sqlalchemy.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where `_begin_sqlite` begins them
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA synchronous = FULL")


def _begin_sqlite(connection: Connection) -> None:
    reads_only = connection.get_execution_options().get("reads_only", False)
    connection.exec_driver_sql("BEGIN" if reads_only else "BEGIN IMMEDIATE")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads. It never waits for a writer."""
    with engine.execution_options(reads_only=True).begin() as connection:
        yield connection


@contextmanager
def database_errors(place: Path) -> Iterator[None]:
    """A database that cannot be used is an error that names it."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise CorrigendaError(
            f"cannot use the campaign: {database_reason(error)}",
            at=Location(shown_place(place)),
            remedy="Is it a campaign of `corrigenda judge new`? Is its database running? Check its "
            "permissions and the free space, too.",
        ) from error


def database_reason(error: Exception) -> str:
    """What the database said, in one line."""
    said = str(getattr(error, "orig", None) or error)
    return next(iter(said.strip().splitlines()), "it cannot be used")


def open_engine(place: Path) -> Engine:
    """The engine of a campaign that exists and has the newest tables."""
    if not is_url(place) and not FilePath(place).is_file():
        raise CorrigendaError(
            "there is no such campaign",
            at=Location(shown_place(place)),
            remedy="Make one with `corrigenda judge new FILE --source … --hyps …`.",
        )
    engine = engine_of(place)
    with database_errors(place):
        version = version_of(engine)
    from corrigenda.formats.campaign_schema import SCHEMA_VERSION

    if version != SCHEMA_VERSION:
        engine.dispose()
        raise _other_version(place, version, SCHEMA_VERSION)
    if not is_url(place):
        from corrigenda.formats.campaign_check import check_file

        try:
            with database_errors(place), reading(engine) as connection:
                check_file(connection, shown_place(place))
        except CorrigendaError:
            engine.dispose()
            raise
    return engine


def version_of(engine: Engine) -> str | None:
    """The version of the tables, or None where there are none."""
    import sqlalchemy

    with reading(engine) as connection:
        if not sqlalchemy.inspect(connection).has_table("alembic_version"):
            return None
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        return None if found is None else str(found)


def _other_version(place: Path, version: str | None, newest: str) -> CorrigendaError:
    at = Location(shown_place(place))
    if version is None:
        return FormatError(
            "this database is not a campaign of judgments",
            at=at,
            remedy="Make one with `corrigenda judge new FILE --source … --hyps …`.",
        )
    if version > newest:
        return FormatError(
            f"a newer version of Corrigenda made this campaign (tables {version}, not {newest})",
            at=at,
            remedy="Install a newer version: pip install -U 'corrigenda[judge]'.",
        )
    return FormatError(
        f"an older version of Corrigenda made this campaign (tables {version}, not {newest})",
        at=at,
        remedy="`corrigenda judge status CAMPAIGN` makes a backup and brings it up to date.",
    )


def read(place: Path) -> Judgments:
    """The rankings of a campaign, in the order in which they were made."""
    engine = open_engine(place)
    try:
        with database_errors(place), reading(engine) as connection:
            return judgments_of(connection, shown_place(place))
    finally:
        engine.dispose()


def judgments_of(
    connection: Connection, name: str, written: WrittenOutputs | None = None
) -> Judgments:
    """The rankings that count, for a connection; `name` is the campaign's place."""
    rows = answers(connection, controls=False, written=written)
    rankings = [_ranking(row, name) for row in rows]
    return Judgments(tuple(rankings), _skipped(connection))


def answers(
    connection: Connection, *, controls: bool, written: WrittenOutputs | None = None
) -> list[Mapping[str, Any]]:
    """Every answer that counts, with its sentence, its judge and who wrote each output.

    `written` is what `writers` gives, for callers that know it already.
    """
    from sqlalchemy import select

    from corrigenda.formats.campaign_schema import assignment, item, judge, judgment, source

    query = (
        select(
            judgment.c.id,
            judgment.c.answer,
            judgment.c.shown,
            judgment.c.comment,
            judgment.c.milliseconds,
            judgment.c.created,
            judge.c.name.label("judge"),
            source.c.number.label("sentence"),
            source.c.stratum,
            assignment.c.kind,
            assignment.c.id.label("assignment_id"),
            item.c.id.label("item_id"),
            item.c.kind.label("item_kind"),
            item.c.clean_id,
            item.c.broken_id,
        )
        .join(assignment, assignment.c.judgment_id == judgment.c.id)
        .join(item, item.c.id == assignment.c.item_id)
        .join(judge, judge.c.id == assignment.c.judge_id)
        .join(source, source.c.id == item.c.source_id)
        .where(judgment.c.kind == "answer")
        .order_by(judgment.c.id)
    )
    if not controls:
        query = query.where(item.c.kind != "control")
    systems = writers(connection) if written is None else written
    found: list[Mapping[str, Any]] = []
    for row in connection.execute(query).mappings():
        _check_answer(row["shown"], row["answer"], int(row["id"]))
        found.append({**row, "systems": [systems.get(output, ()) for output in row["shown"]]})
    return found


def _check_answer(shown: object, answer: object, number: int) -> None:
    """Refuse an answer that does not say one thing of each output that was shown."""
    values = None
    if isinstance(answer, dict):
        values = answer.get("ranks", answer.get("ratings"))
    lists = [each for each in (shown, values) if isinstance(each, list)]
    are_numbers = all(type(each) is int and 0 <= each < _LARGEST for one in lists for each in one)
    if len(lists) < 2 or not are_numbers or len(lists[0]) != len(lists[1]):
        raise FormatError(
            f"judgment {number} does not rank or rate the outputs that were shown",
            remedy="The campaign was changed or damaged. Use a copy of the original.",
        )


def writers(connection: Connection) -> WrittenOutputs:
    """The names of the systems that wrote each output, by the output's id."""
    from sqlalchemy import select

    from corrigenda.formats.campaign_schema import candidate, system

    found: dict[int, list[str]] = defaultdict(list)
    rows = select(candidate.c.output_id, system.c.name).join(
        system, system.c.id == candidate.c.system_id
    )
    for output, name in connection.execute(rows.order_by(system.c.name)):
        found[output].append(name)
    return {output: tuple(names) for output, names in found.items()}


def ranks_of(answer: Mapping[str, Any]) -> list[int]:
    """The ranks of an answer in the order shown; equal ratings share the better rank."""
    if "ranks" in answer:
        return list(answer["ranks"])
    ratings: Sequence[float] = answer["ratings"]
    return [1 + sum(other > rating for other in ratings) for rating in ratings]


def _ranking(row: Mapping[str, Any], name: str) -> Ranking:
    outputs = tuple(
        RankedOutput(systems, rank)
        for systems, rank in zip(row["systems"], ranks_of(row["answer"]), strict=True)
        if systems
    )
    return Ranking(str(row["sentence"]), row["judge"], outputs, Location(name))


def _skipped(connection: Connection) -> int:
    from sqlalchemy import func, select

    from corrigenda.formats.campaign_schema import assignment

    query = select(func.count()).select_from(assignment).where(assignment.c.state == "skipped")
    return int(connection.execute(query).scalar_one())
