"""A metric as text, such as `green:beta=1,unit=char`: read it, print it, check its parameters."""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from corrigenda.errors import MetricError
from corrigenda.text.numerals import is_plain

if TYPE_CHECKING:
    from corrigenda.core.metric import Metric

_LARGEST = 2**31 - 1  # kernels take 32-bit integers
_LARGEST_NUMBER = 1e100  # its square times a count is a number, too

_Metric = TypeVar("_Metric", bound="Metric")


def parameter(default: object, explanation: str, *, shown: str | None = None) -> Any:
    """A parameter of a metric: a field of its dataclass.

    `corrigenda metrics` prints the explanation. It prints `shown` instead of a default that depends
    on something else. The type is Any so that a field of any type can have such a default.
    """
    return dataclasses.field(default=default, metadata={"explanation": explanation, "shown": shown})


def public_name(field_name: str) -> str:
    """The name of a parameter as users write it: `lambda_` is `lambda`."""
    return field_name.rstrip("_")


def parameters(metric: Metric) -> dict[str, object]:
    """Every parameter with its value."""
    return {
        public_name(field.name): getattr(metric, field.name) for field in dataclasses.fields(metric)
    }


def printed(metric: Metric) -> str:
    """The shortest text from which `build` makes an equal metric."""
    fields = dataclasses.fields(metric)
    given = {field.name: getattr(metric, field.name) for field in fields}
    for field in fields:
        fewer = {name: value for name, value in given.items() if name != field.name}
        if _builds_equal(metric, fewer):
            given = fewer
    if not given:
        return metric.name
    return f"{metric.name}:" + ",".join(
        f"{public_name(name)}={text(value)}" for name, value in given.items()
    )


def _builds_equal(metric: Metric, given: Mapping[str, object]) -> bool:
    try:
        return _made(type(metric), given) == metric
    except MetricError:
        return False


def _made(metric_class: type[_Metric], values: Mapping[str, object]) -> _Metric:
    # Fields differ from metric to metric, so mypy cannot check these arguments.
    return cast("Callable[..., _Metric]", metric_class)(**values)


def replaced(metric: _Metric, **values: object) -> _Metric:
    """The metric with other values of some parameters."""
    given = {field.name: getattr(metric, field.name) for field in dataclasses.fields(metric)}
    return _made(type(metric), given | values)


