"""Reads the lines of a text file in blocks: they stay bytes, and compiled code finds them."""

from __future__ import annotations

import codecs
import io
import zlib
from typing import IO

from corrigenda.errors import FormatError
from corrigenda.formats import text
from corrigenda.kernels.lines import NOT_TEXT, TOO_LONG, Lines, count_line_ends, scan_lines

_BYTES_AT_ONCE = 1 << 18


class LineReader:
    """The lines of an open file, as many at a time as are asked for.

    Its errors are those of `text.lines`, and they come at the same lines.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._name = name
        self._read = getattr(file, "read1", file.read)
        # An error while a packed file is read loses what was read in the same call. So such a file
        # is read in the same small parts in which its lines would be read one by one.
        is_plain = isinstance(getattr(file, "raw", None), io.FileIO)
        self._step = _BYTES_AT_ONCE if is_plain else io.DEFAULT_BUFFER_SIZE
        self._data = b""
        self._at = 0
        """Where the next line begins."""
        self._number = 0
        """The number of the line before it."""
        self._is_read = False
        self._failure: Exception | None = None

    def take(self, most: int) -> Lines:
        """The next lines; fewer than `most` if the file ends."""
        self._fill(most)
        if self._number == 0:
            self._begin()
        scanned = scan_lines(
            self._data,
            self._at,
            most=most,
            longest=text.LONGEST_LINE,
            at_end=self._is_read and self._failure is None,
        )
        self._at = scanned.end
        self._number += len(scanned.lines)
        if scanned.problem == TOO_LONG:
            raise text.line_too_long(self._name, self._number + 1)
        if scanned.problem == NOT_TEXT:
            text.check_line(self._next_line(), self._name, self._number + 1)
        if self._failure is not None and len(scanned.lines) < most:
            if isinstance(self._failure, FormatError):
                raise self._failure
            raise text.not_readable(self._failure, self._name, self._number + 1)
        return scanned.lines

    def _fill(self, most: int) -> None:
        """Read until there are as many line ends, or the file ends."""
        parts = [self._data[self._at :]]
        found = count_line_ends(parts[0])
        size = len(parts[0]) - (parts[0].rfind(b"\n") + 1)
        while found < most and not self._is_read:
            try:
                part = self._read(self._step)
            except (OSError, EOFError, zlib.error, FormatError) as error:
                self._failure, part = error, b""
            self._is_read = not part
            parts.append(part)
            if lines := count_line_ends(part):
                found += lines
                size = 0
            size += len(part) - (part.rfind(b"\n") + 1)
            if size > text.LONGEST_LINE:
                self._is_read = True  # the scan finds that this line is too long
        if len(parts) > 1:
            self._data, self._at = b"".join(parts), 0

    def _begin(self) -> None:
        """Skip a byte-order mark, and refuse line ends of old Macs."""
        first = self._data[: self._data.find(b"\n") + 1] or self._data
        if len(first) > text.LONGEST_LINE:  # with its mark, which the scan does not see
            raise text.line_too_long(self._name, 1)
        if first.startswith(codecs.BOM_UTF8):
            self._at = len(codecs.BOM_UTF8)
        if self._failure is None:
            text.check_line_ends(first[self._at :], self._name)

    def _next_line(self) -> bytes:
        end = self._data.find(b"\n", self._at)
        if end < 0:
            return self._data[self._at :]
        line = self._data[self._at : end]
        return line.removesuffix(b"\r")
