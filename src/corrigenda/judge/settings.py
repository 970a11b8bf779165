"""The settings of a campaign, checked once and kept in its database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from corrigenda.errors import FormatError, UsageError, brief
from corrigenda.text.numerals import whole_number

JudgingMode = Literal["rank", "pair", "rate", "edits"]
Assignment = Literal["balanced", "adaptive"]
MODES: tuple[JudgingMode, ...] = get_args(JudgingMode)
FEWEST_CANDIDATES, MOST_CANDIDATES = 2, 6


@dataclass(frozen=True)
class CampaignSettings:
    """How items are made, given out and shown."""

    mode: JudgingMode = "rank"
    candidates: int = 5
    include: tuple[str, ...] = ()
    """`source` and `reference` may be among the candidates."""
    show_reference: bool = False
    context: int = 0
    """How many neighbouring sentences are shown on each side."""
    marks: bool = True
    """Whether changes can be marked; each judge can turn the marks off."""
    repeats: float = 0.12
    overlap: float = 0.15
    overlap_judges: int = 2
    controls: float = 0.05
    repeat_distance: int = 10
    assign: Assignment = "balanced"
    floor: float = 0.25
    """The share of balanced items in adaptive assignment."""
    stop: str = "none"
    """`none`, `apart` (all neighbours are separated), or a number of judgments."""
    per_judge: int | None = None
    lease_minutes: float = 30
    pause_hours: float = 24
    completion_code: str | None = None
    completion_url: str | None = None
    instructions: str | None = None

    def __post_init__(self) -> None:
        if self.mode == "pair" and self.candidates != FEWEST_CANDIDATES:
            object.__setattr__(self, "candidates", FEWEST_CANDIDATES)
        if not FEWEST_CANDIDATES <= self.candidates <= MOST_CANDIDATES:
            raise UsageError(
                f"--candidates is {self.candidates}",
                remedy=f"A judge compares {FEWEST_CANDIDATES} to {MOST_CANDIDATES} outputs.",
            )
        for name in ("repeats", "overlap", "controls", "floor"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"--{name} is {getattr(self, name)}", remedy="Give 0 to 1.")
        if self.repeats + self.controls > 0.5:
            raise UsageError(
                "more than half of the items would be repeats and controls",
                remedy="Give smaller shares: --repeats 0.12 --controls 0.05.",
            )
        if self.stop not in ("none", "apart") and not whole_number(self.stop):
            raise UsageError(
                f"--stop is {brief(self.stop)}",
                remedy="It takes none, apart, or a number of judgments.",
            )
        if self.completion_url and not self.completion_url.startswith(("https://", "http://")):
            raise UsageError(
                f"--completion-url is {self.completion_url!r}",
                remedy="It begins with https:// or http://.",
            )

    @property
    def stop_at(self) -> int | None:
        """The number of judgments after which the campaign stops, if that is its rule."""
        return whole_number(self.stop)

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> CampaignSettings:
        """From the values in a database; settings that it does not have keep their defaults."""
        known = {each.name for each in fields(cls)}
        for each in fields(cls):
            if each.name in values and not _fits(values[each.name], str(each.type)):
                raise FormatError(
                    f"the setting {each.name} of the campaign is {brief(values[each.name])}",
                    remedy="The campaign was changed or damaged. Use a copy of the original.",
                )
        kept = {name: value for name, value in values.items() if name in known}
        return cls(**{**kept, "include": tuple(kept.get("include", ()))})


def _fits(value: object, kind: str) -> bool:
    """Whether a value from a database is of the type of its field."""
    if value is None:
        return kind.endswith("| None")
    kind = kind.removesuffix(" | None")
    if kind == "JudgingMode":
        return value in MODES
    if kind == "Assignment":
        return value in get_args(Assignment)
    if kind.startswith("tuple"):
        return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
    kinds: dict[str, tuple[type, ...]] = {
        "int": (int,), "float": (int, float), "bool": (bool,), "str": (str,),
    }  # fmt: skip
    return type(value) in kinds[kind]
