"""What is asked of ERRANT: the edits between two sentences, or the types of given ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from corrigenda.edits import Edit

Span = tuple[int, int, int, int]
"""Source words start up to end, which became target words begin up to finish."""


class Request(NamedTuple):
    """A source and a target, words joined by single blanks; with `spans`, edits that are to be typed as they are.

    Spans are minimised: words that are the same at both ends of an edit are no part of it.
    """

    source: str
    target: str
    spans: tuple[Span, ...] | None = None

    @property
    def is_trivial(self) -> bool:
        """Whether nothing has to be parsed to know that there are no edits."""
        return not self.spans if self.spans is not None else self.source == self.target


def request(source: str, target: str) -> Request:
    """The edits between two sentences, however their blanks are written."""
    return Request(" ".join(source.split()), " ".join(target.split()))


def to_plain(request: Request) -> list[Any]:
    """A request for JSON."""
    return [request.source, request.target, request.spans]


def from_plain(data: Sequence[Any]) -> Request:
    """A request from JSON."""
    source, target, spans = data
    return Request(
        source, target, None if spans is None else tuple((a, b, c, d) for a, b, c, d in spans)
    )


def edits_to_plain(edits: Sequence[Edit]) -> list[list[Any]]:
    """Edits for JSON."""
    return [[edit.start, edit.end, edit.type, edit.correction] for edit in edits]


def edits_from_plain(data: Sequence[Sequence[Any]]) -> tuple[Edit, ...]:
    """Edits from JSON."""
    return tuple(Edit(start, end, (correction,), kind) for start, end, kind, correction in data)
