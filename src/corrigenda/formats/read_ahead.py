"""Reads the next item of an iterator in a thread, while the caller works on the one before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from corrigenda.beside import Beside

Item = TypeVar("Item")


def read_ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items, and the same error at the same place.

    The thread starts with the third item: small inputs have one or two.
    """
    with Beside[Item | None]() as reader:
        for first in items:
            yield first
            break
        item = next(items, None)
        while item is not None:
            reader.begin(lambda: next(items, None))
            yield item
            item = reader.take()
