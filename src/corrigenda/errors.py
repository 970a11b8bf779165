"""What can go wrong through a user's input, said so that the user can mend it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Location:
    """A place in a file. `line` counts from 1; None means the file as a whole."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class CorrigendaError(Exception):
    """A user's error: what is wrong, where, and what to do about it.

    The command line prints it without a traceback and leaves with `exit_code`.
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
    """A file, or a line of it, is not what its format says."""


class AlignmentError(CorrigendaError):
    """Texts that must have the same number of sentences do not."""


class MetricError(CorrigendaError):
    """A metric that does not exist, a parameter it does not take, or data it cannot score."""


class UsageError(CorrigendaError):
    """The command line's words do not fit together."""

    exit_code = 2


class MissingExtraError(CorrigendaError):
    """An optional dependency is not installed."""
