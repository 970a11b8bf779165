"""A loaded encoder. It turns a sentence into the unit vectors of its tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from corrigenda.errors import CorrigendaError, MetricError
from corrigenda.neural.batches import batches
from corrigenda.neural.model_source import ModelSource, load
from corrigenda.neural.padding import padded
from corrigenda.neural.parallel import in_order
from corrigenda.neural.settings import ModelSettings
from corrigenda.neural.truncation import are_cut
from corrigenda.neural.types import (
    ModelConfig,
    PretrainedModel,
    Tensor,
    Tokenizer,
    Tokens,
    WordTokens,
)

# For these tokenizers, the first word of a text differs from the same word after a blank.
_PREFIX_SPACE = ("gpt2", "roberta", "bart", "longformer", "deberta")


class Encoder:
    """One layer of a model. The vectors of a sentence do not depend on its batch."""

    def __init__(self, source: ModelSource, layer: int, settings: ModelSettings) -> None:
        self._torch = import_module("torch")
        self._layer = layer
        self.device = chosen_device(settings.device)
        self._batch_tokens = settings.tokens_on(self.device)
        self.tokenizer = load_tokenizer(source)
        model = load("AutoModel", source, dtype=getattr(self._torch, settings.dtype))
        if getattr(model.config, "is_encoder_decoder", False):
            model = model.get_encoder()
        self._cut = _cut_after(model, layer, self._torch)
        self._model = model.eval().to(self.device)
        self.dimensions = int(getattr(model.config, "hidden_size", None) or model.config.dim)
        self.longest = longest_input(self.tokenizer, model.config)
        self._padding = self.tokenizer.pad_token_id or 0
        self.special = frozenset(self.tokenizer.all_special_ids) - {self.tokenizer.unk_token_id}

    def tokens(self, texts: Sequence[str], longest: int | None = None) -> list[Tokens]:
        """The tokens of each sentence, with its begin and end marks. Long sentences are cut."""
        if not texts:
            return []
        limit = self.longest if longest is None else min(longest, self.longest)
        found = self.tokenizer(list(texts), truncation=True, max_length=limit)["input_ids"]
        return [tuple(ids) for ids in found]

    def cut(self, texts: Sequence[str], tokens: Sequence[Tokens], longest: int) -> list[bool]:
        """Whether each text has more tokens than were kept."""
        return are_cut(self.tokenizer, texts, tokens, longest)

    def tokens_of_words(self, texts: Sequence[str]) -> list[WordTokens]:
        """The tokens of each sentence, and the word to which each token belongs."""
        if not texts:
            return []
        words = [text.split() for text in texts]
        found = self.tokenizer(
            words, is_split_into_words=True, truncation=True, max_length=self.longest
        )
        if not getattr(self.tokenizer, "is_fast", False):
            raise MetricError(
                "the tokenizer of the encoder does not tell the words of its tokens",
                remedy="Choose an encoder with a fast tokenizer (a tokenizer.json).",
            )
        return [
            WordTokens(
                tuple(ids),
                tuple(-1 if word is None else word for word in found.word_ids(place)),
                len(words[place]),
            )
            for place, ids in enumerate(found["input_ids"])
        ]

    def words(
        self, sentences: Sequence[WordTokens], *, threads: int = 1
    ) -> Iterator[list[tuple[int, Tensor]]]:
        """Batch by batch, the index of each sentence and the unit vectors of its words.

        A word's vector is the sum of the states of its tokens. A word without tokens, and one that
        was cut off, has the vector 0.
        """

        def encoded(places: list[int]) -> list[tuple[int, Tensor]]:
            states, _ = self._states([sentences[place].tokens for place in places])
            return [
                (place, self._summed(states[row].cpu(), sentences[place]))
                for row, place in enumerate(places)
            ]

        made = batches([len(each.tokens) for each in sentences], self._batch_tokens)
        yield from in_order(encoded, made, device=self.device, threads=threads)

    def _summed(self, states: Tensor, sentence: WordTokens) -> Tensor:
        """The unit vectors of words from the states of their tokens."""
        places = [place for place, word in enumerate(sentence.word_of) if word >= 0]
        owners = self._torch.tensor([sentence.word_of[place] for place in places], dtype=int)
        sums = self._torch.zeros((sentence.words, states.shape[-1]), dtype=states.dtype)
        sums.index_add_(0, owners, states[places])
        return self._torch.nn.functional.normalize(sums, dim=-1)

    def encode(
        self, sentences: Sequence[Tokens], *, threads: int = 1
    ) -> Iterator[list[tuple[int, Tensor]]]:
        """Batch by batch, the index of each sentence and the unit vectors of its tokens."""

        def encoded(places: list[int]) -> list[tuple[int, Tensor]]:
            states, _ = self._states([sentences[place] for place in places])
            vectors = self._torch.nn.functional.normalize(states, dim=-1)
            return [
                (place, vectors[row, : len(sentences[place])].clone())
                for row, place in enumerate(places)
            ]

        made = batches([len(ids) for ids in sentences], self._batch_tokens)
        yield from in_order(encoded, made, device=self.device, threads=threads)

    def pooled(
        self, sentences: Sequence[Tokens], *, threads: int = 1
    ) -> Iterator[list[tuple[int, Tensor]]]:
        """Batch by batch, the index of each sentence and the mean of its tokens' states."""

        def encoded(places: list[int]) -> list[tuple[int, Tensor]]:
            states, mask = self._states([sentences[place] for place in places])
            means = mean_states(states, mask).cpu()
            return [(place, means[row].clone()) for row, place in enumerate(places)]

        made = batches([len(ids) for ids in sentences], self._batch_tokens)
        yield from in_order(encoded, made, device=self.device, threads=threads)

    def _states(self, batch: list[Tokens]) -> tuple[Tensor, Tensor]:
        """The states of all tokens, and a mask of the real tokens."""
        ids, mask = padded(batch, self._padding, self.device)
        with self._torch.inference_mode():
            output = self._model(
                input_ids=ids, attention_mask=mask, output_hidden_states=not self._cut
            )
            hidden = output[0] if self._cut else output.hidden_states[self._layer]
            return hidden.float(), mask


