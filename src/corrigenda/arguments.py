"""Arguments of public calls: what each may be, and an error that names it.

Without these checks, numpy or the compiled code would complain in words of their own, or never end.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import SupportsIndex, cast

from corrigenda.errors import UsageError, brief

LARGEST = 2**63 - 1
"""The largest number of any argument or option."""
MOST_RESAMPLES = 10_000_000
MOST_THREADS = 9_999
MOST_WORKERS = 1_000
"""Processes of one machine. Dask starts all of them at once."""


def whole_number(name: str, value: object, *, least: int = 0, most: int = LARGEST) -> int:
    """The value as a number, if it is a whole one from `least` to `most`."""
    try:
        number = None if isinstance(value, bool) else operator.index(cast(SupportsIndex, value))
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        upper = "" if most == LARGEST else f", at most {most:,}"
        raise UsageError(
            f"{name} is {brief(value)}",
            remedy=f"It takes a whole number of {least} or more{upper}.",
        )
    return number


def fraction(name: str, value: object) -> None:
    """Refuse what is not a number between 0 and 1."""
    try:
        fits = not isinstance(value, str | bytes) and 0 < float(cast(float, value)) < 1
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise UsageError(
            f"{name} is {brief(value)}", remedy="It takes a number between 0 and 1, e.g. 0.95."
        )


def text(name: str, value: object) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise UsageError(f"{name} is {brief(value)}", remedy="It takes a text.")
    return value


def scores(name: str, value: object) -> dict[str, float]:
    """The value, if it has a finite number for each of some names."""
    remedy = "It takes a number per system, e.g. {'ours': 0.7, 'theirs': 0.5}."
    if not hasattr(value, "keys"):
        raise UsageError(f"{name} is {brief(value)}", remedy=remedy)
    made: dict[str, float] = {}
    for key, score in dict(cast(Mapping[str, float], value)).items():
        try:
            made[key] = float(score) if not isinstance(score, str | bytes) else math.nan
        except (TypeError, ValueError, OverflowError):
            made[key] = math.nan
        if not (isinstance(key, str) and math.isfinite(made[key])):
            raise UsageError(f"{name} has {brief(key)}: {brief(score)}", remedy=remedy)
    return made


def columns(name: str, value: object) -> Mapping[str, Sequence[object]]:
    """The value, if it has lists by their names, as a data frame does; None has none."""
    if value is None:
        return {}
    keys = cast(Mapping[str, Sequence[object]], value).keys() if hasattr(value, "keys") else (None,)
    if not all(isinstance(key, str) for key in keys):
        raise UsageError(
            f"{name} is {brief(value)}",
            remedy="It takes lists by their names, e.g. {'level': ['A', 'B', …]}.",
        )
    return cast(Mapping[str, Sequence[object]], value)


def one_of(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse what is none of the choices."""
    if not (isinstance(value, str) and value in choices):
        *first, last = choices
        raise UsageError(
            f"{name} is {brief(value)}", remedy=f"It takes {', '.join(first)} or {last}."
        )


def resampling(resamples: object, seed: object, confidence: object, *, least: int = 1) -> None:
    """Refuse what no interval and no test can be made with."""
    whole_number("resamples", resamples, least=least, most=MOST_RESAMPLES)
    whole_number("seed", seed)
    fraction("confidence", confidence)
