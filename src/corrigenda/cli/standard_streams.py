"""The standard streams of the program: what nobody reads does not end its work.

If the reader of standard output goes away (`| head`), the rest is dropped. The command still writes
its files, and its exit code still says what it found. Standard error holds notes and progress: if
it is full, they are dropped. A pipe that somebody else made non-blocking is waited for.
"""

from __future__ import annotations

import io
import select
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer


def forgive() -> None:
    """Replace both streams of this process. A program that only calls `cli.main` keeps its own."""
    sys.stdout = _replaced(sys.stdout, _Output)
    sys.stderr = _replaced(sys.stderr, _Notes)


class _Output(io.FileIO):
    """Standard output until its reader goes away."""

    _ends: tuple[type[OSError], ...] = (BrokenPipeError,)
    _ended = False

    def write(self, data: Buffer) -> int:
        """Write the bytes, or drop them."""
        size = memoryview(data).nbytes
        while not self._ended:
            try:
                written = super().write(data)
            except self._ends:
                self._ended = True
            else:
                if written is not None:
                    return written
                select.select([], [self], [])
        return size


class _Notes(_Output):
    """Standard error as long as it can be written."""

    _ends = (OSError,)


def _replaced(stream: TextIO | None, kind: type[_Output]) -> TextIO | None:
    """The same stream on other bytes; None is a stream that is closed."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    raw = kind(stream.fileno(), "w", closefd=False)
    unbuffered = stream.write_through
    return io.TextIOWrapper(
        raw if unbuffered else io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=unbuffered,
    )
