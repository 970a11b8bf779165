"""Files by path or URL (anything that fsspec opens), and folders whose files appear whole or not at all."""

from __future__ import annotations

import os
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any

import fsspec
from fsspec.implementations.local import LocalFileSystem

_CHUNK = 1 << 20


@contextmanager
def opened(url: str) -> Iterator[IO[bytes]]:
    """A file to read, decompressed as its suffix says."""
    with fsspec.open(url, "rb", compression="infer") as file:
        yield file


def is_compressed(url: str) -> bool:
    """Whether a file must be read from its beginning."""
    return fsspec.utils.infer_compression(url) is not None


def size(url: str) -> int:
    """The bytes of a file."""
    filesystem, path = fsspec.core.url_to_fs(url)
    return int(filesystem.size(path))


def expanded(url: str) -> list[str]:
    """The files that a path, a pattern or a folder stands for, in order of their names."""
    filesystem, path = fsspec.core.url_to_fs(url)
    if any(character in path for character in "*?["):
        found = filesystem.glob(path)
    elif filesystem.isdir(path):
        found = [
            name for name in filesystem.ls(path, detail=False) if not _is_hidden(name) and filesystem.isfile(name)
        ]
    else:
        found = [path] if filesystem.exists(path) else []
    if _is_local(filesystem):
        return sorted(found if _is_absolute(url) else map(os.path.relpath, found))
    return sorted(filesystem.unstrip_protocol(name) for name in found)


def absolute(url: str) -> str:
    """The same file for a process in another folder."""
    filesystem, path = fsspec.core.url_to_fs(url)
    return str(path) if _is_local(filesystem) else url


def _is_absolute(url: str) -> bool:
    return "://" in url or os.path.isabs(url)  # noqa: PTH117 (it may be a URL)


def _is_hidden(name: str) -> bool:
    return name.rstrip("/").rsplit("/", 1)[-1].startswith((".", "_"))


def _is_local(filesystem: Any) -> bool:
    return isinstance(filesystem, LocalFileSystem)


@dataclass(frozen=True)
class Written:
    """What was written: enough to see later whether it is still there, whole."""

    size: int
    checksum: int


@dataclass(frozen=True)
class Folder:
    """A folder for results, on this machine or wherever fsspec reaches."""

    url: str

    @cached_property
    def _place(self) -> tuple[Any, str]:
        filesystem, path = fsspec.core.url_to_fs(self.url)
        return filesystem, path.rstrip("/")

    @property
    def local_path(self) -> str | None:
        """Its path, if it is on this machine."""
        filesystem, path = self._place
        return path if _is_local(filesystem) else None

    def path(self, name: str) -> str:
        """A file in it, as its file system calls it."""
        return f"{self._place[1]}/{name}"

    def shown(self, name: str) -> str:
        """A file in it, for messages."""
        return f"{self.url.rstrip('/')}/{name}"

    def make(self, name: str = "") -> None:
        """Make it, or a folder in it."""
        self._place[0].makedirs(self.path(name) if name else self._place[1], exist_ok=True)

    def names(self, inside: str = "") -> list[str]:
        """The files and folders in it, or in a folder of it."""
        filesystem, top = self._place
        path = f"{top}/{inside}" if inside else top
        if not filesystem.isdir(path):
            return []
        filesystem.invalidate_cache(path)
        return sorted(name.rstrip("/").rsplit("/", 1)[-1] for name in filesystem.ls(path, detail=False))

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        return bool(self._place[0].exists(self.path(name)))

    def read(self, name: str) -> bytes:
        """The whole of a small file."""
        with self.open(name) as file:
            return file.read()

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A file to read."""
        with self._place[0].open(self.path(name), "rb") as file:
            yield file

    def remove(self, name: str) -> None:
        """Remove a file, or a folder with all that is in it, if it is there."""
        with suppress(FileNotFoundError):
            self._place[0].rm(self.path(name), recursive=True)

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """A file that appears under its name when it is complete; until then, and after an error, there is none."""
        folder, _, last = name.rpartition("/")
        unfinished = f"{folder}/.{last}.{uuid.uuid4().hex}.tmp".lstrip("/")
        filesystem = self._place[0]
        try:
            with filesystem.open(self.path(unfinished), "wb") as file:
                yield file
                file.flush()
                if self.local_path is not None:
                    os.fsync(file.fileno())
            self._rename(unfinished, name)
        except BaseException:
            with suppress(OSError):
                self.remove(unfinished)
            raise

    def _rename(self, unfinished: str, name: str) -> None:
        if self.local_path is not None:
            os.replace(self.path(unfinished), self.path(name))  # noqa: PTH105 (paths are fsspec's)
        else:
            self._place[0].mv(self.path(unfinished), self.path(name))

    def write(self, name: str, data: bytes) -> None:
        """Write a small file, whole or not at all."""
        with self.writing(name) as file:
            file.write(data)

    def described(self, name: str) -> Written:
        """Size and checksum of a file."""
        length = checksum = 0
        with self.open(name) as file:
            while chunk := file.read(_CHUNK):
                length += len(chunk)
                checksum = zlib.crc32(chunk, checksum)
        return Written(length, checksum)
