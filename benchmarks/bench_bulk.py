"""`corrigenda bulk` with GREEN and M² on generated rows: growing sizes, one worker and two."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from generate import changed, correct_text
from measuring import Point, Row, Series, Time

SHARD = 500_000
SHARDS = (1, 2, 5, 10)
QUICK_SHARD = 2_000
QUICK_SHARDS = (1, 2)
METRICS = ("green", "m2")
ROW_GROUP = 50_000


def run(quick: bool) -> list[Row]:
    """Score the same rows with one worker and with two."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = 2 * (QUICK_SHARD if quick else SHARD)
        shards = _write_shards(folder, 2, rows // 2)
        one, two = (_measured(shards, folder / "out", workers)[0] for workers in (1, 2))
    note = f"{rows / two.clock:,.0f} rows per second; one worker: {rows / one.clock:,.0f}"
    return [
        Row(
            f"`bulk`, GREEN and M², {rows:,} rows, 2 workers",
            two,
            one,
            "the same with 1 worker",
            note,
        ),
    ]


def growth(quick: bool) -> list[Series]:
    """Two workers. Each size is the beginning of the largest one.

    Memory is that of the largest process.
    """
    size, counts = (QUICK_SHARD, QUICK_SHARDS) if quick else (SHARD, SHARDS)
    points = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shards = _write_shards(folder, counts[-1], size)
        for count in counts:
            time_taken, memory = _measured(shards[:count], folder / "out", 2)
            points.append(Point(count * size, time_taken, memory))
    return [
        Series(
            "`corrigenda bulk`, 2 workers, generated rows",
            "GREEN and M², 1 reference",
            "rows",
            points,
        )
    ]


def _write_shards(folder: Path, count: int, rows: int) -> list[Path]:
    random = np.random.default_rng(0)
    paths = []
    for number in range(count):
        paths.append(folder / f"shard-{number:02}.parquet")
        schema = pa.schema([(name, pa.string()) for name in ("source", "hypothesis", "references")])
        with pq.ParquetWriter(paths[-1], schema) as writer:
            for begin in range(0, rows, ROW_GROUP):
                perfect = correct_text(min(ROW_GROUP, rows - begin), random)
                source = changed(perfect, 0.1, random)
                texts = (source, changed(source, 0.05, random), changed(perfect, 0.03, random))
                writer.write_table(
                    pa.table([pa.array(text.lines(), pa.string()) for text in texts], schema)
                )
    return paths


def _measured(shards: list[Path], output: Path, workers: int) -> tuple[Time, float]:
    """The time of a run with an empty output, and the memory of its largest process in MiB."""
    shutil.rmtree(output, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "corrigenda",
        "bulk",
        *map(str, shards),
        "--output",
        str(output),
    ]
    command += ["--metrics", *METRICS, "--workers", str(workers)]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    watch = _MemoryWatch(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    # The command waits for its workers, so their processor time is included.
    return Time(clock, usage.ru_utime + usage.ru_stime), watch.stop()


class _MemoryWatch:
    """Samples the memory of each process of a tree five times per second."""

    def __init__(self, process: int) -> None:
        self._largest = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(
            target=self._look, args=(psutil.Process(process),), daemon=True
        )
        self._thread.start()

    def _look(self, top: psutil.Process) -> None:
        while not self._ended.wait(0.2):
            try:
                for process in (top, *top.children(recursive=True)):
                    self._largest = max(self._largest, process.memory_info().rss)
            except psutil.NoSuchProcess:
                continue

    def stop(self) -> float:
        self._ended.set()
        self._thread.join()
        return self._largest / 2**20
