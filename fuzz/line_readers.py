"""Two readers of lines that must agree: one decodes line by line, one finds lines in blocks.

The first one is older, slow and simple: it is the oracle. `check` compares both on the same bytes:
as a plain file, with a low limit for the length of a line, on a disk that fails, and packed.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any

from corrigenda.errors import CorrigendaError
from corrigenda.formats import input_file, text
from corrigenda.formats.line_reader import LineReader

Outcome = list[str] | tuple[str, str, str | None]
"""The lines, or the problem, its place and its remedy."""


def one_by_one(file: IO[bytes]) -> Outcome:
    """The oracle: the reader that decodes line by line."""
    try:
        return list(text.lines(file, "file"))
    except CorrigendaError as error:
        return error.problem, str(error.location), error.remedy


def in_blocks(file: IO[bytes], size: int) -> Outcome:
    """The reader of blocks, with blocks of this many lines."""
    reader = LineReader(file, "file")
    found: list[str] = []
    try:
        while True:
            part = reader.take(size)
            found += part
            if len(part) < size:
                return found
    except CorrigendaError as error:
        return error.problem, str(error.location), error.remedy


class FailingFile(io.RawIOBase):
    """A file that cannot be read to its end."""

    def __init__(self, content: bytes) -> None:
        self._rest = io.BytesIO(content)

    def readable(self) -> bool:
        """It can be read at first."""
        return True

    def readinto(self, place: Any) -> int:
        """Ten bytes at a time; an error at the end."""
        count = self._rest.readinto(memoryview(place)[:10])
        if not count:
            raise OSError(5, "Input/output error")
        return count


@contextmanager
def changed(module: Any, name: str, value: int) -> Iterator[None]:
    """A module with another value for a moment."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def check(data: bytes) -> None:
    """Both readers agree on the data. The data decides how they are read."""
    choice = zlib.crc32(data)
    kind, size, step = choice % 16, 1 + choice // 16 % 7, 1 + choice // 112 % 40
    longest = 1 + choice // 4480 % 60 if kind in (8, 9, 10) else text.LONGEST_LINE
    with ExitStack() as stack:
        stack.enter_context(changed(text, "LONGEST_LINE", longest))

        def opened() -> IO[bytes]:
            if kind in (11, 12):
                return io.BufferedReader(FailingFile(data))
            if kind in (13, 14):
                packed = gzip.compress(data, compresslevel=1, mtime=0)
                cut = packed[: len(packed) - (choice // 4480 % 40 if kind == 13 else 0)]
                return input_file.unpacked(io.BufferedReader(io.BytesIO(cut)), "file", stack)
            return io.BytesIO(data)

        expected = one_by_one(opened())
        with changed(io, "DEFAULT_BUFFER_SIZE", step) if kind < 11 else ExitStack():
            found = in_blocks(opened(), size)
    assert found == expected, (kind, size, step, longest, found, expected)
    if kind == 0:
        assert in_blocks(io.BytesIO(data), 1 << 40) == expected
