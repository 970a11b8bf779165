"""Types for the parts of spaCy and errant that this package uses.

Both are optional extras without complete types of their own, so their classes cannot be imported
for type checking.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias, overload

import numpy as np
import numpy.typing as npt

Pipeline: TypeAlias = Any
"""A loaded spaCy model (`spacy.Language`)."""
AttributeRuler: TypeAlias = Any
"""The component of a pipeline that sets attributes by rules (`spacy.pipeline.AttributeRuler`)."""
ErrantPackage: TypeAlias = Any
"""A loaded `errant.Annotator`: it merges and classifies edits."""


class Token(Protocol):
    """A word of a parsed sentence."""

    text: str
    lower: int
    """The number of the word in lower case."""
    lower_: str
    lemma_: str
    pos_: str
    """The universal part of speech, e.g. `NOUN`."""
    tag_: str
    """The tag of the model's own tag set, e.g. `NNS`."""


class Document(Protocol):
    """A parsed sentence."""

    def __iter__(self) -> Iterator[Token]: ...

    @overload
    def __getitem__(self, place: int, /) -> Token: ...
    @overload
    def __getitem__(self, places: slice, /) -> Document: ...

    def to_array(self, attributes: Sequence[int], /) -> npt.NDArray[np.uint64]:
        """These attributes of all tokens as numbers [tokens, attributes]."""


class ErrantEdit(Protocol):
    """An edit of the errant package."""

    o_start: int
    o_end: int
    c_toks: Sequence[Token]
    type: str
