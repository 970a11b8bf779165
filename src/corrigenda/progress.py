"""Reports the progress of long work to a listener, which may show it.

The library reports; the command line listens and draws a bar. Without a listener nothing happens.
This is the only way in which work reports itself: scoring, tests, annotation, models, bulk runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Listener(Protocol):
    """Something that shows progress, such as a bar on the terminal."""

    def report(self, what: str, done: int, total: int | None, detail: str) -> None:
        """`done` of `total` units of the work `what` are done; an unknown `total` is None.

        `detail` says what is being done now, e.g. the system and the metric.
        """

    def note(self, text: str) -> None:
        """Show a message that the user should know."""


_listener: ContextVar[Listener | None] = ContextVar("progress listener", default=None)


def report(what: str, done: int, total: int | None = None, detail: str = "") -> None:
    """Report the state of a piece of work. `what` names the units, e.g. `sentences scored`."""
    listener = _listener.get()
    if listener is not None:
        listener.report(what, done, total, detail)


def each(what: str, items: Sequence[Item], detail: Callable[[Item], str]) -> Iterator[Item]:
    """The items, with a report before each of them, and one when all are done."""
    for done, item in enumerate(items):
        report(what, done, len(items), detail(item))
        yield item
    report(what, len(items), len(items))


def note(text: str) -> None:
    """Tell the user something that is not an error."""
    listener = _listener.get()
    if listener is not None:
        listener.note(text)


def waiting() -> None:
    """Call it now and then while waiting for others, so that `ending` can end the work."""
    listener = _listener.get()
    if isinstance(listener, _Checking):
        listener.check()


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Send every report inside to `listener`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def ending(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` at every report inside: it may raise an error, which ends the work there."""
    with listening(_Checking(_listener.get(), check)):
        yield


class _Checking:
    """Passes reports on after a check."""

    def __init__(self, listener: Listener | None, check: Callable[[], None]) -> None:
        self._listener, self.check = listener, check

    def report(self, what: str, done: int, total: int | None, detail: str) -> None:
        self.check()
        if self._listener is not None:
            self._listener.report(what, done, total, detail)

    def note(self, text: str) -> None:
        if self._listener is not None:
            self._listener.note(text)
