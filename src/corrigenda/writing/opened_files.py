"""Opening, syncing and naming one file; the errors say which file it was for."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from corrigenda.errors import CorrigendaError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

_NOT_SYNCABLE = {errno.EINVAL, errno.ENOTSUP, errno.EROFS}
_COPIED_BYTES = 1 << 20
_ACCESS_LIST = "system.posix_acl_access"
_OPEN_FILES = Path("/proc/self/fd")
_STANDARD = {"stdout": 1, "stderr": 2}
_DESCRIPTOR = re.compile(r"/dev/(stdout|stderr)|/(?:dev|proc/self)/fd/([0-9]{1,9})")
_REMEDY = "Check the path, its permissions and the free space. What was there before is unchanged."


class WritingError(CorrigendaError):
    """A file cannot be written: its folder, its permissions or the disk do not allow it."""

    def __init__(self, path: str | os.PathLike[str], reason: str) -> None:
        super().__init__(f"cannot write {path}: {reason}", remedy=_REMEDY)
        self.path, self.reason = path, reason

    def __reduce__(self) -> tuple[type[WritingError], tuple[str | os.PathLike[str], str]]:
        return type(self), (self.path, self.reason)


def _cannot_write(path: str | os.PathLike[str], error: OSError) -> WritingError:
    return WritingError(path, (error.strerror or str(error)).lower())


class _CheckedFile(io.FileIO):
    """A file whose failed writes say which file they were for."""

    def __init__(self, descriptor: int, shown: str | os.PathLike[str]) -> None:
        super().__init__(descriptor, "w")
        self._shown = shown

    def write(self, data: Buffer) -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            raise _cannot_write(self._shown, error) from error


@contextmanager
def named_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Errors of the system become one that names the file."""
    try:
        yield
    except OSError as error:
        raise _cannot_write(path, error) from error


def check_name(path: str | os.PathLike[str]) -> None:
    """Refuse what no file can be called."""
    try:
        possible = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # half of a character
        possible = False
    if not possible:
        raise WritingError(path, "no file can have this name")


@contextmanager
def opened(
    path: str | os.PathLike[str], shown: str | os.PathLike[str], flags: int, mode: int = 0o666
) -> Iterator[IO[bytes]]:
    """The open file. It is closed without an error of its own if the block failed.

    A new file gets the permissions of `mode` that the user's mask leaves.
    """
    check_name(path)
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    with named_errors(shown):
        number = _descriptor(path)
        descriptor = os.open(path, flags, mode) if number is None else os.dup(number)
    with _buffered(descriptor, shown) as file:
        yield file


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether it is a device, a pipe or an open file such as /dev/stdout: nothing to replace."""
    try:
        return _descriptor(path) is not None or not stat.S_ISREG(Path(path).stat().st_mode)
    except (OSError, ValueError):  # it is not there, or no file can have this name
        return False


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """The number of an open file that a path such as /dev/stdout or /dev/fd/63 names.

    To open such a path again would cut what `>> FILE` is to continue.
    """
    found = _DESCRIPTOR.fullmatch(os.fspath(path))
    return None if found is None else _STANDARD.get(found[1]) or int(found[2])


@contextmanager
def opened_new(
    path: Path, shown: str | os.PathLike[str], target: Path
) -> Iterator[tuple[IO[bytes], bool]]:
    """A new file, and whether it has its name already: some systems have no files without one.

    While it is written, nobody can read it who cannot read the target that it will replace.
    """
    descriptor = _nameless(path.parent)
    if descriptor is None:
        mode = 0o666
        with suppress(OSError):
            mode = target.stat().st_mode & 0o777
        with opened(path, shown, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode) as file:
            yield file, True
    else:
        with _buffered(descriptor, shown) as file:
            yield file, False


def copy_permissions(target: Path | int, new: Path | int) -> None:
    """Give a file, or an open one without a name, what the one it will replace has.

    That is its owner, its group, its permissions and its access list, as far as the system allows
    it. The bits that let a program run as its owner are for the old content alone.
    """
    with suppress(FileNotFoundError):
        old = os.stat(target)  # noqa: PTH116 - also an open file
        _copy_attributes(target, new)
        mode = old.st_mode & 0o777
        if not _gives(new, old.st_uid, old.st_gid) and not _gives(new, -1, old.st_gid):
            # Another group gets what everybody may do.
            mode = mode & ~0o070 | (mode & 0o007) << 3
        os.chmod(new, mode)  # noqa: PTH101 - also an open file


def _gives(new: Path | int, owner: int, group: int) -> bool:
    """Change the owner and the group, if that is allowed; -1 leaves one as it is."""
    try:
        os.chown(new, owner, group)
    except (AttributeError, OSError):  # Windows has none
        return False
    return True


def _copy_attributes(target: Path | int, new: Path | int) -> None:
    """Copy the access list and the user's own attributes, where the system has them."""
    with suppress(AttributeError, OSError):
        for name in os.listxattr(target):
            if name == _ACCESS_LIST or name.startswith("user."):
                with suppress(OSError):
                    os.setxattr(new, name, os.getxattr(target, name))


@contextmanager
def _buffered(descriptor: int, shown: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    raw = _CheckedFile(descriptor, shown)
    file = io.BufferedWriter(raw)
    try:
        yield file
        file.flush()
    finally:
        _close_quietly(raw, file)


def _close_quietly(raw: io.FileIO, file: IO[bytes]) -> None:
    """Close the file below its buffer: what a failed write left there must not be tried again."""
    raw.close()
    with suppress(CorrigendaError, OSError, ValueError):
        file.close()


def _nameless(folder: Path) -> int | None:
    """A new file in a folder that has no name, so that it ends with the process. Linux has them."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None or not _OPEN_FILES.is_dir():
        return None
    try:
        return os.open(folder, flag | os.O_RDWR | os.O_CLOEXEC, 0o666)
    except OSError:  # some file systems have none; if the folder is wrong, its error comes next
        return None


def give_name(descriptor: int, path: Path, shown: str | os.PathLike[str]) -> None:
    """Give a file that has no name its first one. Errors call it `shown`."""
    try:
        # Python asks the system to follow the link to the open file only if there is some
        # descriptor of a folder; the absolute path does not use it.
        link = _OPEN_FILES / str(descriptor)
        os.link(link, path, src_dir_fd=descriptor, follow_symlinks=True)
    except OSError:  # a file system that has such files but does not name them
        with opened(path, shown, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as file:
            copy_permissions(descriptor, file.fileno())
            place = 0
            while content := os.pread(descriptor, _COPIED_BYTES, place):
                place += file.write(content)
            file.flush()
            sync(file.fileno())


def hidden_name(target: Path) -> Path:
    """A new name in the same folder. It is short, because names of files have a largest length."""
    return target.with_name(f".corrigenda-{os.urandom(16).hex()}.tmp")


def sync(descriptor: int) -> None:
    """Sync an open file, where it can be synced: a pipe cannot."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_SYNCABLE:
            raise


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder, where the platform can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
