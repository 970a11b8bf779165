"""Errors that a user can correct: each says what is wrong, where, and what to do."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Location:
    """A place in a file. `line` counts from 1; None means the file as a whole."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        file = in_one_line(self.file)
        return file if self.line is None else f"{file}:{self.line}"


def in_one_line(name: str) -> str:
    """A name in a message: the name of a file may have line ends."""
    return name.replace("\r", "\\r").replace("\n", "\\n")


class CorrigendaError(Exception):
    """An error that the user can correct: what is wrong, where, and what to do.

    The command line prints it without a traceback and exits with `exit_code`.
    """

    exit_code = 1

    def __init__(
        self, problem: str, *, at: Location | None = None, remedy: str | None = None
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.location = at
        self.remedy = remedy

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        what_to_do = f"\n  {self.remedy}" if self.remedy else ""
        return f"{where}{self.problem}{what_to_do}"


class FormatError(CorrigendaError):
    """A file, or one line of a file, does not follow its format."""


class AlignmentError(CorrigendaError):
    """Texts that must have the same number of sentences have different numbers."""


class UsageError(CorrigendaError):
    """The arguments are wrong, or do not fit together."""

    exit_code = 2


class MetricError(UsageError):
    """There is no such metric, it has no such parameter, or it does not fit what it is used for."""


class SentenceError(CorrigendaError):
    """A metric cannot score a sentence, for example because that takes too much memory."""


class MissingExtraError(CorrigendaError):
    """An optional dependency is not installed."""


_BRIEF = reprlib.Repr()
_BRIEF.maxstring = _BRIEF.maxother = _BRIEF.maxlong = 80


def brief(value: object) -> str:
    """A value of a file in a message: quoted, and never longer than a few lines."""
    return _BRIEF.repr(value)


def in_home(path: str) -> Path:
    """A path in which `~` or `~NAME` at the beginning is a home folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise UsageError(
            f"{path.partition('/')[0]} is the home folder of nobody",
            remedy="Write the whole path, beginning with a slash.",
        ) from error
