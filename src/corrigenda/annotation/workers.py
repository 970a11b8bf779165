"""Spread requests over worker processes.

When a worker dies, its chunk gets a second try. The run goes on in every case.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress

from corrigenda import progress
from corrigenda.annotation.request import Request, edits_from_plain
from corrigenda.annotation.worker import WorkerReply
from corrigenda.edits import Edit

RequestChunk = Sequence[Request]
Answer = tuple[RequestChunk, list[tuple[Edit, ...]] | None]
"""A chunk with its edits, or with None if two workers failed on it."""
_TRIES = 2
# After this many failures, workers clearly do not run on this machine.
_FAILURES_IN_A_ROW = 4
_SECONDS_BETWEEN_LOOKS = 0.5


def annotate_chunks(
    chunks: Sequence[RequestChunk], annotator: tuple[str, str, str], workers: int
) -> Iterator[Answer]:
    """Every chunk once, in the order in which the workers finish them.

    `annotator` is its class as `module:Class`, the folder of its model, and its merger.
    """
    pool = _Pool(chunks, _command(annotator))
    threads = [
        threading.Thread(target=pool.serve, daemon=True) for _ in range(min(workers, len(chunks)))
    ]
    try:
        for thread in threads:
            thread.start()
        for _ in chunks:
            yield pool.next_answer()
    finally:
        pool.stop()


class _Pool:
    """The chunks that are still to do, and the answers."""

    def __init__(self, chunks: Sequence[RequestChunk], command: Sequence[str]) -> None:
        self.answers: queue.Queue[Answer] = queue.Queue()
        self._command = command
        self._waiting = deque((chunk, _TRIES) for chunk in chunks)
        self._workers: set[_Worker] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def serve(self) -> None:
        """Take chunks one by one and give them to a worker. Start a new worker when it dies."""
        worker: _Worker | None = None
        failures = 0
        while (job := self._next()) is not None:
            chunk, tries = job
            try:
                worker = worker or self._started()
                self.answers.put((chunk, worker.annotate(chunk)))
                failures = 0
            except Exception:
                # Any error: each chunk must get an answer, or the parent would wait forever.
                self._end(worker)
                worker = None
                failures += 1
                self._again(chunk, tries - 1)
                if failures == _FAILURES_IN_A_ROW:
                    self._give_up()
        self._end(worker)

    def next_answer(self) -> Answer:
        """The next chunk that is done. The work can be ended while it waits."""
        while True:
            try:
                return self.answers.get(timeout=_SECONDS_BETWEEN_LOOKS)
            except queue.Empty:
                progress.waiting()

    def stop(self) -> None:
        """Kill all workers immediately."""
        with self._lock:
            self._stopped = True
            self._waiting.clear()
            workers = list(self._workers)
        for worker in workers:
            worker.kill()

    def _next(self) -> tuple[RequestChunk, int] | None:
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def _again(self, chunk: RequestChunk, tries: int) -> None:
        with self._lock:
            if tries and not self._stopped:
                self._waiting.append((chunk, tries))
                return
        self.answers.put((chunk, None))

    def _give_up(self) -> None:
        while (job := self._next()) is not None:
            self.answers.put((job[0], None))

    def _started(self) -> _Worker:
        worker = _Worker(self._command)
        with self._lock:
            self._workers.add(worker)
            stopped = self._stopped
        if stopped:
            worker.kill()
        return worker

    def _end(self, worker: _Worker | None) -> None:
        if worker is not None:
            worker.kill()
            with self._lock:
                self._workers.discard(worker)


def _command(annotator: tuple[str, str, str]) -> list[str]:
    return [sys.executable, "-P", "-m", "corrigenda.annotation.worker", *annotator]


class _WorkerError(Exception):
    """The worker died or could not answer."""


class _Worker:
    """One process and the two pipes to it."""

    def __init__(self, command: Sequence[str]) -> None:
        # The worker must import the same modules as its parent, and none from the current folder.
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "OMP_NUM_THREADS": "1",
        }
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
        except OSError as error:
            raise _WorkerError(str(error)) from error

    def annotate(self, chunk: RequestChunk) -> list[tuple[Edit, ...]]:
        """The edits of each request."""
        reply = self._exchange(json.dumps(chunk).encode() + b"\n")
        edits = reply.get("edits")
        if edits is None or len(edits) != len(chunk):
            raise _WorkerError(str(reply))
        return [edits_from_plain(found) for found in edits]

    def _exchange(self, line: bytes) -> WorkerReply:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
            reply: WorkerReply = json.loads(self.process.stdout.readline())
        except (OSError, ValueError) as error:
            # A broken pipe or an incomplete line means that the worker died.
            raise _WorkerError(str(error)) from error
        return reply

    def kill(self) -> None:
        """Kill the process and wait for its end."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
