"""Two things never share a name: classes and types, and names that modules import bare."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "corrigenda"
TYPE = re.compile(r"_*[A-Z]\w*[a-z]\w*")


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(("corrigenda", *parts)).removesuffix(".__init__")
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def definitions(module: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name of a module with what it means: equal aliases mean the same everywhere."""
    branches = [part for node in tree.body if isinstance(node, ast.If) for part in node.body]
    for node in [*tree.body, *branches]:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name, f"{module}:{node.name}"
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, ast.unparse(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, f"{module}:{node.target.id}"


@cache
def known() -> dict[str, dict[str, str]]:
    return {name: dict(definitions(name, tree)) for name, tree in modules()}


def several(meanings: dict[str, set[str]]) -> dict[str, set[str]]:
    return {name: found for name, found in meanings.items() if len(found) > 1}


def test_types_have_names_of_their_own() -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for defined in known().values():
        for name, meaning in defined.items():
            if TYPE.fullmatch(name):
                meanings[name].add(meaning)
    assert not several(meanings)


@pytest.mark.slow
def test_a_bare_name_means_the_same_in_every_module() -> None:
    """`from m import read` and `from n import read` would; `m.read` and `n.read` are clear."""
    meanings: dict[str, set[str]] = defaultdict(set)
    for _, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in known():
                for each in node.names:
                    if meaning := known()[node.module].get(each.name):
                        meanings[each.asname or each.name].add(meaning)
    assert not several(meanings)
