"""A request to an annotator: find the edits between two sentences, or the types of given edits.

Requests and edits cross process borders and are kept on disk as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from corrigenda.edits import Edit

Span = tuple[int, int, int, int]
"""(start, end, begin, finish): source words start to end became target words begin to finish."""
PlainRequest = tuple[str, str, Sequence[Span] | None]
"""A request as it is read from JSON: source, target, spans."""
PlainEdit = tuple[int, int, str, str]
"""An edit in JSON: start, end, type, correction."""


class Request(NamedTuple):
    """A source and a target. Their words are joined by single blanks.

    With `spans`, the edits are given and only their types are wanted. Words that are the same at
    both ends of a span do not belong to the edit and are removed from it.

    `json.dumps` writes a request as a `PlainRequest`.
    """

    source: str
    target: str
    spans: tuple[Span, ...] | None = None

    @property
    def is_trivial(self) -> bool:
        """Whether there are clearly no edits, so that no sentence needs a parse."""
        return not self.spans if self.spans is not None else self.source == self.target


def request(source: str, target: str) -> Request:
    """A request for the edits between two sentences with any kind of whitespace."""
    return Request(" ".join(source.split()), " ".join(target.split()))


def request_from_plain(data: PlainRequest) -> Request:
    """A request from JSON."""
    source, target, spans = data
    if spans is None:
        return Request(source, target)
    return Request(source, target, tuple((a, b, c, d) for a, b, c, d in spans))


def edits_to_plain(edits: Iterable[Edit]) -> list[PlainEdit]:
    """Edits for JSON."""
    return [(edit.start, edit.end, edit.type, edit.correction) for edit in edits]


def edits_from_plain(data: Iterable[PlainEdit]) -> tuple[Edit, ...]:
    """Edits from JSON."""
    return tuple(Edit(start, end, (correction,), kind) for start, end, kind, correction in data)
