"""What each part of a passport must be. Anybody can write a file with a right digest."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from corrigenda.core.metric import LEVELS

Check = Callable[[object, str], None]
"""Raises `ShapeError` unless a value, which has this name, is as it must be."""


class ShapeError(Exception):
    """What is not as it must be."""


def _is(value: object, kind: type | tuple[type, ...], name: str, expected: str) -> None:
    # True and False are numbers for Python, and for nobody else.
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ShapeError(f"{name} is not {expected}")


def text(value: object, name: str) -> None:
    """A text."""
    _is(value, str, name, "a text")


def whole_number(value: object, name: str) -> None:
    """A whole number that counts something."""
    _is(value, int, name, "a whole number")
    assert isinstance(value, int)
    if not 0 <= value < 1 << 53:
        raise ShapeError(f"{name} is not a number of things")


def number(value: object, name: str) -> None:
    """A number that a float holds."""
    _is(value, (int, float), name, "a number")
    assert isinstance(value, int | float)
    if not math.isfinite(value) if isinstance(value, float) else abs(value) >= 1 << 63:
        raise ShapeError(f"{name} is too large")


def anything(value: object, name: str) -> None:
    """Whatever JSON has."""


def optional(check: Check) -> Check:
    """Null, or what is checked."""
    return lambda value, name: None if value is None else check(value, name)


def one_of(values: Iterable[str]) -> Check:
    """One of some texts."""
    known = tuple(values)

    def check(value: object, name: str) -> None:
        if value not in known:
            raise ShapeError(f"{name} is none of {', '.join(known)}")

    return check


def list_of(check: Check) -> Check:
    """A list of what is checked."""

    def check_list(value: object, name: str) -> None:
        _is(value, list, name, "a list")
        assert isinstance(value, list)
        for place, item in enumerate(value, 1):
            check(item, f"{name}, {place}")

    return check_list


def by_name(check: Check) -> Check:
    """An object with any keys, whose values are checked."""

    def check_object(value: object, name: str) -> None:
        _is(value, dict, name, "an object")
        assert isinstance(value, dict)
        for key, item in value.items():
            check(item, f"{name}, {key[:80]}")

    return check_object


def parts(**checks: Check) -> Check:
    """An object that has these keys, and perhaps others."""

    def check_parts(value: object, name: str) -> None:
        _is(value, dict, name, "an object")
        assert isinstance(value, dict)
        if missing := checks.keys() - value.keys():
            raise ShapeError(f"{name} lacks {', '.join(sorted(missing))}")
        for key, check in checks.items():
            check(value[key], key)

    return check_parts


def _measure(value: object, name: str) -> None:
    (by_name(number) if isinstance(value, dict) else optional(number))(value, name)


def _counts(value: object, name: str) -> None:
    """Rows of numbers, all as long as the first."""
    list_of(list_of(number))(value, name)
    assert isinstance(value, list)
    if len(set(map(len, value))) > 1:
        raise ShapeError(f"the rows of {name} are not equally long")
    if sum(abs(each) for row in value for each in row if isinstance(each, int)) >= 1 << 53:
        raise ShapeError(f"the numbers in {name} count more things than there are")


def _result(value: object, name: str) -> None:
    _RESULT(value, name)
    assert isinstance(value, dict)
    if sum(value["rows"]) != len(value["counts"]):
        raise ShapeError(f"{name} has other numbers of rows than it says")


_RESULT = parts(
    system=text,
    metric=text,
    level=one_of(LEVELS),
    score=number,
    measures=by_name(_measure),
    totals=by_name(anything),
    signature=text,
    rows=list_of(whole_number),
    counts=_counts,
)
_MARKS = by_name(list_of(optional(text)))
_PASSPORT = parts(
    passport=whole_number,
    versions=by_name(text),
    files=list_of(parts(option=text, name=text, sha256=text)),
    texts=parts(sentences=whole_number, corpus=_MARKS, systems=_MARKS),
    results=list_of(_result),
    health=list_of(by_name(anything)),
)


def check_passport(value: dict[str, object]) -> None:
    """Raise `ShapeError` unless all parts are as they must be."""
    _PASSPORT(value, "it")
    if not value["results"]:
        raise ShapeError("it states no score")
    if "rows" in value:
        list_of(by_name(anything))(value["rows"], "rows")
