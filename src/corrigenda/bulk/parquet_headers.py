"""The headers of the pages in a column of Parquet. They say how large a page is when unpacked.

The footer of a file says it, too, but Arrow unpacks what the headers say. They are structures of
Thrift's compact protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

_FIRST_READ, _LONGEST_HEADER = 1 << 10, 1 << 24
_MOST_DEPTH, _MOST_FIELDS, _LARGEST_PLACE = 8, 500, 1 << 14
_LARGEST_NUMBER = (1 << 31) - 1
MOST_PAGES = 100_000
"""The most pages of one column in one row group. Empty pages would only take time."""
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _STRUCT = 1, 2, 3, 7, 8, 12
DATA, INDEX, DICTIONARY, DATA_V2 = 0, 1, 2, 3
"""Kinds of pages."""
_DICTIONARY_CODES = (2, 8)
_SHARED_BEGINNINGS = 7
RUNS = 3
"""Encodings of values and levels: numbers of texts in a dictionary, beginnings that values share
with the value before, and runs of levels."""

Structure = dict[int, object]


@dataclass(frozen=True)
class Page:
    """A page: where its content is, and what its header says."""

    kind: int
    at: int
    packed: int
    unpacked: int
    values: int
    encoding: int
    levels: int
    """The bytes of the repetition levels, if the page is of the second version."""
    levels_encoding: int

    @property
    def refers(self) -> bool:
        """Whether its values are numbers of texts in the dictionary."""
        return self.encoding in _DICTIONARY_CODES

    @property
    def repeats(self) -> bool:
        """Whether a value may repeat the one before it, without its bytes."""
        return self.encoding == _SHARED_BEGINNINGS


def pages(file: IO[bytes], begin: int, end: int, values: int) -> Iterator[Page]:
    """The pages between two places of a file, until they hold this many values."""
    seen = number = 0
    while begin < end and seen < values:
        number += 1
        if number > MOST_PAGES:
            raise ValueError(f"a column has more than {MOST_PAGES:,} pages in one row group")
        page = _page(file, begin, end)
        begin = page.at + page.packed
        if page.kind in (DATA, DATA_V2):
            seen += page.values
        yield page


def _page(file: IO[bytes], begin: int, end: int) -> Page:
    length = _FIRST_READ
    while True:
        file.seek(begin)
        data = file.read(min(length, end - begin))
        reader = _CompactReader(data)
        try:
            return _made(reader.structure(0), begin + reader.at, end)
        except IndexError:  # the header is longer
            if length > _LONGEST_HEADER or length > end - begin:
                raise ValueError("the header of a page is not whole") from None
            length *= 16


def _made(header: Structure, at: int, end: int) -> Page:
    kind, unpacked, packed = (_number(header, place) for place in (1, 2, 3))
    place = {DATA: 5, DICTIONARY: 7, DATA_V2: 8}.get(kind)
    inner = header.get(place, {}) if place is not None else {}
    if not isinstance(inner, dict) or packed > end - at:
        raise ValueError("the header of a page is damaged")
    second = kind == DATA_V2
    return Page(
        kind,
        at,
        packed,
        unpacked,
        _number(inner, 1),
        _number(inner, 4 if second else 2),
        _number(inner, 6) if second else 0,
        RUNS if second else _number(inner, 4),
    )


def _number(fields: Structure, place: int) -> int:
    value = fields.get(place, 0)
    if not isinstance(value, int) or not 0 <= value <= _LARGEST_NUMBER:
        raise ValueError("the header of a page is damaged")
    return value


class _CompactReader:
    """Reads Thrift's compact protocol. An IndexError means that the data ends too early."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0
        self._fields_left = _MOST_FIELDS

    def structure(self, depth: int) -> Structure:
        if depth > _MOST_DEPTH:
            raise ValueError("the header of a page is nested too deeply")
        fields: Structure = {}
        place = 0
        while (head := self._byte()) & 15:
            self._fields_left -= 1
            step = head >> 4
            place = place + step if step else self._signed()
            # Other readers cut large places, and take the last of two fields with the right type.
            if place in fields or not 0 < place <= _LARGEST_PLACE or self._fields_left < 0:
                raise ValueError("the header of a page is damaged")
            fields[place] = self._value(head & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> object:
        if kind in (_TRUE, _FALSE):
            return int(kind == _TRUE)
        if kind == _BYTE:
            return self._byte()
        if kind < _DOUBLE:
            return self._signed()
        if kind == _DOUBLE:
            self._skip(8)
            return None
        if kind == _BINARY:
            self._skip(self._unsigned())
            return None
        if kind == _STRUCT:
            return self.structure(depth + 1)
        # Headers of pages have neither lists nor maps.
        raise ValueError("the header of a page is damaged")

    def _byte(self) -> int:
        byte = self._data[self.at]
        self.at += 1
        return byte

    def _skip(self, length: int) -> None:
        self.at += length
        if self.at > len(self._data):
            raise IndexError

    def _unsigned(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift > 63:
                raise ValueError("the header of a page is damaged")

    def _signed(self) -> int:
        number = self._unsigned()
        return (number >> 1) ^ -(number & 1)
