"""Runs the tests of the kernels on a module that was compiled with sanitizers.

    python fuzz/sanitize.py [ARGUMENTS OF PYTEST…]

First all tests of tests/kernels under ASan and UBSan, then the threaded kernels under TSan, by the
fuzz target with two threads. The compiler is g++ or the one of CXX.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import build

REPOSITORY = Path(__file__).resolve().parents[1]
FOLDER = REPOSITORY / "build" / "sanitize"
PACKAGE = FOLDER / "package"


def compiled_module() -> Path:
    """A copy of the package whose compiled module has sanitizers."""
    import nanobind

    compiler = os.environ.get("CXX") or shutil.which("g++") or "c++"
    shutil.rmtree(PACKAGE, ignore_errors=True)
    shutil.copytree(REPOSITORY / "src" / "corrigenda", PACKAGE / "corrigenda")
    for stale in (PACKAGE / "corrigenda").glob("_kernels*.so"):
        stale.unlink()
    include = Path(nanobind.include_dir())
    flags = ["-std=c++17", "-O1", "-g", "-fPIC", "-fno-omit-frame-pointer", "-fvisibility=hidden",
             "-fno-sanitize-recover=undefined", "-pthread", f"-I{REPOSITORY / 'cpp'}",
             f"-I{include}", f"-I{include.parent / 'ext' / 'robin_map' / 'include'}",
             f"-I{sysconfig.get_paths()['include']}"]  # fmt: skip
    sources = [*sorted((REPOSITORY / "cpp").glob("*.cpp"))]
    ours = dict.fromkeys(sources, "-fsanitize=address,undefined")
    # The binding library is not ours: it is compiled, but not checked.
    ours[include.parent / "src" / "nb_combined.cpp"] = "-fno-strict-aliasing"

    def compiled(item: tuple[Path, str]) -> str:
        source, sanitizers = item
        target = str(FOLDER / f"{source.stem}.o")
        subprocess.run([compiler, *flags, sanitizers, "-c", str(source), "-o", target], check=True)
        return target

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, ours.items()))
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    module = PACKAGE / "corrigenda" / f"_kernels{suffix}"
    linking = [compiler, "-shared", "-pthread", "-fsanitize=address,undefined", *objects]
    subprocess.run([*linking, "-o", str(module)], check=True)
    return module


def preloaded() -> str:
    """The libraries of the sanitizers, which must be loaded before Python."""
    compiler = os.environ.get("CXX") or "g++"
    names = ("libasan.so", "libubsan.so")
    found = [
        subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True,
                       check=True).stdout.strip() for name in names
    ]  # fmt: skip
    return " ".join(path for path in found if Path(path).is_absolute())


def under_address_sanitizer(arguments: list[str]) -> int:
    """The exit code of the tests."""
    compiled_module()
    environment = {
        **os.environ,
        "LD_PRELOAD": preloaded(),
        "PYTHONPATH": str(PACKAGE),
        "PYTHONMALLOC": "malloc",
        # Python itself keeps memory until it ends.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "HYPOTHESIS_PROFILE": "quick",
    }
    tests = arguments or ["tests/kernels"]
    # These tests compile programs of their own, or replace pthread_create.
    skipped = "not (test_parallel_threads or test_bindings or test_python2_random)"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", skipped]
    return subprocess.run([*command, *tests], env=environment, cwd=REPOSITORY).returncode


def under_thread_sanitizer() -> int:
    """The exit code of the fuzz target, whose batches use two threads, under TSan."""
    program, is_libfuzzer = build.build(FOLDER / "threads", "thread")
    folders = [build.FUZZ / name / "kernels" for name in ("seeds", "regressions")]
    files = [str(file) for folder in folders for file in sorted(folder.iterdir())]
    command = (
        [str(program), "-max_total_time=10", *map(str, folders)]
        if is_libfuzzer
        else [str(program), "10", "1", *files]
    )
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=FOLDER)
    runs = re.search(r"Done (\d+) runs|(\d+) runs", done.stdout + done.stderr)
    print(f"threads: {runs[0] if runs else 'no runs'}, exit code {done.returncode}")
    if done.returncode:
        print(done.stderr[-3000:])
    return done.returncode


def main(arguments: list[str]) -> int:
    """Both; the exit code is that of the first that failed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    return under_address_sanitizer(arguments) or under_thread_sanitizer()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
