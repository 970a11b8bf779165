"""One run at a time in a folder. The lock ends when the process that holds it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corrigenda.bulk.manifest import LOCK
from corrigenda.bulk.storage import Folder
from corrigenda.errors import CorrigendaError, Location

try:
    import fcntl
except ImportError:  # pragma: no cover (not on this platform)
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Hold the lock inside. Only folders on this machine have a lock."""
    if folder.local_path is None or fcntl is None:
        yield
        return
    with Path(folder.path(LOCK)).open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CorrigendaError(
                "another run is writing to this folder",
                at=Location(folder.url),
                remedy="Wait for it, or stop it.",
            ) from error
        yield