def text(value: object) -> str:
    """The value of a parameter as users write it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def split(specification: str, main: str | None = None) -> tuple[str, dict[str, str]]:
    """The name and the given parameters of `name:key=value,key=value`.

    The first value may stand without a key: it is the value of the parameter `main`.
    """
    before, colon, rest = specification.partition(":")
    name = before.strip()
    if not name:
        raise MetricError(
            f"metric {specification!r} has no name",
            remedy="Write name or name:key=value, e.g. green or green:beta=1.",
        )
    if colon and not rest.strip():
        raise MetricError(
            f"metric {specification!r}: nothing follows the colon",
            remedy=f"Write {name}, or {name}:key=value.",
        )
    given: dict[str, str] = {}
    for number, part in enumerate(rest.split(",") if colon else []):
        key, equals, value = part.partition("=")
        if main is not None and number == 0 and (not equals or ":" in key):
            key, equals, value = main, "=", part
        if not equals or not key.strip():
            raise MetricError(
                f"metric {specification!r}: {part!r} is not of the form key=value",
                remedy=f"Write {name}:key=value, with commas only between parameters.",
            )
        if key.strip() in given:
            raise MetricError(
                f"metric {specification!r}: {key.strip()!r} is given twice",
                remedy="Give each parameter once.",
            )
        given[key.strip()] = value.strip()
    return name, given


def build(metric_class: type[_Metric], given: Mapping[str, str]) -> _Metric:
    """The metric with these parameters, converted to the types of its fields."""
    fields = {public_name(field.name): field.name for field in dataclasses.fields(metric_class)}
    kinds = _kinds(metric_class)
    values: dict[str, object] = {}
    for key, value in given.items():
        field_name = fields.get(public_name(key))
        if field_name is None:
            raise MetricError(
                f"{metric_class.name} has no parameter {key!r}",
                remedy=_suggestion(key, list(fields))
                or f"Its parameters are: {', '.join(fields) or 'none'}.",
            )
        values[field_name] = _converted(f"{metric_class.name}: {key}", value, kinds[field_name])
    return _made(metric_class, values)


def unknown(name: str, known: list[str]) -> MetricError:
    """The error for a metric that does not exist."""
    return MetricError(
        f"there is no metric {name!r}",
        remedy=_suggestion(name, known) or f"The metrics are: {', '.join(known)}.",
    )


def _suggestion(word: str, known: list[str]) -> str | None:
    import difflib

    close = difflib.get_close_matches(word.lower(), known, n=1)
    return f"Did you mean {close[0]!r}? All names: {', '.join(known)}." if close else None


@functools.cache
def choices(kind: object) -> tuple[str, ...]:
    """The allowed values of a parameter of this type, if its type lists them."""
    kind = _without_none(kind)
    return typing.get_args(kind) if typing.get_origin(kind) is Literal else ()


def finite_values(metric_class: type[Metric], field_name: str) -> tuple[object, ...]:
    """All values of a parameter that is a choice or a switch; nothing for other parameters."""
    kind = _without_none(_kinds(metric_class)[field_name])
    return (False, True) if kind is bool else choices(kind)


@functools.cache
def _without_none(kind: object) -> object:
    """`int` of `int | None`; other types stay as they are."""
    if typing.get_origin(kind) not in (types.UnionType, typing.Union):
        return kind
    return next(option for option in typing.get_args(kind) if option is not type(None))


@functools.cache
def _kinds(metric_class: type[Metric]) -> dict[str, object]:
    """The types of the parameters. They are kept, because this is the slowest step of a check."""
    return typing.get_type_hints(metric_class)


def check_values(metric: Metric) -> None:
    """Refuse values that do not fit the types of the fields. Python itself does not check them."""
    kinds = _kinds(type(metric))
    for field in dataclasses.fields(metric):
        what, value = f"{metric.name}: {public_name(field.name)}", getattr(metric, field.name)
        kind = _without_none(kinds[field.name])
        if value is None and kind is not kinds[field.name]:
            continue
        if allowed := choices(kind):
            _check_choice(what, value, allowed)
        elif kind is float:
            _check_number(what, value)
        elif kind is int and type(value) is int and abs(value) > _LARGEST:
            raise _refused(what, value, f"a whole number of at most {_LARGEST}")
        elif kind in (bool, int, str) and type(value) is not kind:
            names = {bool: "true or false", int: "a whole number", str: "a text"}
            raise _refused(what, value, names[cast("type", kind)])


def _refused(what: str, value: object, expected: str) -> MetricError:
    """The error for a value that a parameter cannot have, e.g. `green: beta is 'one'`."""
    return MetricError(f"{what} is {value!r}", remedy=f"It takes {expected}.")


def _check_choice(what: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise _refused(what, value, f"one of {', '.join(map(str, allowed))}")


def _check_number(what: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refused(what, value, "a number")
    if not math.isfinite(value):
        raise _refused(what, value, "a finite number")
    if abs(value) > _LARGEST_NUMBER:
        raise _refused(what, value, f"a number of at most {_LARGEST_NUMBER}")


def check_at_least(metric: Metric, **least: float) -> None:
    """Refuse parameters below their smallest value, e.g. `check_at_least(self, beta=0)`."""
    for name, smallest in least.items():
        value = getattr(metric, name)
        if value is not None and not value >= smallest:
            expected = f"{_number(metric, name)} of {text(smallest)} or more"
            raise _refused(f"{metric.name}: {public_name(name)}", value, expected)


def check_at_most(metric: Metric, **most: float) -> None:
    """Refuse parameters above their largest value, e.g. `check_at_most(self, n=100)`."""
    for name, largest in most.items():
        value = getattr(metric, name)
        if value is not None and not value <= largest:
            expected = f"{_number(metric, name)} of at most {text(largest)}"
            raise _refused(f"{metric.name}: {public_name(name)}", value, expected)


def _number(metric: Metric, name: str) -> str:
    is_whole = _without_none(_kinds(type(metric))[name]) is int
    return "a whole number" if is_whole else "a number"


def _converted(what: str, value: str, kind: object) -> object:
    """The value that users wrote as a text, in the type of its field."""
    kind = _without_none(kind)
    if allowed := choices(kind):
        _check_choice(what, value, allowed)
        return value
    if kind is bool:
        return _boolean(what, value)
    try:
        if kind in (int, float) and not is_plain(value):
            raise ValueError(value)
        return cast("Callable[[str], object]", kind)(value)
    except ValueError:
        expected = "a whole number" if kind is int else "a number"
        raise _refused(what, value, expected) from None


def _boolean(what: str, value: str) -> bool:
    truth = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if value.lower() not in truth:
        raise _refused(what, value, "true or false")
    return truth[value.lower()]
