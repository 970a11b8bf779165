"""The one place that writes files: a file is written whole or not at all.

A file is written under a temporary name in the folder of its target, synced to the disk, and
renamed. Until then a file that was there before is kept. Several files that belong together are
renamed only when all of them are complete. If a rename fails, those before it are undone. A device
or a pipe, such as /dev/null or /dev/stdout, is written directly.

Where the system allows it, a file gets its temporary name only when all files of its batch are
complete: a process that is killed while it writes leaves nothing.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TextIO

from corrigenda.errors import CorrigendaError
from corrigenda.writing.opened_files import (
    WritingError,
    check_name,
    copy_permissions,
    give_name,
    hidden_name,
    is_stream,
    named_errors,
    opened,
    opened_new,
    sync,
    sync_folder,
)

__all__ = [
    "WritingBatch",
    "WritingError",
    "append",
    "binary_file",
    "finish_growing",
    "growing_file",
    "is_stream",
    "lock_file",
    "name_beside",
    "text_file",
    "together",
    "write_bytes",
]
_MOST_HELD = 100
"""So many complete files of a batch stay open without a name; a process may open 1,024 files."""


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
        check_name(path)
        if is_stream(path):
            with opened(path, path, os.O_WRONLY | os.O_TRUNC) as file:
                yield file
            return
        # The end of a link is replaced, not the link.
        target = Path(os.path.realpath(path))
        if self._make_folders:
            with named_errors(path):
                self._make_folder(target.parent)
        temporary = hidden_name(target)
        try:
            with opened_new(temporary, path, target) as (file, has_name):
                yield file
                file.flush()
                with named_errors(path):
                    descriptor = file.fileno()
                    sync(descriptor)
                    copy_permissions(target, temporary if has_name else descriptor)
                    held = None if has_name else self._held(descriptor, temporary, target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        self._pending.append(_Pending(target, temporary, hidden_name(target), held))

    def _held(self, descriptor: int, temporary: Path, target: Path) -> int | None:
        """Keep a file without a name open. It gets a name now if too many are open."""
        if sum(each.held is not None for each in self._pending) < _MOST_HELD:
            with suppress(OSError):
                return os.dup(descriptor)
        give_name(descriptor, temporary, target)
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
        for each in self._pending:
            if each.held is not None:
                with named_errors(each.target):
                    give_name(each.held, each.temporary, each.target)
        begun: list[_Pending] = []
        try:
            for each in self._pending:
                with named_errors(each.target):
                    # One rename needs no second name: it happens, or it does not.
                    if len(self._pending) > 1:
                        _keep(each.target, each.kept)
                        begun.append(each)
                    each.temporary.replace(each.target)
        except BaseException:  # also Ctrl+C
            for each in reversed(begun):
                _undo(each)
            raise
        for folder in {each.target.parent for each in self._pending}:
            sync_folder(folder)
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
    with opened(path, path, os.O_WRONLY | os.O_CREAT | end) as file:
        yield file


def append(path: str | os.PathLike[str], content: bytes) -> None:
    """Add to the end of a file, which may be there; after an error it is as it was."""
    with opened(path, path, os.O_WRONLY | os.O_CREAT | os.O_APPEND) as file:
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
    with named_errors(target):
        descriptor = os.open(part, os.O_RDWR)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)
        part.replace(target)
    sync_folder(target.parent)


@contextmanager
def name_beside(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary name for a file that another program writes, such as SQLite.

    At the end of the block the file must be closed. It is synced and gets its own name. After an
    error, or SIGTERM, it is removed, with the files that the program laid beside it.
    """
    from corrigenda.writing.endings import leaving_by_blocks

    target = Path(os.path.realpath(path))
    temporary = hidden_name(target)
    with leaving_by_blocks():
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
    with opened(path, path, os.O_WRONLY | os.O_CREAT) as file:
        yield file


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
    """Take back a rename, if it happened."""
    if pending.temporary.exists():
        return
    with suppress(OSError):
        if pending.kept.exists():
            pending.kept.replace(pending.target)
        else:
            pending.target.unlink()
