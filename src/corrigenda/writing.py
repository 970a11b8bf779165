"""The one place that writes files: a file is written whole or not at all.

A file is written under a temporary name in the folder of its target, synced to the disk, and
renamed. Until then a file that was there before is kept. Several files that belong together are
renamed only when all of them are complete. If a rename fails, those before it are undone. A device
or a pipe, such as /dev/null or /dev/stdout, is written directly.

Where the system allows it, a file gets its temporary name only when all files of its batch are
complete: a process that is killed while it writes leaves nothing.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

from corrigenda.errors import CorrigendaError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

_NOT_SYNCABLE = {errno.EINVAL, errno.ENOTSUP, errno.EROFS}
_COPIED_BYTES = 1 << 20
_MOST_HELD = 100
"""So many complete files of a batch stay open without a name; a process may open 1,024 files."""
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


@dataclass(frozen=True)
class _Pending:
    """A complete file that waits for its name, and a second name of the file it replaces.

    `held` is the open file if it has no name at all yet.
    """

    target: Path
    temporary: Path
    kept: Path
    held: int | None


class WritingBatch:
    """Files that get their names together; see `together`."""

    def __init__(self, *, make_folders: bool) -> None:
        self._make_folders = make_folders
        self._pending: list[_Pending] = []
        self._made: list[Path] = []

    @contextmanager
    def binary_file(self, path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
        """A file for bytes."""
        if is_stream(path):
            with _opened(path, path, os.O_WRONLY | os.O_TRUNC) as file:
                yield file
            return
        # The end of a link is replaced, not the link.
        target = Path(os.path.realpath(path))
        if self._make_folders:
            with _named_errors(path):
                self._make_folder(target.parent)
        temporary = _hidden_name(target)
        try:
            with _opened_new(temporary, path) as (file, has_name):
                yield file
                file.flush()
                with _named_errors(path):
                    descriptor = file.fileno()
                    _sync(descriptor)
                    _copy_permissions(target, temporary if has_name else descriptor)
                    held = None if has_name else self._held(descriptor, temporary)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        self._pending.append(_Pending(target, temporary, _hidden_name(target), held))

    def _held(self, descriptor: int, temporary: Path) -> int | None:
        """Keep a file without a name open. It gets a name now if too many are open."""
        if sum(each.held is not None for each in self._pending) < _MOST_HELD:
            with suppress(OSError):
                return os.dup(descriptor)
        _give_name(descriptor, temporary)
        return None

    @contextmanager
    def text_file(self, path: str | os.PathLike[str]) -> Iterator[TextIO]:
        """A file for text in UTF-8 with LF as line end."""
        with self.binary_file(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
            try:
                yield text
                text.flush()
            except UnicodeEncodeError as error:
                raise CorrigendaError(
                    f"cannot write {path}: the text contains half of a character "
                    f"(the lone surrogate U+{ord(error.object[error.start]):04X})",
                    remedy="Replace it by the whole character.",
                ) from error
            finally:
                # The bytes are checked and closed by `binary_file`.
                with suppress(CorrigendaError, OSError, ValueError):
                    text.detach()

    def _make_folder(self, folder: Path) -> None:
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        for each in reversed(missing):
            with suppress(FileExistsError):
                each.mkdir()
                self._made.append(each)

    def finish(self) -> None:
        """Give all files their names, or none of them."""
        done: list[_Pending] = []
        for each in self._pending:
            if each.held is not None:
                with _named_errors(each.target):
                    _give_name(each.held, each.temporary)
        try:
            for each in self._pending:
                with _named_errors(each.target):
                    # One rename needs no second name: it happens, or it does not.
                    if len(self._pending) > 1:
                        _keep(each.target, each.kept)
                    each.temporary.replace(each.target)
                done.append(each)
        except CorrigendaError:
            for each in reversed(done):
                _undo(each)
            raise
        for folder in {each.target.parent for each in self._pending}:
            _sync_folder(folder)
        self._made = []

    def discard(self) -> None:
        """Remove what is not finished."""
        for each in self._pending:
            if each.held is not None:
                os.close(each.held)
            for name in (each.temporary, each.kept):
                with suppress(OSError):
                    name.unlink()
        for folder in reversed(self._made):
            with suppress(OSError):
                folder.rmdir()


@contextmanager
def together(*, make_folders: bool = False) -> Iterator[WritingBatch]:
    """Files that appear together when the block ends; after an error none of them appears.

    With `make_folders`, folders that are not there are made, and removed again after an error.
    """
    batch = WritingBatch(make_folders=make_folders)
    try:
        yield batch
        batch.finish()
    finally:
        batch.discard()


@contextmanager
def binary_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """One file for bytes; it appears when the block ends without an error."""
    with together() as batch, batch.binary_file(path) as file:
        yield file


@contextmanager
def text_file(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """One file for text; it appears when the block ends without an error."""
    with together() as batch, batch.text_file(path) as file:
        yield file


def write_bytes(
    path: str | os.PathLike[str], content: bytes, *, make_folders: bool = False
) -> None:
    """Write one file whole."""
    with together(make_folders=make_folders) as batch, batch.binary_file(path) as file:
        file.write(content)


@contextmanager
def growing_file(path: Path, *, keep: bool) -> Iterator[IO[bytes]]:
    """A part of a file that a later attempt continues; `keep` appends to what is there.

    It gets its final name by `finish_growing`.
    """
    end = os.O_APPEND if keep else os.O_TRUNC
    with _opened(path, path, os.O_WRONLY | os.O_CREAT | end) as file:
        yield file


def append(path: str | os.PathLike[str], content: bytes) -> None:
    """Add to the end of a file, which may be there; after an error it is as it was."""
    with _opened(path, path, os.O_WRONLY | os.O_CREAT | os.O_APPEND) as file:
        before = os.fstat(file.fileno()).st_size
        try:
            file.write(content)
            file.flush()
        except BaseException:
            with suppress(OSError):  # a device has no size
                os.ftruncate(file.fileno(), before)
            raise


def finish_growing(part: Path, target: Path) -> None:
    """Sync a part that is complete and give it its final name."""
    with _named_errors(target):
        descriptor = os.open(part, os.O_RDWR)
        try:
            _sync(descriptor)
        finally:
            os.close(descriptor)
        part.replace(target)
    _sync_folder(target.parent)


@contextmanager
def name_beside(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary name for a file that another program writes, such as SQLite.

    At the end of the block the file must be closed. It is synced and gets its own name. After an
    error it is removed, with the files that the program laid beside it.
    """
    target = Path(os.path.realpath(path))
    temporary = _hidden_name(target)
    try:
        yield temporary
        finish_growing(temporary, target)
    finally:
        for each in target.parent.glob(f"{temporary.name}*"):
            with suppress(OSError):
                each.unlink()


