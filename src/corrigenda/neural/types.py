"""The types of this package: a pair of sentences, its scores, and the parts of torch in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

NumberType = Literal["float32", "bfloat16", "float16"]
Scores = tuple[float, ...]
"""A model's scores of a pair.

BERTScore gives (precision, recall, F1), BARTScore gives (log-likelihood,).
"""
Tokens = tuple[int, ...]
"""The numbers of a sentence's tokens."""

# torch and transformers are optional extras, so their types cannot be imported here.
Tensor: TypeAlias = Any
"""A `torch.Tensor`."""
PretrainedModel: TypeAlias = Any
"""A `transformers.PreTrainedModel`."""
ModelConfig: TypeAlias = Any
"""The `config` of a pretrained model. Its attributes differ from family to family."""


class Tokenizer(Protocol):
    """The parts of a `transformers` tokenizer that are used here."""

    model_max_length: int
    pad_token_id: int | None
    unk_token_id: int | None
    all_special_ids: list[int]

    def __call__(
        self, texts: list[str], /, *, truncation: bool, max_length: int
    ) -> Mapping[str, Sequence[Sequence[int]]]:
        """The tokens of each text are under `input_ids`."""


class Pair(NamedTuple):
    """A candidate and the text it is compared with. Words are joined by single blanks."""

    candidate: str
    reference: str


def pair(candidate: str, reference: str) -> Pair:
    """The pair of two texts with any kind of whitespace."""
    return Pair(" ".join(candidate.split()), " ".join(reference.split()))
