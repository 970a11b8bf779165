"""Lines that are too long to be examined. To examine them would take longer than to score them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.kernels.line_survey import long_lines
from corrigenda.kernels.line_traits import Rows

LONGEST_EXAMINED = 1 << 20
"""In bytes."""
EXAMINED_REFERENCES = 8
"""Further references are not examined."""


def examined_references(corpus: Corpus) -> Iterator[tuple[Rows | None, Sequence[str]]]:
    """Each reference text with its rows; None if every sentence has that reference."""
    references = corpus.references
    if isinstance(references, ReferenceTexts):
        yield from ((None, text) for text in references.texts[:EXAMINED_REFERENCES])
        return
    counts = [len(found) for found in references]
    for place in range(min(max(counts, default=0), EXAMINED_REFERENCES)):
        if min(counts) > place:
            yield None, [found[place] for found in references]
            continue
        rows = [row for row, count in enumerate(counts) if count > place]
        yield np.array(rows), [references[row][place] for row in rows]


class ExaminedLines(NamedTuple):
    """Texts, and where each of their lines was in the block."""

    corpus: Corpus
    systems: Sequence[Hypotheses]
    places: Rows


def without_long_lines(corpus: Corpus, systems: Sequence[Hypotheses]) -> ExaminedLines:
    """The lines of all texts, except for those where one of the texts is very long."""
    short = np.ones(len(corpus), bool)
    for rows, lines in (
        (None, corpus.sources),
        *examined_references(corpus),
        *((None, each.sentences) for each in systems),
    ):
        found = long_lines(lines, longest=LONGEST_EXAMINED)
        short[found if rows is None else rows[found]] = False
    places = np.flatnonzero(short)
    if len(places) == len(corpus):
        return ExaminedLines(corpus, systems, places)

    def kept(sentences: Sequence[str]) -> tuple[str, ...]:
        return tuple(sentences[place] for place in places.tolist())

    references = tuple(tuple(corpus.references[place]) for place in places.tolist())
    return ExaminedLines(
        Corpus(kept(corpus.sources), references),
        [Hypotheses(each.name, kept(each.sentences)) for each in systems],
        places,
    )
