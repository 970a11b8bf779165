"""How far a run has come, for whoever wants to show it."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told what happens; all methods may do nothing."""

    def begin(self, what: str, rows: int | None, done: int) -> None:
        """A stage begins: so many rows in all (None: not known), so many done by an earlier run."""

    def advance(self, rows: int, rejected: int) -> None:
        """So many more rows are done, and so many of them were rejected."""

    def note(self, text: str) -> None:
        """Something that the user should know."""


class Silent:
    """Nobody looks."""

    def begin(self, what: str, rows: int | None, done: int) -> None:
        """Nothing."""

    def advance(self, rows: int, rejected: int) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""
