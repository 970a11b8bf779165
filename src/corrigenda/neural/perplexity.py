"""How surprised a language model is by a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from corrigenda import progress
from corrigenda.neural import settings
from corrigenda.neural.in_batches import scores_of_pairs, texts_of
from corrigenda.neural.language_model import LanguageModel, loaded_language_model
from corrigenda.neural.model_source import ModelSource
from corrigenda.neural.types import Pair, Scores

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
        return scores_of_pairs(
            dict(zip(pairs, tokens, strict=True)),
            model.perplexities(list(dict.fromkeys(tokens)), threads=threads),
            dict(zip(pairs, map(int, cut), strict=True)),
            what=_WHAT,
            label=self.label,
        )
