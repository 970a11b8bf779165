"""How similar the words of two texts are, by the vectors of their words in context.

Every distinct text is encoded once. Of each pair of texts only a few numbers per word are kept, not
the vectors: the numbers of a pair take about a kilobyte on disk, its vectors a hundred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from corrigenda import progress
from corrigenda.edits.common_words import common_words
from corrigenda.neural import settings
from corrigenda.neural.batches import groups_of_pairs
from corrigenda.neural.encoder import Encoder, loaded_encoder
from corrigenda.neural.model_source import ModelSource
from corrigenda.neural.types import Pair, Scores, Tensor, WordTokens

Cosines = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

_WHAT = "distinct sentences encoded"
_BYTES_OF_VECTORS = 256_000_000
"""A group of pairs needs at most this many bytes of vectors, if it can be split."""


@dataclass(frozen=True)
class WordLikeness:
    """What is known of the words of two texts.

    `texts` is the cosine of the sums of the words' vectors. `first` has for each word of the first
    text its largest cosine to any word of the second, and `second` the reverse. `common` are the
    places of common words, `common_cosines` their cosines. `left_first` and `left_second` are as
    `first` and `second`, but between words that are not common. `equal` are the places of all equal
    words, common or not, and `equal_cosines` their cosines.
    """

    texts: float
    first: Cosines
    second: Cosines
    common: Places
    common_cosines: Cosines
    left_first: Cosines
    left_second: Cosines
    equal: Places
    equal_cosines: Cosines


@dataclass(frozen=True)
class WordCosines:
    """Compares the words of pairs of texts by one layer of an encoder."""

    source: ModelSource
    layer: int

    @property
    def key(self) -> str:
        """Everything except the texts that the scores depend on."""
        dtype = settings.current().dtype
        return f"word cosines 1 {self.source.revision} {self.layer} {dtype}"

    @property
    def label(self) -> str:
        """A readable name of the scorer and its model."""
        return f"words, {self.source.name}, layer {self.layer}"

    @cached_property
    def _encoder(self) -> Encoder:
        return loaded_encoder(self.source, self.layer, settings.current())

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The numbers of distinct pairs, group by group; `likeness` reads them."""
        progress.report(_WHAT, 0, detail=f"loading {self.source.name}")
        encoder = self._encoder
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens = dict(zip(texts, encoder.tokens_of_words(texts), strict=True))
        kept = [found.tokens for found in tokens.values()]
        cut = dict(zip(texts, encoder.cut(texts, kept, encoder.longest), strict=True))
        sizes = {each: 4 * each.words * encoder.dimensions for each in tokens.values()}
        done = 0
        progress.report(_WHAT, 0, len(sizes), self.label)
        requests = ((pair, tokens[pair.candidate], tokens[pair.reference]) for pair in pairs)
        for group in groups_of_pairs(requests, sizes, _BYTES_OF_VECTORS):
            needed = list(dict.fromkeys(tokens[text] for pair in group for text in pair))
            vectors: dict[WordTokens, _Vectors] = {}
            for batch in encoder.words(needed, threads=threads):
                vectors.update((needed[place], _vectors(found)) for place, found in batch)
                done += len(batch)
                progress.report(_WHAT, done, len(sizes), self.label)
            yield {
                pair: (
                    *_numbers(pair, *(vectors[tokens[text]] for text in pair)),
                    float(cut[pair.candidate] + cut[pair.reference]),
                )
                for pair in group
            }


class _Vectors(NamedTuple):
    """The unit vectors of the words of a text, and the unit vector of their sum."""

    words: Tensor
    text: Tensor


def _vectors(words: Tensor) -> _Vectors:
    text = words.double().sum(0)
    return _Vectors(words, text / text.norm().clamp(min=1e-30))


def _numbers(pair: Pair, first: _Vectors, second: _Vectors) -> list[float]:
    one, other = (text.split() for text in pair)
    # torch multiplies in one thread here; numpy's threads would wait for those of the encoder.
    cosines = np.asarray((first.words @ second.words.T).numpy(), np.float64)
    common = common_words(one, other)
    left = cosines[np.ix_(_others(common[:, 0], len(one)), _others(common[:, 1], len(other)))]
    equal = _equal_places(one, other)
    found: list[float] = np.concatenate(
        [
            [float(first.text @ second.text)],
            *_largest(cosines),
            *_largest(left),
            cosines[equal[:, 0], equal[:, 1]],
        ]
    ).tolist()
    return found


def _others(common: Places, words: int) -> Places:
    """The places of the words that are not common."""
    found = np.ones(words, bool)
    found[common] = False
    return np.flatnonzero(found)


def _largest(cosines: Cosines) -> tuple[Cosines, Cosines]:
    """The largest cosine of each row and of each column; 0 where there is nothing to compare."""
    if not cosines.size:
        return np.zeros(cosines.shape[0]), np.zeros(cosines.shape[1])
    return cosines.max(axis=1), cosines.max(axis=0)


def _equal_places(first: Sequence[str], second: Sequence[str]) -> Places:
    """Where the two texts have equal words, in the order of the first text."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(second):
        places.setdefault(word, []).append(place)
    found = [(i, j) for i, word in enumerate(first) for j in places.get(word, ())]
    return np.array(found, np.int64).reshape(-1, 2)


def likeness(pair: Pair, scores: Scores) -> WordLikeness:
    """What the numbers of a pair say about its words."""
    one, other = (text.split() for text in pair)
    common, equal = common_words(one, other), _equal_places(one, other)
    sizes = (len(one), len(other), len(one) - len(common), len(other) - len(common), len(equal))
    numbers = np.array(scores[:-1], np.float64)
    first, second, left_first, left_second, cosines = np.split(numbers[1:], np.cumsum(sizes)[:-1])
    of_equal = dict(zip(map(tuple, equal.tolist()), cosines.tolist(), strict=True))
    return WordLikeness(
        float(numbers[0]),
        first,
        second,
        common,
        np.array([of_equal[tuple(each)] for each in common.tolist()], np.float64),
        _at_the_others(left_first, common[:, 0], len(one)),
        _at_the_others(left_second, common[:, 1], len(other)),
        equal,
        cosines,
    )


def _at_the_others(cosines: Cosines, common: Places, words: int) -> Cosines:
    """The cosines of a text: those given for words that are not common, and 1 for the others."""
    found = np.ones(words)
    found[_others(common, words)] = cosines
    return found
