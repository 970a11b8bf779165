"""Files to read: standard input, files packed by gzip or zstd, and the names of files."""

from __future__ import annotations

import importlib
import io
import sys
from contextlib import ExitStack
from pathlib import Path as FilePath
from typing import IO, TYPE_CHECKING, Any, cast

from corrigenda.errors import CorrigendaError, FormatError, Location
from corrigenda.text.sentences import Path

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT = "-"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_PACKED_SUFFIXES = (".gz", ".zst")
MOST_EXPANSION = 200
"""How many times larger than its file an unpacked text may be. Text shrinks to a tenth or so."""
MOST_SYSTEMS = 1_000
"""The most systems of one file; their number can be far larger than a file of that size shows."""
FREE_BYTES = 1 << 26
"""A file may unpack to this many bytes in any case."""


def stem(path: Path) -> str:
    """The name of a system: the file name without its folder and its last suffix."""
    if str(path) == STANDARD_INPUT:
        return "stdin"
    name = FilePath(path)
    return FilePath(name.stem).stem if name.suffix in _PACKED_SUFFIXES else name.stem


def shown(path: Path) -> str:
    """The name of a file in messages."""
    return "<stdin>" if str(path) == STANDARD_INPUT else str(path)


def open_binary(path: Path, stack: ExitStack) -> IO[bytes]:
    """The open file, or standard input for `-`. A packed file is unpacked while it is read."""
    return unpacked(_open(path, stack), shown(path), stack)


def unpacked(file: IO[bytes], name: str, stack: ExitStack) -> IO[bytes]:
    """The content of a file: it is unpacked if it begins as gzip or zstd files do."""
    if isinstance(file, io.RawIOBase):
        file = io.BufferedReader(file)
    try:
        begin = file.peek(4)[:4] if isinstance(file, io.BufferedReader) else b""
    except OSError:  # a folder: its error comes when lines are read
        return file
    if not begin.startswith(_GZIP) and begin != _ZSTD:
        return file
    packed = _PackedBytes(file)
    if begin == _ZSTD:
        opened = _zstd(io.BufferedReader(packed), name, stack)
    else:
        import gzip

        opened = cast("IO[bytes]", stack.enter_context(gzip.GzipFile(fileobj=packed)))
    return io.BufferedReader(_BoundedUnpacking(opened, packed, name))


class _PackedBytes(io.RawIOBase):
    """A packed file that counts how many of its bytes were read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.total = 0

    def readable(self) -> bool:
        return True

    def readinto(self, place: WriteableBuffer, /) -> int:
        view = memoryview(place)
        data = self._file.read(len(view))
        view[: len(data)] = data
        self.total += len(data)
        return len(data)


class _BoundedUnpacking(io.RawIOBase):
    """The content of a packed file; it must not become out of proportion large."""

    def __init__(self, content: IO[bytes], packed: _PackedBytes, name: str) -> None:
        self._content, self._packed, self._name = content, packed, name
        self._total = 0

    def readable(self) -> bool:
        return True

    def readinto(self, place: WriteableBuffer, /) -> int:
        view = memoryview(place)
        try:
            data = self._content.read(len(view))
        except Exception as error:  # each way of packing has its own errors
            raise FormatError(
                f"cannot unpack it: {str(error).lower()}",
                at=Location(self._name),
                remedy="The file is damaged or incomplete. Copy or download it again.",
            ) from error
        view[: len(data)] = data
        self._total += len(data)
        if self._total > max(FREE_BYTES, MOST_EXPANSION * self._packed.total):
            raise too_much_unpacked(self._name)
        return len(data)


def too_much_unpacked(name: str) -> FormatError:
    """The error for a packed file that was made to fill memory, or to take forever."""
    return FormatError(
        f"the file becomes more than {MOST_EXPANSION} times as large when it is unpacked",
        at=Location(name),
        remedy="Unpack it first if you trust it.",
    )


def _zstd(file: IO[bytes], name: str, stack: ExitStack) -> IO[bytes]:
    """Python 3.14 reads zstd; earlier ones need the package zstandard."""
    try:
        if sys.version_info >= (3, 14):
            module: Any = importlib.import_module("compression.zstd")
        else:
            module = importlib.import_module("zstandard")
    except ImportError:
        raise FormatError(
            "the file is packed by zstd, which this Python cannot read",
            at=Location(name),
            remedy="Unpack it (zstd -d), or pip install zstandard.",
        ) from None
    opened: IO[bytes] = stack.enter_context(module.open(file, "rb"))
    return opened


def _open(path: Path, stack: ExitStack) -> IO[bytes]:
    if str(path) == STANDARD_INPUT:
        if sys.stdin is None:
            raise CorrigendaError("standard input is closed", remedy="Open it, or give a file.")
        return sys.stdin.buffer
    try:
        return stack.enter_context(FilePath(path).open("rb"))
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        reason = str(getattr(error, "strerror", None) or error).lower()
        raise CorrigendaError(
            f"cannot read it: {reason}",
            at=Location(shown(path)),
            remedy="Check the path and its permissions.",
        ) from error
