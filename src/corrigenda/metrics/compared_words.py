"""The words of sources, references and one system's output, compared by their vectors.

All rows (a sentence with one of its references) stand one after the other in flat arrays, so that
metrics weigh and match all words of a system at once. What depends on the parameters of a metric is
computed from these arrays, without the texts and without the encoder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import offsets_of, reference_offsets
from corrigenda.neural import truncation
from corrigenda.neural.layers import chosen_layer
from corrigenda.neural.model_source import find
from corrigenda.neural.pair_scores import pair_scores
from corrigenda.neural.types import Pair, Scores, pair
from corrigenda.neural.word_cosines import WordCosines, WordLikeness, likeness

SMALL_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
"""The default encoder of metrics of words: the one with which their constants were chosen."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class WordsBeside:
    """The words of one text of every row, beside another text of the row.

    `largest`: the largest cosine of each word to any word of the other text. `common`: whether both
    texts have the word in common. `cosine`: of a common word, the cosine to its counterpart, else
    the largest one. `left`: 1 for a common word, else the largest cosine to a word that is not
    common either.
    """

    largest: Floats
    common: Flags
    cosine: Floats
    left: Floats


@dataclass(frozen=True)
class ComparedWords:
    """All rows of a system. `source`, … are the offsets of the words of each text in the arrays.

    `equal` are places [2, k] of equal words, in the hypotheses and in the references, and
    `equal_cosines` their cosines. `similarity` is the cosine of the two texts, and `same` says
    whether they are equal; `source_similarity` and `source_same` are the same of the source and the
    reference. `row_offsets` has the rows of each sentence.
    """

    row_offsets: Integers
    source: Integers
    reference: Integers
    hypothesis: Integers
    source_to_reference: WordsBeside
    reference_to_source: WordsBeside
    source_to_hypothesis: WordsBeside
    hypothesis_to_source: WordsBeside
    hypothesis_to_reference: WordsBeside
    reference_to_hypothesis: WordsBeside
    equal: Integers
    equal_cosines: Floats
    similarity: Floats
    same: Flags
    source_similarity: Floats
    source_same: Flags
    remarks: Mapping[str, int]

    @property
    def meaning(self) -> Floats:
        """How similar hypothesis and reference are, from 0 to 1: 1 if they are equal."""
        return _from_0_to_1(self.similarity, self.same)

    @property
    def source_meaning(self) -> Floats:
        """How similar source and reference are, from 0 to 1: 1 if they are equal."""
        return _from_0_to_1(self.source_similarity, self.source_same)


def _from_0_to_1(similarity: Floats, same: Flags) -> Floats:
    return np.clip(np.where(same, 1.0, similarity), 0.0, 1.0)


def word_scorer(model: str, layer: int | None) -> WordCosines:
    """What compares words: this layer of this encoder, or of the default one."""
    source = find(model or SMALL_ENCODER)
    return WordCosines(source, chosen_layer(source, layer))


def compare_all(
    corpus: Corpus, systems: Sequence[Hypotheses], scorer: WordCosines, *, threads: int
) -> None:
    """Encode the sources, the references and the outputs of all systems at once."""
    asked = (each for system in systems for row in _rows(corpus, system) for each in row)
    pair_scores(corpus, scorer, asked, threads=threads)


def compared_words(
    corpus: Corpus, hypotheses: Hypotheses, scorer: WordCosines, metric: str, *, threads: int
) -> ComparedWords:
    """The words of a system. They are compared once for all metrics with the same encoder."""
    return corpus.latest(
        ("compared words", scorer.key),
        hypotheses,
        lambda: _compared(corpus, hypotheses, scorer, metric, threads),
    )


def _rows(corpus: Corpus, hypotheses: Hypotheses) -> Iterator[tuple[Pair, Pair, Pair]]:
    """For each sentence and reference: source and reference, source and output, output and both."""
    for source, references, text in zip(
        corpus.sources, corpus.references, hypotheses.sentences, strict=True
    ):
        for reference in references:
            yield pair(source, reference), pair(source, text), pair(text, reference)