def mean_states(states: Tensor, mask: Tensor) -> Tensor:
    """The mean of the states [batch, tokens, size] of the real tokens, in double precision."""
    kept = mask.unsqueeze(-1).double()
    return (states.double() * kept).sum(1) / kept.sum(1)


def _cut_after(model: PretrainedModel, layer: int, torch: ModuleType) -> bool:
    """Remove the layers above `layer`, which are not used. False if that is not possible."""
    for holder_name in ("encoder", "transformer"):
        holder = getattr(model, holder_name, None)
        layers = getattr(holder, "layer", None)
        if holder is not None and isinstance(layers, torch.nn.ModuleList):
            holder.layer = torch.nn.ModuleList(list(layers)[:layer])
            return True
    return False


def load_tokenizer(source: ModelSource) -> Tokenizer:
    """The tokenizer of a model. It treats the first word of a text like any other word."""
    prefix = str(source.config().get("model_type", "")) in _PREFIX_SPACE
    options = {"add_prefix_space": True} if prefix else {}
    tokenizer: Tokenizer = load("AutoTokenizer", source, **options)
    return tokenizer


def longest_input(tokenizer: Tokenizer, config: ModelConfig) -> int:
    """The largest number of tokens that the model takes."""
    positions = getattr(config, "max_position_embeddings", None) or 1 << 20
    # RoBERTa's positions begin after the position of its padding.
    if getattr(config, "model_type", "") in ("roberta", "xlm-roberta", "camembert", "longformer"):
        positions -= (config.pad_token_id or 0) + 1
    return int(min(tokenizer.model_max_length, positions))


def chosen_device(name: str) -> str:
    """The device to use. `auto` is a GPU if there is one."""
    torch = import_module("torch")
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=name)
    except Exception as error:
        reason = (str(error).strip().splitlines() or ["unknown"])[0]
        raise CorrigendaError(
            f"the device {name!r} cannot be used: {reason}",
            remedy="It takes e.g. --device cpu, cuda, cuda:1 or mps.",
        ) from error
    return name


@lru_cache(maxsize=2)
def loaded_encoder(source: ModelSource, layer: int, settings: ModelSettings) -> Encoder:
    """The encoder of a model. Each process loads it once."""
    return Encoder(source, layer, settings)
