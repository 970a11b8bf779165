"""Campaigns and backups that somebody changed: one error each, and no new file."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from corrigenda.cli import main
from corrigenda.data import SAMPLE

ANSWERS = "this is not a campaign|cannot use the campaign|does not rank or rate the outputs"
CHANGES = {
    "an answer without JSON": "update judgment set answer = '{bad' where id = 1",
    "an answer that is a list": "update judgment set answer = '[1]'",
    "an answer that is null": "update judgment set answer = 'null'",
    "an answer without values": "update judgment set answer = '{}'",
    "too few ranks": "update judgment set answer = '{\"ranks\": [1]}'",
    "ranks that are texts": 'update judgment set answer = \'{"ranks": ["a", "b"]}\'',
    "outputs that are objects": "update judgment set shown = '[{}, {}]'",
    "outputs that are a text": "update judgment set shown = '\"x\"'",
    "bytes for a name": "update system set name = x'ff' || id",
    "a text for a number": "update source set number = 'abc' || id",
    "no campaign": "delete from campaign",
    "a table less": "drop table system",
    "a trigger": "create trigger t after insert on judgment begin select 1; end",
    "a view without an end": "create view v as with recursive c(x) as "
    "(select 1 union all select x + 1 from c) select x from c",
}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("campaign") / "good.db"
    hyps = [str(SAMPLE / f"{name}.txt") for name in ("strong", "eager", "cautious")]
    assert main(["judge", "new", str(path), "--source", str(SAMPLE / "source.txt"),
                 "--hyps", *hyps, "--candidates", "2"]) == 0  # fmt: skip
    assert main(["judge", "simulate", str(path), "--judges", "2", "--judgments", "8"]) == 0
    return path


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_a_campaign_that_was_changed(
    campaign: Path, tmp_path: Path, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "changed.db"
    shutil.copy(campaign, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(CHANGES[change])
    for command in (["rank", str(path)], ["judge", "status", str(path)]):
        assert main(command) == 1
        assert re.search(ANSWERS, capsys.readouterr().err)


@pytest.mark.parametrize(("name", "value"), [("mode", 5), ("lease_minutes", "x"), ("include", [1])])
def test_settings_that_were_changed(
    campaign: Path, tmp_path: Path, name: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "changed.db"
    shutil.copy(campaign, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        (text,) = connection.execute("select settings from campaign").fetchone()
        settings = json.dumps(json.loads(text) | {name: value})
        connection.execute("update campaign set settings = ?", [settings])
    assert main(["judge", "status", str(path)]) == 1
    assert f"the setting {name} of the campaign" in capsys.readouterr().err


HEADER = '{"corrigenda_campaign": "0002"}\n'


@pytest.mark.parametrize(
    "content",
    [
        "",
        HEADER,
        "[" * 100_000,
        HEADER + "[" * 100_000,
        HEADER + '{"table": "system", "row": ["id", "name", "kind"]}\n',
        HEADER + '{"table": "system", "row": {"id": %s, "name": "a", "kind": "b"}}\n' % ("9" * 300),
        HEADER + '{"table": "system", "row": {"id": 1, "name": "\\ud800", "kind": "b"}}\n',
        HEADER + '{"table": "system", "row": {"id": 1, "name": null, "kind": "b"}}\n',
        HEADER + '{"table": "system", "table": "judge", "row": {}}\n',
        HEADER + '{"table": "alembic_version", "row": {"version_num": "x"}}\n',
        '{"corrigenda_campaign": "../../x"}\n',
        '{"corrigenda_campaign": "\\u0000"}\n',
    ],
)
def test_a_backup_that_was_changed(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "b.jsonl"
    backup.write_text(content)
    assert main(["judge", "restore", str(backup), str(tmp_path / "new.db")]) == 1
    assert re.search("not a backup|not a row|not the row|cannot use", capsys.readouterr().err)
    assert [path.name for path in tmp_path.iterdir()] == ["b.jsonl"]
