"""BARTScore of sentence pairs: how likely one sentence is for a model, given the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import chain

from corrigenda import progress
from corrigenda.neural import settings
from corrigenda.neural.batches import batches, groups_of_pairs
from corrigenda.neural.encoder import chosen_device, longest_input
from corrigenda.neural.model_source import ModelSource, load
from corrigenda.neural.padding import padded
from corrigenda.neural.parallel import in_order
from corrigenda.neural.settings import ModelSettings
from corrigenda.neural.truncation import are_cut
from corrigenda.neural.types import Pair, Scores, Tensor, Tokenizer, Tokens

_WHAT = "distinct sentence pairs scored"
_BYTES_OF_VECTORS = 256_000_000
"""A group of pairs needs at most this many bytes of vectors, if it can be split."""
_NO_TOKEN = -100
"""The label of padding, which torch leaves out of the loss."""
PairTokens = tuple[Pair, Tokens, Tokens]
"""A pair, the tokens of the given sentence, and the tokens of the scored sentence."""


@dataclass(frozen=True)
class BartPairs:
    """The mean log-likelihood of the second sentence's tokens, given the first sentence."""

    source: ModelSource

    @property
    def key(self) -> str:
        """Everything except the texts that the scores depend on."""
        return f"bartscore 2 {self.source.revision} {settings.current().dtype}"

    @property
    def label(self) -> str:
        """A readable name of the scorer and its model."""
        return f"bartscore, {self.source.name}"

    @cached_property
    def _model(self) -> SequenceModel:
        return loaded_model(self.source, settings.current())

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The scores of distinct pairs, group by group. Each given sentence is encoded once."""
        progress.report(_WHAT, 0, detail=f"loading {self.source.name}")
        model = self._model
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens = dict(zip(texts, model.tokens(texts), strict=True))
        cut = dict(zip(texts, model.cut(texts, list(tokens.values())), strict=True))
        sizes = {ids: 4 * len(ids) * model.dimensions for ids in tokens.values()}
        done = 0
        progress.report(_WHAT, 0, len(pairs), self.label)
        # Only the given sentence is encoded, so it alone decides which pairs share a group.
        items = ((pair, tokens[pair[0]], tokens[pair[0]]) for pair in pairs)
        for group in groups_of_pairs(items, sizes, _BYTES_OF_VECTORS):
            given = model.encode(
                list(dict.fromkeys(tokens[pair[0]] for pair in group)), threads=threads
            )
            targets = [tokens[pair[1]] for pair in group]
            lengths = [
                max(len(target), len(tokens[pair[0]]))
                for pair, target in zip(group, targets, strict=True)
            ]
            made = [
                [(group[place], tokens[group[place][0]], targets[place]) for place in places]
                for places in batches(lengths, model.batch_tokens)
            ]
            found: dict[Pair, Scores] = {}
            for batch in model.likelihoods(made, given, threads=threads):
                found.update(
                    (pair, (value, float(sum(cut[text] for text in pair)))) for pair, value in batch
                )
                done += len(batch)
                progress.report(_WHAT, done, len(pairs), self.label)
            yield found


class SequenceModel:
    """A loaded sequence-to-sequence model."""

    def __init__(self, source: ModelSource, settings: ModelSettings) -> None:
        self._torch = import_module("torch")
        self._device = chosen_device(settings.device)
        self._tokenizer: Tokenizer = load("AutoTokenizer", source)
        model = load("AutoModelForSeq2SeqLM", source, dtype=getattr(self._torch, settings.dtype))
        self._model = model.eval().to(self._device)
        self.dimensions = int(getattr(model.config, "d_model", None) or model.config.hidden_size)
        self.batch_tokens = settings.tokens_on(self._device)
        self._longest = longest_input(self._tokenizer, model.config)
        self._padding = self._tokenizer.pad_token_id or 0

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each sentence. Long sentences are cut."""
        found = self._tokenizer(list(texts), truncation=True, max_length=self._longest)["input_ids"]
        return [tuple(ids) for ids in found]

    def cut(self, texts: Sequence[str], tokens: Sequence[Tokens]) -> list[bool]:
        """Whether each text has more tokens than were kept."""
        return are_cut(self._tokenizer, texts, tokens, self._longest)

    def encode(self, sentences: Sequence[Tokens], *, threads: int = 1) -> dict[Tokens, Tensor]:
        """The encoder's vectors of each sentence."""

        def encoded(places: list[int]) -> list[tuple[Tokens, Tensor]]:
            ids, mask = padded([sentences[place] for place in places], self._padding, self._device)
            with self._torch.inference_mode():
                vectors = self._model.get_encoder()(input_ids=ids, attention_mask=mask)[0]
            named = ((row, sentences[place]) for row, place in enumerate(places))
            return [(sentence, vectors[row, : len(sentence)].clone()) for row, sentence in named]

        made = batches([len(ids) for ids in sentences], self.batch_tokens)
        return dict(
            chain.from_iterable(in_order(encoded, made, device=self._device, threads=threads))
        )

    def likelihoods(
        self,
        made: Sequence[Sequence[PairTokens]],
        given: Mapping[Tokens, Tensor],
        *,
        threads: int = 1,
    ) -> Iterator[list[tuple[Pair, float]]]:
        """Batch by batch, each pair with the mean log-likelihood of its target's tokens."""

        def scored(batch: Sequence[PairTokens]) -> list[tuple[Pair, float]]:
            found = self._likelihoods([(source, target) for _, source, target in batch], given)
            return [(pair, value) for (pair, *_), value in zip(batch, found, strict=True)]

        yield from in_order(scored, made, device=self._device, threads=threads)

    def _likelihoods(
        self, pairs: Sequence[tuple[Tokens, Tokens]], given: Mapping[Tokens, Tensor]
    ) -> list[float]:
        torch = self._torch
        _, mask = padded([source for source, _ in pairs], self._padding, self._device)
        labels, _ = padded([target for _, target in pairs], _NO_TOKEN, self._device)
        with torch.inference_mode():
            vectors = torch.nn.utils.rnn.pad_sequence(
                [given[source] for source, _ in pairs], batch_first=True
            )
            logits = self._model(
                encoder_outputs=(vectors,), attention_mask=mask, labels=labels
            ).logits
            losses = torch.nn.functional.cross_entropy(
                logits.float().transpose(1, 2), labels, ignore_index=_NO_TOKEN, reduction="none"
            )
            sums = losses.double().sum(dim=1).tolist()
        return [-total / len(target) for total, (_, target) in zip(sums, pairs, strict=True)]


@lru_cache(maxsize=2)
def loaded_model(source: ModelSource, settings: ModelSettings) -> SequenceModel:
    """The model. Each process loads it once."""
    return SequenceModel(source, settings)
