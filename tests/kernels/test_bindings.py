"""A kernel is one C++ file that compiles with and without Python, and one wrapper."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from corrigenda import _kernels
from corrigenda.kernels import NgramIndex, Vocabulary
from corrigenda.kernels.minimal_edits import minimal_edits
from corrigenda.kernels.ragged import one_reference
from public_data import full

HERE = Path(__file__).resolve().parent
CPP = HERE.parents[1] / "cpp"
PACKAGE = HERE.parents[1] / "src" / "corrigenda"
COMPILER = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
SOURCES = sorted(CPP.glob("*.cpp"))

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")


def compile_without_python(*arguments: str | Path) -> None:
    command = [str(COMPILER), "-std=c++17", "-pthread", f"-I{CPP}", "-DCORRIGENDA_WITHOUT_PYTHON"]
    result = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


@needs_compiler
@full
@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_every_file_compiles_without_python(source: Path) -> None:
    compile_without_python("-fsyntax-only", source)


@needs_compiler
@pytest.mark.slow
def test_kernels_count_the_same_without_python(tmp_path: Path) -> None:
    program = tmp_path / "without_python"
    kernels = [
        CPP / f"{name}.cpp"
        for name in ("alignment_memory", "minimal_edits", "ngram", "ngram_trie", "vocabulary")
    ]
    compile_without_python("-o", program, HERE / "without_python.cpp", *kernels)
    printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout

    words = Vocabulary()
    texts = words.add(["a b c d"]), words.add(["a e c d"])
    index = NgramIndex(*texts, one_reference(), order=2, pooled=False, threads=1)
    counts = index.count(words.encode(["a e c f"]), threads=1)
    spans = minimal_edits(*texts, one_reference(), threads=1).spans
    numbers = [[int(number) for number in line.split()] for line in printed.splitlines()]
    assert numbers == [counts.ravel().tolist(), spans.ravel().tolist()]


def bound_names() -> set[str]:
    """The names in the compiled module."""
    return {name for name in vars(_kernels) if not name.startswith("_")}


def used_names() -> set[str]:
    """The names of the compiled module that the wrappers use."""
    wrappers = (PACKAGE / "kernels").glob("*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in wrappers)
    return set(re.findall(r"\b_kernels\.(\w+)", text))


def test_wrappers_use_exactly_what_is_bound() -> None:
    """The compiled module has no types, so the type checker does not find a wrong name."""
    assert used_names() == bound_names()


def test_only_wrappers_use_the_compiled_module() -> None:
    users = {
        path.relative_to(PACKAGE).parts[0]
        for path in PACKAGE.rglob("*.py")
        if re.search(r"^\s*(from|import) .*\b_kernels\b", path.read_text(encoding="utf-8"), re.M)
    }
    assert users == {"kernels"}


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_bindings_have_the_name_of_their_file(source: Path) -> None:
    """A name that stands once cannot be registered twice."""
    registered = re.findall(r"^CORRIGENDA_BINDINGS\((\w+)\)", source.read_text("utf-8"), re.M)
    assert registered in ([], [source.stem])


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", ["kernels", "text_kernels", "parquet_kernels"])
def test_the_fuzz_targets_compile(name: str) -> None:
    compile_without_python("-fsyntax-only", CPP.parent / "fuzz" / f"{name}.cpp")
