"""What CLEME counts: each chunk is right, wrong, missed, or correctly left unchanged.

CLEME 2.0 also asks whether a reference changes a wrong chunk, too: whether a change was needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corrigenda.core.statistics import Array
from corrigenda.edits import UNKNOWN_TYPE, Edit
from corrigenda.edits.chunks import Chunk, ChunkedText, chunk_text

COUNTS = ("tp", "fp", "fn", "tn")
TP, FP, FN, TN, UNNEEDED = range(5)
"""The kinds of chunks. CLEME counts an unneeded change as any other false positive."""
_HYPOTHESIS = 0


@dataclass(frozen=True)
class Weights:
    """How the length of a chunk becomes its weight.

    `alpha` is the slope. `bounds` has the smallest and largest weight of true positives, false
    positives and false negatives.
    """

    alpha: float
    bounds: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]

    def of(self, kinds: Array, lengths: Array, mean_length: float) -> Array:
        """The weight of each chunk; true negatives have the weight 1."""
        # Long corrections count more if they are right or missed, short ones if they are wrong.
        distance = np.where(kinds == FP, lengths - mean_length, mean_length - lengths)
        raw = self.alpha / (1 + (self.alpha - 1) * np.exp(np.clip(distance, -700, 700)))
        low, high = np.array([*self.bounds, (1.0, 1.0)])[kinds].T
        return np.asarray(np.clip(raw, low, high))


@dataclass(frozen=True)
class ChunkedSentence:
    """The chunks of a sentence in several versions.

    Version 0 is the hypothesis; the others are the references that take part. `taking_part` has
    their places among all references of the sentence.
    """

    partition: ChunkedText
    taking_part: tuple[int, ...]
    references: int


def chunked(
    source: str, system: Sequence[Edit], gold: Sequence[Sequence[Edit]], references: Sequence[str]
) -> ChunkedSentence:
    """The chunks at the edits of a system and its references.

    An empty reference takes part only if all references are empty.
    """
    filled = [place for place, reference in enumerate(references) if reference.split()]
    taking_part = tuple(filled or range(len(references)))
    versions = [_corrections(system), *(_corrections(gold[place]) for place in taking_part)]
    return ChunkedSentence(chunk_text(source.split(), versions), taking_part, len(references))


def _corrections(edits: Iterable[Edit]) -> list[Edit]:
    """The edits without errors that are marked but not corrected."""
    return [edit for edit in edits if edit.type != UNKNOWN_TYPE]


def corrected_chunks(sentences: Iterable[ChunkedSentence]) -> dict[str, int]:
    """The chunks that a reference changes, and their words, over all references of the corpus."""
    lengths = [
        max(len(chunk.source), len(words))
        for sentence in sentences
        for chunk in sentence.partition.chunks
        for words in chunk.versions[1:]
        if words is not None
    ]
    return {"chunks": len(lengths), "words": sum(lengths)}


def mean_length(corrected: Mapping[str, int]) -> float:
    """The mean length of corrected chunks."""
    return corrected["words"] / corrected["chunks"] if corrected["chunks"] else 0.0


@dataclass
class ChunkCounts:
    """The chunks of all sentences, by row and kind.

    A row is a sentence against one reference, or against all of them. With `by_need`, false
    positives are counted in two columns: FP, where a reference changes the chunk, too, and
    UNNEEDED, where none does.
    """

    by_need: bool = False
    rows: int = 0
    left_out: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=lambda: [0])
    _entries: list[tuple[int, int, int, int]] = field(default_factory=list)

    def add_dependent(self, sentence: ChunkedSentence) -> None:
        """Add one row per reference."""
        for reference in range(sentence.references):
            if reference in sentence.taking_part:
                version = 1 + sentence.taking_part.index(reference)
                self._add_row(sentence.partition, (version,))
            else:
                self.left_out.append(self.rows)
                self.rows += 1
        self._ends.append(self.rows)

    def add_independent(self, sentence: ChunkedSentence) -> None:
        """Add one row for all references."""
        self._add_row(sentence.partition, range(1, 1 + len(sentence.taking_part)))
        self._ends.append(self.rows)

    def _add_row(self, cut: ChunkedText, versions: Sequence[int]) -> None:
        for chunk in cut.chunks:
            length = max(len(chunk.source), len(chunk.text(_HYPOTHESIS)))
            kind = kind_of(chunk, versions)
            if kind == UNNEEDED and not self.by_need:
                kind = FP
            self._entries.append((self.rows, kind, length, 1))
        self._entries.append((self.rows, TN, 0, cut.untouched))
        self.rows += 1

    def sentence_offsets(self) -> npt.NDArray[np.int64]:
        """Where the rows of each sentence begin."""
        return np.array(self._ends, np.int64)

    def weighted(self, weights: Weights | None, mean: float) -> Array:
        """Counts [rows, 4], each chunk with its weight; [rows, 5] by need."""
        rows, kinds, lengths, numbers = np.array(self._entries, np.int64).reshape(-1, 4).T
        if weights is None:
            weight = np.ones(len(rows))
        else:
            weight = weights.of(np.where(kinds == UNNEEDED, FP, kinds), lengths, mean)
        counts = np.zeros((self.rows, UNNEEDED + 1 if self.by_need else len(COUNTS)))
        np.add.at(counts, (rows, kinds), numbers * weight)
        # With infinite false positives, a reference that does not take part is never chosen.
        counts[self.left_out, FP] = np.inf
        return counts


def kind_of(chunk: Chunk, versions: Sequence[int]) -> int:
    """The kind of a chunk of the hypothesis against these versions.

    It is right if it equals one of the references. It is missed if every reference changes it.
    """
    if chunk.versions[_HYPOTHESIS] is not None:
        if any(chunk.text(version) == chunk.text(_HYPOTHESIS) for version in versions):
            return TP
        needed = any(chunk.versions[version] is not None for version in versions)
        return FP if needed else UNNEEDED
    return FN if all(chunk.text(version) != chunk.source for version in versions) else TN
