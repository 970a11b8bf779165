"""A table of texts that explains a score. Each text has a tone, which decides its colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "good", "bad", "missed", "faint"]
"""`good`: as in the reference. `bad`: a mistake of the system. `missed`: what the system should
have changed. `faint`: less important. `plain`: everything else."""


@dataclass(frozen=True)
class ExplainedCell:
    """A text and its tone."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Explanation:
    """Rows of cells under headers.

    `brief` is a shorter table that can be shown instead of all tables of the metric. A table
    `in_bands` has one column per word after its first column. It can be cut into bands that fit the
    width of the screen.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[ExplainedCell, ...], ...]
    note: str = ""
    brief: Explanation | None = None
    in_bands: bool = False
