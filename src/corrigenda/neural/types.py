"""The types of this package: a pair of sentences, its scores, and the parts of torch in use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

NumberType = Literal["float32", "bfloat16", "float16"]
Scores = tuple[float, ...]
"""A model's scores of a pair, then the number of its texts that were cut at the model's limit.

BERTScore gives (precision, recall, F1, cut), BARTScore gives (log-likelihood, cut).
"""
Tokens = tuple[int, ...]
"""The numbers of a sentence's tokens."""


class WordTokens(NamedTuple):
    """The tokens of a sentence, the word to which each belongs, and the number of words.

    Tokens that mark the begin and the end belong to the word -1.
    """

    tokens: Tokens
    word_of: tuple[int, ...]
    words: int


# torch and transformers are optional extras, so their types cannot be imported here.
Tensor: TypeAlias = Any
"""A `torch.Tensor`."""
PretrainedModel: TypeAlias = Any
"""A `transformers.PreTrainedModel`."""
ModelConfig: TypeAlias = Any
"""The `config` of a pretrained model. Its attributes differ from family to family."""


class TokenizedTexts(Protocol):
    """What a tokenizer gives: the tokens of each text are under `input_ids`."""

    def __getitem__(self, name: str, /) -> Sequence[Sequence[int]]:
        """The tokens of each text."""

    def get(self, name: str, /) -> Sequence[Sequence[int]] | None:
        """The same, or None if there are none of that name."""

    def word_ids(self, text: int, /) -> list[int | None]:
        """The word of each token of a text; None for marks. Only fast tokenizers have it."""


class Tokenizer(Protocol):
    """The parts of a `transformers` tokenizer that are used here."""

    model_max_length: int
    pad_token_id: int | None
    unk_token_id: int | None
    bos_token_id: int | None
    eos_token_id: int | None
    all_special_ids: list[int]

    def __call__(
        self,
        texts: list[str] | list[list[str]],
        pairs: list[str] | None = None,
        /,
        *,
        is_split_into_words: bool = False,
        truncation: bool = False,
        max_length: int | None = None,
        add_special_tokens: bool = True,
        verbose: bool = True,
    ) -> TokenizedTexts:
        """The tokens of each text, or of each text and its pair, are under `input_ids`."""


class Pair(NamedTuple):
    """A candidate and the text it is compared with. Words are joined by single blanks."""

    candidate: str
    reference: str


def pair(candidate: str, reference: str) -> Pair:
    """The pair of two texts with any kind of whitespace."""
    return Pair(" ".join(candidate.split()), " ".join(reference.split()))
