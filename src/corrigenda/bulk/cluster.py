"""Where partitions are scored: in processes here, on a Dask cluster, or in this process.

Dask is loaded for a cluster, and for its dashboard of processes here.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from concurrent.futures import Future as ConcurrentFuture
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from corrigenda import progress
from corrigenda.bulk.processes import OnProcesses, ignore_interrupts
from corrigenda.bulk.records import versions
from corrigenda.errors import CorrigendaError
from corrigenda.kernels import default_threads

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_TASKS_PER_THREAD = 2
"""One task runs and one waits, so a worker is never idle and little is lost if the client stops."""
_SECONDS_FOR_SCHEDULER = 15
_ATTEMPTS = 3
_LOOPBACK = "127.0.0.1"
_SECONDS_BETWEEN_KILLS = 0.02
_SECONDS_FOR_WORKERS = 60
"""Workers that were started a moment ago need some time to connect."""


class Workers(Protocol):
    """Something that applies a function to items: this process, or a cluster."""

    def apply(
        self, function: Callable[..., _Result], items: Iterable[_Item], *arguments: object
    ) -> Iterator[tuple[_Item, _Result | Exception]]:
        """Each item with its result, in the order in which results arrive.

        An error is returned in place of the result; it is not raised.
        """
        ...


class InProcess:
    """Applies the function in this process, to one item after the other."""

    def apply(
        self, function: Callable[..., _Result], items: Iterable[_Item], *arguments: object
    ) -> Iterator[tuple[_Item, _Result | Exception]]:
        """Results in the order of the items."""
        for item in items:
            try:
                yield item, function(item, *arguments)
            except Exception as error:
                yield item, error


class OnDask:
    """A Dask cluster. It gets only as many tasks at a time as its workers need to stay busy."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def apply(
        self, function: Callable[..., _Result], items: Iterable[_Item], *arguments: object
    ) -> Iterator[tuple[_Item, _Result | Exception]]:
        """Results as they arrive. If a worker dies, another worker gets its task."""
        from distributed import as_completed

        waiting = iter(items)
        running: dict[Future, _Item] = {}
        ready = as_completed()

        def submit_more() -> None:
            threads = sum(self._client.nthreads().values())
            room = max(1, _TASKS_PER_THREAD * threads) - len(running)
            for item in islice(waiting, max(0, room)):
                future = self._client.submit(function, item, *arguments, pure=False)
                running[future] = item
                ready.add(future)

        try:
            submit_more()
            while running:
                future = next(ready)
                item = running.pop(future)
                result: _Result | Exception = _outcome(future)
                submit_more()
                yield item, result
        finally:
            if running:
                with suppress(Exception):  # the scheduler may have ended
                    self._client.cancel(list(running), force=True)


def _outcome(future: Future) -> _Result | Exception:
    from distributed.scheduler import KilledWorker

    try:
        error: Exception | None = future.exception()
        if error is None:
            result: _Result = future.result()
            return result
    except (CancelledError, OSError) as lost:
        raise CorrigendaError(
            "the connection to the scheduler is lost",
            remedy="Start the cluster and run the same command again; finished work is kept.",
        ) from lost
    finally:
        future.release()
    if isinstance(error, KilledWorker):
        return CorrigendaError(
            "several workers died while they scored the same partition",
            remedy="Most likely memory ran out: use fewer --workers. Finished work is kept.",
        )
    return error


@dataclass(frozen=True)
class WorkerChoice:
    """Who computes: processes here, the cluster at an address, or the cluster of a Dask client."""

    count: int | None = None
    """The number of processes; 0: only this process; None: one per core."""
    scheduler: str | None = None
    client: Client | None = None
    dashboard: bool = False
    """Whether processes here show Dask's dashboard, on 127.0.0.1 only."""

    @property
    def here(self) -> bool:
        """Whether the work is done on this machine."""
        return self.scheduler is None and self.client is None