@contextmanager
def lock_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """An empty file that serves only as a lock; it is never removed or cut."""
    with _opened(path, path, os.O_WRONLY | os.O_CREAT) as file:
        yield file


@contextmanager
def _named_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _cannot_write(path, error) from error


@contextmanager
def _opened(
    path: str | os.PathLike[str], shown: str | os.PathLike[str], flags: int
) -> Iterator[IO[bytes]]:
    """The open file. It is closed without an error of its own if the block failed."""
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    with _named_errors(shown):
        number = _descriptor(path)
        descriptor = os.open(path, flags, 0o666) if number is None else os.dup(number)
    with _buffered(descriptor, shown) as file:
        yield file


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether it is a device, a pipe or an open file such as /dev/stdout: nothing to replace."""
    try:
        return _descriptor(path) is not None or not stat.S_ISREG(Path(path).stat().st_mode)
    except OSError:
        return False


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """The number of an open file that a path such as /dev/stdout or /dev/fd/63 names.

    To open such a path again would cut what `>> FILE` is to continue.
    """
    found = _DESCRIPTOR.fullmatch(os.fspath(path))
    return None if found is None else _STANDARD.get(found[1]) or int(found[2])


@contextmanager
def _opened_new(path: Path, shown: str | os.PathLike[str]) -> Iterator[tuple[IO[bytes], bool]]:
    """A new file, and whether it has its name already: some systems have no files without one."""
    descriptor = _nameless(path.parent)
    if descriptor is None:
        with _opened(path, shown, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as file:
            yield file, True
    else:
        with _buffered(descriptor, shown) as file:
            yield file, False


def _copy_permissions(target: Path, new: Path | int) -> None:
    """Give a file, or an open one without a name, the permissions of the one it will replace."""
    with suppress(FileNotFoundError):
        mode = stat.S_IMODE(target.stat().st_mode)
        if isinstance(new, Path):
            new.chmod(mode)
        else:
            os.fchmod(new, mode)


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


def _give_name(descriptor: int, path: Path) -> None:
    """Give a file that has no name its first one."""
    try:
        # Python asks the system to follow the link to the open file only if there is some
        # descriptor of a folder; the absolute path does not use it.
        link = _OPEN_FILES / str(descriptor)
        os.link(link, path, src_dir_fd=descriptor, follow_symlinks=True)
    except OSError:  # a file system that has such files but does not name them
        with _opened(path, path, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as file:
            place = 0
            while content := os.pread(descriptor, _COPIED_BYTES, place):
                place += file.write(content)
            file.flush()
            _sync(file.fileno())


def _hidden_name(target: Path) -> Path:
    """A new name in the same folder. It is short, because names of files have a largest length."""
    return target.with_name(f".corrigenda-{os.urandom(16).hex()}.tmp")


def _keep(file: Path, name: Path) -> None:
    """Give a file that will be replaced a second name, from which it can be restored."""
    with suppress(FileNotFoundError):
        try:
            name.hardlink_to(file)
        except FileNotFoundError:
            raise
        except OSError:
            import shutil

            shutil.copy2(file, name)  # a file system without links


def _undo(pending: _Pending) -> None:
    with suppress(OSError):
        if pending.kept.exists():
            pending.kept.replace(pending.target)
        else:
            pending.target.unlink()


def _sync(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NOT_SYNCABLE:
            raise


def _sync_folder(folder: Path) -> None:
    """Sync the names in a folder, where the platform can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
