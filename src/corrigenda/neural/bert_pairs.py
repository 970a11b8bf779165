"""BERTScore of sentence pairs. Every distinct sentence is encoded once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from corrigenda import progress
from corrigenda.neural import settings
from corrigenda.neural.batches import groups_of_pairs
from corrigenda.neural.encoder import Encoder, loaded_encoder
from corrigenda.neural.idf import InverseFrequencies
from corrigenda.neural.model_source import ModelSource
from corrigenda.neural.types import Pair, Scores, Tensor, Tokens

_WHAT = "distinct sentences encoded"
_BYTES_OF_VECTORS = 256_000_000
"""A group of pairs needs at most this many bytes of vectors, if it can be split."""


@dataclass(frozen=True)
class BertPairs:
    """Precision, recall and F1 by the embeddings of one layer.

    With `idf`, rare tokens weigh more.
    """

    source: ModelSource
    layer: int
    idf: InverseFrequencies | None = None

    @property
    def key(self) -> str:
        """Everything except the texts that the scores depend on."""
        weights = "" if self.idf is None else self.idf.key
        return (
            f"bertscore 2 {self.source.revision} {self.layer} {weights} {settings.current().dtype}"
        )

    @property
    def label(self) -> str:
        """A readable name of the scorer and its model."""
        return f"bertscore, {self.source.name}, layer {self.layer}" + (", idf" if self.idf else "")

    @cached_property
    def _encoder(self) -> Encoder:
        return loaded_encoder(self.source, self.layer, settings.current())

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The scores of distinct pairs, group by group."""
        progress.report(_WHAT, 0, detail=f"loading {self.source.name}")
        encoder = self._encoder
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        # Texts with the same tokens share their vectors, so their scores are exactly the same.
        tokens = dict(zip(texts, encoder.tokens(texts), strict=True))
        cut = dict(
            zip(texts, encoder.cut(texts, list(tokens.values()), encoder.longest), strict=True)
        )
        weights = self._weights(set(tokens.values()))
        sizes = {ids: 4 * len(ids) * encoder.dimensions for ids in tokens.values()}
        done = 0
        progress.report(_WHAT, 0, len(sizes), self.label)
        requests = ((pair, tokens[pair.candidate], tokens[pair.reference]) for pair in pairs)
        for group in groups_of_pairs(requests, sizes, _BYTES_OF_VECTORS):
            needed = list(dict.fromkeys(tokens[text] for pair in group for text in pair))
            vectors: dict[Tokens, Tensor] = {}
            for batch in encoder.encode(needed, threads=threads):
                vectors.update((needed[place], found) for place, found in batch)
                done += len(batch)
                progress.report(_WHAT, done, len(sizes), self.label)
            found = _matched(group, tokens, vectors, weights)
            yield {
                each: (*scores, float(cut[each.candidate] + cut[each.reference]))
                for each, scores in found.items()
            }

    def _weights(self, sentences: set[Tokens]) -> dict[Tokens, Tensor | None]:
        """The share of each token in the sums. None if a sentence has no words.

        Tokens that only mark the beginning or the end of a sentence have a share of 0.
        """
        torch, special = import_module("torch"), self._encoder.special
        frequencies = None if self.idf is None else self.idf.weights(self._encoder)
        found: dict[Tokens, Tensor | None] = {}
        for ids in sentences:
            plain = [float(token not in special) for token in ids]
            rare = (
                plain
                if frequencies is None
                else [frequencies(token) * kept for token, kept in zip(ids, plain, strict=True)]
            )
            # If every token is in every reference, all idf weights are 0. Then give equal weights.
            chosen = torch.tensor(rare if any(rare) else plain, dtype=torch.float64)
            found[ids] = chosen / chosen.sum() if any(plain) else None
        return found


def _matched(
    pairs: Sequence[Pair],
    tokens: Mapping[str, Tokens],
    vectors: Mapping[Tokens, Tensor],
    weights: Mapping[Tokens, Tensor | None],
) -> dict[Pair, Scores]:
    found: dict[Pair, Scores] = {}
    by_tokens: dict[tuple[Tokens, Tokens], Scores] = {}
    for pair in pairs:
        ids = tokens[pair.candidate], tokens[pair.reference]
        if ids not in by_tokens:
            by_tokens[ids] = _greedy(
                *(vectors[each] for each in ids), *(weights[each] for each in ids)
            )
        found[pair] = by_tokens[ids]
    return found


def _greedy(
    candidate: Tensor,
    reference: Tensor,
    candidate_weights: Tensor | None,
    reference_weights: Tensor | None,
) -> Scores:
    """Match each token with the most similar token of the other sentence.

    An empty sentence matches nothing: its scores are 0.
    """
    if candidate_weights is None or reference_weights is None:
        return 0.0, 0.0, 0.0
    similar = candidate @ reference.T
    precision = float(similar.amax(1).cpu().double() @ candidate_weights)
    recall = float(similar.amax(0).cpu().double() @ reference_weights)
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0
