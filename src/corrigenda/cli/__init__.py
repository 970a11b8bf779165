"""The command line. Each command is a module: what it takes, and what it does.

Modules import what they need when they run, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Iterator, Sequence

from corrigenda._version import __version__
from corrigenda.cli import last_net
from corrigenda.cli.parsing import Parser, did_you_mean, filled, help_width, unknown_arguments
from corrigenda.errors import UsageError

GROUPS = {
    "score and compare": ("check", "score", "compare", "verify", "bulk", "demo"),
    "look closer": ("explain", "slices", "report", "edits"),
    "shared tasks": ("codabench",),
    "files": ("convert", "m2"),
    "people": ("judge", "rank", "meta"),
    "published results": ("reproduce", "detect", "data"),
    "housekeeping": ("metrics", "baseline", "cache"),
}
DEBUG = "--debug"
"""Every command takes it: it shows the traceback of an error."""
COMMANDS = tuple(name for names in GROUPS.values() for name in names)

_DESCRIPTION = (
    "Measure grammatical error correction: every metric of the field, exactly as published."
)
_EXAMPLES = """\
first examples to try:
  corrigenda demo
  corrigenda score --source src.txt --refs ref0.txt ref1.txt --hyps ours.txt
  corrigenda explain --line 12 --gold gold.m2 --hyps ours.txt theirs.txt

`corrigenda COMMAND --help` says more about a command.
After an internal error, run the command again with --debug."""


class _TopParser(Parser):
    """The parser of the whole command line; its help lists the commands by purpose."""

    def format_help(self) -> str:
        return "\n".join(_help_lines())


def _help_lines() -> Iterator[str]:
    yield "usage: corrigenda COMMAND [options]"
    yield "       corrigenda --help | --version"
    yield ""
    yield from filled(_DESCRIPTION, help_width())
    width = max(map(len, COMMANDS))
    for purpose, names in GROUPS.items():
        yield ""
        yield f"{purpose}:"
        for name in names:
            module = importlib.import_module(f"corrigenda.cli.{name}")
            yield f"  {name:<{width}}  {module.HELP}"
    yield ""
    yield _EXAMPLES
    yield ""


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of the whole command line, or of some of its commands."""
    top = _TopParser(prog="corrigenda")
    top.add_argument("--version", action="version", version=f"corrigenda {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for name in names:
        module = importlib.import_module(f"corrigenda.cli.{name}")
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.HELP[0].upper() + module.HELP[1:] + ".",
            epilog=module.EXAMPLES,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run, parser=command)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; `last_net` explains the exit codes."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    debug = DEBUG in given
    warnings.showwarning = _show_warning
    last_net.prepare()
    return last_net.exit_code(lambda: _run([each for each in given if each != DEBUG]), debug=debug)


def _run(arguments: Sequence[str]) -> None:
    parsed = _parsed(arguments)
    parsed.run(parsed)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options, checked. Only the named command is loaded."""
    from corrigenda.cli import render

    if not arguments:
        # Somebody who types the bare name asks what there is: that is not a mistake.
        return argparse.Namespace(run=lambda _: print("\n".join(_help_lines()), end=""))
    first = arguments[0]
    _check_first(first)
    top = parser([first] if first in COMMANDS else [])
    parsed, unknown = top.parse_known_args(arguments)
    if unknown:
        raise unknown_arguments(parsed.parser, unknown)
    render.check(parsed)
    if getattr(parsed, "max_memory", None):
        # Worker processes inherit it.
        os.environ["CORRIGENDA_MAX_MEMORY"] = str(parsed.max_memory)
    return parsed


def _check_first(first: str) -> None:
    """The first argument is a command, --help or --version."""
    asks = ("-h", "--help", "--version")
    if first in COMMANDS or first in asks:
        return
    if first.startswith("-"):
        problem, hint = f"corrigenda does not take {first}", did_you_mean(first, asks)
    else:
        problem, hint = f"there is no command {first!r}", did_you_mean(first, COMMANDS)
    raise UsageError(problem, remedy=f"{hint}`corrigenda --help` lists the commands.")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    last_net.tell(f"note: {message}")
