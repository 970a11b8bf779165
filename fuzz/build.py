"""Compiles the fuzz target of the kernels, by clang with libFuzzer or by g++ with own_loop.cpp.

    python fuzz/build.py FOLDER [SANITIZERS]

Prints the program. The kernels are compiled without Python; each file once, on all cores.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
CPP = FUZZ.parent / "cpp"
SANITIZERS = "address,undefined"
FLAGS = ["-std=c++17", "-O1", "-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all",
         "-DCORRIGENDA_WITHOUT_PYTHON", "-pthread", f"-I{CPP}"]  # fmt: skip


def has_libfuzzer(compiler: str, folder: Path) -> bool:
    """Whether the compiler can link a program with libFuzzer."""
    empty = folder / "empty.cpp"
    empty.write_text(
        'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
    )
    command = [compiler, "-fsanitize=fuzzer", str(empty), "-o", str(folder / "empty")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def build(folder: Path, sanitizers: str = SANITIZERS) -> tuple[Path, bool]:
    """The program, and whether it is one of libFuzzer."""
    folder.mkdir(parents=True, exist_ok=True)
    clang = shutil.which("clang++")
    fuzzer = clang is not None and has_libfuzzer(clang, folder)
    compiler = clang if fuzzer and clang else os.environ.get("CXX") or shutil.which("g++") or "c++"
    sources = [*sorted(CPP.glob("*.cpp")), FUZZ / "kernels.cpp"]
    sources += [] if fuzzer else [FUZZ / "own_loop.cpp"]
    compiling = f"-fsanitize={sanitizers}" + (",fuzzer-no-link" if fuzzer else "")

    def compiled(source: Path) -> str:
        target = str(folder / f"{source.stem}.o")
        subprocess.run([compiler, *FLAGS, compiling, "-c", str(source), "-o", target], check=True)
        return target

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, sources))
    program = folder / "kernels"
    linking = f"-fsanitize={sanitizers}" + (",fuzzer" if fuzzer else "")
    subprocess.run([compiler, *objects, linking, "-pthread", "-o", str(program)], check=True)
    return program, fuzzer


if __name__ == "__main__":
    print(build(Path(sys.argv[1]), *sys.argv[2:3])[0])
