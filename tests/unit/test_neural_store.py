"""The store of scores: it gives back what was written and nothing else, and never stops a run."""

from __future__ import annotations

import multiprocessing
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from corrigenda.cache import byte_store
from corrigenda.neural.score_store import ScoreStore
from corrigenda.neural.types import Pair

PAIR = Pair("a b", "a c")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "scores.sqlite"


def test_round_trip(path):
    store = ScoreStore("key", "label", path)
    assert store.read([PAIR]) == {}
    store.write({PAIR: (0.1, -2.5, 1 / 3), Pair("", "é"): (0.0,)})
    assert store.read([PAIR, Pair("", "é"), Pair("a c", "a b")]) == {
        PAIR: (0.1, -2.5, 1 / 3),
        Pair("", "é"): (0.0,),
    }
    assert byte_store.summary(path).numbers == {"label": 2}


def test_scores_of_another_key_are_not_read(path):
    ScoreStore("model 1 layer 6", "label", path).write({PAIR: (1.0,)})
    assert ScoreStore("model 1 layer 5", "label", path).read([PAIR]) == {}


def test_texts_are_not_confused(path):
    ScoreStore("key", "label", path).write({Pair("a", "b c"): (1.0,)})
    assert ScoreStore("key", "label", path).read([Pair("a b", "c")]) == {}


def test_a_damaged_file_is_replaced(path):
    store = ScoreStore("key", "label", path)
    store.write({PAIR: (1.0,)})
    path.write_bytes(b"not a database" * 100)
    assert store.read([PAIR]) == {}
    store.write({PAIR: (2.0,)})
    assert store.read([PAIR]) == {PAIR: (2.0,)}


def test_a_damaged_row_is_not_read(path):
    store = ScoreStore("key", "label", path)
    store.write({PAIR: (1.0,)})
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE item SET value = x'0000000000000000'")
    assert store.read([PAIR]) == {}


def forge(path: Path, value: object) -> None:
    """Replace the values of a store by another one with the right checksum."""
    with sqlite3.connect(path) as connection:
        for (key,) in connection.execute("SELECT key FROM item").fetchall():
            data = value if isinstance(value, bytes) else b""
            checksum = zlib.crc32(data, zlib.crc32(key))
            connection.execute("UPDATE item SET value = ?, checksum = ?", (value, checksum))


@pytest.mark.parametrize("value", [b"", b"1234567", "text", 5])
def test_a_forged_row_that_holds_no_scores_is_not_read(path, value):
    store = ScoreStore("key", "label", path)
    store.write({PAIR: (1.0,)})
    forge(path, value)
    assert store.read([PAIR]) == {}
    store.write({PAIR: (2.0,)})
    assert store.read([PAIR]) == {PAIR: (2.0,)}


def test_a_run_goes_on_with_a_store_that_another_program_locks(path, monkeypatch):
    monkeypatch.setattr(byte_store, "_SECONDS_TO_WAIT_FOR_OTHERS", 0.05)
    store = ScoreStore("key", "label", path)
    store.write({PAIR: (1.0,)})
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.warns(UserWarning, match="continuing without the cache .* locked"):
            assert store.read([PAIR]) == {}
        with pytest.warns(UserWarning, match="continuing without the cache .* locked"):
            store.write({PAIR: (2.0,)})
    assert store.read([PAIR]) == {PAIR: (1.0,)}


@pytest.mark.slow
def test_it_stays_below_the_limit(path, monkeypatch):
    monkeypatch.setenv("CORRIGENDA_CACHE_MEGABYTES", "1")
    store = ScoreStore("key", "label", path)
    for part in range(4):
        store.write({Pair(str(part), str(number)): (0.5,) * 3 for number in range(6000)})
    assert 0 < path.stat().st_size <= 1_100_000
    assert 0 < byte_store.summary(path).numbers["label"] < 24_000


def _write_many(path: Path, part: int) -> None:
    store = ScoreStore("key", "label", path)
    for number in range(20):
        store.write(
            {
                Pair(str(part), f"{number} {each}"): (float(part), float(number))
                for each in range(10)
            }
        )


@pytest.mark.slow
def test_two_processes_at_once(path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write_many, args=(path, part)) for part in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0, 0]
    wanted = [
        Pair(str(part), f"{number} {each}")
        for part in range(2)
        for number in range(20)
        for each in range(10)
    ]
    found = ScoreStore("key", "label", path).read(wanted)
    assert len(found) == 400
    assert found[Pair("1", "7 3")] == (1.0, 7.0)


def test_a_run_goes_on_without_a_store_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.warns(UserWarning, match="continuing without the cache"):
        ScoreStore("key", "label", tmp_path / "file" / "scores.sqlite").write({PAIR: (1.0,)})


def test_clear(path):
    ScoreStore("key", "label", path).write({PAIR: (1.0,)})
    byte_store.remove(path)
    assert not path.exists()
    assert byte_store.summary(path).numbers == {}
