"""The references of the I-measure, aligned with hypotheses. No output is aligned twice.

A sentence may have thousands of mixed references, and each sentence of a corpus may be such a
sentence. So references are made in batches: they are counted and dropped. Of references with equal
counts, only the first is kept, because only the first of them can be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from corrigenda.core.statistics import Array, SharedRows, Statistics
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

CountRows = npt.NDArray[np.int32]
_KEPT, _MISSED = COLUMN_CLASSES.index("kept"), COLUMN_CLASSES.index("missed")
_WORD_BYTES = 8
"""What a word of a reference takes while references are made."""
_REFERENCE_BYTES = 400
"""What a reference takes beside its words, while it is made and counted."""
_ROW_BYTES = 300
"""What the counts of a reference take while one is chosen."""
_BATCH_BYTES = 32 << 20
_REMEMBERED_BYTES = 128 << 20
"""Batches up to this size in all serve all systems. Later ones are made again for each system."""
_ID_BYTES = np.dtype(np.int32).itemsize


@dataclass(frozen=True)
class Mixing:
    """Which references a sentence has."""

    mix: bool
    max_references: int
    first_only: bool
    """Of the corrections that an M2 edit accepts, only the first is used."""

    def references(self, index: int, sentence: GoldSentence) -> MixedReferences:
        """The references of one sentence, unless they need more memory than the limit."""
        mixed = self._mixed(sentence)
        if mixed and mixed * _reference_bytes(sentence) > alignment_memory():
            raise SentenceSizeError(
                f"its {mixed:,} mixed references of up to {most_words(sentence):,} words need "
                f"more than {alignment_memory() >> 20} MB",
                index,
            )
        return references_of(sentence, self.mix, self.max_references)

    def size(self, sentence: GoldSentence) -> int:
        """The bytes that the references of a sentence need at most."""
        annotators = len(
            {each.annotator for error in sentence.errors for each in error.alternatives}
        )
        return (self._mixed(sentence) or annotators + 1) * _reference_bytes(sentence)

    def _mixed(self, sentence: GoldSentence) -> int:
        """The number of mixed references; 0 if those of the annotators are used."""
        number = mixed_number(sentence) if self.mix else 0
        return number if number <= self.max_references else 0


def _reference_bytes(sentence: GoldSentence) -> int:
    return most_words(sentence) * _WORD_BYTES + _REFERENCE_BYTES


def reference_words(
    corpus: Corpus, mixing: Mixing, *, sentence: int, reference: int
) -> tuple[str, ...]:
    """One reference of a sentence, in words."""
    gold = next(gold_sentences(corpus, first=sentence, first_only=mixing.first_only))
    return mixing.references(sentence, gold).texts()[reference]


def aligned_words(*sentences: Sequence[str]) -> list[tuple[bool, bool, bool]]:
    """For each column of the alignment of source, hypothesis and reference: who has a word."""
    vocabulary = Vocabulary()
    return align(*(vocabulary.add([" ".join(words)]) for words in sentences))


class AlignedReferences:
    """Counts the distinct references of every sentence. All systems share it."""

    def __init__(self, mixing: Mixing, sentences: int) -> None:
        self.not_mixed: set[int] = set()
        """The sentences with too many references to mix them."""
        self.reported = False
        self._mixing = mixing
        self._vocabulary = Vocabulary()
        self._remembered: dict[int, _Batch] = {}
        self._remembered_bytes = 0
        self._references = np.zeros(sentences, np.int64)
        # The rows of every distinct output of each sentence: places of references, then counts.
        self._counted: list[dict[str, CountRows]] = [{} for _ in range(sentences)]

    def count(self, corpus: Corpus, hypotheses: Sequence[str], *, threads: int) -> Statistics:
        """The columns of each class, then the kept and the missed columns of the source.

        References of a sentence with equal counts share a row.
        """
        texts = _normalised(hypotheses)
        parts: list[CountRows] = []
        rows = 0
        for batch in self._batches(corpus):
            of_batch = texts[batch.first : batch.last]
            counted = self._counted[batch.first : batch.last]
            new = [place for place, text in enumerate(of_batch) if text not in counted[place]]
            if new:
                found = batch.rows(of_batch, new, threads=threads)
                for place, part in zip(new, found, strict=True):
                    counted[place][of_batch[place]] = part
            for known, text in zip(counted, of_batch, strict=True):
                parts.append(known[text])
                rows += len(known[text])
                _check_rows(rows, len(parts) - 1)
        table = np.concatenate(parts) if parts else np.zeros((0, 1 + len(COLUMN_CLASSES) + 2))
        return Statistics(
            table[:, 1:].astype(np.int64),
            offsets_of([len(part) for part in parts]),
            shared=SharedRows(table[:, 0].astype(np.int64), self._references),
        )

    def _batches(self, corpus: Corpus) -> Iterator[_Batch]:
        first = 0
        while first < len(corpus):
            batch = self._remembered.get(first) or self._made(corpus, first)
            yield batch
            first = batch.last

    def _made(self, corpus: Corpus, first: int) -> _Batch:
        """As many sentences from `first` on as have room, and one in any case."""
        made: list[list[bytes]] = []
        size = 0
        sentences = gold_sentences(corpus, first=first, first_only=self._mixing.first_only)
        for index, sentence in enumerate(sentences, first):
            needed = self._mixing.size(sentence)
            if made and size + needed > _BATCH_BYTES:
                break
            size += needed
            references = self._mixing.references(index, sentence)
            made.append(self._in_ids(references))
            self._references[index] = len(made[-1])
            if references.too_many:
                self.not_mixed.add(index)
        sources = _normalised(corpus.sources[first : first + len(made)])
        batch = _Batch(first, self._vocabulary, sources, made)
        if self._remembered_bytes + size <= _REMEMBERED_BYTES:
            self._remembered[first] = batch
            self._remembered_bytes += size
        return batch

    def _in_ids(self, references: MixedReferences) -> list[bytes]:
        """The distinct references as the bytes of their ids, which are fast to join and compare."""
        pieces = self._vocabulary.add(
            [" ".join(piece) for segment in references.segments for piece in segment]
        )
        ids = iter(_bytes_of_each(pieces))
        return expand([[next(ids) for _ in segment] for segment in references.segments], b"")


class _Batch:
    """The distinct references of consecutive sentences, in ids."""

    def __init__(
        self,
        first: int,
        vocabulary: Vocabulary,
        sources: Sequence[str],
        references: Sequence[Sequence[bytes]],
    ) -> None:
        self.first, self.last = first, first + len(references)
        self._vocabulary = vocabulary
        self._texts = sources
        self._sources = vocabulary.add(sources)
        self._known_baseline: CountRows | None = None
        self._numbers = np.array([len(each) for each in references])
        self._references = Grouped(
            _ragged(list(chain.from_iterable(references))), offsets_of(self._numbers)
        )

    def rows(self, texts: Sequence[str], new: Sequence[int], *, threads: int) -> list[CountRows]:
        """The distinct rows of the sentences at the places `new`: place of the reference, counts.

        An output that is equal to its source has the columns of the source alone.
        """
        changed = [place for place in new if texts[place] != self._texts[place]]
        counts = np.zeros((len(self._references.texts), len(COLUMN_CLASSES) + 2), np.int32)
        counts[:, [_KEPT, _MISSED]] = counts[:, -2:] = self._baseline(threads)
        if changed:
            counts[self._are_of(changed), :-2] = self._columns(texts, changed, threads)
        wanted = np.flatnonzero(self._are_of(new))
        sentence = np.repeat(np.arange(len(texts)), self._numbers)
        kept = wanted[_first_of_equal(np.column_stack([sentence[wanted], counts[wanted]]))]
        places = kept - self._references.offsets[sentence[kept]]
        rows = np.column_stack([places.astype(np.int32), counts[kept]])
        return np.split(rows, np.searchsorted(sentence[kept], new[1:]))

    def _are_of(self, places: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which references belong to the sentences at these places."""
        return np.repeat(_marked(len(self._texts), places).astype(bool), self._numbers)

    def _columns(self, texts: Sequence[str], places: Sequence[int], threads: int) -> Array:
        """The columns of each class for the outputs of some sentences, one row per reference."""
        outputs = self._vocabulary.encode([texts[place] for place in places])
        hypotheses = Grouped(outputs, offsets_of(_marked(len(self._texts), places)))
        try:
            return count_columns(self._sources, self._references, hypotheses, threads=threads)
        except SentenceSizeError as error:
            raise error.after(self.first) from error

    def _baseline(self, threads: int) -> CountRows:
        """The kept and the missed columns of the sources; they have no others."""
        if self._known_baseline is None:
            columns = self._columns(self._texts, range(len(self._texts)), threads)
            self._known_baseline = columns[:, [_KEPT, _MISSED]].astype(np.int32)
        return self._known_baseline