def _compared(
    corpus: Corpus, hypotheses: Hypotheses, scorer: WordCosines, metric: str, threads: int
) -> ComparedWords:
    rows = list(_rows(corpus, hypotheses))
    known = pair_scores(corpus, scorer, (each for row in rows for each in row), threads=threads)
    of_corpus: dict[Pair, WordLikeness] = corpus.once(("word likeness", scorer.key), dict)
    of_system: dict[Pair, WordLikeness] = {}
    for row in rows:
        for asked, read in zip(row, (of_corpus, of_system, of_system), strict=True):
            if asked not in read:
                read[asked] = likeness(asked, known[asked])
    to_reference = [of_corpus[row[0]] for row in rows]
    to_hypothesis = [of_system[row[1]] for row in rows]
    between = [of_system[row[2]] for row in rows]
    source, reference = (offsets_of([len(each) for each in sizes]) for sizes in (
        [found.first for found in to_reference], [found.second for found in to_reference],
    ))  # fmt: skip
    hypothesis = offsets_of([len(found.second) for found in to_hypothesis])
    return ComparedWords(
        reference_offsets(corpus),
        source,
        reference,
        hypothesis,
        *_both(to_reference),
        *_both(to_hypothesis),
        *_both(between),
        _equal(between, hypothesis, reference),
        _joined([found.equal_cosines for found in between]),
        *_similar([row[2] for row in rows], between),
        *_similar([row[0] for row in rows], to_reference),
        _remarks(metric, hypotheses, [[known[each] for each in row] for row in rows], corpus),
    )


def _similar(pairs: Sequence[Pair], found: Sequence[WordLikeness]) -> tuple[Floats, Flags]:
    """The cosine of the two texts of each pair, and whether they are equal."""
    return (
        np.array([each.texts for each in found], np.float64),
        np.array([each.candidate == each.reference for each in pairs], bool),
    )


def _remarks(
    metric: str, hypotheses: Hypotheses, rows: Sequence[Sequence[Scores]], corpus: Corpus
) -> Mapping[str, int]:
    """The number of sentences that are longer than the encoder reads."""
    sentences = (
        [scores for row in rows[begin:end] for scores in row]
        for begin, end in pairwise(reference_offsets(corpus).tolist())
    )
    return truncation.remarks(
        metric, hypotheses.name, sentences, rest="has no vectors: its words are like no others"
    )


def _both(found: Sequence[WordLikeness]) -> tuple[WordsBeside, WordsBeside]:
    """The words of the first texts beside the second, and the reverse."""
    return (
        _beside(found, [(each.first, each.left_first, each.common[:, 0]) for each in found]),
        _beside(found, [(each.second, each.left_second, each.common[:, 1]) for each in found]),
    )


def _beside(
    found: Sequence[WordLikeness], texts: Sequence[tuple[Floats, Floats, Integers]]
) -> WordsBeside:
    offsets = offsets_of([len(largest) for largest, _, _ in texts])
    starts = np.repeat(offsets[:-1], [len(places) for _, _, places in texts])
    common_places = starts + _joined([places for _, _, places in texts]).astype(np.int64)
    largest = _joined([each for each, _, _ in texts])
    common = np.zeros(len(largest), bool)
    common[common_places] = True
    cosine = largest.copy()
    cosine[common_places] = _joined([each.common_cosines for each in found])
    return WordsBeside(largest, common, cosine, _joined([left for _, left, _ in texts]))


def _equal(found: Sequence[WordLikeness], first: Integers, second: Integers) -> Integers:
    sizes = [len(each.equal) for each in found]
    places = _joined([each.equal.T for each in found], (2, 0)).astype(np.int64)
    return places + np.stack([np.repeat(each[:-1], sizes) for each in (first, second)])


def _joined(parts: Sequence[npt.NDArray[np.generic]], empty: tuple[int, ...] = (0,)) -> Floats:
    return np.asarray(np.concatenate([np.zeros(empty), *parts], axis=-1))


def sums_by_row(values: Floats, offsets: Integers) -> Floats:
    """The sum of the values of the words of each row."""
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return np.asarray(np.bincount(rows, values, len(offsets) - 1), np.float64)
