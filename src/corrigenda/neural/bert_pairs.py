"""BERTScore of pairs of sentences: every distinct sentence is encoded once, whatever it is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from corrigenda import progress
from corrigenda.neural import settings
from corrigenda.neural.batches import windows
from corrigenda.neural.encoder import Encoder, loaded_encoder
from corrigenda.neural.idf import InverseFrequencies
from corrigenda.neural.model_source import ModelSource
from corrigenda.neural.types import Pair, Scores

_WHAT = "distinct sentences encoded"
_BYTES_OF_VECTORS = 256_000_000
Tokens = tuple[int, ...]


@dataclass(frozen=True)
class BertPairs:
    """Precision, recall and F1 by the embeddings of one layer; with `idf`, rare tokens weigh more."""

    source: ModelSource
    layer: int
    idf: InverseFrequencies | None = None

    @property
    def key(self) -> str:
        """What, besides the texts, the numbers depend on."""
        weights = "" if self.idf is None else self.idf.key
        return f"bertscore {self.source.revision} {self.layer} {weights} {settings.current().dtype}"

    @property
    def label(self) -> str:
        """For people."""
        return f"bertscore, {self.source.name}, layer {self.layer}" + (", idf" if self.idf else "")

    @cached_property
    def _encoder(self) -> Encoder:
        return loaded_encoder(self.source, self.layer, settings.current())

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The scores of distinct pairs, some at a time."""
        encoder = self._encoder
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        # Texts of the same tokens are the same sentence to the model: one vector, and a difference of exactly 0.
        tokens = dict(zip(texts, encoder.tokens(texts), strict=True))
        weights = self._weights(set(tokens.values()))
        sizes = {ids: 4 * len(ids) * encoder.dimensions for ids in tokens.values()}
        done = 0
        progress.report(_WHAT, 0, len(sizes))
        requests = ((pair, tokens[pair.candidate], tokens[pair.reference]) for pair in pairs)
        for group in windows(requests, sizes, _BYTES_OF_VECTORS):
            needed = list(dict.fromkeys(tokens[text] for pair in group for text in pair))
            vectors: dict[Tokens, Any] = {}
            for batch in encoder.encode(needed, threads=threads):
                vectors.update((needed[place], found) for place, found in batch)
                done += len(batch)
                progress.report(_WHAT, done, len(sizes))
            yield _matched(group, tokens, vectors, weights)

    def _weights(self, sentences: set[Tokens]) -> dict[Tokens, Any]:
        """What each token counts in the sums: nothing where it only marks a beginning or an end."""
        torch, special = import_module("torch"), self._encoder.special
        frequencies = None if self.idf is None else self.idf.weights(self._encoder)
        found = {}
        for ids in sentences:
            plain = [float(token not in special) for token in ids]
            rare = (
                plain
                if frequencies is None
                else [frequencies(token) * kept for token, kept in zip(ids, plain, strict=True)]
            )
            # Where all tokens are in every reference none is rarer than another: all count the same.
            chosen = torch.tensor(rare if any(rare) else plain, dtype=torch.float64)
            found[ids] = chosen / chosen.sum() if any(plain) else None
        return found


def _matched(
    pairs: Sequence[Pair],
    tokens: Mapping[str, Tokens],
    vectors: Mapping[Tokens, Any],
    weights: Mapping[Tokens, Any],
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
    candidate: Any, reference: Any, candidate_weights: Any, reference_weights: Any
) -> Scores:
    """Each token with the nearest of the other sentence; nothing is like an empty sentence."""
    if candidate_weights is None or reference_weights is None:
        return 0.0, 0.0, 0.0
    similar = candidate @ reference.T
    precision = float(similar.amax(1).cpu().double() @ candidate_weights)
    recall = float(similar.amax(0).cpu().double() @ reference_weights)
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0
