"""Models that read a text, or two, and give one number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Literal, NamedTuple

from corrigenda import progress
from corrigenda.errors import CorrigendaError
from corrigenda.neural import settings
from corrigenda.neural.encoder import chosen_device, longest_input, mean_states
from corrigenda.neural.in_batches import scored_in_batches
from corrigenda.neural.model_source import ModelSource, load
from corrigenda.neural.padding import padded
from corrigenda.neural.settings import ModelSettings
from corrigenda.neural.types import Pair, Scores, Tensor, Tokenizer, Tokens

_WHAT = "distinct texts rated"
Reads = Literal["hypothesis", "both"]
Pooling = Literal["model", "mean"]
"""What the last layer of a regressor reads: what the model gives it, or the mean of all states."""


class _Input(NamedTuple):
    """Tokens, and for each token whether it belongs to the second text, if the model asks."""

    tokens: Tokens
    types: Tokens


@dataclass(frozen=True)
class Ratings:
    """The number that a regressor gives a text, or two texts.

    A pair is (hypothesis, source). With `reads` the model gets the hypothesis alone, or the source
    and then the hypothesis.
    """

    source: ModelSource
    longest: int
    reads: Reads = "hypothesis"
    pooling: Pooling = "model"

    @property
    def key(self) -> str:
        """Everything except the texts that the scores depend on."""
        dtype = settings.current().dtype
        how = f"{self.longest} {self.reads} {self.pooling} {dtype}"
        return f"rating 1 {self.source.revision} {how}"

    @property
    def label(self) -> str:
        """A readable name of the scorer and its model."""
        return f"rating, {self.source.name}"

    @cached_property
    def _model(self) -> Regressor:
        return loaded_regressor(self.source, self.pooling, settings.current())

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The ratings of distinct pairs, part by part."""
        progress.report(_WHAT, 0, detail=f"loading {self.source.name}")
        model = self._model
        inputs, cut = model.inputs(pairs, self.longest, self.reads)
        return scored_in_batches(
            dict(zip(pairs, inputs, strict=True)),
            lambda each: len(each.tokens),
            model.ratings,
            dict(zip(pairs, map(int, cut), strict=True)),
            what=_WHAT,
            label=self.label,
            batch_tokens=model.batch_tokens,
            device=model.device,
            threads=threads,
        )


class Regressor:
    """A loaded model with one output."""

    def __init__(self, source: ModelSource, pooling: Pooling, settings: ModelSettings) -> None:
        self._torch = import_module("torch")
        self.device = chosen_device(settings.device)
        self.batch_tokens = settings.tokens_on(self.device)
        self._tokenizer: Tokenizer = load("AutoTokenizer", source)
        kind = "AutoModelForSequenceClassification"
        model = load(kind, source, dtype=getattr(self._torch, settings.dtype))
        if model.config.num_labels != 1:
            raise CorrigendaError(
                f"{source.name} gives {model.config.num_labels} numbers per text",
                remedy="Give a regressor: a model for sequence classification with one label.",
            )
        self._model = model.eval().to(self.device)
        self._pooling = pooling
        self._longest = longest_input(self._tokenizer, model.config)
        self._padding = self._tokenizer.pad_token_id or 0

    def inputs(
        self, pairs: Sequence[Pair], longest: int, reads: Reads
    ) -> tuple[list[_Input], list[bool]]:
        """What the model reads of each pair; and whether something was cut off."""
        limit = min(longest, self._longest)
        texts = [[each.candidate for each in pairs]]
        if reads == "both":
            texts.insert(0, [each.reference for each in pairs])
        kept = self._tokenizer(*texts, truncation=True, max_length=limit)
        ids = kept["input_ids"]
        full = [place for place, tokens in enumerate(ids) if len(tokens) >= limit]
        cut = [False] * len(pairs)
        if full:
            again = [[column[place] for place in full] for column in texts]
            whole = self._tokenizer(*again, verbose=False)["input_ids"]
            for place, tokens in zip(full, whole, strict=True):
                cut[place] = len(tokens) > len(ids[place])
        types = kept.get("token_type_ids") if reads == "both" else None
        return [
            _Input(tuple(tokens), () if types is None else tuple(types[place]))
            for place, tokens in enumerate(ids)
        ], cut

    def ratings(self, batch: list[_Input]) -> list[float]:
        """The model's number for each input."""
        ids, mask = padded([each.tokens for each in batch], self._padding, self.device)
        types: dict[str, Tensor] = {}
        if batch[0].types:
            rows = [each.types for each in batch]
            types = {"token_type_ids": padded(rows, 0, self.device)[0]}
        with self._torch.inference_mode():
            output = self._model(
                input_ids=ids,
                attention_mask=mask,
                output_hidden_states=self._pooling == "mean",
                **types,
            )
            logits = output.logits
            if self._pooling == "mean":
                logits = self._head(mean_states(output.hidden_states[-1], mask))
            numbers: list[float] = logits.double().reshape(-1).tolist()
            return numbers

    def _head(self, means: Tensor) -> Tensor:
        """The model's last layer on means. Some heads take the first of several states."""
        head = getattr(self._model, "classifier", None) or self._model.logits_proj
        means = means.to(next(head.parameters()).dtype)
        return head(means if isinstance(head, self._torch.nn.Linear) else means.unsqueeze(1))


@lru_cache(maxsize=4)
def loaded_regressor(source: ModelSource, pooling: Pooling, settings: ModelSettings) -> Regressor:
    """The model. Each process loads it once."""
    return Regressor(source, pooling, settings)
