"""Every metric that can be made here, as published and with each of its choices: new ones are found by themselves."""

from __future__ import annotations

import dataclasses
import importlib.util
import typing
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from corrigenda.core import spec
from corrigenda.core.metric import Metric
from corrigenda.errors import MetricError
from corrigenda.metrics import REGISTRY, metric_class

NOT_TESTED: dict[str, str] = {}
"""Name -> why a metric of the registry is left out of all conformance tests."""

RANGES: dict[str, tuple[float, float]] = {"imeasure": (-1.0, 1.0)}
"""Name -> lowest and highest score, where they are not 0 and 1."""

ONE_CHOICE_IS_ENOUGH: dict[str, str] = {
    "imeasure:maximise": "the twelve measures differ in nothing that is tested here",
}
"""name:parameter -> why its choices are not tried one by one."""

CHEAPER: dict[str, dict[str, object]] = {"gleu": {"draws": 7}}
"""Name -> parameters that make a metric quicker to test; PUBLISHED has it without them."""

MATTERS_WITH: dict[str, list[dict[str, object]]] = {
    "green:whitespace": [{"unit": "char"}],
    "gleu:whitespace": [{"unit": "char"}],
    "gleu:unit": [{}, {"variant": "2015"}],
    "gleu:denominator": [{"variant": "2015", "lambda_": 0.1}],
    "gleu:brevity": [{}, {"variant": "2015"}],
}
"""name:parameter -> the other parameters with which its values are tried."""

REFERENCE_NOT_MAXIMAL: dict[tuple[str, str], str] = {
    (
        "gleu:variant=2015,denominator=paper",
        "corpus",
    ): "the denominator counts n-grams that the numerator does not",
    (
        "gleu:variant=2015,denominator=paper",
        "sentence",
    ): "the denominator counts n-grams that the numerator does not",
    (
        "bleu:effective_order=false",
        "sentence",
    ): "a sentence of fewer than N words scores 0, longer output may not",
}
"""Part of the printed form, level -> why a system that copies the only reference need not be the best."""

EMPTY_REFERENCE_NOT_MAXIMAL: dict[str, str] = {
    "imeasure": "an empty reference stands for the source, by definition",
}
"""Name -> the same where a reference is empty."""


@cache
def not_maximal(metric: Metric, level: str, *, empty: bool = False) -> str | None:
    """Why the only reference need not be the best output, if there is a reason."""
    for (part, at_level), reason in REFERENCE_NOT_MAXIMAL.items():
        if part in str(metric) and level == at_level:
            return reason
    return EMPTY_REFERENCE_NOT_MAXIMAL.get(metric.name) if empty else None


def low_high(metric: Metric) -> tuple[float, float]:
    """The range of a metric's scores."""
    return RANGES.get(metric.name, (0.0, 1.0))


def is_constructible(name: str) -> bool:
    """Whether what the metric needs is installed, and nothing speaks against testing it."""
    found = all(
        importlib.util.find_spec(module) is not None for module in metric_class(name).modules
    )
    return name not in NOT_TESTED and metric_class(name).extra is None and found


def variants(name: str) -> Iterator[Metric]:
    """The metric, and with every other value of each parameter that has listed values."""
    made = metric_class(name)
    cheap = CHEAPER.get(name, {})
    yield made(**cheap)
    kinds = typing.get_type_hints(made)
    for field in dataclasses.fields(made):
        kind = kinds[field.name]
        values: tuple[object, ...] = (
            (True, False) if kind in (bool, bool | None) else spec.choices(kind)
        )
        for value in () if f"{name}:{field.name}" in ONE_CHOICE_IS_ENOUGH else values:
            for others in MATTERS_WITH.get(f"{name}:{field.name}", [{}]):
                with suppress(MetricError):  # values that do not go with the others
                    yield made(**cheap | others | {field.name: value})


NAMES: list[str] = [name for name in REGISTRY if is_constructible(name)]
PUBLISHED: list[Metric] = [metric_class(name)() for name in NAMES]
VARIANTS: dict[str, list[Metric]] = {name: list(dict.fromkeys(variants(name))) for name in NAMES}
METRICS: list[Metric] = [metric for of_name in VARIANTS.values() for metric in of_name]
