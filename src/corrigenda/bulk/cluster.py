"""Where partitions are worked on: processes of this machine, a Dask cluster, or this very process."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

from corrigenda.bulk.versions import versions
from corrigenda.errors import CorrigendaError
from corrigenda.kernels import default_threads

_Item = TypeVar("_Item")
_TASKS_A_THREAD = 2
"""One that runs and one that waits: a worker never idles, and little is lost when the client stops."""
_SECONDS_FOR_SCHEDULER = 15
_SECONDS_FOR_WORKERS = 60
"""For those that have just been started."""


class Workers(Protocol):
    """Something that applies a function to items, and gives each with its result, or its error, when it is ready."""

    def apply(
        self, function: Callable[..., Any], items: Iterable[_Item], *arguments: Any
    ) -> Iterator[tuple[_Item, Any]]:
        """Results in whatever order they come; an error is given, not raised."""
        ...


class InProcess:
    """No other processes: one item after the other."""

    def apply(
        self, function: Callable[..., Any], items: Iterable[_Item], *arguments: Any
    ) -> Iterator[tuple[_Item, Any]]:
        """Results in the order of the items."""
        for item in items:
            try:
                yield item, function(item, *arguments)
            except Exception as error:
                yield item, error


class OnDask:
    """A Dask cluster; only as many tasks are handed out at a time as its workers can begin with."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def apply(
        self, function: Callable[..., Any], items: Iterable[_Item], *arguments: Any
    ) -> Iterator[tuple[_Item, Any]]:
        """Results as they come. A worker that dies is replaced, and its task done again by another."""
        from distributed import as_completed

        waiting = iter(items)
        running: dict[Any, _Item] = {}
        ready = as_completed()

        def hand_out() -> None:
            room = max(1, _TASKS_A_THREAD * sum(self._client.nthreads().values())) - len(running)
            for item in islice(waiting, max(0, room)):
                future = self._client.submit(function, item, *arguments, pure=False)
                running[future] = item
                ready.add(future)

        try:
            hand_out()
            while running:
                future = next(ready)
                item = running.pop(future)
                result = _explained(_outcome(future))
                hand_out()
                yield item, result
        finally:
            if running:
                with suppress(Exception):  # the scheduler may be gone
                    self._client.cancel(list(running), force=True)


def _outcome(future: Any) -> Any:
    try:
        error = future.exception()
        return future.result() if error is None else error
    except (CancelledError, OSError) as error:
        raise CorrigendaError(
            "the connection to the scheduler is lost",
            remedy="Start the cluster and run the same command again; what is done is kept.",
        ) from error
    finally:
        future.release()


def _explained(result: Any) -> Any:
    from distributed.scheduler import KilledWorker

    if isinstance(result, KilledWorker):
        return CorrigendaError(
            "several workers died of it, one after the other",
            remedy="Most likely memory ran out: use fewer --workers; what is done is kept.",
        )
    return result


@contextmanager
def workers(count: int | None, scheduler: str | None, client: Any = None) -> Iterator[Workers]:
    """`count` processes here (0: none but this one), or the cluster at an address or behind a Dask client."""
    if client is not None:
        yield _checked(client)
    elif scheduler is not None:
        with _connected(scheduler) as connected:
            yield _checked(connected)
    elif count == 0:
        yield InProcess()
    else:
        with _local(count or default_threads()) as connected:
            yield OnDask(connected)


@contextmanager
def _local(count: int) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    cluster = LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        silence_logs=logging.CRITICAL,
    )
    with cluster, Client(cluster) as client:
        # A terminal sends Ctrl-C to all of them: it is the client who stops the others.
        client.register_worker_callbacks(setup=_ignore_interrupts)
        yield client


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(**_address(address), timeout=_SECONDS_FOR_SCHEDULER)
    except (OSError, ValueError, ImportError, AssertionError, KeyError, TypeError) as error:
        raise CorrigendaError(
            f"no Dask scheduler answers at {address}",
            remedy="Start one: dask scheduler, and dask worker tcp://HOST:8786 on each machine.",
        ) from error
    with client:
        yield client


def _address(text: str) -> dict[str, str]:
    """An address, or the file into which a scheduler wrote its own: batch queues know none beforehand."""
    if not text.endswith(".json"):
        return {"address": text}
    deadline = time.monotonic() + _SECONDS_FOR_SCHEDULER
    while not Path(text).is_file():
        if time.monotonic() > deadline:
            raise FileNotFoundError(text)
        time.sleep(0.1)
    return {"scheduler_file": text}


def _checked(client: Any) -> OnDask:
    """Workers must be there, and have the programs that this process has."""
    if not client.nthreads():
        try:
            client.wait_for_workers(1, timeout=_SECONDS_FOR_WORKERS)
        except TimeoutError as error:
            raise CorrigendaError(
                "the scheduler has no worker", remedy="Start some: dask worker tcp://HOST:8786."
            ) from error
    try:
        found: dict[str, dict[str, str]] = client.run(versions)
    except ImportError as error:
        raise CorrigendaError(
            f"a worker lacks a program: {error}",
            remedy="On the workers: pip install 'corrigenda[bulk]'.",
        ) from error
    for worker, theirs in found.items():
        if theirs != versions():
            raise CorrigendaError(
                f"the worker {worker} has {theirs}, and this process {versions()}",
                remedy="Install the same versions everywhere: scores could differ in their last digits.",
            )
    return OnDask(client)
