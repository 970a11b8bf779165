"""Sentences in one UTF-8 buffer; cpp/lines.hpp finds them. A `str` is made when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

import corrigenda._kernels as _kernels

TOO_LONG, NOT_TEXT = 1, 2
Held = TypeVar("Held", covariant=True)


class TupleLike(Sequence[Held]):
    """A sequence that is equal to the tuple of its items, with the same hash, text and pickle."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self) | tuple):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Held, ...]], tuple[tuple[Held, ...]]]:
        return tuple, (tuple(self),)


class Lines(TupleLike[str]):
    """Sentences that behave like a tuple of strings: equal to it, with its hash and its pickle."""

    __slots__ = ("column",)

    def __init__(self, column: _kernels.TextColumn) -> None:
        self.column = column
        """The compiled object that knows where the sentences are."""

    def __len__(self) -> int:
        return len(self.column)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            begin, end, step = place.indices(len(self))
            if step != 1:
                return tuple(self)[place]
            return self.part(begin, max(begin, end))
        size = len(self.column)
        if not -size <= place < size:
            raise IndexError("there is no such line")
        text: str = self.column.at(place % size)
        return text

    def part(self, begin: int, end: int) -> Lines:
        """Consecutive sentences, in the same buffer."""
        return Lines(self.column.part(begin, end))

    def __iter__(self) -> Iterator[str]:
        return iter(self.column.texts())

    def isascii(self) -> bool:
        """Whether all sentences are ASCII, as `str.isascii` says it of one."""
        found: bool = self.column.is_ascii()
        return found


class Scanned(NamedTuple):
    """Lines, where the next one begins, and what is wrong with it: 0, TOO_LONG or NOT_TEXT."""

    lines: Lines
    end: int
    problem: int


def scan_lines(data: bytes, begin: int, *, most: int, longest: int, at_end: bool) -> Scanned:
    """At most this many lines from `begin` on. With `at_end`, the last may lack its line end."""
    if not 0 <= begin <= len(data):
        raise ValueError(f"begin must be between 0 and {len(data)}")
    column, end, problem = _kernels.scan_lines(data, begin, most, longest, at_end)
    return Scanned(Lines(column), end, problem)


def sentences_in(
    data: npt.NDArray[np.uint8],
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
) -> Lines | None:
    """The texts `data[begins[i]:ends[i]]`. None if one of them is not a valid sentence."""
    column = _kernels.sentences_in(
        data, np.ascontiguousarray(begins), np.ascontiguousarray(ends), data
    )
    return None if column is None else Lines(column)


def count_line_ends(data: bytes) -> int:
    """The number of LF in the data."""
    found: int = _kernels.count_line_ends(data)
    return found


def as_texts(sentences: Sequence[str]) -> Any:
    """The sentences as kernels take them: without a copy if they are in a buffer."""
    return sentences.column if isinstance(sentences, Lines) else tuple(sentences)


def reference_views(
    references: Sequence[Sequence[str]], sentences: int, *, by_text: bool
) -> list[Any] | tuple[tuple[str, ...], ...]:
    """References as kernels take them: one item per reference text if `by_text`, else per sentence.

    There must be one reference, or one list of references, for each sentence.
    """
    numbers = {len(text) for text in references} if by_text else {len(references)}
    if not numbers <= {sentences}:
        raise ValueError(f"references of {sorted(numbers)} sentences for {sentences} sources")
    if by_text:
        return [as_texts(text) for text in references]
    return tuple(map(tuple, references))
