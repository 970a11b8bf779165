"""Bulk scoring when something breaks, with real processes.

No row is lost, no row is scored twice, and the totals are those of a run without trouble.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from bulk_tables import Rows, made_up_rows, scores, totals, write_jsonl, write_parquet
from public_data import full

METRICS = ["green", "m2"]
ROWS = 12_000
PARTITION = 300
HERE = ("--workers", "0")
ONE_WORKER = ("--workers", "1")
"""One worker process is enough where nothing depends on a second one, and starts sooner."""


@pytest.fixture(scope="module")
def rows() -> Rows:
    return made_up_rows(ROWS)


@pytest.fixture(scope="module")
def folder(rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two shards, and the results of a run without trouble."""
    folder = tmp_path_factory.mktemp("bulk")
    write_jsonl(rows[: ROWS // 2], folder / "a.jsonl")
    write_parquet(rows[ROWS // 2 :], folder / "b.parquet", row_group=PARTITION)
    subprocess.run(command(folder, folder / "expected", *HERE), check=True, capture_output=True)
    return folder


def command(folder: Path, output: Path, *options: str) -> list[str]:
    inputs = [str(folder / name) for name in ("a.jsonl", "b.parquet")]
    given = [
        "--metrics",
        *METRICS,
        "--partition-rows",
        str(PARTITION),
        *(options or ("--workers", "2")),
    ]
    return [sys.executable, "-m", "corrigenda", "bulk", *inputs, "--output", str(output), *given]


@pytest.fixture
def output(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "out"
    for process in psutil.process_iter(["cmdline"]):
        if str(tmp_path) in " ".join(process.info["cmdline"] or []):
            process.kill()


def start(folder: Path, output: Path) -> subprocess.Popen[bytes]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        command(folder, output), **pipes, preexec_fn=heed_interrupts, start_new_session=True
    )


def heed_interrupts() -> None:
    """A shell may let its background jobs, and so these tests, ignore interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for_records(output: Path, number: int, running: subprocess.Popen[bytes]) -> None:
    """Wait until this number of partitions is done."""
    while len(list((output / "records").glob("part-*.json"))) < number:
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)


def worker_processes(running: subprocess.Popen[bytes]) -> list[psutil.Process]:
    children = psutil.Process(running.pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def check_same(folder: Path, output: Path) -> None:
    assert totals(output) == totals(folder / "expected")
    found, expected = scores(output), scores(folder / "expected")
    assert found == expected
    assert found["row"] == [*range(ROWS // 2)] * 2
    assert list(output.rglob("*.tmp")) == []


def done(output: Path) -> int:
    return len(list((output / "records").glob("part-*.json")))


@pytest.mark.slow
def test_a_worker_that_is_killed(folder: Path, output: Path) -> None:
    running = start(folder, output)
    wait_for_records(output, 3, running)
    victim = worker_processes(running)[0]
    victim.kill()
    assert done(output) < 2 * ROWS // PARTITION
    printed, errors = running.communicate(timeout=300)
    assert running.returncode == 0, errors.decode()
    assert f"{ROWS:,} rows scored" in printed.decode()
    check_same(folder, output)


def wait_for_workers(running: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Wait until worker processes begin to start: they have not scored anything yet."""
    while running.poll() is None:
        with suppress(psutil.NoSuchProcess):
            if found := worker_processes(running):
                return found
        time.sleep(0.005)
    raise AssertionError(running.communicate())


@pytest.mark.slow
def test_a_worker_that_is_killed_while_it_starts(folder: Path, output: Path) -> None:
    """Two of them, so that none is left unless others are started."""
    running = start(folder, output)
    killed: set[int] = set()
    while len(killed) < 2:
        for victim in wait_for_workers(running):
            if victim.pid not in killed:
                victim.kill()
                killed.add(victim.pid)
    assert done(output) == 0
    _, errors = running.communicate(timeout=300)
    assert running.returncode == 0, errors.decode()
    check_same(folder, output)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0, pytest.param(0.3, marks=full), 1])
def test_ctrl_c_while_workers_start(folder: Path, output: Path, seconds: float) -> None:
    """A terminal sends Ctrl-C to all processes of the command, also to those that just start."""
    running = start(folder, output)
    workers = wait_for_workers(running)
    time.sleep(seconds)
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors.decode()) == (130, "corrigenda: interrupted\n")
    psutil.wait_procs(workers, timeout=60)
    assert not any(worker.is_running() for worker in workers), "workers outlive their client"


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=full)])
def test_a_client_that_is_killed_and_started_again(
    folder: Path, output: Path, how: signal.Signals
) -> None:
    running = start(folder, output)
    wait_for_records(output, 5, running)
    workers = worker_processes(running)
    running.send_signal(how)
    running.communicate(timeout=60)
    assert running.returncode != 0
    psutil.wait_procs(workers, timeout=60)
    assert not any(worker.is_running() for worker in workers), "workers outlive their client"
    kept = done(output)
    assert 5 <= kept < ROWS // PARTITION
    assert not (output / "totals.json").exists()
    again = subprocess.run(
        command(folder, output, *HERE), capture_output=True, text=True, timeout=300, check=True
    )
    assert f"an earlier run has scored {kept * PARTITION:,} rows" in again.stderr
    check_same(folder, output)


