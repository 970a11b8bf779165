"""Making, migrating and backing up the database of a campaign, also where that fails."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from corrigenda.errors import CorrigendaError
from corrigenda.formats import campaign as campaign_format
from corrigenda.formats import judgments as judgments_format
from corrigenda.formats.campaign_schema import (
    SCHEMA_VERSION,
    item,
    metadata,
)
from corrigenda.judge import backup, database
from corrigenda.judge import store as store_module
from corrigenda.judge.store import CampaignStore
from judging import emptied_database, make_campaign

pytestmark = pytest.mark.slow


def test_migrations_make_the_tables_of_the_schema(place: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with database.new_campaign(place) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def older_campaign(place: str) -> None:
    """A campaign with the tables of the first version and one answer."""
    engine = campaign_format.engine_of(place)
    database.upgrade(engine, "0001")
    rows = [
        "INSERT INTO campaign (id, title, mode, seed, settings, created) "
        "VALUES (1, 'Old', 'rank', 0, '{}', 1.0)",
        "INSERT INTO system (id, name, kind) VALUES (1, 'A', 'system'), (2, 'B', 'system')",
        "INSERT INTO source (id, number, text, before, after, state) "
        "VALUES (1, 0, 's', '', '', 'judged')",
        "INSERT INTO output (id, source_id, text, hash) VALUES (1, 1, 'a', 'x'), (2, 1, 'b', 'y')",
        "INSERT INTO candidate (output_id, system_id) VALUES (1, 1), (2, 2)",
        "INSERT INTO item (id, position, kind, source_id, outputs, needed) "
        "VALUES (1, 0, 'main', 1, '[1, 2]', 2)",
        "INSERT INTO judge (id, name, code, created, forgotten) VALUES (1, 'ann', 'C', 1.0, false)",
        "INSERT INTO assignment (id, item_id, judge_id, kind, slot, shown, state, leased, "
        "leased_until, judgment_id) VALUES (1, 1, 1, 'main', 0, '[2, 1]', 'done', 1.0, 2.0, 1)",
        "INSERT INTO judgment (id, assignment_id, judge_id, item_id, key, kind, answer, shown, "
        "created) VALUES (1, 1, 1, 1, 'k', 'answer', '{\"ranks\": [1, 2]}', '[2, 1]', 1.5)",
    ]
    with engine.begin() as connection:
        for row in rows:
            connection.exec_driver_sql(row)
    engine.dispose()


def test_an_older_campaign_is_migrated_after_a_backup(
    each_place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    older_campaign(each_place)
    with pytest.raises(CorrigendaError, match="older version"):
        judgments_format.read(each_place)
    store = CampaignStore.open(each_place)
    assert store.backup is not None
    assert store.backup.stat().st_size > 0
    with store.reading() as connection:
        version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        assert version == SCHEMA_VERSION
        assert connection.execute(select(item.c.taken)).scalar() == 1
    ranks = store.judgments().rankings[0].ranks()
    assert ranks == {"B": 1, "A": 2}
    store.close()
    if store.backup.suffix == ".backup":
        with closing(sqlite3.connect(store.backup)) as connection:
            assert connection.execute("SELECT count(*) FROM judgment").fetchone() == (1,)
            assert connection.execute("SELECT * FROM alembic_version").fetchone() == ("0001",)
    again = CampaignStore.open(each_place)
    assert again.backup is None
    again.close()


def contents(place: str) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables of a campaign."""
    store = CampaignStore.open(place)
    with store.reading() as connection:
        found = {
            table.name: sorted(map(tuple, connection.execute(select(table)).all()), key=str)
            for table in metadata.sorted_tables
        }
    store.close()
    return found


