"""Fuzzes all targets for SECONDS in all: the readers, then the kernels.

    python fuzz/run.py SECONDS

Half of the time is for the readers, half for the kernels. The exit code is 1 if a rule was broken.
Without a C++ compiler that has sanitizers, the kernels are left out, and a line says so.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import build
import readers

FOLDER = readers.FUZZ.parent / "build" / "fuzz"
ENVIRONMENT = {
    **os.environ,
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def kernel_inputs() -> list[str]:
    """The seeds and the regressions of the kernels."""
    folders = (readers.FUZZ / "seeds" / "kernels", readers.FUZZ / "regressions" / "kernels")
    return [str(file) for folder in folders for file in sorted(folder.iterdir())]


def fuzz_kernels(seconds: int) -> int:
    """Build the target and run it; the exit code."""
    try:
        program, is_libfuzzer = build.build(FOLDER / "kernels")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"kernels: left out, because they cannot be built with sanitizers: {error}")
        return 0
    corpus = FOLDER / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    before = subprocess.run([program, *kernel_inputs()] if is_libfuzzer else
                            [program, "0", "0", *kernel_inputs()],
                            env=ENVIRONMENT, capture_output=True, text=True, check=False,
                            cwd=FOLDER)  # fmt: skip
    if before.returncode:
        print(f"kernels: a seed or a regression failed\n{before.stderr[-3000:]}")
        return 1
    command = [str(program), str(seconds), str(int(time.time())), *kernel_inputs()]
    if is_libfuzzer:
        command = [
            str(program), f"-max_total_time={seconds}", "-max_len=400", "-timeout=20",
            "-rss_limit_mb=2000", "-print_final_stats=1", str(corpus),
            *(str(readers.FUZZ / name / "kernels") for name in ("seeds", "regressions")),
        ]  # fmt: skip
    done = subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, text=True, check=False, cwd=FOLDER
    )
    shown = done.stdout + done.stderr
    runs = re.search(r"number_of_executed_units: (\d+)|(\d+) runs", shown)
    count = int(runs[1] or runs[2]) if runs else 0
    tool = "libFuzzer" if is_libfuzzer else "own loop"
    print(f"kernels ({tool})  {count:,} runs, {int(done.returncode != 0)} findings")
    if done.returncode:
        print(shown[-3000:])
    return int(done.returncode != 0)


def main(seconds: int) -> int:
    """Fuzz everything; the exit code."""
    failed = readers.main([str(seconds / 2)])
    return failed | fuzz_kernels(max(1, seconds // 2))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
