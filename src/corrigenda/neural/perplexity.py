"""How surprised a language model is by a text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module

from corrigenda import progress
from corrigenda.errors import CorrigendaError
from corrigenda.neural import settings
from corrigenda.neural.encoder import chosen_device, longest_input
from corrigenda.neural.in_batches import scored_in_batches, texts_of
from corrigenda.neural.model_source import ModelSource, load
from corrigenda.neural.padding import padded
from corrigenda.neural.settings import ModelSettings
from corrigenda.neural.types import Pair, Scores, Tokenizer, Tokens

_WHAT = "distinct sentences read by the language model"


@dataclass(frozen=True)
class Perplexities:
    """exp of the mean loss per token, for pairs whose second text is empty."""

    source: ModelSource

    @property
    def key(self) -> str:
        """Everything except the texts that the scores depend on."""
        return f"perplexity 1 {self.source.revision} {settings.current().dtype}"

    @property
    def label(self) -> str:
        """A readable name of the scorer and its model."""
        return f"perplexity, {self.source.name}"

    @cached_property
    def _model(self) -> LanguageModel:
        return loaded_language_model(self.source, settings.current())

    def score(self, pairs: Sequence[Pair], *, threads: int = 1) -> Iterator[dict[Pair, Scores]]:
        """The perplexities of distinct texts, part by part."""
        progress.report(_WHAT, 0, detail=f"loading {self.source.name}")
        model = self._model
        tokens, cut = model.tokens(texts_of(pairs))
        return scored_in_batches(
            dict(zip(pairs, tokens, strict=True)),
            len,
            model.perplexities,
            dict(zip(pairs, map(int, cut), strict=True)),
            what=_WHAT,
            label=self.label,
            batch_tokens=model.batch_tokens,
            device=model.device,
            threads=threads,
        )


class LanguageModel:
    """A loaded causal language model."""

    def __init__(self, source: ModelSource, settings: ModelSettings) -> None:
        self._torch = import_module("torch")
        self.device = chosen_device(settings.device)
        self.batch_tokens = settings.tokens_on(self.device)
        self._tokenizer: Tokenizer = load("AutoTokenizer", source)
        model = load("AutoModelForCausalLM", source, dtype=getattr(self._torch, settings.dtype))
        self._model = model.eval().to(self.device)
        self._longest = longest_input(self._tokenizer, model.config)
        marks = (self._tokenizer.bos_token_id, self._tokenizer.eos_token_id)
        begin = next((mark for mark in marks if mark is not None), None)
        if begin is None:
            raise CorrigendaError(
                f"the tokenizer of {source.name} has no token that begins a text",
                remedy="Give a causal language model with such a token, e.g. gpt2.",
            )
        self._begin = begin

    def tokens(self, texts: Sequence[str]) -> tuple[list[Tokens], list[bool]]:
        """The tokens of each text after the token that begins it; and whether it was cut."""
        found = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        whole = [(self._begin, *ids) for ids in found]
        return [ids[: self._longest] for ids in whole], [len(ids) > self._longest for ids in whole]

    def perplexities(self, batch: list[Tokens]) -> list[float]:
        """The perplexity of each text. A text without tokens is infinitely surprising."""
        torch = self._torch
        ids, mask = padded(batch, self._begin, self.device)
        with torch.inference_mode():
            logits = self._model(input_ids=ids, attention_mask=mask).logits
            losses = torch.nn.functional.cross_entropy(
                logits[:, :-1].float().transpose(1, 2), ids[:, 1:], reduction="none"
            )
            sums = (losses.double() * mask[:, 1:]).sum(1).tolist()
        return [
            math.exp(min(total / (len(row) - 1), 700)) if len(row) > 1 else math.inf
            for total, row in zip(sums, batch, strict=True)
        ]


@lru_cache(maxsize=1)
def loaded_language_model(source: ModelSource, settings: ModelSettings) -> LanguageModel:
    """The model. Each process loads it once."""
    return LanguageModel(source, settings)
