"""Byte values by key in one SQLite file: several processes may use it, and its size is bounded.

The file can be lost without harm. Every row has its own checksum; a row whose checksum is wrong
counts as absent. A damaged file is removed and started again. If the file cannot be used (for
example on a read-only disk), the work continues without it.
"""

from __future__ import annotations

import sqlite3
import time
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from corrigenda.cache import folder as cache_folder

_SCHEMA = """
CREATE TABLE IF NOT EXISTS origin (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS item (
    key BLOB PRIMARY KEY,
    origin INTEGER NOT NULL,
    used INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    value BLOB NOT NULL
) WITHOUT ROWID;
"""
_KEYS_AT_ONCE = 500
_SECONDS_TO_WAIT_FOR_OTHERS = 20
_DAMAGED = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_INTERNAL,
}
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Summary:
    """The size and the contents of a store."""

    path: Path
    bytes: int
    numbers: dict[str, int]
    """The number of values of each origin."""


def summary(path: Path) -> Summary:
    """The size and the contents of the store at `path`."""
    return Summary(path, size(path), counts(path))


def read(path: Path, keys: list[bytes]) -> dict[bytes, bytes]:
    """The stored values of these keys; a key without a value is left out."""
    nothing: dict[bytes, bytes] = {}
    if not keys or not path.is_file():
        return nothing
    return _expendable(path, lambda: _read(path, keys), nothing)


def write(path: Path, origin: str, values: Mapping[bytes, bytes]) -> None:
    """Add all values or none of them; `origin` says what produced them.

    If the store becomes too large, the values that were not used for the longest time are deleted.
    """
    _expendable(path, lambda: _write(path, origin, values), None)


def counts(path: Path) -> dict[str, int]:
    """The number of values of each origin."""
    nothing: dict[str, int] = {}
    return _expendable(path, lambda: _counts(path), nothing) if path.is_file() else nothing


def size(path: Path) -> int:
    """The size of the file in bytes."""
    return path.stat().st_size if path.is_file() else 0


def _expendable(path: Path, action: Callable[[], _Value], otherwise: _Value) -> _Value:
    """The result of the action, or `otherwise` if the file cannot be used.

    A damaged file is removed. Any other problem is a warning.
    """
    try:
        return action()
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        # An error without a code comes from Python: it could not decode what SQLite read.
        if code is None or (code & 0xFF) in _DAMAGED:
            remove(path)
        else:
            _complain(path, error)
    except (UnicodeDecodeError, TypeError):
        # A damaged file may contain anything, and SQLite's own messages may quote it.
        remove(path)
    except OSError as error:
        _complain(path, error)
    return otherwise


def _complain(path: Path, error: Exception) -> None:
    warnings.warn(f"continuing without the cache {path}: {error}", stacklevel=4)


def remove(path: Path) -> None:
    """Remove the file and its journal."""
    for file in (path, path.with_name(path.name + "-journal")):
        with suppress(OSError):
            file.unlink(missing_ok=True)


@dataclass(frozen=True)
class StoreFile:
    """The store that has this name in the cache folder."""

    name: str

    def path(self) -> Path:
        """Where it is. The environment may name another folder at any time."""
        return cache_folder.folder() / self.name

    def summary(self) -> Summary:
        """The size of the store and its contents."""
        return summary(self.path())

    def clear(self) -> None:
        """Remove the store."""
        remove(self.path())


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_SECONDS_TO_WAIT_FOR_OTHERS, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection


def _read(path: Path, keys: list[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    stale: list[bytes] = []
    today = _today()
    with closing(_open(path)) as connection:
        for part in _parts(keys):
            marks = ",".join("?" * len(part))
            query = f"SELECT key, used, checksum, value FROM item WHERE key IN ({marks})"
            for key, used, checksum, value in connection.execute(query, part):
                if checksum == _checksum(key, value):
                    found[key] = value
                    if used < today:
                        stale.append(key)
        if stale:
            _touch(connection, stale, today)
    return found


def _touch(connection: sqlite3.Connection, keys: list[bytes], today: int) -> None:
    # This date matters only when the store is full, so it is not worth waiting for a busy file.
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.OperationalError), connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(
            "UPDATE item SET used = ? WHERE key = ?", [(today, key) for key in keys]
        )


def _write(path: Path, origin: str, values: Mapping[bytes, bytes]) -> None:
    rows = [(key, _today(), _checksum(key, value), value) for key, value in values.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(_open(path)) as connection:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO origin (name) VALUES (?)", (origin,))
            (number,) = connection.execute(
                "SELECT id FROM origin WHERE name = ?", (origin,)
            ).fetchone()
            connection.executemany(
                "INSERT OR REPLACE INTO item (key, origin, used, checksum, value) "
                f"VALUES (?, {number}, ?, ?, ?)",
                rows,
            )
        _make_room(connection)


def _make_room(connection: sqlite3.Connection) -> None:
    """If the store is above its limit, delete values until a quarter of the limit is free."""
    if _bytes_in_use(connection) <= cache_folder.limit():
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        while _bytes_in_use(connection) > 0.75 * cache_folder.limit():
            deleted = connection.execute(
                "DELETE FROM item WHERE key IN (SELECT key FROM item ORDER BY used LIMIT "
                "(SELECT count(*) / 8 + 1 FROM item))"
            ).rowcount
            if not deleted:
                break
    # If another process is reading, the file shrinks at a later write.
    with suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")


def _bytes_in_use(connection: sqlite3.Connection) -> int:
    (pages,), (free,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone()
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _counts(path: Path) -> dict[str, int]:
    with closing(_open(path)) as connection:
        query = (
            "SELECT name, count(*) FROM item JOIN origin ON origin.id = origin "
            "GROUP BY name ORDER BY name"
        )
        return dict(connection.execute(query).fetchall())


def _checksum(key: bytes, value: bytes) -> int:
    return zlib.crc32(value, zlib.crc32(key))


def _today() -> int:
    return int(time.time() // 86400)


def _parts(keys: list[bytes]) -> Iterator[list[bytes]]:
    rest = iter(keys)
    while part := list(islice(rest, _KEYS_AT_ONCE)):
        yield part
