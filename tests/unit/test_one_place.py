"""Choice, sum and score meet in `core/scored.py` and `core/tally.py`, and nowhere else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "corrigenda"
MEETING_PLACE = {"core/scored.py", "core/tally.py"}
ASKS_FOR_THE_REACH = {"core/evaluate.py"}
"""Modules that ask how far a choice looks, and let `core/scored.py` choose."""
TOTALS = {"choose_all", "exact_totals", "totals"}
OF_A_METRIC = {"measures", "score"}
DEFINITIONS = ("core/choice.py", "core/optimal.py", "core/statistics.py")
"""Modules that define the steps, and build one from another."""


def steps(tree: ast.AST) -> Iterator[str]:
    """The steps of the pipeline that a module takes: `metric.policy(…)`, `chosen.totals(…)`, …"""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, receiver = node.func.attr, ast.unparse(node.func.value)
            if (
                (name == "policy" and receiver != "super()")
                or (name in TOTALS)
                or (name in OF_A_METRIC and receiver.split(".")[-1].strip("_") == "metric")
            ):
                yield f"{receiver}.{name}"


def modules() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name not in MEETING_PLACE and name not in DEFINITIONS:
            yield name


@pytest.mark.slow
def test_no_other_module_takes_a_step_of_the_pipeline() -> None:
    found = {
        name: list(steps(ast.parse((PACKAGE / name).read_text(encoding="utf-8"))))
        for name in modules()
    }
    assert {name for name, taken in found.items() if taken} == ASKS_FOR_THE_REACH


@pytest.mark.parametrize(
    "line",
    [
        "chosen = metric.policy(level).choose(statistics)",
        "select = self.policy('corpus').start()",
        "total = selection.chosen.totals(weights)",
        "value = self.metric.score(totals)",
        "value = self._metric.measures(totals, 'corpus').score",
    ],
)
def test_a_step_is_found(line: str) -> None:
    assert list(steps(ast.parse(line)))
