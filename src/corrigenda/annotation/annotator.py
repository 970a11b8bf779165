"""The interface of annotators: an annotator finds edits and gives them types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from corrigenda.annotation.request import Request
from corrigenda.edits import Edit

Annotations = dict[Request, tuple[Edit, ...]]
"""The edits of each request."""
Merger = Literal["auto", "rules", "all-split", "all-merge", "all-equal"]
"""How neighbouring changes become edits; `auto` is the annotator's own choice.

- rules: by the annotator's own rules.
- all-split: every changed, inserted or deleted word is an edit.
- all-merge: everything between two unchanged words is one edit.
- all-equal: neighbouring changes of the same kind are one edit.
"""


@dataclass(frozen=True)
class AnnotatorChoice:
    """What users choose besides the annotator's name. An annotator ignores what it does not use."""

    merger: Merger = "auto"
    spacy_model: str = ""


class Annotator(Protocol):
    """Makes the edits of one language, or of any. Making an annotator does not load a model."""

    @property
    def key(self) -> str:
        """A digest that changes with everything that can change an annotation, for caches."""

    def signature_fields(self) -> dict[str, object]:
        """The versions that a score depends on."""

    def annotate(self, requests: Iterable[Request], *, threads: int) -> Annotations:
        """The edits of every request."""


class AnnotatorClass(Protocol):
    """A class that the registry, or an entry point, names."""

    packages: ClassVar[tuple[str, ...]]
    """The Python packages that it needs."""
    mergers: ClassVar[tuple[Merger, ...]]
    """The mergers that it has; `auto` is the first of them."""

    def from_choice(self, choice: AnnotatorChoice) -> Annotator:
        """The annotator for a choice whose merger is one of `mergers`."""
