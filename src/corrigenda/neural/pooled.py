"""Texts as single vectors: the means of the last states of their tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from corrigenda import progress
from corrigenda.neural import settings
from corrigenda.neural.batches import groups_of_pairs
from corrigenda.neural.encoder import Encoder, loaded_encoder
from corrigenda.neural.layers import last_layer
from corrigenda.neural.model_source import ModelSource
from corrigenda.neural.types import Pair, Scores, Tensor, Tokens

_WHAT = "distinct sentences encoded"
_BYTES_OF_VECTORS = 256_000_000
"""A group of pairs needs at most this many bytes of vectors, if it can be split."""


@dataclass(frozen=True)
class Similarities:
    """The cosine of the two vectors of a pair."""

    source: ModelSource
    longest: int

    @property
    def key(self) -> str:
        """Everything except the texts that the scores depend on."""
        return f"similarity 1 {self.source.revision} {self.longest} {settings.current().dtype}"

    @property
    def label(self) -> str:
        """A readable name of the scorer and its model."""
        return f"similarity, {self.source.name}"

    @cached_property
    def _texts(self) -> PooledTexts:
        return PooledTexts(self.source, self.longest, self.label)

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The cosines of distinct pairs, group by group."""
        yield from self._texts.scored(pairs, lambda text: [text], _cosine, threads=threads)


def _cosine(candidate: Sequence[Tensor], reference: Sequence[Tensor]) -> Scores:
    one, other = candidate[0], reference[0]
    if one is other:
        return (1.0,)
    size = float(one.norm() * other.norm())
    return (float(one @ other) / size if size else 0.0,)


@dataclass(frozen=True)
class PooledTexts:
    """Encodes each distinct text once, and gives its vector to all pairs that need it."""

    source: ModelSource
    longest: int
    label: str

    @cached_property
    def _encoder(self) -> Encoder:
        return loaded_encoder(self.source, last_layer(self.source), settings.current())

    def scored(
        self,
        pairs: Sequence[Pair],
        texts_in: Callable[[str], list[str]],
        compute: Callable[[Sequence[Tensor], Sequence[Tensor]], Scores],
        *,
        threads: int,
    ) -> Iterator[dict[Pair, Scores]]:
        """Group by group, what `compute` makes of the vectors of both sides of each pair.

        `texts_in` gives the texts of a side. The number of cut texts is added at the end.
        """
        progress.report(_WHAT, 0, detail=f"loading {self.source.name}")
        encoder = self._encoder
        sides = dict.fromkeys(side for pair in pairs for side in pair)
        texts_of = {side: texts_in(side) for side in sides}
        texts = list(dict.fromkeys(text for found in texts_of.values() for text in found))
        ids = encoder.tokens(texts, self.longest)
        limit = min(self.longest, encoder.longest)
        cut = dict(zip(texts, encoder.cut(texts, ids, limit), strict=True))
        tokens = dict(zip(texts, ids, strict=True))
        sizes = {side: 8 * encoder.dimensions * len(found) for side, found in texts_of.items()}
        number, done = len(set(ids)), 0
        progress.report(_WHAT, 0, number, self.label)
        known: dict[Tokens, Tensor] = {}
        for group in groups_of_pairs(((pair, *pair) for pair in pairs), sizes, _BYTES_OF_VECTORS):
            group_texts = [text for pair in group for side in pair for text in texts_of[side]]
            needed = list(dict.fromkeys(tokens[text] for text in group_texts))
            known = {each: known[each] for each in needed if each in known}
            missing = [each for each in needed if each not in known]
            for batch in encoder.pooled(missing, threads=threads):
                known.update((missing[place], vector) for place, vector in batch)
                done += len(batch)
                progress.report(_WHAT, done, number, self.label)
            yield {
                pair: (
                    *compute(*([known[tokens[text]] for text in texts_of[side]] for side in pair)),
                    float(sum(cut[text] for side in pair for text in texts_of[side])),
                )
                for pair in group
            }
