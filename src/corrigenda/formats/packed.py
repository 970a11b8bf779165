"""Packed files: gzip, zstd, bzip2 and xz, unpacked while they are read, and always to their end.

A packed file has one part after another: members of gzip, frames of zstd, streams of bzip2 and xz.
Some libraries read the first part alone, or take it for the end where a file breaks off, or leave
out what follows a part. Each of these would be a shorter text without a word. Here all parts are
read, and a file that ends within a part, or continues with something else, is an error.
"""

from __future__ import annotations

import importlib
import io
import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

from corrigenda.errors import FormatError, Location

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BEGIN = 10
"""So many bytes at the beginning of a file show whether it is packed."""
MOST_EXPANSION = 200
"""How many times larger than its file an unpacked text may be. Text shrinks to a tenth or so."""
FREE_BYTES = 1 << 26
"""A file may unpack to this many bytes in any case."""
MOST_MEMORY = 1 << 27
"""The memory that unpacking may take: the window of zstd, the dictionary of xz."""
_PACKED_AT_ONCE = 1 << 10
"""A block of zstd unpacks to 128 kB and may have four bytes; so few are given at once."""


class _Part(Protocol):
    """A part of a packed file while it is unpacked: an object of `bz2`, `lzma` or zstd."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes: ...


@dataclass(frozen=True)
class Packing:
    """A way of packing files."""

    suffix: str
    begin: re.Pattern[bytes]
    opened: Callable[[io.RawIOBase, str], IO[bytes]]
    """The content of a packed file; the second argument is its name in messages."""


def of_name(name: str) -> Packing | None:
    """The packing that the suffix of a name stands for."""
    return next((each for each in PACKINGS if name.lower().endswith(each.suffix)), None)


def of_begin(begin: bytes) -> Packing | None:
    """The packing of a file that begins like this."""
    return next((each for each in PACKINGS if each.begin.match(begin)), None)


def unpacked(file: IO[bytes], packing: Packing, name: str, stack: ExitStack) -> IO[bytes]:
    """The content of a packed file; messages call the file `name`."""
    packed = _PackedBytes(file)
    content = stack.enter_context(packing.opened(packed, name))
    return io.BufferedReader(_BoundedUnpacking(content, packed, name))


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
            if not data and not self._packed.total:
                raise EOFError("the file is empty")
        except Exception as error:  # each way of packing has its own errors
            raise self._not_unpacked(error) from error
        view[: len(data)] = data
        self._total += len(data)
        if self._total > max(FREE_BYTES, MOST_EXPANSION * self._packed.total):
            raise too_much_unpacked(self._name)
        return len(data)

    def _not_unpacked(self, error: Exception) -> FormatError:
        reason = str(error).lower()
        remedy = "The file is damaged or incomplete. Copy or download it again."
        if isinstance(error, MemoryError) or "memory" in reason:
            reason = f"that needs more than {MOST_MEMORY >> 20} MB of memory"
            remedy = "Unpack it first if you trust it (zstd -d --long=31, xz -d)."
        return FormatError(f"cannot unpack it: {reason}", at=Location(self._name), remedy=remedy)


def too_much_unpacked(name: str) -> FormatError:
    """The error for a packed file that was made to fill memory, or to take forever."""
    return FormatError(
        f"the file becomes more than {MOST_EXPANSION} times as large when it is unpacked",
        at=Location(name),
        remedy="Unpack it first if you trust it.",
    )


class _AllParts(io.RawIOBase):
    """The content of all parts of a packed file."""

    def __init__(
        self, packed: io.RawIOBase, new_part: Callable[[], _Part], padding: bytes = b""
    ) -> None:
        self._packed, self._new_part, self._padding = packed, new_part, padding
        self._part: _Part | None = None
        self._ready = memoryview(b"")
        """What is unpacked and not yet read."""

    def readable(self) -> bool:
        return True

    def readinto(self, place: WriteableBuffer, /) -> int:
        view = memoryview(place)
        while not self._ready:
            if not self._unpack(len(view)):
                return 0
        size = min(len(view), len(self._ready))
        view[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _unpack(self, most: int) -> bool:
        """Unpack a little; False at the end of the file."""
        part, given = self._part, b""
        if part is None or part.eof:
            given = self._next_begin(b"" if part is None else part.unused_data)
            if not given:
                return False
            part = self._part = self._new_part()
        elif part.needs_input:
            given = self._packed.read(_PACKED_AT_ONCE) or b""
            if not given:
                raise EOFError("the file ends too early")
        self._ready = memoryview(part.decompress(given, most))
        return True

    def _next_begin(self, rest: bytes) -> bytes:
        """The first bytes of the next part; none at the end of the file."""
        while not (begin := rest.lstrip(self._padding) if self._padding else rest):
            rest = self._packed.read(_PACKED_AT_ONCE) or b""
            if not rest:
                break
        return begin


def _gzip(packed: io.RawIOBase, _name: str) -> IO[bytes]:
    import gzip

    return cast("IO[bytes]", gzip.GzipFile(fileobj=packed))


def _bzip2(packed: io.RawIOBase, _name: str) -> IO[bytes]:
    import bz2

    return cast("IO[bytes]", io.BufferedReader(_AllParts(packed, bz2.BZ2Decompressor)))


def _xz(packed: io.RawIOBase, _name: str) -> IO[bytes]:
    import lzma

    def new_stream() -> _Part:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, MOST_MEMORY)

    return cast("IO[bytes]", io.BufferedReader(_AllParts(packed, new_stream, b"\0")))


def _zstd(packed: io.RawIOBase, name: str) -> IO[bytes]:
    """Python 3.14 reads zstd; earlier ones need the package zstandard."""
    window = MOST_MEMORY.bit_length() - 1
    new_frame: Callable[[], _Part]
    try:
        if sys.version_info >= (3, 14):
            zstd: Any = importlib.import_module("compression.zstd")
            options = {zstd.DecompressionParameter.window_log_max: window}

            def new_frame() -> _Part:
                return cast("_Part", zstd.ZstdDecompressor(options=options))
        else:
            zstandard: Any = importlib.import_module("zstandard")

            def new_frame() -> _Part:
                return _ZstdFrame(zstandard.ZstdDecompressor(max_window_size=MOST_MEMORY))
    except ImportError:
        raise FormatError(
            "the file is packed by zstd, which this Python cannot read",
            at=Location(name),
            remedy="Unpack it (zstd -d), or pip install zstandard.",
        ) from None
    return cast("IO[bytes]", io.BufferedReader(_AllParts(packed, new_frame)))


class _ZstdFrame:
    """A frame of zstd by the package zstandard. All that is given is unpacked at once."""

    needs_input = True

    def __init__(self, zstandard: Any) -> None:
        self._frame: Any = zstandard.decompressobj()

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._frame.unused_data)

    def decompress(self, data: bytes, _max_length: int = -1, /) -> bytes:
        return bytes(self._frame.decompress(data))


PACKINGS = (
    Packing(".gz", re.compile(rb"\x1f\x8b"), _gzip),
    # Frames of zstd, also those that hold no text and are skipped.
    Packing(".zst", re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), _zstd),
    Packing(".bz2", re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), _bzip2),
    Packing(".xz", re.compile(rb"\xfd7zXZ\x00"), _xz),
)
