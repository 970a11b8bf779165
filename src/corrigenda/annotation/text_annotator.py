"""What annotators without a model share. They are quick, so nothing is kept on disk."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Self

from corrigenda.annotation.annotator import Annotations, AnnotatorChoice, Merger
from corrigenda.annotation.request import Request, Span
from corrigenda.annotation.steps import edit_of, minimised
from corrigenda.edits import Edit


class TextAnnotator(ABC):
    """An `Annotator` that looks at words alone. A language adds `spans` and `type_of`."""

    version: ClassVar[str]
    """The version of its rules; another version may give other edits."""
    packages: ClassVar[tuple[str, ...]] = ()
    mergers: ClassVar[tuple[Merger, ...]] = ("rules",)

    def __init__(self, merger: Merger) -> None:
        self.merger = merger

    @classmethod
    def from_choice(cls, choice: AnnotatorChoice) -> Self:
        """The annotator with this merger."""
        return cls(choice.merger)

    @abstractmethod
    def spans(self, source: Sequence[str], target: Sequence[str]) -> Sequence[Span]:
        """The edits between two sentences, from left to right."""

    @abstractmethod
    def type_of(self, source: Sequence[str], target: Sequence[str]) -> str:
        """The type of an edit that replaces the words `source` by `target`."""

    @property
    def key(self) -> str:
        """A digest that changes with everything that can change an annotation, for caches."""
        facts = (type(self).__module__, type(self).__qualname__, self.version, self.merger)
        return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()

    def signature_fields(self) -> dict[str, object]:
        """The version of the rules, and the merger."""
        return {"rules": self.version, "merger": self.merger}

    def annotate(self, requests: Iterable[Request], *, threads: int) -> Annotations:
        """The edits of every request."""
        return {request: tuple(self._edits(request)) for request in dict.fromkeys(requests)}

    def _edits(self, request: Request) -> list[Edit]:
        if request.is_trivial:
            return []
        source, target = request.source.split(), request.target.split()
        if request.spans is None:
            return self.edits(source, target)
        spans = (minimised(span, source, target) for span in request.spans)
        return [self._typed(span, source, target) for span in spans]

    def edits(self, source: Sequence[str], target: Sequence[str]) -> list[Edit]:
        """The edits between two sentences with their types."""
        return [self._typed(span, source, target) for span in self.spans(source, target)]

    def _typed(self, span: Span, source: Sequence[str], target: Sequence[str]) -> Edit:
        start, end, begin, finish = span
        return edit_of(span, target, self.type_of(source[start:end], target[begin:finish]))
