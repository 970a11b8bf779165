"""A thread that does one piece of work at a time, while the caller does something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Self, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Made = TypeVar("Made")


class Beside(Generic[Made]):
    """Begin a piece of work, do something else, take the result; then begin the next one.

    The thread starts with the first piece, and it ends with the `with` block. Where no thread can
    be had, the work is done when its result is taken.
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._take: Callable[[], Made] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    @property
    def has_work(self) -> bool:
        """Whether there is a result to take."""
        return self._take is not None

    def begin(self, work: Callable[[], Made]) -> None:
        """Begin a piece of work. The result of the one before must have been taken."""
        if self._take is not None:
            raise RuntimeError("there is a result to take first")
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(1, "corrigenda")
        try:
            self._take = self._pool.submit(work).result
        except RuntimeError:  # the system gives no thread
            # The pool keeps the work, and the thread of a later piece would do it, too.
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
            self._take = work

    def take(self) -> Made:
        """The result of the work, when it is done; or its error."""
        take, self._take = self._take, None
        if take is None:
            raise RuntimeError("no work was begun")
        return take()
