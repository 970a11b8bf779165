"""Files by path or URL, and folders in which a file is either complete or not there.

URLs may be of any kind that fsspec can open.
"""

from __future__ import annotations

import os
import uuid
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import IO, TypedDict

import fsspec
from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem

from corrigenda import writing
from corrigenda.errors import CorrigendaError, Location
from corrigenda.formats import packed

try:
    import fcntl
except ImportError:  # pragma: no cover (not on this platform)
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
_CHUNK = 1 << 20
_BLOCK = 1 << 22
READ_ONCE = 1 << 27
"""So many bytes of a file at a URL are kept, so that they are not asked for again."""


def filesystem_of(url: str) -> tuple[AbstractFileSystem, str]:
    """The file system of a path or URL, and the file's path in it."""
    try:
        filesystem, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise CorrigendaError(
            f"URLs of this kind cannot be opened: {error}",
            at=Location(url),
            remedy="Install the fsspec package for them "
            "(s3fs for s3://, gcsfs for gs://, aiohttp for https://).",
        ) from error
    # The path of a URL is not a path of pathlib.
    return filesystem, os.path.abspath(path) if _is_local(filesystem) else path  # noqa: PTH100


@contextmanager
def opened(url: str) -> Iterator[IO[bytes]]:
    """A file to read. It is unpacked as its suffix says."""
    packing = packed.of_name(url)
    with fsspec.open(url, "rb") as file, ExitStack() as stack:
        yield file if packing is None else packed.unpacked(file, packing, url, stack)


@contextmanager
def opened_at_random(url: str) -> Iterator[IO[bytes]]:
    """A file to read here and there. Of a file at a URL, the last `READ_ONCE` bytes are kept."""
    filesystem, path = filesystem_of(url)
    if _is_local(filesystem):
        with opened(url) as file:
            yield file
        return
    kept = {"maxblocks": READ_ONCE // _BLOCK}
    with filesystem.open(
        path, "rb", block_size=_BLOCK, cache_type="blockcache", cache_options=kept
    ) as file:
        yield file


def is_packed(url: str) -> bool:
    """Whether a file is packed, so that it must be read from its beginning."""
    return packed.of_name(url) is not None


def size_and_stamp(url: str) -> tuple[int, str]:
    """The size of a file in bytes, and its time of change or another tag of its content."""
    filesystem, path = filesystem_of(url)
    known = filesystem.info(path)
    if _is_local(filesystem):
        return int(known["size"]), str(os.stat(path).st_mtime_ns)  # noqa: PTH116 (a URL's path)
    tags = (known.get(name) for name in ("ETag", "etag", "md5Hash", "LastModified", "mtime"))
    return int(known["size"]), next((str(tag) for tag in tags if tag), "")


def is_file(url: str) -> bool:
    """Whether there is a file of exactly this name."""
    filesystem, path = filesystem_of(url)
    return bool(filesystem.isfile(path))


def is_folder(url: str) -> bool:
    """Whether there is a folder of this name."""
    filesystem, path = filesystem_of(url)
    return bool(filesystem.isdir(path))


def is_pattern(url: str) -> bool:
    """Whether it may stand for several files."""
    return any(character in url for character in "*?[")


def matching(pattern: str) -> list[str]:
    """The files that a pattern stands for, in the order of their names."""
    filesystem, path = filesystem_of(pattern)
    return _named(
        filesystem, [name for name in filesystem.glob(path) if filesystem.isfile(name)], pattern
    )


def files_below(folder: str) -> list[str]:
    """The files of a folder and its subfolders, without hidden ones, in order of their names."""
    filesystem, path = filesystem_of(folder)
    found = [name for name in filesystem.find(path) if not _is_hidden(name[len(path) :])]
    return _named(filesystem, found, folder)


def _named(filesystem: AbstractFileSystem, found: list[str], url: str) -> list[str]:
    """The files with the names that a user would give them, relative or absolute like `url`."""
    if not _is_local(filesystem):
        return sorted(filesystem.unstrip_protocol(name) for name in found)
    is_absolute = "://" in url or os.path.isabs(url)  # noqa: PTH117 (a URL's path)
    return sorted(found if is_absolute else map(os.path.relpath, found))


def absolute(url: str) -> str:
    """The name of the same file for a process in another folder."""
    filesystem, path = filesystem_of(url)
    return path if _is_local(filesystem) else url


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "_")) for part in name.split("/"))