@contextmanager
def started(choice: WorkerChoice) -> Iterator[Workers]:
    """The workers, started or connected, until the end of the block."""
    if choice.client is not None:
        yield _checked(choice.client)
    elif choice.scheduler is not None:
        with _connected(choice.scheduler) as connected:
            yield _checked(connected)
    elif choice.count == 0:
        yield InProcess()
    elif choice.dashboard:
        with _with_dashboard(choice.count or default_threads()) as connected:
            yield OnDask(connected)
    else:
        with _processes(choice.count or default_threads()) as processes:
            yield processes


@contextmanager
def _processes(count: int) -> Iterator[OnProcesses]:
    processes = OnProcesses(count)
    try:
        yield processes
    except BaseException:
        processes.kill()
        raise
    processes.stop()


@contextmanager
def _with_dashboard(count: int) -> Iterator[Client]:
    from distributed import Client

    with _cluster(count) as cluster, Client(cluster) as client:
        progress.note(f"Dask's dashboard: {cluster.dashboard_link}")
        yield client


def _cluster(count: int) -> LocalCluster:
    """Processes of Dask that listen on the loopback interface only, with a dashboard.

    A worker that dies while it starts is started again, with the others. A thread starts them, so
    that this thread can stop them at any moment.
    """
    with ThreadPoolExecutor(1, initializer=ignore_interrupts) as thread:
        starting = thread.submit(_started_cluster, count)
        try:
            return starting.result()
        except KeyboardInterrupt:
            _stop(starting)
            raise


def _started_cluster(count: int) -> LocalCluster:
    from distributed import LocalCluster

    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                host=_LOOPBACK,
                dashboard_address=f"{_LOOPBACK}:0",
                worker_dashboard_address=f"{_LOOPBACK}:0",
                scheduler_kwargs={"dashboard": True},
                silence_logs=logging.CRITICAL,
            )
        except (RuntimeError, OSError, TimeoutError) as error:
            if attempt == _ATTEMPTS:
                raise CorrigendaError(
                    f"the {count} worker processes cannot be started: {error}",
                    remedy="Use fewer --workers, or --workers 0 for this process alone.",
                ) from error
    raise AssertionError("unreachable")


def _stop(starting: ConcurrentFuture[LocalCluster]) -> None:
    """End a cluster that is still starting: kill its processes until its start has failed."""
    import psutil

    while not starting.done():
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if "spawn_main" in " ".join(process.cmdline()):
                    process.kill()
        time.sleep(_SECONDS_BETWEEN_KILLS)
    if starting.exception() is None:
        starting.result().close()


@contextmanager
def _connected(address: str) -> Iterator[Client]:
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
    """An address, or the file into which a scheduler writes its address.

    In a batch queue the address is not known before the scheduler runs.
    """
    if not text.endswith(".json"):
        return {"address": text}
    deadline = time.monotonic() + _SECONDS_FOR_SCHEDULER
    while not Path(text).is_file():
        if time.monotonic() > deadline:
            raise FileNotFoundError(text)
        time.sleep(0.1)
    return {"scheduler_file": text}


def _checked(client: Client) -> OnDask:
    """The cluster, if it has workers, and they have the same versions as this process."""
    if not client.nthreads():
        try:
            client.wait_for_workers(1, timeout=_SECONDS_FOR_WORKERS)
        except TimeoutError as error:
            raise CorrigendaError(
                "the scheduler has no workers", remedy="Start some: dask worker tcp://HOST:8786."
            ) from error
    try:
        found: dict[str, dict[str, str]] = client.run(versions)
    except ImportError as error:
        raise CorrigendaError(
            f"a worker lacks a package: {error}",
            remedy="Run on every worker: pip install 'corrigenda[bulk]'.",
        ) from error
    for worker, theirs in found.items():
        if theirs != versions():
            raise CorrigendaError(
                f"the worker {worker} has {theirs}, but this process has {versions()}",
                remedy="Install the same versions everywhere. Otherwise scores could differ in "
                "their last digits.",
            )
    return OnDask(client)
