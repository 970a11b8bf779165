"""Empty references: an annotator who deleted the sentence, or nobody who corrected it?"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from corrigenda.corpus.corpus import Corpus
from corrigenda.errors import FormatError

MissingReferences = Literal["empty", "none", "error"]
"""What an empty reference of a sentence means: the empty text, no reference, or a mistake."""
MISSING_REFERENCES: tuple[MissingReferences, ...] = ("empty", "none", "error")


def with_missing(corpus: Corpus, meaning: MissingReferences, *, first_line: int = 1) -> Corpus:
    """The corpus with its empty references as said; `first_line` is for messages.

    References made from gold edits stay: an annotator who deletes everything says so there.
    """
    if meaning == "empty" or corpus.gold is not None or corpus.errors is not None:
        return corpus
    kept = []
    pairs = zip(corpus.sources, corpus.references, strict=True)
    for line, (source, references) in enumerate(pairs, first_line):
        if not source.strip() or all(each.strip() for each in references):
            kept.append(references)
            continue
        if meaning == "error":
            place = next(place for place, each in enumerate(references, 1) if not each.strip())
            raise FormatError(
                f"reference {place}: line {line} is empty, and its source is not",
                remedy="Fill it in, or say what it means: --missing-refs empty or none.",
            )
        kept.append(tuple(each for each in references if each.strip()))
    return replace(corpus, references=tuple(kept), _workspace={})
