"""The references of each sentence, from reference texts that stay as they were read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from corrigenda.kernels.lines import Lines, TupleLike


class ReferenceTexts(TupleLike[tuple[str, ...]]):
    """Behaves like a tuple with the references of each sentence: equal to it, with its hash."""

    __slots__ = ("sentences", "texts")

    def __init__(self, texts: Sequence[Lines], sentences: int) -> None:
        self.texts = tuple(texts)
        """One text per reference; each has as many sentences."""
        self.sentences = sentences

    def __len__(self) -> int:
        return self.sentences

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[str, ...]]: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | Sequence[tuple[str, ...]]:
        if isinstance(place, slice):
            begin, end, step = place.indices(self.sentences)
            if step != 1:
                return tuple(self)[place]
            end = max(begin, end)
            return ReferenceTexts([text.part(begin, end) for text in self.texts], end - begin)
        if not -self.sentences <= place < self.sentences:
            raise IndexError("there is no such sentence")
        return tuple(text[place] for text in self.texts)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return zip(*self.texts, strict=True) if self.texts else iter([()] * self.sentences)
