"""A finding: something about the texts that makes their scores doubtful."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict

Code = Literal[
    "out-of-step", "tokenised-differently", "raw-text", "subword-marks", "constant-affix",
    "markup", "empty", "unchanged", "truncated", "repeated", "case", "invisible-characters",
    "wrong-roles", "missing-references", "script", "short-sentences", "punctuation", "encoding",
    "too-long", "placeholders",
]  # fmt: skip

SHOWN_LINES = 5


class PlainFinding(TypedDict):
    """A finding ready for JSON. `shift` and `first_line` are set for lines out of step."""

    code: str
    system: str | None
    text: str
    message: str
    share: float
    lines: list[int]
    remedy: str
    shift: int | None
    first_line: int | None


@dataclass(frozen=True)
class Finding:
    """What was seen, in which text, on which share of its lines, and what to do."""

    code: Code
    system: str | None
    """The system; None if it is about the source or a reference."""
    text: str
    """`hypothesis`, `source`, or `reference 1`, `reference 2`, …"""
    message: str
    share: float
    lines: tuple[int, ...]
    """The first few lines, from 1."""
    remedy: str
    shift: int | None = None
    """If lines are out of step by one distance: line i belongs to line i - shift of the source."""
    first_line: int | None = None
    """The first line that is out of step."""

    def __str__(self) -> str:
        return f"{self.subject}: {self.code}: {self.message} {self.remedy}"

    @property
    def subject(self) -> str:
        """The name of the system, or the text of the corpus."""
        return self.text if self.system is None else self.system

    def to_dict(self) -> PlainFinding:
        """Ready for JSON."""
        return {
            "code": self.code,
            "system": self.system,
            "text": self.text,
            "message": self.message,
            "share": self.share,
            "lines": list(self.lines),
            "remedy": self.remedy,
            "shift": self.shift,
            "first_line": self.first_line,
        }


class HealthWarning(UserWarning):
    """A finding as a warning of Python."""


class _HasHealth(Protocol):
    @property
    def health(self) -> tuple[Finding, ...]: ...


def findings_of(results: Iterable[_HasHealth]) -> tuple[Finding, ...]:
    """The findings of all results, each once."""
    return tuple(dict.fromkeys(finding for result in results for finding in result.health))