def aligned_references(corpus: Corpus, mixing: Mixing) -> AlignedReferences:
    """The references of a corpus, which all its systems share."""
    return corpus.once(
        ("aligned references", mixing), lambda: AlignedReferences(mixing, len(corpus))
    )


def _check_rows(rows: int, sentence: int) -> None:
    """Refuse a corpus whose references have so many different counts that they fill the memory."""
    if rows * _ROW_BYTES > alignment_memory():
        raise SentenceSizeError(
            f"the {rows:,} different counts of mixed references up to here need more than "
            f"{alignment_memory() >> 20} MB (imeasure:max_references=N allows fewer)",
            sentence,
        )


def _normalised(sentences: Sequence[str]) -> list[str]:
    return [" ".join(sentence.split()) for sentence in sentences]


def _marked(size: int, places: Sequence[int]) -> CountRows:
    marks = np.zeros(size, np.int32)
    marks[list(places)] = 1
    return marks


def _first_of_equal(table: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The places of the first of equal rows, in order. The numbers are not negative."""
    keys = _keys(table)
    order = np.lexsort(keys)  # it keeps the order of equal rows
    is_first = np.ones(len(table), bool)
    is_first[1:] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0)
    return np.sort(order[is_first])


def _keys(table: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """The columns in as few numbers per row as can hold them: these are faster to sort."""
    keys = [np.zeros(len(table), np.int64)]
    values = 1
    for column in table.T:
        size = int(column.max(initial=0)) + 1
        if values * size >= 1 << 62:
            keys.append(np.zeros(len(table), np.int64))
            values = 1
        keys[-1] = keys[-1] * size + column
        values *= size
    return keys


def _ragged(texts: Sequence[bytes]) -> Ragged:
    offsets = offsets_of([len(text) // _ID_BYTES for text in texts])
    return Ragged(np.frombuffer(b"".join(texts), np.int32), offsets)


def _bytes_of_each(packed: Ragged) -> list[bytes]:
    ids, offsets = packed.ids.tobytes(), (packed.offsets * _ID_BYTES).tolist()
    return [ids[begin:end] for begin, end in pairwise(offsets)]
