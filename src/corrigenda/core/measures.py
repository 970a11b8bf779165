"""What a metric reports: the score, precision and recall if it has them, and further measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

_Value = TypeVar("_Value")
_Other = TypeVar("_Other")

Count = int | float
NamedCounts = dict[str, Count | list[Count] | dict[str, Count]]
"""Counts by name. A list has one count per n; a nested dictionary has one per kind."""
PlainMeasures = dict[str, float | dict[str, float] | None]
"""Measures ready for JSON."""


@dataclass(frozen=True)
class Measures(Generic[_Value]):
    """The score and what is reported beside it: arrays while computing, floats in results."""

    score: _Value
    precision: _Value | None = None
    recall: _Value | None = None
    more: Mapping[str, _Value | Mapping[str, _Value]] = field(default_factory=dict)

    def map(self, function: Callable[[_Value], _Other]) -> Measures[_Other]:
        """The same measures with a function applied to each value."""
        return Measures(
            function(self.score),
            None if self.precision is None else function(self.precision),
            None if self.recall is None else function(self.recall),
            {
                name: {inner: function(each) for inner, each in value.items()}
                if isinstance(value, Mapping)
                else function(value)
                for name, value in self.more.items()
            },
        )

    def leaves(self) -> dict[tuple[str, ...], _Value]:
        """Every value by its path, e.g. `("correction", "f")`."""
        found: dict[tuple[str, ...], _Value] = {("score",): self.score}
        for name, single in (("precision", self.precision), ("recall", self.recall)):
            if single is not None:
                found[name,] = single
        for name, value in self.more.items():
            if isinstance(value, Mapping):
                found.update({(name, inner): each for inner, each in value.items()})
            else:
                found[name,] = value
        return found

    @classmethod
    def from_leaves(cls, leaves: Mapping[tuple[str, ...], _Value]) -> Measures[_Value]:
        """The measures that `leaves` came from."""
        more: dict[str, _Value | dict[str, _Value]] = {}
        for path, value in leaves.items():
            if len(path) == 2:
                inner = more.setdefault(path[0], {})
                assert isinstance(inner, dict)
                inner[path[1]] = value
            elif path[0] not in ("score", "precision", "recall"):
                more[path[0]] = value
        return cls(leaves["score",], leaves.get(("precision",)), leaves.get(("recall",)), more)

    def __getitem__(self, name: str) -> _Value | Mapping[str, _Value] | None:
        if name in ("score", "precision", "recall"):
            value: _Value | None = getattr(self, name)
            return value
        return self.more[name]


def plain_measures(measures: Measures[float]) -> PlainMeasures:
    """The measures without the score, ready for JSON; precision and recall come first."""
    more: PlainMeasures = {
        name: dict(value) if isinstance(value, Mapping) else value
        for name, value in measures.more.items()
    }
    return {"precision": measures.precision, "recall": measures.recall, **more}
