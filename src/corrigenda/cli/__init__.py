"""The command line. Each command is a module: what it takes, and what it does.

Modules import what they need when they run, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import io
import os
import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from typing import NoReturn

from corrigenda._version import __version__
from corrigenda.errors import CorrigendaError, UsageError

GROUPS = {
    "score and compare": ("score", "compare", "bulk", "demo"),
    "look closer": ("explain", "slices", "report", "edits"),
    "files": ("convert", "m2"),
    "people": ("rank", "meta"),
    "published results": ("reproduce", "data"),
    "housekeeping": ("metrics", "baseline", "cache"),
}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)

_DESCRIPTION = (
    "Measure grammatical error correction: every metric of the field, exactly as published."
)
_EXAMPLES = """\
first examples to try:
  corrigenda demo
  corrigenda score --source src.txt --refs ref0.txt ref1.txt --hyps ours.txt
  corrigenda explain --line 12 --gold gold.m2 --hyps ours.txt theirs.txt

`corrigenda COMMAND --help` says more about a command."""


class _Parser(argparse.ArgumentParser):
    """Wrong usage becomes an error with a remedy; the whole usage would hide the message."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, remedy=f"See {self.prog} --help.")


class _TopParser(_Parser):
    """The parser of the whole command line; its help lists the commands by purpose."""

    def format_help(self) -> str:
        return "\n".join(_help_lines())


def _help_lines() -> Iterator[str]:
    yield "usage: corrigenda COMMAND [options]"
    yield "       corrigenda --help | --version"
    yield ""
    yield _DESCRIPTION
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
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for name in names:
        module = importlib.import_module(f"corrigenda.cli.{name}")
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.HELP[0].upper() + module.HELP[1:] + ".",
            epilog=_epilog(module.EXAMPLES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return top


def _epilog(text: str) -> str:
    """Examples as they are; the prose below them as wide as the terminal."""
    blocks = text.strip("\n").split("\n\n")
    width = min(shutil.get_terminal_size((80, 24)).columns, 100) - 2
    return "\n\n".join(
        block if "\n  " in block else textwrap.fill(" ".join(block.split()), width)
        for block in blocks
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 for a user's error, 2 for wrong usage."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    warnings.showwarning = _show_warning
    _print_whatever_the_encoding()
    try:
        parsed = _parsed(arguments)
        parsed.run(parsed)
        sys.stdout.flush()
    except CorrigendaError as error:
        print(f"corrigenda: error: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough; Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("corrigenda: interrupted", file=sys.stderr)
        return 130
    return 0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options, checked. Only the named command is loaded."""
    from corrigenda.cli import render

    if not arguments:
        # Somebody who types the bare name asks what there is: that is not a mistake.
        return argparse.Namespace(run=lambda _: print("\n".join(_help_lines()), end=""))
    first = arguments[0]
    if not first.startswith("-") and first not in COMMANDS:
        close = difflib.get_close_matches(first, COMMANDS, n=1)
        suggestion = f"Did you mean {close[0]!r}? " if close else ""
        raise UsageError(
            f"there is no command {first!r}",
            remedy=f"{suggestion}`corrigenda --help` lists the commands.",
        )
    known = first in COMMANDS
    parsed, unknown = parser([first] if known else COMMANDS).parse_known_args(arguments)
    if unknown:
        command = f"corrigenda {first}" if known else "corrigenda"
        raise UsageError(
            f"{command} does not take {' '.join(unknown)}", remedy=f"See {command} --help."
        )
    render.check(parsed)
    return parsed


def _print_whatever_the_encoding() -> None:
    """A terminal that cannot show a character shows its code instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if (
            isinstance(stream, io.TextIOWrapper)
            and stream.encoding.lower().replace("-", "") != "utf8"
        ):
            stream.reconfigure(errors="backslashreplace")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"corrigenda: note: {message}", file=sys.stderr)
