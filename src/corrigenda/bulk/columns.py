"""Which columns of a table are the source, the hypothesis and the references."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from corrigenda.errors import UsageError

_SHAPE = "--columns source=NAME,hypothesis=NAME,references=NAME+NAME"


@dataclass(frozen=True)
class Columns:
    """Names of columns; for parallel text, what stands behind the last dot of the files' names."""

    source: str = "source"
    hypothesis: str = "hypothesis"
    references: tuple[str, ...] = ("references",)
    key: str | None = None
    """A column that is passed on beside the scores."""

    def __post_init__(self) -> None:
        if isinstance(self.references, str):
            object.__setattr__(self, "references", (self.references,))

    def check_free(self, taken: Iterable[str]) -> None:
        """The key must have a name of its own among the columns of the scores."""
        if self.key is not None and self.key in taken:
            raise UsageError(
                f"the scores have a column {self.key!r} of their own",
                remedy="Rename the column of the key.",
            )

    @classmethod
    def from_text(cls, text: str, *, key: str | None = None) -> Columns:
        """`source=src,hypothesis=hyp,references=ref0+ref1`; what is left out has its own name."""
        given: dict[str, str] = {}
        for part in text.split(",") if text else []:
            role, equals, name = (piece.strip() for piece in part.partition("="))
            if not equals or not name or role not in ("source", "hypothesis", "references"):
                raise UsageError(f"--columns: {part!r} names no column", remedy=f"Write {_SHAPE}.")
            if role in given:
                raise UsageError(f"--columns: {role} is given twice", remedy=f"Write {_SHAPE}.")
            given[role] = name
        references = tuple(
            name.strip() for name in given.pop("references", "references").split("+")
        )
        if not all(references):
            raise UsageError("--columns: a reference has no name", remedy=f"Write {_SHAPE}.")
        return cls(**given, references=references, key=key)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The columns that hold sentences, in the order source, hypothesis, references."""
        return (self.source, self.hypothesis, *self.references)

    @property
    def all(self) -> tuple[str, ...]:
        """Those, and the key."""
        return self.sentences if self.key is None else (*self.sentences, self.key)