def _is_local(filesystem: AbstractFileSystem) -> bool:
    return isinstance(filesystem, LocalFileSystem)


class PlainWritten(TypedDict):
    """The description of a file as JSON has it."""

    size: int
    checksum: int


@dataclass(frozen=True)
class Written:
    """The size and checksum of a file when it was written. They show later whether it is whole."""

    size: int
    checksum: int

    @classmethod
    def from_plain(cls, data: PlainWritten) -> Written:
        """The description that JSON holds."""
        return cls(data["size"], data["checksum"])


@dataclass(frozen=True)
class Folder:
    """A folder for results, on this machine or at any URL that fsspec can open."""

    url: str

    @cached_property
    def _place(self) -> tuple[AbstractFileSystem, str]:
        filesystem, path = filesystem_of(self.url)
        return filesystem, path.rstrip("/")

    @property
    def local_path(self) -> str | None:
        """Its path, if it is on this machine."""
        filesystem, path = self._place
        return path if _is_local(filesystem) else None

    def path(self, name: str) -> str:
        """The path of a file of the folder in its file system."""
        return f"{self._place[1]}/{name}"

    def shown(self, name: str) -> str:
        """The name of a file of the folder in messages."""
        return f"{self.url.rstrip('/')}/{name}"

    def make(self, name: str = "") -> None:
        """Make the folder, or a folder in it."""
        self._place[0].makedirs(self.path(name) if name else self._place[1], exist_ok=True)

    def names(self, inside: str = "") -> list[str]:
        """The names of files and folders in it, or in a folder of it."""
        filesystem, top = self._place
        path = f"{top}/{inside}" if inside else top
        if not filesystem.isdir(path):
            return []
        filesystem.invalidate_cache(path)
        return sorted(
            name.rstrip("/").rsplit("/", 1)[-1] for name in filesystem.ls(path, detail=False)
        )

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        return bool(self._place[0].exists(self.path(name)))

    def read(self, name: str) -> bytes:
        """The content of a small file."""
        with self.open(name) as file:
            return file.read()

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A file to read."""
        with self._place[0].open(self.path(name), "rb") as file:
            yield file

    def remove(self, name: str) -> None:
        """Remove a file, or a folder with everything in it, if it is there."""
        with suppress(FileNotFoundError):
            self._place[0].rm(self.path(name), recursive=True)

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """A file to write. It gets its name when it is complete; after an error it is removed."""
        if self.local_path is not None:
            with writing.binary_file(self.path(name)) as file:
                yield file
            return
        folder, _, last = name.rpartition("/")
        unfinished = f"{folder}/.{last}.{uuid.uuid4().hex}.tmp".lstrip("/")
        filesystem = self._place[0]
        try:
            with filesystem.open(self.path(unfinished), "wb") as file:
                yield file
            filesystem.mv(self.path(unfinished), self.path(name))
        except BaseException:
            with suppress(OSError):
                self.remove(unfinished)
            raise

    def write(self, name: str, data: bytes) -> None:
        """Write a small file: all of it, or nothing."""
        with self.writing(name) as file:
            file.write(data)

    def described(self, name: str) -> Written:
        """The size and the checksum of a file."""
        length = checksum = 0
        with self.open(name) as file:
            while chunk := file.read(_CHUNK):
                length += len(chunk)
                checksum = zlib.crc32(chunk, checksum)
        return Written(length, checksum)


@contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Let one run at a time work in a folder. The lock ends with the process that holds it.

    Only folders on this machine have a lock.
    """
    if folder.local_path is None or fcntl is None:
        yield
        return
    with writing.lock_file(folder.path(LOCK)) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CorrigendaError(
                "another run is writing to this folder",
                at=Location(folder.url),
                remedy="Wait for it, or stop it.",
            ) from error
        yield
