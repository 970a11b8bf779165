"""Worker processes on this machine: each has a pipe, and does one task after another.

A process that dies is replaced, and its task is given out again. No process listens on a port.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from corrigenda.errors import CorrigendaError

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_ATTEMPTS = 3
"""So many processes may die over one task, or while they start one after another."""
_SECONDS_TO_END = 5
_OBJECTS_BETWEEN_SEARCHES = 100_000
_CAN_BLOCK_SIGNALS = hasattr(signal, "pthread_sigmask")  # not on Windows


@dataclass(frozen=True)
class _Ready:
    """The first message of a process."""


@dataclass
class _Task(Generic[_Item]):
    item: _Item
    deaths: int = 0
    """How many processes died over it."""


class _Process(Generic[_Item]):
    """A worker process. It starts at once, and says when it is ready."""

    def __init__(self) -> None:
        # A fork would copy threads of Arrow and numpy in the middle of their work.
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other,), daemon=True)
        self.is_ready = False
        self.task: _Task[_Item] | None = None
        with other:
            self._process.start()

    def give(self, task: _Task[_Item], function: Callable[..., Any], arguments: object) -> None:
        """Let the process do a task. If it is dead, `receive` says so."""
        self.task = task
        with suppress(OSError):
            self.connection.send((function, task.item, arguments))

    def receive(self) -> Any:
        """The next message. Raises EOFError or OSError if the process is dead."""
        return self.connection.recv()

    def kill(self) -> None:
        """End the process at once."""
        self.connection.close()
        self._process.kill()
        self._process.join()

    def let_end(self) -> None:
        """Tell the process that there are no more tasks."""
        self.connection.close()

    def wait_for_end(self) -> None:
        """Wait until the process ends by itself, but not long."""
        self._process.join(_SECONDS_TO_END)
        self.kill()


class OnProcesses:
    """Some processes on this machine."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._failed_starts = 0
        self._processes: list[_Process[Any]] = []
        with self._stopped_after_an_error():
            self._replenish()

    def apply(
        self, function: Callable[..., _Result], items: Iterable[_Item], *arguments: object
    ) -> Iterator[tuple[_Item, _Result | Exception]]:
        """Each item with its result or error, in the order in which they arrive."""
        waiting = iter(items)
        again: deque[_Task[_Item]] = deque()

        def give_out() -> None:
            for process in self._processes:
                if process.task is None:
                    task = again.popleft() if again else next(map(_Task, waiting), None)
                    if task is None:
                        return
                    process.give(task, function, arguments)

        with self._stopped_after_an_error():
            self._replenish()
            give_out()
            while any(process.task is not None for process in self._processes):
                for process in self._with_news():
                    try:
                        message = process.receive()
                    except (EOFError, OSError):
                        yield from self._lost(process, again)
                        continue
                    if isinstance(message, _Ready):
                        process.is_ready = True
                        self._failed_starts = 0
                        continue
                    task, process.task = process.task, None
                    assert task is not None
                    give_out()  # before anything else is done here
                    yield task.item, message
                give_out()

    def stop(self) -> None:
        """Let all processes end. All their tasks are done."""
        for process in self._processes:
            process.let_end()
        for process in self._processes:
            process.wait_for_end()
        self._processes.clear()

    def kill(self) -> None:
        """End all processes at once."""
        for process in self._processes:
            process.kill()
        self._processes.clear()

    def _with_news(self) -> list[_Process[Any]]:
        by_connection = {process.connection: process for process in self._processes}
        return [by_connection[each] for each in wait(list(by_connection))]  # type: ignore[index]

    def _lost(
        self, process: _Process[_Item], again: deque[_Task[_Item]]
    ) -> Iterator[tuple[_Item, CorrigendaError]]:
        """Replace a process that died. Its task is done again, but not too often."""
        process.kill()
        self._processes.remove(process)
        task = process.task
        if not process.is_ready:
            self._count_failed_start("they end while they start")
        elif task is not None:
            task.deaths += 1
        self._replenish()
        if task is None:
            return
        if task.deaths < _ATTEMPTS:
            again.append(task)
            return
        yield (
            task.item,
            CorrigendaError(
                "several workers died while they scored the same partition",
                remedy="Most likely memory ran out: use fewer --workers. Finished work is kept.",
            ),
        )

    def _replenish(self) -> None:
        while len(self._processes) < self._count:
            try:
                self._processes.append(_started())
            except (OSError, RuntimeError) as error:  # there is no room for it, or it died at once
                self._count_failed_start(str(error))

    def _count_failed_start(self, reason: str) -> None:
        self._failed_starts += 1
        if self._failed_starts > _ATTEMPTS * self._count:
            raise CorrigendaError(
                f"the {self._count} worker processes cannot be started: {reason}",
                remedy="Use fewer --workers, or --workers 0 for this process alone. A program of "
                'your own needs `if __name__ == "__main__":` before its first call.',
            )

    @contextmanager
    def _stopped_after_an_error(self) -> Iterator[None]:
        """Kill all processes if the block does not end as it should."""
        try:
            yield
        except BaseException:
            self.kill()
            raise


def _started() -> _Process[Any]:
    """A process that sees no Ctrl-C. A thread starts it, so that an interrupt cannot stop that."""
    with ThreadPoolExecutor(1, initializer=ignore_interrupts) as thread:
        starting = thread.submit(_Process[Any])
        try:
            return starting.result()
        except KeyboardInterrupt:
            starting.result().kill()
            raise


def ignore_interrupts() -> None:
    """Let this thread, and all threads and processes that it starts, see no Ctrl-C.

    A terminal sends Ctrl-C to all processes. Only the client reacts, and stops the others.
    """
    if _CAN_BLOCK_SIGNALS:
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # its start would end the block
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


# --- In the worker process ------------------------------------------------------------------------


def _serve(connection: Connection) -> None:
    """Do tasks until there are no more."""
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    if not _CAN_BLOCK_SIGNALS:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        threading.Thread(target=_end_with_client, daemon=True).start()
    except RuntimeError:  # the system allows no more threads; the client counts a failed start
        return
    with connection, suppress(EOFError, OSError):
        connection.send(_Ready())
        while True:
            function, item, arguments = connection.recv()
            connection.send(_result(function, item, arguments))
    gc.freeze()  # Python would search all objects for cycles when it ends


def _end_with_client() -> None:
    """End at once when the client is gone, also in the middle of a task."""
    client = multiprocessing.parent_process()
    if client is not None:
        client.join()
        os._exit(1)


def _result(function: Callable[..., Any], item: object, arguments: tuple[object, ...]) -> Any:
    try:
        return function(item, *arguments)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return RuntimeError(f"{type(error).__name__}: {error}")
        return error
