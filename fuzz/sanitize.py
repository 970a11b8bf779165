"""Runs the tests of the kernels on a module that was compiled with sanitizers.

    python fuzz/sanitize.py [ARGUMENTS OF PYTEST…]

First all tests of tests/kernels under ASan and UBSan, then the threaded kernels under TSan, by the
fuzz target with large batches. The compiler is g++ or the one of CXX.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import build

REPOSITORY = Path(__file__).resolve().parents[1]
FOLDER = REPOSITORY / "build" / "sanitize"
PACKAGE = FOLDER / "package"
SECONDS_OF_THREADS = 20
NO_EDITABLE = """\
import sys
finders = [each for each in sys.meta_path if type(each).__name__ != "ScikitBuildRedirectingFinder"]
sys.meta_path[:] = finders
"""
"""Python runs it at its start: an editable install would find its own module first."""


def compiled_module() -> Path:
    """A copy of the package whose compiled module has sanitizers."""
    import nanobind

    compiler = build.plain_compiler()
    shutil.rmtree(PACKAGE, ignore_errors=True)
    shutil.copytree(REPOSITORY / "src" / "corrigenda", PACKAGE / "corrigenda")
    (PACKAGE / "sitecustomize.py").write_text(NO_EDITABLE, encoding="utf-8")
    for stale in (PACKAGE / "corrigenda").glob("_kernels*.so"):
        stale.unlink()
    include = Path(nanobind.include_dir())
    flags = ["-std=c++17", "-O1", "-g1", "-fPIC", "-fno-omit-frame-pointer", "-fvisibility=hidden",
             "-fno-sanitize-recover=undefined", "-pthread", f"-I{REPOSITORY / 'cpp'}",
             f"-I{include}", f"-I{include.parent / 'ext' / 'robin_map' / 'include'}",
             f"-I{sysconfig.get_paths()['include']}"]  # fmt: skip
    checked = [compiler, *flags, f"-fsanitize={build.MEMORY}"]
    commands = dict.fromkeys(sorted(build.CPP.glob("*.cpp")), checked)
    # The binding library is not ours: it is compiled, but not checked.
    library = include.parent / "src" / "nb_combined.cpp"
    objects = build.compile_all(
        {library: [compiler, *flags, "-fno-strict-aliasing"], **commands}, FOLDER
    )
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    module = PACKAGE / "corrigenda" / f"_kernels{suffix}"
    linking = [compiler, "-shared", "-pthread", f"-fsanitize={build.MEMORY}", *objects]
    subprocess.run([*linking, "-o", str(module)], check=True)
    return module


def preloaded() -> str:
    """The libraries of the sanitizers, which must be loaded before Python."""
    found = [
        subprocess.run(
            [build.plain_compiler(), f"-print-file-name={name}"],
            capture_output=True, text=True, check=True,
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]  # fmt: skip
    return " ".join(path for path in found if Path(path).is_absolute())


def under_address_sanitizer(arguments: list[str]) -> int:
    """The exit code of the tests."""
    module = compiled_module()
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
    asked = [sys.executable, "-c", "import corrigenda._kernels as module; print(module.__file__)"]
    used = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True)
    if Path(used.stdout.strip()) != module:
        sys.exit(f"The tests would not use {module}, but {used.stdout.strip()}.")
    tests = arguments or ["tests/kernels"]
    # These tests compile programs of their own, or replace pthread_create.
    skipped = "not (test_parallel_threads or test_bindings or test_python2_random)"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", skipped]
    return subprocess.run([*command, *tests], env=environment, cwd=REPOSITORY).returncode


def under_thread_sanitizer() -> int:
    """The exit code of the fuzz target under TSan: large batches on two threads, shared data."""
    program, _ = build.build(FOLDER / "threads", build.THREADS)
    folders = [build.FUZZ / name / "kernels" for name in ("seeds", "regressions")]
    files = [str(file) for folder in folders for file in sorted(folder.iterdir())]
    command = [str(program), str(SECONDS_OF_THREADS), "1", *files]
    done = _finished(command)
    if "unexpected memory mapping" in done.stderr:
        # Older TSans need addresses that are not at random.
        done = _finished(["setarch", "-R", *command])
    runs = re.search(r"\d+ runs", done.stdout)
    print(f"threads: {runs[0] if runs else 'no runs'}, exit code {done.returncode}")
    if done.returncode:
        print(done.stderr[:6000])
    return done.returncode


def _finished(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=FOLDER)


def main(arguments: list[str]) -> int:
    """Both; the exit code is that of the first that failed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    return under_address_sanitizer(arguments) or under_thread_sanitizer()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