def test_a_backup_in_json_lines_is_a_campaign_again(
    each_place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backup of a database of the first version, restored to a file and to a database."""
    monkeypatch.chdir(tmp_path)
    older_campaign(each_place)
    engine = campaign_format.engine_of(each_place)
    lines = tmp_path / "old.backup.jsonl"
    lines.write_text("".join(line + "\n" for line in backup._lines(engine, "0001")))
    engine.dispose()
    database.restore(lines, tmp_path / "restored.db")
    assert contents(str(tmp_path / "restored.db")) == contents(each_place)
    if each_place.startswith("postgresql"):
        expected = contents(each_place)
        emptied_database(each_place.rpartition("/")[0])
        database.restore(lines, each_place)
        assert contents(each_place) == expected
    store = CampaignStore.open(each_place)
    assert store.add_judge("somebody new"), "new rows do not take old numbers"
    store.close()


def test_a_damaged_backup_leaves_nothing_behind(tmp_path: Path) -> None:
    older_campaign(str(tmp_path / "old.db"))
    engine = campaign_format.engine_of(tmp_path / "old.db")
    lines = list(backup._lines(engine, "0001"))
    engine.dispose()
    new, path = tmp_path / "new.db", tmp_path / "x.backup.jsonl"
    for number, text, problem in (
        (0, '{"other": 1}', "not a backup"),
        (0, '{"corrigenda_campaign": "9999"}', "newer version"),
        (3, lines[3][:-4], "x.backup.jsonl:4"),
        (3, '{"table": "judge", "row": {"id": 1}}', "not a row of a campaign"),
        (3, lines[3] + "\n" + lines[3], "cannot use the campaign"),
    ):
        path.write_text("\n".join([*lines[:number], text, *lines[number + 1 :]]))
        with pytest.raises(CorrigendaError, match=problem):
            database.restore(path, new)
        assert list(tmp_path.glob("new.db*")) == []
    with pytest.raises(CorrigendaError, match="a campaign itself"):
        database.restore(tmp_path / "old.db", new)


def test_what_is_no_campaign_is_said(tmp_path: Path) -> None:
    with pytest.raises(CorrigendaError, match="no such campaign"):
        CampaignStore.open(tmp_path / "none.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.commit()
    with pytest.raises(CorrigendaError, match="not a campaign"):
        CampaignStore.open(tmp_path / "other.db")
    (tmp_path / "text.db").write_text("x" * 2000)
    with pytest.raises(CorrigendaError, match="cannot use the campaign"):
        CampaignStore.open(tmp_path / "text.db")
    newer = make_campaign(tmp_path / "newer.db")
    with newer.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    newer.close()
    with pytest.raises(CorrigendaError, match="newer version"):
        CampaignStore.open(tmp_path / "newer.db")
    with pytest.raises(CorrigendaError, match="already exists"):
        make_campaign(tmp_path / "newer.db")


def test_a_password_is_not_shown() -> None:
    from corrigenda.formats.campaign import shown_place

    assert shown_place("postgresql://ann:secret@host/db") == "postgresql://ann@host/db"
    assert shown_place("c.db") == "c.db"


def test_a_campaign_that_cannot_be_made_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next attempt would say that the file exists already."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("corrigenda.judge.database._migrate", "corrigenda.judge.store._insert_design"):
        with monkeypatch.context() as broken:
            broken.setattr(name, fail)
            with pytest.raises(OSError, match="No space left"):
                make_campaign(tmp_path / "new.db")
        assert list(tmp_path.iterdir()) == []
    make_campaign(tmp_path / "new.db").close()


MAKER = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from corrigenda.judge import store
from judging import make_campaign
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # `nohup` ignores it
insert = store._insert_design
def killed(*given):
    insert(*given)
    os.kill(os.getpid(), int(sys.argv[3]))
store._insert_design = killed
make_campaign(sys.argv[1])
"""


def ended_maker(place: Path, number: signal.Signals) -> int:
    """The exit code of a process that gets a signal while it makes a campaign."""
    tests = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", MAKER, str(place), tests, str(int(number))]
    return subprocess.run(command, check=False).returncode


def test_a_campaign_whose_maker_is_killed_has_no_name(tmp_path: Path) -> None:
    """Else `judge new` would refuse the name, and the campaign could not be opened."""
    place = tmp_path / "new.db"
    assert ended_maker(place, signal.SIGKILL) == -signal.SIGKILL
    assert not place.exists()
    make_campaign(place).close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_maker_that_is_told_to_stop_leaves_nothing(
    tmp_path: Path, number: signal.Signals
) -> None:
    assert ended_maker(tmp_path / "new.db", number) == 128 + number
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("length", [247, 255])
def test_a_name_beside_which_sqlite_cannot_keep_its_files(tmp_path: Path, length: int) -> None:
    """A campaign that nobody can open is not made."""
    place = tmp_path / ("z" * length)
    if length == 247:
        make_campaign(place).close()
        return
    with pytest.raises(CorrigendaError, match="the name is too long"):
        make_campaign(place)
    assert not list(tmp_path.iterdir())


def test_a_new_campaign_is_written_into_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite does not say if a full disk keeps it from copying a second file into the first."""
    place = tmp_path / "new.db"
    insert = store_module._insert_design
    seen: list[str] = []

    def inserted(*given: Any) -> None:
        insert(*given)
        seen.extend(path.suffix for path in tmp_path.iterdir())

    monkeypatch.setattr(store_module, "_insert_design", inserted)
    make_campaign(place).close()
    assert ".tmp" in seen
    assert not [suffix for suffix in seen if suffix.endswith(("-wal", "-shm"))]
    with closing(sqlite3.connect(place)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_name_of_a_campaign_is_taken(tmp_path: Path) -> None:
    """A link that leads nowhere is not removed, either."""
    link = tmp_path / "c.db"
    link.symlink_to(link)
    with pytest.raises(CorrigendaError, match="the file already exists"):
        make_campaign(link)
    assert link.is_symlink()


def test_a_backup_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path / "old.db")
    older_campaign(place)
    connect = sqlite3.connect

    def full(path: Any, *given: Any, **options: Any) -> Any:
        made = connect(path, *given, **options)
        if ".tmp" in str(path):
            made.executescript("PRAGMA max_page_count = 2; CREATE TABLE x (y)")
        return made

    monkeypatch.setattr(sqlite3, "connect", full)
    with pytest.raises(CorrigendaError, match="cannot use the campaign: database or disk is full"):
        CampaignStore.open(place)
    assert [path.name for path in tmp_path.iterdir()] == ["old.db"]
