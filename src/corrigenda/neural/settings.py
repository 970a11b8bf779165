"""How a model runs: device, number type, batch size."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import cast, get_args

from corrigenda.errors import UsageError, brief
from corrigenda.neural.types import NumberType

DEVICE_VARIABLE = "CORRIGENDA_DEVICE"
TYPE_VARIABLE = "CORRIGENDA_DTYPE"
TOKENS_VARIABLE = "CORRIGENDA_BATCH_TOKENS"
CPU_BATCH_TOKENS = 1024
"""Enough for full speed. Larger batches do not fit into the caches of a core and pad more."""
GPU_BATCH_TOKENS = 4096
_TOKENS_REMEDY = "It takes a whole number of 1 or more, e.g. 1024."


@dataclass(frozen=True)
class ModelSettings:
    """The device (`auto`: a GPU if there is one), the number type, and the tokens per batch.

    Without `batch_tokens`, the batch size suits the device.
    """

    device: str = "auto"
    dtype: NumberType = "float32"
    batch_tokens: int | None = None

    def __post_init__(self) -> None:
        if self.dtype not in get_args(NumberType):
            raise UsageError(
                f"{self.dtype!r} is not a number type",
                remedy=f"It takes: {', '.join(get_args(NumberType))}.",
            )
        if self.batch_tokens is not None and self.batch_tokens < 1:
            raise UsageError(
                f"the number of tokens per batch is {self.batch_tokens}", remedy=_TOKENS_REMEDY
            )

    def tokens_on(self, device: str) -> int:
        """The tokens per batch on this device."""
        return self.batch_tokens or (CPU_BATCH_TOKENS if device == "cpu" else GPU_BATCH_TOKENS)


_given: ContextVar[ModelSettings | None] = ContextVar("model settings", default=None)


def current() -> ModelSettings:
    """The settings from `using`, else from the environment, else the defaults."""
    return _given.get() or _from_environment()


@contextmanager
def using(
    *, device: str | None = None, dtype: str | None = None, batch_tokens: int | None = None
) -> Iterator[None]:
    """Run models with these settings inside the block. A setting that is None does not change."""
    now = current()
    token = _given.set(
        ModelSettings(
            now.device if device is None else device,
            now.dtype if dtype is None else cast(NumberType, dtype),
            now.batch_tokens if batch_tokens is None else batch_tokens,
        )
    )
    try:
        yield
    finally:
        _given.reset(token)


def _from_environment() -> ModelSettings:
    tokens = os.environ.get(TOKENS_VARIABLE)
    if tokens and not (tokens.isascii() and tokens.isdigit() and len(tokens) <= 9):
        raise UsageError(f"{TOKENS_VARIABLE} is {brief(tokens)}", remedy=_TOKENS_REMEDY)
    return ModelSettings(
        os.environ.get(DEVICE_VARIABLE) or "auto",
        cast(NumberType, os.environ.get(TYPE_VARIABLE) or "float32"),
        int(tokens) if tokens else None,
    )
