"""Batches side by side, each computed by one thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def in_order(
    work: Callable[[_Item], _Result], items: Iterable[_Item], *, device: str, threads: int
) -> Iterator[_Result]:
    """What `work` gives for each item, in their order.

    On a CPU, so many threads take one batch each. Threads that share a batch wait for one another at every step: on a
    busy machine that takes longer than a single one. A GPU computes one batch after the other.
    """
    if device != "cpu" or threads == 1:
        yield from map(work, items)
        return
    pool = ThreadPoolExecutor(
        threads, "model", initializer=lambda: import_module("torch").set_num_threads(1)
    )
    ahead: deque[Future[_Result]] = deque()
    try:
        for item in items:
            ahead.append(pool.submit(work, item))
            # A few batches wait, so that no thread does; more would only be memory.
            if len(ahead) > 2 * threads:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
