"""Every command and every public name is documented; the examples of docstrings are true."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import corrigenda
from corrigenda.cli import GROUPS

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMANDS = [name for names in GROUPS.values() for name in names]
NAMES = [name for name in corrigenda.__all__ if name != "__version__"]
CALLS = [name for name in NAMES if not inspect.isclass(getattr(corrigenda, name))]
PARAMETER = re.compile(r"^ {8}(\w+): ", re.MULTILINE)


def pages() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md")))


def described(name: str):
    """What has the docstring: `report` and `meta` are rooms that can be called."""
    found = getattr(corrigenda, name)
    return inspect.unwrap(found) if inspect.ismodule(found) else found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_on_a_page(name):
    assert re.search(rf"(?:corrigenda |`){name}\b", pages()), f"no page shows corrigenda {name}"


def test_every_public_name_is_in_the_api_page():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    assert [name for name in corrigenda.__all__ if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", CALLS)
def test_docstrings_of_calls_have_parameters_returns_and_an_example(name):
    call = described(name)
    text = call.__doc__ or ""
    assert PARAMETER.findall(text) == list(inspect.signature(call).parameters)
    assert "\n    Returns:\n" in text
    assert ">>> " in text


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_examples_of_docstrings_are_true(name):
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder(recurse=False).find(described(name), name, globs={}):
        assert runner.run(test).failed == 0


@pytest.mark.parametrize(
    ("call", "options"),
    [("compare", "compare"), ("slices", "slices"), ("report", "report"), ("rank", "rank")],
)
def test_calls_have_the_defaults_of_their_commands(call, options):
    """Where an option and a parameter have the same name, they have the same default."""
    from corrigenda.cli import parser

    (choices,) = (action.choices for action in parser()._actions if action.choices)
    defaults = {
        action.dest: tuple(action.default) if isinstance(action.default, list) else action.default
        for action in choices[options]._actions
    }
    parameters = dict(inspect.signature(described(call)).parameters)
    if call == "report":
        from corrigenda.report import ReportOptions

        parameters |= inspect.signature(ReportOptions).parameters
    shared = {
        name: each.default
        for name, each in parameters.items()
        if name in defaults and each.default is not inspect.Parameter.empty
    }
    shared = {
        name: (value,) if name == "by" else value
        for name, value in shared.items()
        if name not in ("out", "title", "health")  # a page is returned; a title is made
    }
    assert {name: defaults[name] for name in shared} == shared
    assert len(shared) >= 3


def test_the_tutorial_groups_the_commands_as_the_help_does():
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    for purpose, names in GROUPS.items():
        assert f"| {purpose} | {', '.join(f'`{name}`' for name in names)} |" in page
