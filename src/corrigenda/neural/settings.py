"""How a model is run: what changes the time that a score takes, and not the score."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import get_args

from corrigenda.errors import UsageError
from corrigenda.neural.types import NumberType

DEVICE_VARIABLE = "CORRIGENDA_DEVICE"
TYPE_VARIABLE = "CORRIGENDA_DTYPE"
TOKENS_VARIABLE = "CORRIGENDA_BATCH_TOKENS"
CPU_BATCH_TOKENS = 1024
"""Enough for full speed; larger batches leave the caches of a core, and pad more."""
GPU_BATCH_TOKENS = 4096


@dataclass(frozen=True)
class ModelSettings:
    """The device (`auto`: a GPU if there is one), the type of its numbers, and the tokens of a batch.

    By default these are as many as suit the device.
    """

    device: str = "auto"
    dtype: NumberType = "float32"
    batch_tokens: int | None = None

    def __post_init__(self) -> None:
        if self.dtype not in get_args(NumberType):
            raise UsageError(
                f"the number type is {self.dtype!r}",
                remedy=f"It takes: {', '.join(get_args(NumberType))}.",
            )
        if self.batch_tokens is not None and self.batch_tokens < 1:
            raise UsageError(
                f"a batch has {self.batch_tokens} tokens",
                remedy="It takes a whole number from 1 on, e.g. 1024.",
            )

    def tokens_on(self, device: str) -> int:
        """The tokens of a batch on this device."""
        return self.batch_tokens or (CPU_BATCH_TOKENS if device == "cpu" else GPU_BATCH_TOKENS)


_given: ContextVar[ModelSettings | None] = ContextVar("settings of models", default=None)


def current() -> ModelSettings:
    """The settings given by `using`, else by the environment, else the defaults."""
    return _given.get() or _from_environment()


@contextmanager
def using(
    *, device: str | None = None, dtype: str | None = None, batch_tokens: int | None = None
) -> Iterator[None]:
    """Run models so inside; what is None stays as it is."""
    changes = {"device": device, "dtype": dtype, "batch_tokens": batch_tokens}
    given = {name: value for name, value in changes.items() if value is not None}
    token = _given.set(replace(current(), **given))  # type: ignore[arg-type]
    try:
        yield
    finally:
        _given.reset(token)


def _from_environment() -> ModelSettings:
    tokens = os.environ.get(TOKENS_VARIABLE)
    if tokens and not (tokens.isascii() and tokens.isdigit()):
        raise UsageError(
            f"{TOKENS_VARIABLE} is {tokens!r}",
            remedy="It takes a whole number from 1 on, e.g. 1024.",
        )
    return ModelSettings(
        os.environ.get(DEVICE_VARIABLE) or "auto",
        os.environ.get(TYPE_VARIABLE) or "float32",  # type: ignore[arg-type]
        int(tokens) if tokens else None,
    )
