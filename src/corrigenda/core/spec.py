"""A metric as text: `green:beta=1,unit=char`, both ways."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import math
import types
import typing
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from corrigenda.errors import MetricError

if TYPE_CHECKING:
    from corrigenda.core.metric import Metric

_LARGEST = 2**31 - 1  # what kernels count with

_Metric = TypeVar("_Metric", bound="Metric")


def parameter(default: Any, explanation: str, *, shown: str | None = None) -> Any:
    """A field of a metric, explained for the list of metrics; `shown` says a default that depends."""
    return dataclasses.field(default=default, metadata={"explanation": explanation, "shown": shown})


def public_name(field_name: str) -> str:
    """A parameter's name for users: `lambda_` is `lambda`."""
    return field_name.rstrip("_")


def parameters(metric: Metric) -> dict[str, object]:
    """Every parameter with its value."""
    return {
        public_name(field.name): getattr(metric, field.name) for field in dataclasses.fields(metric)
    }


def printed(metric: Metric) -> str:
    """The shortest text that `build` makes into an equal metric."""
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


def _builds_equal(metric: Metric, given: dict[str, Any]) -> bool:
    try:
        return type(metric)(**given) == metric
    except MetricError:
        return False


def text(value: object) -> str:
    """A parameter's value as users write it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def split(specification: str) -> tuple[str, dict[str, str]]:
    """The name and the given parameters of `name:key=value,key=value`."""
    name, colon, rest = specification.partition(":")
    if colon and not rest.strip():
        raise MetricError(
            f"metric {specification!r}: nothing follows the colon",
            remedy=f"Write {name.strip()}, or {name.strip()}:key=value.",
        )
    given: dict[str, str] = {}
    for part in rest.split(",") if colon else []:
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise MetricError(
                f"metric {specification!r}: {part!r} is not a parameter",
                remedy=f"Write {name}:key=value,key=value.",
            )
        if key.strip() in given:
            raise MetricError(
                f"metric {specification!r}: {key.strip()!r} is given twice",
                remedy="Give each parameter once.",
            )
        given[key.strip()] = value.strip()
    return name.strip(), given


def build(metric_class: type[_Metric], given: dict[str, str]) -> _Metric:
    """The metric with these parameters, converted to the types of its fields."""
    fields = {public_name(field.name): field.name for field in dataclasses.fields(metric_class)}
    types_of = _kinds(metric_class)
    values: dict[str, Any] = {}
    for key, value in given.items():
        field_name = fields.get(public_name(key))
        if field_name is None:
            raise MetricError(
                f"{metric_class.name} has no parameter {key!r}",
                remedy=_suggestion(key, list(fields))
                or f"Its parameters: {', '.join(fields) or 'none'}.",
            )
        values[field_name] = _converted(f"{metric_class.name}: {key}", value, types_of[field_name])
    return metric_class(**values)


def unknown(name: str, known: list[str]) -> MetricError:
    """The error for a metric that does not exist."""
    return MetricError(
        f"there is no metric {name!r}",
        remedy=_suggestion(name, known) or f"The metrics: {', '.join(known)}.",
    )


def _suggestion(word: str, known: list[str]) -> str | None:
    close = difflib.get_close_matches(word.lower(), known, n=1)
    return f"Did you mean {close[0]!r}? All of them: {', '.join(known)}." if close else None


def choices(kind: Any) -> tuple[str, ...]:
    """The values that a parameter of this type may have, if they are listed."""
    kind = _without_none(kind)
    return typing.get_args(kind) if typing.get_origin(kind) is Literal else ()


def _without_none(kind: Any) -> Any:
    if typing.get_origin(kind) not in (types.UnionType, typing.Union):
        return kind
    return next(option for option in typing.get_args(kind) if option is not type(None))


@functools.cache
def _kinds(metric_class: type[Metric]) -> dict[str, Any]:
    """The types of a metric's parameters; working them out takes longer than all else here."""
    return typing.get_type_hints(metric_class)


def check_values(metric: Metric) -> None:
    """Refuse values that do not fit the types of the fields: Python itself would take anything."""
    kinds = _kinds(type(metric))
    for field in dataclasses.fields(metric):
        what, value = f"{metric.name}: {public_name(field.name)}", getattr(metric, field.name)
        kind = _without_none(kinds[field.name])
        if value is None and kind is not kinds[field.name]:
            continue
        if allowed := choices(kind):
            if value not in allowed:
                raise MetricError(
                    f"{what} is {value!r}", remedy=f"It takes: {', '.join(map(str, allowed))}."
                )
        elif kind is float:
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not math.isfinite(value)
            ):
                raise MetricError(f"{what} is {value!r}", remedy="It takes a number.")
        elif kind is int and type(value) is int and abs(value) > _LARGEST:
            raise MetricError(
                f"{what} is {value}", remedy=f"It takes a whole number of at most {_LARGEST}."
            )
        elif kind in (bool, int, str) and type(value) is not kind:
            names = {bool: "true or false", int: "a whole number", str: "a text"}
            raise MetricError(f"{what} is {value!r}", remedy=f"It takes {names[kind]}.")


def check_at_least(metric: Metric, **least: float) -> None:
    """Refuse parameters below their smallest value, e.g. `check_at_least(self, beta=0)`."""
    for name, smallest in least.items():
        value = getattr(metric, name)
        if value is not None and not value >= smallest:
            raise MetricError(
                f"{metric.name}: {public_name(name)} is {value}",
                remedy=f"It takes a number from {text(smallest)} on.",
            )


def check_at_most(metric: Metric, **most: float) -> None:
    """Refuse parameters above what makes sense, e.g. `check_at_most(self, n=100)`."""
    for name, largest in most.items():
        value = getattr(metric, name)
        if value is not None and not value <= largest:
            raise MetricError(
                f"{metric.name}: {public_name(name)} is {value}",
                remedy=f"It takes a number up to {text(largest)}.",
            )


def _converted(what: str, value: str, kind: Any) -> Any:
    kind = _without_none(kind)
    if allowed := choices(kind):
        if value not in allowed:
            raise MetricError(
                f"{what} is {value!r}", remedy=f"It takes: {', '.join(map(str, allowed))}."
            )
        return value
    if kind is bool:
        return _boolean(what, value)
    try:
        return kind(value)
    except ValueError:
        number = "a whole number" if kind is int else "a number"
        raise MetricError(f"{what} is {value!r}", remedy=f"It takes {number}.") from None


def _boolean(what: str, value: str) -> bool:
    truth = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if value.lower() not in truth:
        raise MetricError(f"{what} is {value!r}", remedy="It takes true or false.")
    return truth[value.lower()]
