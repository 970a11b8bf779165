"""A thread that cannot start makes a run slower. It never ends the process or changes a result."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CPP = HERE.parents[1] / "cpp"
COMPILER = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or COMPILER is None,
    reason="needs Linux and a C++ compiler: the test replaces pthread_create by LD_PRELOAD",
)


def compiled(target: Path, *arguments: str) -> Path:
    command = [str(COMPILER), "-std=c++17", "-O1", "-pthread", "-o", str(target), *arguments]
    subprocess.run(command, check=True)
    return target


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("parallel") / "parallel_check"
    return compiled(target, f"-I{CPP}", str(HERE / "parallel_check.cpp"))


@pytest.fixture(scope="module")
def refusal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("refusal") / "refuse_threads.so"
    return compiled(target, "-shared", "-fPIC", str(HERE / "refuse_threads.cpp"), "-ldl")


def run(
    program: Path,
    refusal: Path | None = None,
    *,
    starting: int = 0,
    threads: int = 8,
    allocations: int = -1,
    failure: str = "none",
) -> str:
    preload = {"LD_PRELOAD": str(refusal), "THREADS_THAT_START": str(starting)} if refusal else {}
    result = subprocess.run(
        [str(program), "1000", str(threads), "7", str(allocations), failure],
        env={**os.environ, **preload},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, f"ended with {result.returncode}: {result.stderr}"
    return result.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("threads", [0, 1, 2, 3, 8, 64])
def test_any_number_of_threads_visits_every_index_once(program: Path, threads: int) -> None:
    expected = f"{max(threads, 1)} workers, 1000 visited once, thrown: nothing"
    assert run(program, threads=threads) == expected


@pytest.mark.slow
@pytest.mark.parametrize("starting", [0, 1, 2, 6])
def test_refused_threads_leave_the_work_to_the_others(
    program: Path, refusal: Path, starting: int
) -> None:
    expected = f"{starting + 1} workers, 1000 visited once, thrown: nothing"
    assert run(program, refusal, starting=starting) == expected


@pytest.mark.slow
@pytest.mark.parametrize("allocations", [0, 1, 2, 5])
def test_no_memory_for_threads_leaves_the_work_to_the_others(
    program: Path, allocations: int
) -> None:
    """The first allocation is the list of threads; each thread then takes one."""
    expected = f"{max(allocations, 1)} workers, 1000 visited once, thrown: nothing"
    assert run(program, allocations=allocations) == expected


@pytest.mark.slow
@pytest.mark.parametrize("starting", [0, 2, 7])
@pytest.mark.parametrize(("failure", "message"), [("index", "at index 37"), ("make", "no worker")])
def test_exceptions_of_workers_reach_the_caller(
    program: Path, refusal: Path, starting: int, failure: str, message: str
) -> None:
    printed = run(program, refusal, starting=starting, failure=failure)
    assert printed.endswith(f"thrown: {message}")
    assert printed.startswith(f"{starting + 1} workers")


@pytest.mark.parametrize("starting", [1, 7])
def test_exceptions_of_other_threads_reach_the_caller(
    program: Path, refusal: Path, starting: int
) -> None:
    printed = run(program, refusal, starting=starting, failure="other")
    assert printed.endswith("thrown: in another thread")


KERNELS = """
import os
import numpy as np
from corrigenda.kernels import NgramIndex, Ragged
from corrigenda.kernels.minimal_edits import minimal_edits

random = np.random.default_rng(0)
sentences = 2000
texts = [
    Ragged(random.integers(0, 9, 12 * sentences, np.int32), np.arange(0, 12 * sentences + 1, 12))
    for _ in range(3)
]
one_each = np.arange(sentences + 1)


def results(threads):
    index = NgramIndex(*texts[:2], one_each, order=4, pooled=False, threads=threads)
    counts = index.count(texts[2], threads=threads)
    edits = minimal_edits(*texts[:2], one_each, threads=threads)
    return counts, edits.spans, edits.offsets


alone = results(1)
os.environ["THREADS_THAT_START"] = "2"
for threads in (8, 2):
    for found, expected in zip(results(threads), alone, strict=True):
        np.testing.assert_array_equal(found, expected)
print("the same")
"""


@pytest.mark.slow
def test_kernels_give_the_same_counts_without_threads(refusal: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", KERNELS],
        env={**os.environ, "LD_PRELOAD": str(refusal)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, f"ended with {result.returncode}: {result.stderr}"
    assert result.stdout == "the same\n"
