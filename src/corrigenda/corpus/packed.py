"""Sentences as arrays of ids: words by a vocabulary of the corpus, characters by their code points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.kernels import Ragged, Vocabulary
from corrigenda.text.units import Unit, Whitespace, pack_characters


@dataclass(frozen=True)
class PackedCorpus:
    """A corpus in ids; what encodes its hypotheses so that equal units have equal ids."""

    sources: Ragged
    references: Ragged
    references_of_sentence: npt.NDArray[np.int64]
    vocabulary: Vocabulary | None
    whitespace: Whitespace

    def encode(self, sentences: Sequence[str]) -> Ragged:
        """The ids of hypotheses; words that the corpus does not have are all -1."""
        if self.vocabulary is None:
            return pack_characters(sentences, self.whitespace)
        return self.vocabulary.encode(sentences)


def pack(corpus: Corpus, unit: Unit, whitespace: Whitespace = "normalise") -> PackedCorpus:
    """The corpus in ids, made once and shared by all metrics of one unit."""
    if unit == "word":
        return corpus.once(("packed", "word"), lambda: _pack_words(corpus))
    return corpus.once(("packed", "char", whitespace), lambda: _pack_characters(corpus, whitespace))


def encode(
    corpus: Corpus, hypotheses: Hypotheses, unit: Unit, whitespace: Whitespace = "normalise"
) -> Ragged:
    """The ids of a system's output, made once for all metrics of one unit."""
    key = ("encoded", unit, whitespace if unit == "char" else None)
    return corpus.latest(
        key, hypotheses, lambda: pack(corpus, unit, whitespace).encode(hypotheses.sentences)
    )


def _pack_words(corpus: Corpus) -> PackedCorpus:
    vocabulary = Vocabulary()
    sources = vocabulary.add(corpus.sources)
    references = vocabulary.add(_flat_references(corpus))
    return PackedCorpus(sources, references, reference_offsets(corpus), vocabulary, "normalise")


def _pack_characters(corpus: Corpus, whitespace: Whitespace) -> PackedCorpus:
    sources = pack_characters(corpus.sources, whitespace)
    references = pack_characters(_flat_references(corpus), whitespace)
    return PackedCorpus(sources, references, reference_offsets(corpus), None, whitespace)


def _flat_references(corpus: Corpus) -> list[str]:
    return list(chain.from_iterable(corpus.references))


def reference_offsets(corpus: Corpus) -> npt.NDArray[np.int64]:
    """Where the references of each sentence begin in the list of all references; one more at the end."""
    offsets = np.zeros(len(corpus) + 1, np.int64)
    np.cumsum([len(references) for references in corpus.references], out=offsets[1:])
    return offsets
