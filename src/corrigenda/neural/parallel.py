"""Several batches at the same time, each computed by one thread."""

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
    """The result of `work` for each item, in the order of the items.

    On a CPU, each of the threads computes one batch. Threads that share a batch wait for each other
    at every step, and on a busy machine that is slower than a single thread. A GPU computes one
    batch after the other.
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
            # A few batches wait, so that no thread is idle. More would only need more memory.
            if len(ahead) > 2 * threads:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
