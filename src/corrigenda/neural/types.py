"""The words of this package: a pair of sentences, and what can be asked of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

NumberType = Literal["float32", "bfloat16", "float16"]
Scores = tuple[float, ...]
"""What a model says of a pair: (precision, recall, F1) for BERTScore, (log-likelihood,) for BARTScore."""


class Pair(NamedTuple):
    """A candidate and what it is compared with, words joined by single blanks."""

    candidate: str
    reference: str


def pair(candidate: str, reference: str) -> Pair:
    """The pair, however the blanks are written."""
    return Pair(" ".join(candidate.split()), " ".join(reference.split()))
