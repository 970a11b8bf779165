"""Lines of files in parallel, from a given byte on. They stay bytes in a few large buffers."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

import numpy as np
import numpy.typing as npt

from corrigenda.formats import text
from corrigenda.kernels.lines import Lines, sentences_in

Places = npt.NDArray[np.int64]
_BYTES_AT_ONCE = 1 << 18
_BLOCK_BYTES = 1 << 26
"""A block of rows has at most about this many bytes, and so has what is read of each file."""
_LINE_END, _RETURN = b"\n\r"


@dataclass(frozen=True)
class RawLines:
    """Lines without their line ends. What they contain is not checked."""

    data: bytes
    begins: Places
    ends: Places

    def __len__(self) -> int:
        return len(self.begins)

    def __iter__(self) -> Iterator[bytes]:
        for begin, end in zip(self.begins.tolist(), self.ends.tolist(), strict=True):
            yield self.data[begin:end]

    def sentences(self) -> Lines | None:
        """The lines as sentences; None if one of them is not a valid sentence."""
        return sentences_in(np.frombuffer(self.data, np.uint8), self.begins, self.ends)


class LineSource:
    """The lines of an open file, as many at a time as are asked for.

    A line that is too long is refused.
    """

    def __init__(self, file: IO[bytes], url: str, start: int = 0) -> None:
        self._file, self._url = file, url
        if start:
            file.seek(start)
        self._data = b""
        self._begin = 0
        """Where the next line begins."""
        self._ends: Places = np.zeros(0, np.int64)
        """The end of each whole line from there on, with its line end."""
        self._is_read = False
        self._number = 0
        """How many lines were taken."""
        self._has_mark = start == 0

    def find(self, wanted: int) -> int:
        """How many of the next `wanted` lines there are; fewer if they are very long, 0 at the end.

        If there are any, there is at least one.
        """
        parts, size = [self._data[self._begin :]], len(self._data) - self._begin
        found = [self._ends - self._begin]
        lines = len(self._ends)
        while not self._is_read and (lines == 0 or (lines < wanted and size < _BLOCK_BYTES)):
            part = self._read()
            ends = np.flatnonzero(np.frombuffer(part, np.uint8) == _LINE_END) + (size + 1)
            parts.append(part)
            found.append(ends)
            size, lines = size + len(part), lines + len(ends)
            if not lines and size > text.LONGEST_LINE:
                raise text.line_too_long(self._url, self._number + 1)
        if len(parts) > 1:
            self._data, self._begin = b"".join(parts), 0
            self._ends = np.concatenate(found)
            self._end_last_line()
        return min(wanted, len(self._ends))

    def _read(self) -> bytes:
        part = self._file.read(_BYTES_AT_ONCE)
        self._is_read = not part
        return part

    def _end_last_line(self) -> None:
        """At the end of a file, the last line may lack its line end; a mark alone is no line."""
        rest = self._data[int(self._ends[-1]) if len(self._ends) else 0 :]
        is_mark = self._has_mark and self._number == 0 and rest == self._data == codecs.BOM_UTF8
        if self._is_read and rest and not is_mark:
            self._ends = np.append(self._ends, len(self._data))

    def sizes(self, lines: int) -> Places:
        """The sizes of the next lines."""
        return np.diff(self._ends[:lines], prepend=self._begin)

    def take(self, lines: int) -> RawLines:
        """The next lines: not more than were found."""
        ends = self._ends[:lines]
        begins = np.concatenate([[self._begin], ends])[:lines]
        too_long = np.flatnonzero(ends - begins > text.LONGEST_LINE)
        if len(too_long):
            raise text.line_too_long(self._url, self._number + int(too_long[0]) + 1)
        taken = RawLines(self._data, *self._without_marks(begins, ends))
        if lines:
            self._begin, self._ends = int(ends[-1]), self._ends[lines:]
        self._number += lines
        return taken

    def _without_marks(self, begins: Places, ends: Places) -> tuple[Places, Places]:
        """The lines without their line ends, and the first of a file without its mark."""
        data = np.frombuffer(self._data, np.uint8)
        starts = begins.copy()
        if self._has_mark and self._number == 0 and self._data.startswith(codecs.BOM_UTF8):
            starts[:1] += len(codecs.BOM_UTF8)
        is_ended = data[ends - 1] == _LINE_END
        ends = ends - is_ended
        has_return = is_ended & (ends > starts) & (data[ends - 1] == _RETURN)
        return starts, ends - has_return


def next_lines(sources: Sequence[LineSource], wanted: int) -> list[RawLines]:
    """The next lines of each file, the same number of each; fewer than `wanted` if they are long.

    Only at the end of a file it has fewer lines than the others.
    """
    found = [source.find(wanted) for source in sources]
    lines = min(found)
    if not lines:
        return [source.take(min(1, number)) for source, number in zip(sources, found, strict=True)]
    sizes = np.sum([source.sizes(lines) for source in sources], axis=0)
    lines = min(lines, int(np.searchsorted(np.cumsum(sizes), _BLOCK_BYTES)) + 1)
    return [source.take(lines) for source in sources]
