"""Every file and module that a comment or docstring names exists."""

from __future__ import annotations

import ast
import io
import pkgutil
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (".ci", "benchmarks", "cpp", "docs", "fuzz", "src", "tests")
FILES = frozenset(
    f"/{path.relative_to(ROOT).as_posix()}"
    for path in [*ROOT.iterdir(), *(path for name in FOLDERS for path in (ROOT / name).rglob("*"))]
)
SOURCES = sorted(
    path
    for folder in ("cpp", "src", "tests")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".cpp", ".hpp", ".js", ".py", ".pyi"}
)

# A path from the root of the repository, or the name of a source or documentation file.
PATH = re.compile(
    rf"(?<![\w/.:-])(?:(?:{'|'.join(FOLDERS)})/[\w./-]*\w|[\w./-]*\w\.(?:cpp|hpp|js|md|pyi?))(?!\w)"
)
IMPORT = re.compile(r"^\s*(?:from|import) .*$|^#include .*$", re.MULTILINE)
MODULE = re.compile(r"(?<![\w/.-])corrigenda(?:\.[A-Za-z_]\w*)+")


def python_comments(text: str) -> Iterator[str]:
    """Comments, and strings that stand alone: docstrings of modules, classes and functions."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def comments(text: str, suffix: str) -> Iterator[str]:
    if suffix in {".py", ".pyi"}:
        yield from python_comments(text)
    else:
        yield from re.findall(r"(?:^|\s)//\s(.*)", text)


def missing(text: str, suffix: str) -> list[str]:
    found: list[str] = []
    # Most files name nothing outside of their imports. To find their comments takes long.
    rest = IMPORT.sub("", text)
    if not PATH.search(rest) and not MODULE.search(rest):
        return found
    for comment in comments(text, suffix):
        paths = PATH.findall(comment)
        found += [name for name in paths if not any(path.endswith(f"/{name}") for path in FILES)]
        found += [name for name in MODULE.findall(comment) if not is_importable(name)]
    return found


def is_importable(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


@pytest.mark.slow
def test_every_reference_in_a_comment_exists() -> None:
    assert {
        path.relative_to(ROOT).as_posix(): names
        for path in SOURCES
        if (names := missing(path.read_text(encoding="utf-8"), path.suffix))
    } == {}


@pytest.mark.parametrize(
    ("text", "suffix", "expected"),
    [
        ("// Shown in docs/adr (see ADR-draft.md).\n", ".hpp", ["ADR-draft.md"]),
        ("int a;  // see cpp/no_such.hpp.\n", ".cpp", ["cpp/no_such.hpp"]),
        ('#include "no_such.hpp"\n', ".cpp", []),
        ("// See docs/adr/0010-m2-without-its-arcs.md, cpp/lattice.hpp and cpp.\n", ".hpp", []),
        ('"""See docs/adr/0010."""\n', ".py", ["docs/adr/0010"]),
        ("a = 1  # see tests/unit/test_no_such.py\n", ".py", ["tests/unit/test_no_such.py"]),
        ('a = "docs/written_by_a_user.md"\n', ".py", []),
        ("# corrigenda.no_such, not corrigenda.scoring\n", ".py", ["corrigenda.no_such"]),
    ],
)
def test_the_check_itself(text: str, suffix: str, expected: list[str]) -> None:
    assert missing(text, suffix) == expected
