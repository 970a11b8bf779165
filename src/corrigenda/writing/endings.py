"""Signals that end the process leave through the `with` blocks, which clean up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDS = tuple(
    number
    for name in ("SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None  # Windows has no SIGHUP
)


@contextmanager
def leaving_by_blocks() -> Iterator[None]:
    """SIGTERM, and the end of the terminal, end this block as Ctrl+C does.

    The exit code is 128 and the number of the signal. Only the main thread may say so; in other
    threads the block changes nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ENDS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:  # `nohup`
            signal.signal(number, _leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
