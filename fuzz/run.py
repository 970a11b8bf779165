"""Fuzzes all targets for SECONDS in all: the readers, then the kernels.

    python fuzz/run.py SECONDS [TARGET…]

Half of the time is for the readers, half for the kernels; or all of it for the targets that are
named. The exit code is 1 if a rule was broken. Without a C++ compiler that has sanitizers, the
kernels are left out, and a line says so.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import build
import readers
import runs

KERNELS = "kernels"
ENVIRONMENT = {
    **os.environ,
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def kernel_inputs() -> list[str]:
    """The seeds and the regressions of the kernels."""
    folders = (readers.FUZZ / "seeds" / KERNELS, readers.FUZZ / "regressions" / KERNELS)
    return [str(file) for folder in folders for file in sorted(folder.iterdir())]


def _finished(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, text=True, errors="replace", check=False,
        cwd=runs.FOLDER,
    )  # fmt: skip


def fuzz_kernels(seconds: int) -> int:
    """Build the target and run it; the exit code."""
    folder = runs.FOLDER / KERNELS
    compiler, _ = build.chosen_compiler(folder, build.MEMORY)
    if not build.can_link(compiler, build.MEMORY, folder):
        print(f"kernels: left out, because {compiler} has no sanitizers")
        return 0
    program, is_libfuzzer = build.build(folder)
    # libFuzzer puts what it finds into the first folder.
    corpus = runs.FOLDER / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    begin = [str(program)] if is_libfuzzer else [str(program), "0", "0"]
    before = _finished([*begin, *kernel_inputs()])
    if before.returncode:
        print(f"kernels: a seed or a regression failed\n{before.stderr[-3000:]}")
        return 1
    command = [str(program), str(seconds), str(int(time.time())), *kernel_inputs()]
    if is_libfuzzer:
        command = [
            str(program), f"-max_total_time={seconds}", "-max_len=400", "-timeout=20",
            "-rss_limit_mb=2000", "-print_final_stats=1", str(corpus),
            *(str(readers.FUZZ / name / KERNELS) for name in ("seeds", "regressions")),
        ]  # fmt: skip
    done = _finished(command)
    shown = done.stdout + done.stderr
    found = re.search(r"number_of_executed_units: (\d+)|(\d+) runs", shown)
    count = int(found[1] or found[2]) if found else 0
    runs.keep(KERNELS, seconds, count, int(done.returncode != 0))
    tool = "libFuzzer" if is_libfuzzer else "own loop"
    print(f"{KERNELS:16} {count:9,} runs by {tool}, {int(done.returncode != 0)} findings")
    if done.returncode:
        print(shown[-6000:])
    return int(done.returncode != 0)


def main(seconds: int, targets: list[str]) -> int:
    """Fuzz everything, or the targets; the exit code."""
    if not targets:
        return readers.main([str(seconds / 2)]) | fuzz_kernels(max(1, seconds // 2))
    share = seconds // len(targets)
    others = [target for target in targets if target != KERNELS]
    failed = readers.main([str(share * len(others)), *others]) if others else 0
    return failed | (fuzz_kernels(share) if KERNELS in targets else 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
