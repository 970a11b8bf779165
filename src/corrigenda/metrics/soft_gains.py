"""How much better than the source a hypothesis is: what soft edits can add to their score."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.compared_words import ComparedWords, Flags, Floats, Integers
from corrigenda.metrics.green import Green

MEANING_COUNTS = ("similarity", "source_similarity")
CHARACTER_COUNTS = (
    "character_precision",
    "character_recall",
    "source_character_precision",
    "source_character_recall",
)


def character_means(corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Iterable[Floats]:
    """Precision and recall of GREEN on characters of each row: of the hypothesis, of the source.

    They do not depend on β.
    """
    green = Green(unit="char")

    def means(texts: Hypotheses) -> tuple[Floats, Floats]:
        counts = green.statistics(corpus, texts, threads=threads).counts
        found = green.measures(counts, "sentence")
        return np.asarray(found.precision), np.asarray(found.recall)

    sources = Hypotheses("source", corpus.sources)
    of_sources = corpus.once("GREEN on characters of the sources", lambda: means(sources))
    return (*means(hypotheses), *of_sources)


def found_replacements(words: ComparedWords, found: Flags) -> Floats:
    """For each source word, the share found of the words that the reference has in its place.

    A place is between two common words of source and reference. `found` says which words of the
    references are found. The share is 1 where the reference has nothing in the place.
    """
    of_source = _places(words.source_to_reference.common, words.source)
    of_reference = _places(words.reference_to_source.common, words.reference)
    inserted = ~words.reference_to_source.common
    size = 1 + max(of_source.max(initial=0), of_reference.max(initial=0))
    number = np.bincount(of_reference[inserted], minlength=size)
    matched = np.bincount(of_reference[inserted], found[inserted].astype(np.float64), size)
    share = np.where(number > 0, matched / np.maximum(number, 1), 1.0)
    return np.asarray(share[of_source])


def _places(common: Flags, offsets: Integers) -> Integers:
    """A number for each word that is not common: equal in both texts if the place is the same."""
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    # Both texts of a row have the same number of common words, and each row begins a new place.
    return np.asarray(np.cumsum(common) + rows, np.int64)
