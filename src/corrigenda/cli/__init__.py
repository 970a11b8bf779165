"""The command line. Each subcommand is a module: what it takes, and what it does.

Modules import what they need when they run, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
import warnings
from collections.abc import Sequence

from corrigenda._version import __version__
from corrigenda.errors import CorrigendaError

COMMANDS = (
    "score",
    "bulk",
    "compare",
    "explain",
    "slices",
    "report",
    "metrics",
    "edits",
    "m2",
    "convert",
    "rank",
    "meta",
    "reproduce",
    "data",
    "baseline",
    "cache",
    "demo",
)

_DESCRIPTION = (
    "Measure grammatical error correction: every metric of the field, exactly as published."
)
_EPILOG = """\
examples:
  corrigenda demo
  corrigenda score --source src.txt --refs ref0.txt ref1.txt --hyps ours.txt theirs.txt
  corrigenda score --gold gold.m2 --hyps baseline=out/a.txt --metrics green gleu --format json
  corrigenda metrics
  corrigenda COMMAND --help
"""


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of the whole command line, or of some of its commands."""
    top = argparse.ArgumentParser(
        prog="corrigenda",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"corrigenda {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in names:
        module = importlib.import_module(f"corrigenda.cli.{name}")
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=module.HELP[0].upper() + module.HELP[1:] + ".",
            epilog=module.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 for a user's error, 2 for wrong usage."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    # A command that is named right away needs none of the others.
    named = [name for name in COMMANDS if arguments[:1] == [name]]
    parsed = parser(named or COMMANDS).parse_args(arguments)
    warnings.showwarning = _show_warning
    _print_whatever_the_encoding()
    try:
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


def _print_whatever_the_encoding() -> None:
    """A terminal that cannot show a character shows its code instead: no reason to fail."""
    for stream in (sys.stdout, sys.stderr):
        if (
            isinstance(stream, io.TextIOWrapper)
            and stream.encoding.lower().replace("-", "") != "utf8"
        ):
            stream.reconfigure(errors="backslashreplace")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"corrigenda: note: {message}", file=sys.stderr)
