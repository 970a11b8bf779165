"""Times, ratios and how they are shown."""

from __future__ import annotations

import gc
import math
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Time:
    """Seconds on the clock, and seconds of processor time over all threads.

    Where other programs run at the same time the clock says little; the processor time is steadier,
    but it does not credit the use of several cores.
    """

    clock: float
    processor: float

    def __sub__(self, other: Time) -> Time:
        return Time(self.clock - other.clock, self.processor - other.processor)


@dataclass(frozen=True)
class Row:
    """One thing measured: our time, the peer's where there is one, and whatever else is worth saying."""

    what: str
    ours: Time
    peer: Time | None = None
    peer_name: str = ""
    note: str = ""


def best_time(call: Callable[[], object], repeats: int) -> Time:
    """The shortest of several runs: what else the machine does can only add to a time."""
    times = []
    for _ in range(repeats):
        gc.collect()
        clock, processor = time.perf_counter(), time.process_time()
        call()
        times.append(Time(time.perf_counter() - clock, time.process_time() - processor))
    return shortest(times)


def shortest(times: list[Time]) -> Time:
    return Time(min(item.clock for item in times), min(item.processor for item in times))


def time_of_process(command: list[str]) -> tuple[Time, float]:
    """The time of a process of its own, and the most memory it had, in MiB."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Time(clock, usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def assert_same(what: str, ours: float, peer: float, tolerance: float = 1e-9) -> None:
    """A ratio of times means something only where both compute the same number."""
    if not math.isclose(ours, peer, rel_tol=0, abs_tol=tolerance):
        raise AssertionError(f"{what}: ours is {ours!r}, the peer's {peer!r}")


def markdown(rows: list[Row]) -> str:
    """A table; the processor's time stands behind the clock's."""
    lines = ["| what | ours: clock (processor) | peer | its time | ratio | |", "|:--|--:|:--|--:|--:|:--|"]
    for row in rows:
        peer = shown(row.peer) if row.peer else ""
        ratio = (
            f"{times(row.peer.clock / row.ours.clock)} ({times(row.peer.processor / row.ours.processor)})"
            if row.peer
            else ""
        )
        lines.append(f"| {row.what} | {shown(row.ours)} | {row.peer_name} | {peer} | {ratio} | {row.note} |")
    return "\n".join(lines)


def shown(measured: Time) -> str:
    return f"{seconds(measured.clock)} ({seconds(measured.processor)})"


def seconds(value: float) -> str:
    return f"{1000 * value:.0f} ms" if value < 1 else f"{value:.1f} s"


def times(ratio: float) -> str:
    return f"{ratio:.1f}×" if ratio < 10 else f"{ratio:.0f}×"
