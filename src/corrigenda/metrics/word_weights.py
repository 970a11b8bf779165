"""What a word weighs in PT-GREEN: by its own vector, or by the edit that changes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corrigenda.core.statistics import Array
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import offsets_of
from corrigenda.edits import Edit, apply_edits, extract_edits
from corrigenda.metrics.compared_words import ComparedWords, Floats, Integers
from corrigenda.neural.scorers import EditScorer
from corrigenda.neural.types import Pair, pair
from corrigenda.text.graphemes import graphemes
from corrigenda.text.units import Unit, Whitespace, normalise


@dataclass(frozen=True)
class TextWeights:
    """The weights of the words of one text per row, and where the words of each row begin."""

    values: Floats
    offsets: Integers


class RowWeights(NamedTuple):
    """The weights of the words of all sources, references and hypotheses, row by row."""

    source: TextWeights
    reference: TextWeights
    hypothesis: TextWeights


def weights_by_vectors(words: ComparedWords, floor: float) -> RowWeights:
    """1 − the cosine of a word to its counterpart, and at least `floor`.

    Source and reference are compared with each other. A word of the hypothesis is compared with
    both, and the more similar counterpart counts.
    """
    similar = np.maximum(words.hypothesis_to_source.cosine, words.hypothesis_to_reference.cosine)
    return RowWeights(
        TextWeights(np.maximum(floor, 1 - words.source_to_reference.cosine), words.source),
        TextWeights(np.maximum(floor, 1 - words.reference_to_source.cosine), words.reference),
        TextWeights(np.maximum(floor, 1 - similar), words.hypothesis),
    )


class EditedRow(NamedTuple):
    """A source with one of its references, and the edits to the reference and to the output."""

    source: str
    reference: str
    text: str
    to_reference: tuple[Edit, ...]
    to_text: tuple[Edit, ...]

    def pairs(self) -> Iterator[Pair]:
        """What a model must score: the source, then the source with each edit alone."""
        edits = (*self.to_reference, *self.to_text)
        if edits:
            yield self.before()
            yield from map(self.after, edits)

    def before(self) -> Pair:
        """The source and the reference."""
        return pair(self.source, self.reference)

    def after(self, edit: Edit) -> Pair:
        """The source with one edit, and the reference."""
        return pair(" ".join(apply_edits(self.source.split(), [edit])), self.reference)


def edited_rows(corpus: Corpus, hypotheses: Hypotheses) -> list[EditedRow]:
    """Every sentence with each of its references."""

    def to_references() -> list[list[tuple[Edit, ...]]]:
        return [
            [extract_edits(source.split(), text.split()) for text in texts]
            for source, texts in zip(corpus.sources, corpus.references, strict=True)
        ]

    known = corpus.once("edits to references", to_references)
    return [
        EditedRow(source, reference, text, edits, to_text)
        for source, references, text, of_references in zip(
            corpus.sources, corpus.references, hypotheses.sentences, known, strict=True
        )
        for to_text in [extract_edits(source.split(), text.split())]
        for reference, edits in zip(references, of_references, strict=True)
    ]


def weights_by_edits(
    rows: Sequence[EditedRow], scorer: EditScorer, floor: float, *, threads: int
) -> RowWeights:
    """How much the edit of a word changes the similarity to the reference, and at least `floor`.

    Words of source and reference have the weight of the edit between them. A word that the
    hypothesis inserts has the weight of the edit that inserts it.
    """
    wanted = dict.fromkeys(each for row in rows for each in row.pairs())
    scored = scorer(list(wanted), threads=threads)
    found: list[list[Floats]] = [[], [], []]
    for row in rows:
        source, reference = _spread(row, row.to_reference, row.reference, scored, floor)
        _, hypothesis = _spread(row, row.to_text, row.text, scored, floor)
        for texts, values in zip(found, (source, reference, hypothesis), strict=True):
            texts.append(values)
    return RowWeights(*(_joined(texts) for texts in found))


def _spread(
    row: EditedRow, edits: Sequence[Edit], text: str, scored: Mapping[Pair, float], floor: float
) -> tuple[Floats, Floats]:
    """The weights of the words of the source, and of the text that the edits make of it."""
    before = np.full(len(row.source.split()), floor)
    after = np.full(len(text.split()), floor)
    moved = 0
    for edit in edits:
        weight = max(floor, abs(scored[row.after(edit)] - scored[row.before()]))
        length = len(edit.correction.split())
        before[edit.start : edit.end] = weight
        after[edit.start + moved : edit.start + moved + length] = weight
        moved += length - (edit.end - edit.start)
    return before, after


def _joined(texts: Sequence[Floats]) -> TextWeights:
    return TextWeights(
        np.concatenate([np.zeros(0), *texts]), offsets_of([len(text) for text in texts])
    )


def word_places(text: str, unit: Unit, whitespace: Whitespace) -> Array:
    """The number of the word to which each unit of a text belongs; -1 if there are no words.

    A blank belongs to the word that follows it, or to the last word.
    """
    if unit == "word":
        return np.arange(len(text.split()))
    shown = text if whitespace == "raw" else normalise(text)
    blank = np.array([character.isspace() for character in shown], bool)
    begins = ~blank & np.concatenate([[True], blank[:-1]])[: len(blank)]
    words = np.minimum(np.cumsum(begins) - ~blank, int(begins.sum()) - 1)
    if unit == "grapheme":
        sizes = [len(each) for each in graphemes(shown)]
        return np.asarray(words[offsets_of(sizes)[:-1]])
    return np.asarray(words)