@pytest.mark.slow
def test_a_torn_file(folder: Path, output: Path) -> None:
    subprocess.run(command(folder, output, *HERE), check=True, capture_output=True)
    torn = output / "scores" / "part-00001-00002.parquet"
    with torn.open("r+b") as file:
        file.truncate(1000)
    again = subprocess.run(
        command(folder, output, *HERE), capture_output=True, text=True, timeout=300, check=True
    )
    assert "part-00001-00002.parquet is damaged: its rows are scored again" in again.stderr
    check_same(folder, output)


def small_files_only() -> None:
    """Writing more than 3,000 bytes to a file fails, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000))


@full
@pytest.mark.slow
def test_no_room_for_a_file(folder: Path, output: Path) -> None:
    crowded = subprocess.run(
        command(folder, output, *ONE_WORKER),
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=small_files_only,
    )
    assert crowded.returncode == 1
    assert "cannot write: file too large" in crowded.stderr
    assert "run the same command again" in crowded.stderr
    assert "Traceback" not in crowded.stderr
    assert list(output.rglob("part-*.parquet")) == []
    subprocess.run(command(folder, output, *HERE), check=True, capture_output=True, timeout=300)
    check_same(folder, output)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=350k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("a small disk needs the right to mount one")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.slow
def test_a_disk_that_is_full(folder: Path, small_disk: Path) -> None:
    output = small_disk / "out"
    full = subprocess.run(
        command(folder, output, *ONE_WORKER), capture_output=True, text=True, timeout=300
    )
    assert full.returncode == 1, full.stderr
    assert "no space left on device" in full.stderr
    assert "Traceback" not in full.stderr
    kept = done(output)
    assert 0 < kept < ROWS // PARTITION
    subprocess.run(["mount", "-o", "remount,size=50m", str(small_disk)], check=True)
    again = subprocess.run(
        command(folder, output, *HERE), capture_output=True, text=True, timeout=300, check=True
    )
    assert f"an earlier run has scored {kept * PARTITION:,} rows" in again.stderr
    check_same(folder, output)


@full
@pytest.mark.slow
def test_a_corrupt_shard_that_is_replaced(folder: Path, output: Path, tmp_path: Path) -> None:
    good = (folder / "b.parquet").read_bytes()
    for name in ("a.jsonl", "b.parquet"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    # A page in the middle is damaged. The footer, which is read first, is not.
    middle = len(good) // 2
    (tmp_path / "b.parquet").write_bytes(good[:middle] + bytes(2000) + good[middle + 2000 :])
    broken = subprocess.run(
        command(tmp_path, output, *ONE_WORKER), capture_output=True, text=True, timeout=300
    )
    assert broken.returncode == 1
    assert f"{tmp_path / 'b.parquet'}: cannot be read" in broken.stderr
    assert "Traceback" not in broken.stderr
    assert done(output) >= ROWS // 2 // PARTITION
    (tmp_path / "b.parquet").write_bytes(good)
    subprocess.run(command(tmp_path, output, *HERE), check=True, capture_output=True, timeout=300)
    assert totals(output) == totals(folder / "expected")
    assert scores(output)["green"] == scores(folder / "expected")["green"]
    assert scores(output)["row"] == [*range(ROWS // 2)] * 2
