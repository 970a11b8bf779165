"""Imports point one way through the rooms of the package, lazy imports included."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "src" / "corrigenda"
FLOW = (
    {"_version", "errors", "progress", "_kernels"},
    {"cache"},
    {"kernels"},
    {"text"},
    {"edits"},
    {"corpus", "judgments"},
    {"formats"},
    {"core"},
    {"annotation", "neural"},
    {"metrics"},
    {"scoring"},
    {"analysis"},
    {"human"},
    {"data"},
    {"meta"},
    {"bulk", "rewards", "report"},
    {"cli"},
    {"__main__"},
)
"""The rooms from the ground up. A room imports from rooms before it; rooms of one set do not mix."""
PLACE = {room: place for place, rooms in enumerate(FLOW) for room in rooms}
# A module by its name in a string is an import for later: registries, worker processes.
_NAMED = re.compile(r"corrigenda(\.[a-z_0-9]+)+(:\w+)?")


def room_of(module: str) -> str:
    """`metrics` of `corrigenda.metrics.green`."""
    return module.split(".")[1]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts != ("__init__",):  # it loads the public names of all rooms on demand
            yield ".".join(("corrigenda", *parts)).removesuffix(".__init__"), path


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module of the package that a file imports: at the top, in functions, for types, by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "corrigenda":
            yield from (f"corrigenda.{name.name}" for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, "imports are absolute here"
            yield from (_module(node.module, name.name) for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.Constant) and _NAMED.fullmatch(str(node.value)):
            yield str(node.value).partition(":")[0]


def _module(package: str, name: str) -> str:
    """The module that `from package import name` loads."""
    inside = PACKAGE.joinpath(*package.split(".")[1:], name)
    is_module = inside.with_suffix(".py").is_file() or (inside / "__init__.py").is_file()
    return f"{package}.{name}" if is_module else package


def edges() -> list[tuple[str, str]]:
    return [
        (module, target)
        for module, path in modules()
        for target in imported(ast.parse(path.read_text(encoding="utf-8")))
        if target.startswith("corrigenda.")
    ]


def test_every_room_has_a_place() -> None:
    assert {room_of(module) for module, _ in modules()} <= PLACE.keys()


@pytest.mark.parametrize("room", sorted(PLACE.keys() - {"_version", "_kernels", "__main__"}))
def test_imports_point_back(room: str) -> None:
    wrong = [
        f"{module} imports {target}"
        for module, target in edges()
        if room_of(module) == room != room_of(target)
        and PLACE.get(room_of(target), len(FLOW)) >= PLACE[room]
    ]
    assert not wrong


def test_no_two_modules_import_each_other_when_they_load() -> None:
    """Imports at the top of modules have no cycle."""
    known = dict(modules())
    graph: dict[str, set[str]] = {}
    for module, path in known.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        top = ast.Module([node for node in tree.body if not isinstance(node, ast.If)], [])
        found = {
            target
            for node in top.body
            if isinstance(node, ast.Import | ast.ImportFrom)
            for target in imported(ast.Module([node], []))
        }
        graph[module] = {target for target in found if target in known and target != module}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " imports ".join((*path, module))
        if module not in done:
            for target in graph[module]:
                visit(target, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def test_the_map_of_the_house_shows_every_room() -> None:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = PLACE.keys() - {"_version", "_kernels", "__main__"}
    assert not [room for room in sorted(rooms) if f"`{room}" not in text]
