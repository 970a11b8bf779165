"""What CLEME counts: each chunk of a system's sentence as right, wrong, missed or rightly left alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from corrigenda.core.statistics import Array
from corrigenda.edits import UNKNOWN_TYPE, Edit
from corrigenda.edits.chunks import Chunk, ChunkedText, chunk_text

COUNTS = ("tp", "fp", "fn", "tn")
TP, FP, FN, TN = range(4)
_HYPOTHESIS = 0


@dataclass(frozen=True)
class Weights:
    """How a chunk's length weighs: the slope α, and bounds for true positives, false positives, false negatives."""

    alpha: float
    bounds: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]

    def of(self, kinds: Array, lengths: Array, mean_length: float) -> Array:
        """The weight of each chunk; true negatives weigh 1."""
        # Long corrections count more when right or missed, and short ones when wrong.
        distance = np.where(kinds == FP, lengths - mean_length, mean_length - lengths)
        raw = self.alpha / (1 + (self.alpha - 1) * np.exp(np.clip(distance, -700, 700)))
        low, high = np.array([*self.bounds, (1.0, 1.0)])[kinds].T
        return np.asarray(np.clip(raw, low, high))


@dataclass(frozen=True)
class ChunkedSentence:
    """A sentence's chunks; version 0 is the hypothesis, the others are the references that take part."""

    partition: ChunkedText
    taking_part: tuple[int, ...]
    references: int


def chunked(
    source: str, system: Sequence[Edit], gold: Sequence[Sequence[Edit]], references: Sequence[str]
) -> ChunkedSentence:
    """The chunks at the edits of a system and its references; an empty reference only counts where all are."""
    filled = [place for place, reference in enumerate(references) if reference.split()]
    taking_part = tuple(filled or range(len(references)))
    versions = [_corrections(system), *(_corrections(gold[place]) for place in taking_part)]
    return ChunkedSentence(chunk_text(source.split(), versions), taking_part, len(references))


def _corrections(edits: Iterable[Edit]) -> list[Edit]:
    """Without the errors that were marked but not corrected."""
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
    """The chunks of all sentences by row (a sentence against a reference, or all of them) and kind."""

    rows: int = 0
    left_out: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=lambda: [0])
    _entries: list[tuple[int, int, int, int]] = field(default_factory=list)

    def add_dependent(self, sentence: ChunkedSentence) -> None:
        """A row for each reference."""
        for reference in range(sentence.references):
            if reference in sentence.taking_part:
                version = 1 + sentence.taking_part.index(reference)
                self._add_row(sentence.partition, (version,))
            else:
                self.left_out.append(self.rows)
                self.rows += 1
        self._ends.append(self.rows)

    def add_independent(self, sentence: ChunkedSentence) -> None:
        """One row for all references."""
        self._add_row(sentence.partition, range(1, 1 + len(sentence.taking_part)))
        self._ends.append(self.rows)

    def _add_row(self, cut: ChunkedText, versions: Sequence[int]) -> None:
        for chunk in cut.chunks:
            length = max(len(chunk.source), len(chunk.text(_HYPOTHESIS)))
            self._entries.append((self.rows, _kind(chunk, versions), length, 1))
        self._entries.append((self.rows, TN, 0, cut.untouched))
        self.rows += 1

    def sentence_offsets(self) -> npt.NDArray[np.int64]:
        """Where the rows of each sentence begin."""
        return np.array(self._ends, np.int64)

    def weighted(self, weights: Weights | None, mean: float) -> Array:
        """Counts [rows, 4], each chunk with its weight."""
        rows, kinds, lengths, numbers = np.array(self._entries, np.int64).reshape(-1, 4).T
        weight = np.ones(len(rows)) if weights is None else weights.of(kinds, lengths, mean)
        counts = np.zeros((self.rows, len(COUNTS)))
        np.add.at(counts, (rows, kinds), numbers * weight)
        # With endless false positives a reference that does not take part is never chosen.
        counts[self.left_out, FP] = np.inf
        return counts


def _kind(chunk: Chunk, versions: Sequence[int]) -> int:
    """Right if it agrees with any of the versions; missed if every one of them changes it."""
    if chunk.versions[_HYPOTHESIS] is not None:
        return (
            TP
            if any(chunk.text(version) == chunk.text(_HYPOTHESIS) for version in versions)
            else FP
        )
    return FN if all(chunk.text(version) != chunk.source for version in versions) else TN
