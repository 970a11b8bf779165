"""Scores of pairs on disk, one SQLite file: safe with several processes, bounded, and expendable.

A pair's scores take a few bytes where its vectors would take tens of thousands. Every row carries a
checksum of its own; a file that is damaged is removed and begun anew, one that cannot be used is done without.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
import time
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from corrigenda.core import cache_folder
from corrigenda.neural.types import Pair, Scores

FILE_NAME = "pair-scores-1.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS origin (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS score (
    key BLOB PRIMARY KEY, origin INTEGER NOT NULL, used INTEGER NOT NULL, checksum INTEGER NOT NULL, value BLOB NOT NULL
) WITHOUT ROWID;
"""
_KEYS_AT_ONCE = 500
_SECONDS_TO_WAIT_FOR_OTHERS = 20
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_ERROR}
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class StoreSummary:
    """What a store holds."""

    path: Path
    bytes: int
    scores: dict[str, int]
    """For each model and layer how many."""


class ScoreStore:
    """The scores that one scorer gave."""

    def __init__(self, key: str, label: str, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._prefix = hashlib.blake2b(key.encode(), digest_size=32).digest()
        self._label = label

    def read(self, pairs: Iterable[Pair]) -> dict[Pair, Scores]:
        """Those scores that are there."""
        by_key = {self._key(pair): pair for pair in pairs}
        if not by_key or not self.path.is_file():
            return {}
        nothing: dict[bytes, Scores] = {}
        found = _expendable(self.path, lambda: _read(self.path, list(by_key)), nothing)
        return {by_key[key]: scores for key, scores in found.items()}

    def write(self, scores: Mapping[Pair, Scores]) -> None:
        """Add scores, all or none of them; the longest unused ones make room."""
        rows = []
        for pair, values in scores.items():
            key, value = self._key(pair), struct.pack(f"<{len(values)}d", *values)
            rows.append((key, _today(), _checksum(key, value), value))
        _expendable(self.path, lambda: _write(self.path, self._label, rows), None)

    def _key(self, pair: Pair) -> bytes:
        return hashlib.blake2b(json.dumps(pair).encode(), digest_size=16, key=self._prefix).digest()


def default_path() -> Path:
    """The file in the folder of caches."""
    return cache_folder.folder() / FILE_NAME


def summary(path: Path | None = None) -> StoreSummary:
    """How large the store is, and what is in it."""
    path = path or default_path()
    if not path.is_file():
        return StoreSummary(path, 0, {})
    nothing: dict[str, int] = {}
    counts = _expendable(path, lambda: _counts(path), nothing)
    return StoreSummary(path, path.stat().st_size if path.is_file() else 0, counts)


def clear(path: Path | None = None) -> None:
    """Remove the store."""
    _remove(path or default_path())


def _expendable(path: Path, action: Callable[[], _Value], otherwise: _Value) -> _Value:
    """What the action gives; without it where the file is damaged (then it is removed) or of no use."""
    try:
        return action()
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code is not None and (code & 0xFF) in _DAMAGED:
            _remove(path)
        else:
            _complain(path, error)
    except (OSError, struct.error) as error:
        _complain(path, error)
    return otherwise


def _complain(path: Path, error: Exception) -> None:
    warnings.warn(f"going without the cache {path}: {error}", stacklevel=4)


def _remove(path: Path) -> None:
    for file in (path, path.with_name(path.name + "-journal")):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_SECONDS_TO_WAIT_FOR_OTHERS, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection


def _read(path: Path, keys: list[bytes]) -> dict[bytes, Scores]:
    found: dict[bytes, Scores] = {}
    stale: list[bytes] = []
    today = _today()
    with closing(_open(path)) as connection:
        for begin in range(0, len(keys), _KEYS_AT_ONCE):
            part = keys[begin : begin + _KEYS_AT_ONCE]
            query = f"SELECT key, used, checksum, value FROM score WHERE key IN ({','.join('?' * len(part))})"
            for key, used, checksum, value in connection.execute(query, part):
                if checksum == _checksum(key, value):
                    found[key] = struct.unpack(f"<{len(value) // 8}d", value)
                    if used < today:
                        stale.append(key)
        if stale:
            _touch(connection, stale, today)
    return found


def _touch(connection: sqlite3.Connection, keys: list[bytes], today: int) -> None:
    # Of use only when room is short: not worth waiting for, nor failing over.
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.OperationalError), connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("UPDATE score SET used = ? WHERE key = ?", [(today, key) for key in keys])


def _write(path: Path, label: str, rows: list[tuple[bytes, int, int, bytes]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(_open(path)) as connection:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO origin (name) VALUES (?)", (label,))
            (number,) = connection.execute("SELECT id FROM origin WHERE name = ?", (label,)).fetchone()
            connection.executemany(
                f"INSERT OR REPLACE INTO score (key, origin, used, checksum, value) VALUES (?, {number}, ?, ?, ?)",
                rows,
            )
        _make_room(connection)


def _make_room(connection: sqlite3.Connection) -> None:
    """Below the limit again, with a quarter of it free: pages that are freed are used again."""
    if _bytes_in_use(connection) <= cache_folder.limit():
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        while _bytes_in_use(connection) > 0.75 * cache_folder.limit():
            deleted = connection.execute(
                "DELETE FROM score WHERE key IN (SELECT key FROM score ORDER BY used LIMIT "
                "(SELECT count(*) / 8 + 1 FROM score))"
            ).rowcount
            if not deleted:
                break
    # Another process may be reading: then the file shrinks another time.
    with suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")


def _bytes_in_use(connection: sqlite3.Connection) -> int:
    (pages,), (free,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _counts(path: Path) -> dict[str, int]:
    with closing(_open(path)) as connection:
        query = "SELECT name, count(*) FROM score JOIN origin ON origin.id = origin GROUP BY name ORDER BY name"
        return dict(connection.execute(query).fetchall())


def _checksum(key: bytes, value: bytes) -> int:
    return zlib.crc32(value, zlib.crc32(key))


def _today() -> int:
    return int(time.time() // 86400)
