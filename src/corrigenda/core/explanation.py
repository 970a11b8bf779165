"""A table of texts, each with a tone that says how it is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "good", "bad", "missed", "faint"]
"""good: as the reference has it; bad: the system's mistake; missed: what it should have done."""


@dataclass(frozen=True)
class ExplainedCell:
    """A text and its tone."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Explanation:
    """Rows of cells under headers."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[ExplainedCell, ...], ...]
    note: str = ""
