"""The interface of annotators: an annotator finds edits and gives them types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from corrigenda.annotation.request import Request
from corrigenda.edits import Edit

Annotations = dict[Request, tuple[Edit, ...]]
"""The edits of each request."""


class Annotator(Protocol):
    """Makes the edits of one language. Making an annotator does not load a model."""

    @property
    def key(self) -> str:
        """A digest that changes with everything that can change an annotation, for caches."""

    def signature_fields(self) -> dict[str, object]:
        """The versions that a score depends on."""

    def annotate(self, requests: Iterable[Request], *, threads: int) -> Annotations:
        """The edits of every request."""
