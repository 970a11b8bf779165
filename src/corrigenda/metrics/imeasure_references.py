"""The references of the I-measure, aligned with hypotheses. No triple is aligned twice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Corpus
from corrigenda.corpus.gold import gold_sentences
from corrigenda.corpus.packed import offsets_of
from corrigenda.edits.gold_errors import (
    GoldSentence,
    MixedReferences,
    expand,
    mixed_number,
    most_words,
    references_of,
)
from corrigenda.kernels import Ragged, Vocabulary
from corrigenda.kernels.alignment import COLUMN_CLASSES, Grouped, align, count_columns
from corrigenda.kernels.limits import SentenceSizeError, alignment_memory

Counts = npt.NDArray[np.int64]
_WORD_BYTES = 8
"""What a word of a reference takes while references are made."""
_ID_BYTES = np.dtype(np.int32).itemsize


class AlignedReferences:
    """The distinct references of every sentence, in ids, and all counts made so far."""

    def __init__(self, corpus: Corpus, references: Sequence[MixedReferences]) -> None:
        self.not_mixed = [index for index, each in enumerate(references) if each.too_many]
        self.reported = False
        self._written = references
        self._vocabulary = Vocabulary()
        self._sources = self._vocabulary.add(corpus.sources)
        texts = [self._in_ids(each) for each in references]
        self.offsets = offsets_of([len(each) for each in texts])
        self._references = Grouped(_ragged(list(chain.from_iterable(texts))), self.offsets)
        self._source_texts = [" ".join(source.split()) for source in corpus.sources]
        # The counts of every distinct hypothesis of each sentence. The source is the baseline.
        self._counted: list[dict[str, npt.NDArray[np.int32]]] = [{} for _ in corpus.sources]

    def _in_ids(self, references: MixedReferences) -> list[bytes]:
        """The distinct references as the bytes of their ids, which are fast to join and compare."""
        pieces = self._vocabulary.add(
            [" ".join(piece) for segment in references.segments for piece in segment]
        )
        ids = iter(_bytes_of_each(pieces))
        return expand([[next(ids) for _ in segment] for segment in references.segments], b"")

    def count(self, hypotheses: Sequence[str], *, threads: int) -> Counts:
        """Columns of each class [rows, 5]: one row per reference of each sentence."""
        texts = [" ".join(hypothesis.split()) for hypothesis in hypotheses]
        new = [index for index, text in enumerate(texts) if text not in self._counted[index]]
        if new:
            self._count_new(texts, new, threads)
        parts = [counted[text] for counted, text in zip(self._counted, texts, strict=True)]
        return (
            np.concatenate(parts).astype(np.int64)
            if parts
            else np.zeros((0, len(COLUMN_CLASSES)), np.int64)
        )

    def _count_new(self, texts: Sequence[str], new: Sequence[int], threads: int) -> None:
        present = np.zeros(len(texts), np.int64)
        present[list(new)] = 1
        hypotheses = Grouped(
            self._vocabulary.encode([texts[index] for index in new]), offsets_of(present)
        )
        counts = count_columns(self._sources, self._references, hypotheses, threads=threads).astype(
            np.int32
        )
        sizes = np.diff(self.offsets)[list(new)]
        for index, part in zip(new, np.split(counts, np.cumsum(sizes)[:-1]), strict=True):
            self._counted[index][texts[index]] = part

    def baseline(self, *, threads: int) -> Counts:
        """The kept and missed columns [rows, 2] of the source; it has no other columns."""
        counts = self.count(self._source_texts, threads=threads)
        return counts[:, [COLUMN_CLASSES.index("kept"), COLUMN_CLASSES.index("missed")]]

    def reference_ids(self, sentence: int, reference: int) -> Ragged:
        """One reference of a sentence, in ids."""
        texts = self._references.texts
        row = int(self.offsets[sentence]) + reference
        return _one(texts.ids[texts.offsets[row] : texts.offsets[row + 1]])

    def reference_words(self, sentence: int, reference: int) -> tuple[str, ...]:
        """One reference of a sentence, in words."""
        return self._written[sentence].texts()[reference]

    def columns(
        self, sentence: int, hypothesis: str, reference: int
    ) -> list[tuple[bool, bool, bool]]:
        """For each column of an alignment: whether source, hypothesis and reference have a word."""
        source = self._vocabulary.encode([self._source_texts[sentence]])
        return align(
            source, self._vocabulary.encode([hypothesis]), self.reference_ids(sentence, reference)
        )


def aligned_references(
    corpus: Corpus, *, mix: bool, max_references: int, first_only: bool
) -> AlignedReferences:
    """The references of a corpus, made once.

    `first_only`: of the corrections that an M2 edit accepts, only the first is used.
    """

    def build() -> AlignedReferences:
        references = []
        for index, sentence in enumerate(gold_sentences(corpus, first_only=first_only)):
            if mix:
                _check_size(index, sentence, max_references)
            references.append(references_of(sentence, mix, max_references))
        return AlignedReferences(corpus, references)

    return corpus.once(("aligned references", mix, max_references, first_only), build)


def _check_size(index: int, sentence: GoldSentence, max_references: int) -> None:
    """Refuse a sentence whose mixed references do not fit into the memory of one sentence."""
    references, limit = mixed_number(sentence), alignment_memory()
    size = references * most_words(sentence) * _WORD_BYTES
    if references <= max_references and size > limit:
        raise SentenceSizeError(
            f"its {references:,} mixed references of up to {most_words(sentence):,} words need "
            f"more than {limit >> 20} MB",
            index,
        )


def _ragged(texts: Sequence[bytes]) -> Ragged:
    offsets = offsets_of([len(text) // _ID_BYTES for text in texts])
    return Ragged(np.frombuffer(b"".join(texts), np.int32), offsets)


def _bytes_of_each(packed: Ragged) -> list[bytes]:
    ids, offsets = packed.ids.tobytes(), (packed.offsets * _ID_BYTES).tolist()
    return [ids[begin:end] for begin, end in pairwise(offsets)]


def _one(ids: npt.NDArray[np.int32]) -> Ragged:
    return Ragged(np.ascontiguousarray(ids), np.array([0, len(ids)], np.int64))
