"""Annotations on disk, one SQLite file: safe with several processes, bounded, and expendable.

Every row carries a checksum of its own: what cannot be read for certain is as good as absent. A file that
is damaged is removed and begun anew; one that cannot be used (a read-only disk, say) is done without.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from corrigenda.core import cache_folder
from corrigenda.edits import Edit
from corrigenda.errant.request import Request, edits_from_plain, edits_to_plain, to_plain
from corrigenda.errant.toolchain import Toolchain

FILE_NAME = "errant-annotations-1.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS origin (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS annotation (
    key BLOB PRIMARY KEY, origin INTEGER NOT NULL, used INTEGER NOT NULL, checksum INTEGER NOT NULL, edits BLOB NOT NULL
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
    annotations: dict[str, int]
    """For each origin (versions and model) how many."""


class AnnotationStore:
    """The annotations that one toolchain made."""

    def __init__(self, toolchain: Toolchain, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._prefix = toolchain.key.encode()
        self._origin = f"errant {toolchain.errant}, spaCy {toolchain.spacy}, {toolchain.model}"

    def read(self, requests: Iterable[Request]) -> dict[Request, tuple[Edit, ...]]:
        """Those annotations that are there."""
        by_key = {self._key(request): request for request in requests}
        if not by_key or not self.path.is_file():
            return {}
        nothing: dict[bytes, tuple[Edit, ...]] = {}
        found = _expendable(self.path, lambda: _read(self.path, list(by_key)), nothing)
        return {by_key[key]: edits for key, edits in found.items()}

    def write(self, annotations: Mapping[Request, Sequence[Edit]]) -> None:
        """Add annotations, all or none of them; the longest unused ones make room."""
        rows = []
        for request, edits in annotations.items():
            key = self._key(request)
            value = json.dumps(edits_to_plain(edits), ensure_ascii=True, separators=(",", ":")).encode()
            rows.append((key, _today(), _checksum(key, value), value))
        _expendable(self.path, lambda: _write(self.path, self._origin, rows), None)

    def _key(self, request: Request) -> bytes:
        text = json.dumps(to_plain(request)).encode()
        return hashlib.blake2b(text, digest_size=16, key=self._prefix).digest()


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
    except OSError as error:
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


def _read(path: Path, keys: list[bytes]) -> dict[bytes, tuple[Edit, ...]]:
    found: dict[bytes, tuple[Edit, ...]] = {}
    stale: list[bytes] = []
    today = _today()
    with closing(_open(path)) as connection:
        for part in _parts(keys):
            marks = ",".join("?" * len(part))
            query = f"SELECT key, used, checksum, edits FROM annotation WHERE key IN ({marks})"
            for key, used, checksum, value in connection.execute(query, part):
                if checksum == _checksum(key, value):
                    found[key] = edits_from_plain(json.loads(value))
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
        connection.executemany("UPDATE annotation SET used = ? WHERE key = ?", [(today, key) for key in keys])


def _write(path: Path, origin: str, rows: list[tuple[bytes, int, int, bytes]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(_open(path)) as connection:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO origin (name) VALUES (?)", (origin,))
            (number,) = connection.execute("SELECT id FROM origin WHERE name = ?", (origin,)).fetchone()
            connection.executemany(
                f"INSERT OR REPLACE INTO annotation (key, origin, used, checksum, edits) VALUES (?, {number}, ?, ?, ?)",
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
                "DELETE FROM annotation WHERE key IN (SELECT key FROM annotation ORDER BY used LIMIT "
                "(SELECT count(*) / 8 + 1 FROM annotation))"
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
        query = (
            "SELECT name, count(*) FROM annotation JOIN origin ON origin.id = origin GROUP BY name ORDER BY name"
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
