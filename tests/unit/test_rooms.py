"""Imports point one way through the rooms of the package, lazy imports included."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "src" / "corrigenda"
FLOW = (
    {"_version", "beside", "errors", "progress", "_kernels"},
    {"arguments", "frames", "plotting"},
    {"cache", "writing"},
    {"kernels"},
    {"text"},
    {"edits"},
    {"corpus", "judgments"},
    {"formats"},
    {"health"},
    {"tokens"},
    {"core"},
    {"annotation", "neural"},
    {"metrics"},
    {"scoring"},
    {"analysis"},
    {"human"},
    {"data"},
    {"meta"},
    {"bulk", "calls", "rewards", "report", "judge", "passport"},
    {"codabench"},
    {"cli"},
    {"__main__"},
)
"""The rooms from the ground up. A room imports from rooms before it; rooms of one set do not mix."""
PLACE = {room: place for place, rooms in enumerate(FLOW) for room in rooms}
REGISTRIES = {
    "corrigenda.annotation.registry",
    "corrigenda.annotation.worker",
    "corrigenda.formats",
    "corrigenda.formats.registry",
    "corrigenda.human.methods",
    "corrigenda.meta.reproduce",
    "corrigenda.metrics",
}
"""Modules that import a module whose name is in a list of strings, or comes from one."""
# A module by its name in a string is an import for later: registries, worker processes.
_NAMED = re.compile(r"corrigenda(\.[a-z_0-9]+)+(:\w+)?")
_IMPORTERS = {"import_module", "resolve_name", "__import__"}


def room_of(module: str) -> str:
    """`metrics` of `corrigenda.metrics.green`; `corrigenda` of the root."""
    return module.split(".")[1] if "." in module else module


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts != ("__init__",):  # it loads the public names of all rooms on demand
            yield ".".join(("corrigenda", *parts)).removesuffix(".__init__"), path


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module of the package that a file imports: also in functions, for types, or by name.

    `corrigenda` alone is the root, which loads every room on demand.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            assert node.module is not None
            yield from (_module(node.module, name.name) for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.Constant) and _NAMED.fullmatch(str(node.value)):
            yield str(node.value).partition(":")[0]
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            begin = str(node.values[0].value)  # f"corrigenda.cli.{name}"
            if begin.startswith("corrigenda."):
                yield begin.rpartition(".")[0]


def computed_imports(tree: ast.AST) -> Iterator[str]:
    """Imports of modules whose names are neither a string nor an f-string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            if name in _IMPORTERS and not isinstance(node.args[0], ast.Constant | ast.JoinedStr):
                yield ast.unparse(node)
            named = next(iter(node.args), None)
            if name in _IMPORTERS and isinstance(named, ast.Constant):
                assert not str(named.value).startswith("."), "imports are absolute here"


def _module(package: str, name: str) -> str:
    """The module that `from package import name` loads."""
    if package == "corrigenda":
        return f"corrigenda.{name}"
    inside = PACKAGE.joinpath(*package.split(".")[1:], name)
    is_module = inside.with_suffix(".py").is_file() or (inside / "__init__.py").is_file()
    return f"{package}.{name}" if is_module else package


@cache
def edges() -> list[tuple[str, str]]:
    return [
        (module, target)
        for module, path in modules()
        for target in imported(ast.parse(path.read_text(encoding="utf-8")))
        if target.split(".")[0] == "corrigenda"
    ]


def test_every_room_has_a_place() -> None:
    assert {room_of(module) for module, _ in modules()} <= PLACE.keys()


@pytest.mark.slow
@pytest.mark.parametrize("room", sorted(PLACE.keys() - {"_version", "_kernels", "__main__"}))
def test_imports_point_back(room: str) -> None:
    wrong = [
        f"{module} imports {target}"
        for module, target in edges()
        if room_of(module) == room != room_of(target)
        and PLACE.get(room_of(target), len(FLOW)) >= PLACE[room]
    ]
    assert not wrong


@pytest.mark.slow
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


@pytest.mark.slow
def test_only_registries_compute_the_names_of_modules() -> None:
    found = {
        module
        for module, path in modules()
        if list(computed_imports(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert found == REGISTRIES


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("import corrigenda", "corrigenda"),
        ("import corrigenda.cli.score", "corrigenda.cli.score"),
        ("from corrigenda import cli", "corrigenda.cli"),
        ("from corrigenda import evaluate", "corrigenda.evaluate"),
        ("from corrigenda.cli import score", "corrigenda.cli.score"),
        ("from corrigenda.cli.score import run", "corrigenda.cli.score"),
        ("def f():\n    from corrigenda.cli import main", "corrigenda.cli"),
        ("if TYPE_CHECKING:\n    from corrigenda.cli import main", "corrigenda.cli"),
        ("import_module('corrigenda.cli.score')", "corrigenda.cli.score"),
        ("HOME = 'corrigenda.cli.score:run'", "corrigenda.cli.score"),
        ("import_module(f'corrigenda.cli.{name}')", "corrigenda.cli"),
    ],
)
def test_every_way_to_import_is_seen(line: str, target: str) -> None:
    assert list(imported(ast.parse(line))) == [target]


@pytest.mark.parametrize(
    "line", ["from . import cli", "from .cli import main", "import_module('.cli', 'corrigenda')"]
)
def test_relative_imports_are_refused(line: str) -> None:
    tree = ast.parse(line)
    with pytest.raises(AssertionError, match="absolute"):
        list(imported(tree)) + list(computed_imports(tree))


def test_computed_names_are_seen() -> None:
    line = "importlib.import_module('corrigenda' + '.cli')"
    assert list(computed_imports(ast.parse(line)))


def test_the_table_of_rooms_has_the_order_of_the_flow() -> None:
    """CONTRIBUTING shows every room, and says that rooms import from earlier rows."""
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text[text.index("| room in `src/corrigenda` |") :].split("\n\n")[0]
    first_cells = re.findall(r"^\| (`[a-z]+`[^|]*) \|", table, re.MULTILINE)
    shown = [room for cell in first_cells for room in re.findall(r"`([a-z]+)`", cell)]
    rooms = PLACE.keys() - {"_version", "_kernels", "__main__"}
    assert sorted(shown) == sorted(rooms)
    assert [PLACE[room] for room in shown] == sorted(PLACE[room] for room in rooms)
