"""The rows of a partition, block by block; a row that cannot be used is set aside with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

MaybeText = str | None
LINE_END_OR_NUL = "a sentence contains a line end or a NUL character"


@dataclass
class RowBlock:
    """Consecutive rows, column by column; a rejected row holds whatever it holds."""

    first_row: int
    sources: list[MaybeText]
    hypotheses: list[MaybeText]
    references: list[tuple[str, ...]]
    keys: Sequence[Any] | None = None
    rejected: dict[int, str] = field(default_factory=dict)
    """Place in the block → what is wrong."""

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def usable(self) -> list[int]:
        """The places of the rows that are not rejected."""
        return [place for place in range(len(self)) if place not in self.rejected]

    def check(self) -> None:
        """Reject rows that lack something, or hold what is no sentence."""
        for place, (source, hypothesis, references) in enumerate(
            zip(self.sources, self.hypotheses, self.references, strict=True)
        ):
            if source is None:
                self.rejected.setdefault(place, "there is no source")
            elif hypothesis is None:
                self.rejected.setdefault(place, "there is no hypothesis")
            elif not references:
                self.rejected.setdefault(place, "there is no reference")
        usable = self.usable
        if _all_sentences(self._texts(usable)):
            return
        for place in usable:
            for sentence in self._texts([place]):
                if (problem := problem_of(sentence)) is not None:
                    self.rejected.setdefault(place, problem)

    def _texts(self, places: Iterable[int]) -> Iterator[str]:
        for place in places:
            source, hypothesis = self.sources[place], self.hypotheses[place]
            assert source is not None
            assert hypothesis is not None
            yield source
            yield hypothesis
            yield from self.references[place]


def problem_of(sentence: str) -> str | None:
    """Why a text is no sentence, if it is none."""
    if "\n" in sentence or "\x00" in sentence:
        return LINE_END_OR_NUL
    try:
        sentence.encode()
    except UnicodeEncodeError:
        return "a sentence contains half of a character (a lone surrogate)"
    return None


def _all_sentences(texts: Iterable[str]) -> bool:
    return problem_of("".join(texts)) is None


def decoded(raw: bytes) -> tuple[str | None, str | None]:
    """The text of bytes, or what is wrong with them."""
    try:
        return raw.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return None, f"byte {error.start + 1} is not UTF-8"
