"""Which columns of a table hold the source, the hypothesis and the references."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import TypedDict

from corrigenda.errors import UsageError

_FORM = "--columns source=NAME,hypothesis=NAME,references=NAME+NAME"
_DEFAULT_REFERENCES = ("references",)


class PlainColumns(TypedDict):
    """Columns as JSON has them."""

    source: str
    hypothesis: str
    references: list[str]
    key: str | None


@dataclass(frozen=True)
class Columns:
    """Names of columns. For parallel text, the part of each file name after the last dot.

    `references` may be empty. Columns of references must exist if they are named. The default,
    `references`, may be missing; then no row has references.
    """

    source: str = "source"
    hypothesis: str = "hypothesis"
    references: tuple[str, ...] = _DEFAULT_REFERENCES
    key: str | None = None
    """A column to copy beside the scores."""

    def __post_init__(self) -> None:
        if isinstance(self.references, str):
            object.__setattr__(self, "references", (self.references,))

    def check_free(self, taken: Iterable[str]) -> None:
        """Refuse a key that has the name of a column of the scores."""
        if self.key is not None and self.key in taken:
            raise UsageError(
                f"the key is called {self.key!r}, but the scores have a column of this name",
                remedy="Rename the column of the key.",
            )

    @classmethod
    def from_text(cls, text: str, *, key: str | None = None) -> Columns:
        """The columns of `source=src,hypothesis=hyp,references=ref0+ref1`.

        Roles that are left out have their default names. `references=` names no column.
        """
        given: dict[str, str] = {}
        for part in text.split(",") if text else []:
            role, equals, name = (piece.strip() for piece in part.partition("="))
            is_named = bool(name) or role == "references"
            if not equals or not is_named or role not in ("source", "hypothesis", "references"):
                raise UsageError(
                    f"--columns: {part!r} does not name a column", remedy=f"Write {_FORM}."
                )
            if role in given:
                raise UsageError(f"--columns: {role} is given twice", remedy=f"Write {_FORM}.")
            given[role] = name
        references = given.get("references")
        return cls(
            given.get("source", cls.source),
            given.get("hypothesis", cls.hypothesis),
            cls.references if references is None else _reference_names(references),
            key,
        )

    @classmethod
    def from_plain(cls, data: PlainColumns) -> Columns:
        """The columns that JSON holds."""
        return cls(data["source"], data["hypothesis"], tuple(data["references"]), data["key"])

    @property
    def may_lack_references(self) -> bool:
        """Whether the columns of references may be missing in the inputs."""
        return self.references == _DEFAULT_REFERENCES

    def found_in(self, names: Container[str]) -> Columns:
        """These columns; without the default column of references if it is not in `names`."""
        if self.may_lack_references and self.references[0] not in names:
            return replace(self, references=())
        return self

    @property
    def sentences(self) -> tuple[str, ...]:
        """The columns that hold sentences, in the order source, hypothesis, references."""
        return (self.source, self.hypothesis, *self.references)

    @property
    def all(self) -> tuple[str, ...]:
        """The columns that hold sentences, and the key."""
        return self.sentences if self.key is None else (*self.sentences, self.key)


def _reference_names(text: str) -> tuple[str, ...]:
    if not text:
        return ()
    names = tuple(name.strip() for name in text.split("+"))
    if not all(names):
        raise UsageError("--columns: a reference has no name", remedy=f"Write {_FORM}.")
    return names
