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
MEMORY, THREADS = "address,undefined", "thread"
FLAGS = ["-std=c++17", "-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all",
         "-DCORRIGENDA_WITHOUT_PYTHON", "-DCORRIGENDA_SMALL_TABLES", "-pthread",
         f"-I{CPP}"]  # fmt: skip


def can_link(compiler: str, sanitizers: str, folder: Path) -> bool:
    """Whether the compiler can link a program with these sanitizers."""
    folder.mkdir(parents=True, exist_ok=True)
    empty = folder / "empty.cpp"
    entry = 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long)'
    empty.write_text("int main() {}" if "fuzzer" not in sanitizers else f"{entry} {{ return 0; }}")
    command = [compiler, f"-fsanitize={sanitizers}", str(empty), "-o", str(folder / "empty")]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def plain_compiler() -> str:
    """The compiler of the environment, or g++."""
    return os.environ.get("CXX") or shutil.which("g++") or "c++"


def chosen_compiler(folder: Path, sanitizers: str) -> tuple[str, bool]:
    """The compiler, and whether it has libFuzzer.

    libFuzzer counts what runs, in numbers that threads share. TSan would report them, so our own
    loop calls the target there.
    """
    clang = shutil.which("clang++")
    if sanitizers != THREADS and clang and can_link(clang, f"{sanitizers},fuzzer", folder):
        return clang, True
    return plain_compiler(), False


def compile_all(commands: dict[Path, list[str]], folder: Path) -> list[str]:
    """Compile each source by its command, on all cores; the object files."""

    def compiled(item: tuple[Path, list[str]]) -> str:
        source, command = item
        target = str(folder / f"{source.stem}.o")
        subprocess.run([*command, "-c", str(source), "-o", target], check=True)
        return target

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compiled, commands.items()))


def build(folder: Path, sanitizers: str = MEMORY) -> tuple[Path, bool]:
    """The program, and whether it is one of libFuzzer."""
    folder.mkdir(parents=True, exist_ok=True)
    compiler, fuzzer = chosen_compiler(folder, sanitizers)
    sources = [*sorted(CPP.glob("*.cpp")), *sorted(FUZZ.glob("*kernels.cpp"))]
    sources += [] if fuzzer else [FUZZ / "own_loop.cpp"]
    flags = [*FLAGS, f"-fsanitize={sanitizers}" + (",fuzzer-no-link" if fuzzer else "")]
    if sanitizers == THREADS:
        flags.append("-DCORRIGENDA_LARGE_BATCHES")
    objects = compile_all({source: [compiler, *flags] for source in sources}, folder)
    program = folder / "kernels"
    linking = f"-fsanitize={sanitizers}" + (",fuzzer" if fuzzer else "")
    subprocess.run([compiler, *objects, linking, "-pthread", "-o", str(program)], check=True)
    return program, fuzzer


if __name__ == "__main__":
    print(build(Path(sys.argv[1]), *sys.argv[2:3])[0])
