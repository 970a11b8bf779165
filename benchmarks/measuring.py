"""The results of a benchmark: rows with our time and a peer's, and series of times by size."""

from __future__ import annotations

import gc
import importlib.metadata
import importlib.util
import math
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Time:
    """Seconds on the clock, and seconds of processor time over all threads.

    If other programs run at the same time, the clock says little. The processor time is steadier,
    but it does not show the gain from using several cores.
    """

    clock: float
    processor: float

    def __sub__(self, other: Time) -> Time:
        return Time(self.clock - other.clock, self.processor - other.processor)


@dataclass(frozen=True)
class Row:
    """One measurement: our time, the peer's time if there is a peer, and a note.

    `package` is the package of the peer; the table shows its version. A row with a package but
    without a peer's time says that the peer is not installed.
    """

    what: str
    ours: Time
    peer: Time | None = None
    peer_name: str = ""
    note: str = ""
    package: str = ""


@dataclass(frozen=True)
class Point:
    """A size, its time, and the peak memory in MiB if that was measured."""

    size: int
    time: Time
    memory: float | None = None


@dataclass(frozen=True)
class Series:
    """How a time grows: one line of a plot.

    Series with the same title share a plot. `unit` says what the size counts.
    """

    title: str
    name: str
    unit: str
    points: list[Point] = field(default_factory=list)

    @property
    def exponent(self) -> float | None:
        """Time grows as size to this power.

        It is the slope over the larger half of the points on logarithmic axes.
        """
        larger = [point for point in self.points[len(self.points) // 2 - 1 :] if point.size > 0]
        if len(larger) < 2:
            return None
        first, last = larger[0], larger[-1]
        ratio = max(last.time.processor, 1e-9) / max(first.time.processor, 1e-9)
        return math.log(ratio) / math.log(last.size / first.size)


def best_time(call: Callable[[], object], repeats: int) -> Time:
    """The shortest of several runs, because other work on the machine can only add to a time."""
    times = []
    for _ in range(repeats):
        gc.collect()
        clock, processor = time.perf_counter(), time.process_time()
        call()
        times.append(Time(time.perf_counter() - clock, time.process_time() - processor))
    return shortest(times)


def shortest(times: list[Time]) -> Time:
    return Time(min(item.clock for item in times), min(item.processor for item in times))


def if_installed(module: str, measure: Callable[[], Time]) -> Time | None:
    """The peer's time, or None if the peer is not installed; our own time is still useful."""
    return measure() if importlib.util.find_spec(module) is not None else None


def version_of(package: str) -> str | None:
    """The installed version of a package, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def time_of_process(command: list[str]) -> tuple[Time, float]:
    """The time of a command in a new process, and its peak memory in MiB."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Time(clock, usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def assert_same(what: str, ours: float, peer: float, tolerance: float = 1e-9) -> None:
    """Check that both compute the same number; else a ratio of times means nothing."""
    if not math.isclose(ours, peer, rel_tol=0, abs_tol=tolerance):
        raise AssertionError(f"{what}: ours is {ours!r}, the peer's {peer!r}")
