"""How far a long piece of work has come, for whoever wants to show it.

The library reports; the command line listens and draws a bar. With nobody listening nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is."""

_listener: ContextVar[Listener | None] = ContextVar("progress listener", default=None)


def report(what: str, done: int, total: int) -> None:
    """Say how far it has come."""
    listener = _listener.get()
    if listener is not None:
        listener(what, done, total)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Have `listener` called with every report inside."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
