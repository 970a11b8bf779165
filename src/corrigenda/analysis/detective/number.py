"""A number as a paper prints it."""

from __future__ import annotations

from dataclasses import dataclass

from corrigenda.errors import UsageError, brief
from corrigenda.text.numerals import decimal

_MOST_DIGITS = 20


@dataclass(frozen=True)
class PublishedNumber:
    """A number as it is printed, and how many decimals it has."""

    text: str
    value: float
    decimals: int

    @classmethod
    def read(cls, text: str) -> PublishedNumber:
        """The number of a text such as `35.01`, `35.01 %` or `.3501`."""
        digits = text.strip().removesuffix("%").strip()
        value = decimal(digits)
        if value is None or len(digits) > _MOST_DIGITS or "e" in digits.lower():
            raise UsageError(
                f"{brief(text)} is not a published number",
                remedy="Write it as printed, e.g. 35.01.",
            )
        return cls(text, value, len(digits.partition(".")[2]))

    @property
    def scales(self) -> tuple[float, ...]:
        """What a fraction is multiplied by: 100, or also 1 if the number can be a fraction."""
        return (1.0, 100.0) if abs(self.value) <= 1 else (100.0,)

    def off(self, score: float) -> float:
        """How far a score, as a fraction, is from the number, in units of its last digit."""
        smallest = min(abs(score * scale - self.value) for scale in self.scales)
        return smallest * 10.0**self.decimals

    def equals(self, score: float) -> bool:
        """Whether the score, rounded, is the number. A half may be rounded either way."""
        return self.off(score) <= 0.5 + 1e-9
