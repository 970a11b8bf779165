"""Sentences as arrays of ids: words by a vocabulary, characters by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.reference_texts import ReferenceTexts
from corrigenda.kernels import Ragged, Vocabulary
from corrigenda.kernels.numbered_words import NumberedWords, number_words
from corrigenda.kernels.vocabulary import Similar
from corrigenda.text.units import Unit, Whitespace, pack_characters


@dataclass(frozen=True)
class PackedCorpus:
    """A corpus in ids. It encodes hypotheses so that equal words or characters have equal ids."""

    sources: Ragged
    references: Ragged
    references_of_sentence: npt.NDArray[np.int64]
    vocabulary: Vocabulary | None
    whitespace: Whitespace
    unit: Unit = "word"
    source_texts: Sequence[str] = ()

    def encode(self, sentences: Sequence[str]) -> Ragged:
        """The ids of hypotheses; words that are not in the corpus have the id -1."""
        if self.vocabulary is None:
            return pack_characters(sentences, self.whitespace, self.unit)
        fits = len(sentences) == len(self.source_texts)
        similar = Similar(self.source_texts, self.sources) if fits else None
        return self.vocabulary.encode(sentences, similar)


def pack(corpus: Corpus, unit: Unit, whitespace: Whitespace = "normalise") -> PackedCorpus:
    """The corpus in ids. It is made once and shared by all metrics with the same unit."""
    if unit == "word":
        return corpus.once(("packed", "word"), lambda: _pack_words(corpus))
    return corpus.once(
        ("packed", unit, whitespace), lambda: _pack_characters(corpus, whitespace, unit)
    )


def numbered(corpus: Corpus, hypotheses: Hypotheses | None, *, threads: int) -> NumberedWords:
    """The words of the corpus and of a system's output in numbers that each sentence gives itself.

    The numbers of sources and references are the same for all systems.
    """

    def number() -> NumberedWords:
        given = corpus.references
        by_text = isinstance(given, ReferenceTexts)
        references = given.texts if isinstance(given, ReferenceTexts) else given
        outputs = None if hypotheses is None else hypotheses.sentences
        return number_words(corpus.sources, references, outputs, by_text=by_text, threads=threads)

    if hypotheses is None:
        return number()
    return corpus.latest("numbered words", hypotheses, number)


def share_numbers(corpus: Corpus) -> None:
    """Say that a metric numbers words in this way. Other metrics can use the numbers, too."""
    corpus.once("shared numbers of words", lambda: True)


def shares_numbers(corpus: Corpus) -> bool:
    """Whether a metric numbers words in this way, so that nobody needs to find words again."""
    return corpus.has("shared numbers of words")


def encode(
    corpus: Corpus, hypotheses: Hypotheses, unit: Unit, whitespace: Whitespace = "normalise"
) -> Ragged:
    """The ids of a system's output. They are made once for all metrics with the same unit."""
    key = ("encoded", unit, None if unit == "word" else whitespace)
    return corpus.latest(
        key, hypotheses, lambda: pack(corpus, unit, whitespace).encode(hypotheses.sentences)
    )


def _pack_words(corpus: Corpus) -> PackedCorpus:
    vocabulary = Vocabulary()
    sources = vocabulary.add(corpus.sources)
    flat = _flat_references(corpus)
    # A list of several references per sentence is not one reference for each source.
    one_each = corpus.reference_range == (1, 1)
    references = vocabulary.add(flat, Similar(corpus.sources, sources) if one_each else None)
    return PackedCorpus(
        sources, references, reference_offsets(corpus), vocabulary, "normalise",
        source_texts=corpus.sources,
    )  # fmt: skip


def _pack_characters(corpus: Corpus, whitespace: Whitespace, unit: Unit) -> PackedCorpus:
    sources = pack_characters(corpus.sources, whitespace, unit)
    references = pack_characters(_flat_references(corpus), whitespace, unit)
    return PackedCorpus(sources, references, reference_offsets(corpus), None, whitespace, unit)


def _flat_references(corpus: Corpus) -> Sequence[str]:
    if isinstance(corpus.references, ReferenceTexts) and len(corpus.references.texts) == 1:
        return corpus.references.texts[0]
    return list(chain.from_iterable(corpus.references))


def reference_offsets(corpus: Corpus) -> npt.NDArray[np.int64]:
    """The offsets of the references of each sentence in a list of all references."""
    if isinstance(corpus.references, ReferenceTexts):
        return np.arange(len(corpus) + 1, dtype=np.int64) * len(corpus.references.texts)
    return offsets_of([len(references) for references in corpus.references])


def offsets_of(lengths: Sequence[int] | npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """The offsets of parts with these lengths: part i is `offsets[i]` up to `offsets[i + 1]`."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:], dtype=np.int64)
    return offsets
