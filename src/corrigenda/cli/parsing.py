"""How the command line is parsed: help that fits the terminal, and errors with a remedy."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from corrigenda.cli.display import terminal_columns
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_WIDEST_HELP = 100
_MARGIN = 2
_PLAIN_MESSAGES = (
    (r"argument (?P<flag>[^/:]+).*: expected (?:at least )?one argument", "{flag} has no value"),
    (
        r"argument (?P<flag>[^/:]+).*: not allowed with argument (?P<other>[^/]+).*",
        "{flag} and {other} exclude each other",
    ),
    (r"argument (?P<flag>[^/:]+).*: invalid \w+ value: (?P<value>.*)", "{flag} is {value}"),
)
"""What argparse says, and the same in the words of all other messages."""


class Parser(argparse.ArgumentParser):
    """Wrong usage becomes an error with a remedy; the whole usage would hide the message."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"formatter_class": HelpFormatter, **settings})

    def error(self, message: str) -> NoReturn:
        """What argparse found wrong."""
        raise UsageError(_plain(message), remedy=f"See {self.prog} --help.")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # `--option=--`: argparse would leave the value out, and give an empty list instead.
        if action.option_strings and arg_strings == ["--"]:
            raise UsageError(
                f"{action.option_strings[0]} is '--'", remedy=f"See {self.prog} --help."
            )
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse would be silent if standard output is full.
        print(message, end="", file=file or sys.stderr)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        name = action.option_strings[0] if action.option_strings else action.metavar or action.dest
        raise UsageError(
            f"{name} is {str(value)!r}",
            remedy=f"{did_you_mean(str(value), choices)}It takes {_alternatives(choices)}.",
        )


def _plain(message: str) -> str:
    missing = re.fullmatch(r"the following arguments are required: (.*)", message)
    if missing:
        names = [name.split("/")[0] for name in missing[1].split(", ")]
        return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} missing"
    for pattern, plain in _PLAIN_MESSAGES:
        if found := re.fullmatch(pattern, message):
            return plain.format(**found.groupdict())
    return message


def _alternatives(choices: list[str]) -> str:
    """`a, b or c`."""
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last


def did_you_mean(typed: str, known: Iterable[str]) -> str:
    """The nearest of the known words as a question, or nothing."""
    import difflib

    words = list(known)
    longer = [word for word in words if typed and word.startswith(typed)]
    close = longer or difflib.get_close_matches(typed, words, n=1, cutoff=0.7)
    return f"Did you mean {close[0]!r}? " if close else ""


def unknown_arguments(parser: argparse.ArgumentParser, unknown: list[str]) -> UsageError:
    """The error for arguments that a command does not take."""
    known = sorted(_option_names(parser))
    flag = next((each.partition("=")[0] for each in unknown if each.startswith("-")), None)
    if flag is not None:
        hint = did_you_mean(flag, known)
    else:
        hint = "A file needs its option, e.g. --hyps FILE. " if "--hyps" in known else ""
    return UsageError(
        f"{parser.prog} does not take {' '.join(unknown)}",
        remedy=f"{hint}See {parser.prog} --help.",
    )


def _option_names(parser: argparse.ArgumentParser) -> set[str]:
    """The options of a command and of its actions."""
    names: set[str] = set()
    for action in parser._actions:
        names.update(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            names.update(*map(_option_names, action.choices.values()))
    return names


class HelpFormatter(argparse.HelpFormatter):
    """Examples are folded as a shell reads them; prose is as wide as the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=help_width())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join("\n".join(_fitted(block, width)) for block in _blocks(text))

    def _split_lines(self, text: str, width: int) -> list[str]:
        return filled(text, width)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """`--format, -f NAME`: the value stands once."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        values = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {values}"


def help_width() -> int:
    """The width of help: that of the terminal, and not more than is easy to read."""
    return min(terminal_columns(), _WIDEST_HELP) - _MARGIN


def filled(text: str, width: int) -> list[str]:
    """The text in lines. Names of options such as --no-cache are not broken."""
    return textwrap.wrap(
        " ".join(text.split()), max(1, width), break_on_hyphens=False, break_long_words=False
    )


def _blocks(text: str) -> list[str]:
    joined = re.sub(r" \\\n +", " ", text.strip("\n"))
    return joined.split("\n\n")


def _fitted(block: str, width: int) -> Iterator[str]:
    """The lines of a block: indented lines are examples, others are prose."""
    if "\n  " not in block:
        yield from filled(block, width)
        return
    for line in block.splitlines():
        if line.startswith("  "):
            yield from _example(line.strip(), width)
        else:
            yield from filled(line, width)


def _example(line: str, width: int) -> Iterator[str]:
    """One example. Where it is too long, its comment stands above it, and then it is folded."""
    indent = "  "
    command, _, comment = line.partition("  # ")
    short = f"{command.rstrip()}  # {comment.strip()}" if comment else command
    for shown in (line, short):
        if len(indent + shown) <= width:
            yield indent + shown
            return
    if comment:
        yield f"{indent}# {comment.strip()}"
    yield from folded_command(command.rstrip(), width, indent)


def folded_command(command: str, width: int, indent: str = "  ") -> list[str]:
    """A command in lines that a shell reads as one; lines are folded before options."""
    if "corrigenda" not in command:
        return [indent + command]
    first, *parts = re.split(r" (?=-|\||>)", command)
    lines = [indent + first]
    for part in parts:
        if len(f"{lines[-1]} {part} \\") <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(f"{indent}    {part}")
    return [*(f"{line} \\" for line in lines[:-1]), lines[-1]]
