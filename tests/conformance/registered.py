"""Every metric of the registry, as published and with each of its choices.

A new metric of the registry is tested without a change here. Exceptions are listed by name, each
with its reason.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache

import pytest

from corrigenda.core import spec
from corrigenda.core.metric import Metric
from corrigenda.errors import MetricError
from corrigenda.metrics import REGISTRY, metric_class
from examples import PROFILE
from public_data import IS_FULL
from tiny_models import MODELS, shared_folder

Parameters = dict[str, object]

ENCODER, TRANSLATOR, REGRESSOR, LANGUAGE_MODEL = (str(shared_folder(name)) for name in MODELS)

NOT_TESTED: dict[str, str] = {
    "rank-average": "it needs two systems or more; test_rank_average.py has them",
    "llm": "it asks a service; test_llm_metric.py has one that is made up",
}
"""Name -> why a metric of the registry is left out of all conformance tests."""

PT_SCORERS: list[Parameters] = [
    {"scorer": "self"},
    {"model": ENCODER},
    {"scorer": "bartscore", "model": TRANSLATOR},
]

TINY_MODELS: dict[str, list[Parameters]] = {
    "bertscore": [{"model": ENCODER}],
    "bartscore": [{"model": TRANSLATOR}],
    "pt-m2": PT_SCORERS,
    "pt-errant": PT_SCORERS,
    "scribendi": [{"model": LANGUAGE_MODEL}],
    "impara": [{"model": REGRESSOR, "similarity_model": ENCODER}],
    "uot-errant": [{"model": ENCODER}],
    "soft-edits": [
        {"model": ENCODER},
        {
            "model": ENCODER,
            "replacements": "together",
            "found_gain": 0.1,
            "meaning_gain": 7.0,
            "character_gain": 6.0,
        },
    ],
    "pt-green": [{"weights": "one"}, {"model": ENCODER, "match": "soft"}],
    "some": [{"grammaticality": REGRESSOR, "fluency": REGRESSOR, "meaning": REGRESSOR}],
}
"""Name -> the parameters that replace a published model, which is large, by a tiny one."""

CHEAPER: dict[str, Parameters] = {"gleu": {"draws": 7}}
"""Name -> parameters that make a metric quicker to test; PUBLISHED has it without them."""

ONE_CHOICE_IS_ENOUGH: dict[str, str] = {
    "imeasure:maximise": "what is tested here does not depend on which of the twelve it is",
    "errant:merger": "tests of the annotators and goldens try each merger",
    "pt-m2:scorer": "TINY_MODELS has every scorer",
    "pt-errant:scorer": "TINY_MODELS has every scorer",
    "cleme2:weighting": "cleme tries length, and similarity weighs as pt-errant does",
    "cleme:merger": "errant tries them all, and the edits have the same source",
    "cleme2:merger": "errant tries them all, and the edits have the same source",
    "pt-errant:merger": "errant tries them all, and the edits have the same source",
    "cleme2:gold": "errant tries them all, and the edits have the same source",
    "gotoscorer:merger": "errant tries them all, and the edits have the same source",
    "uot-errant:merger": "errant tries them all, and the edits have the same source",
    "gotoscorer:gold": "errant tries them all, and the edits have the same source",
    "uot-errant:gold": "errant tries them all, and the edits have the same source",
    "uot-errant:vectorize": "test_uot_errant_metric.py has every value",
    "uot-errant:mass": "test_uot_errant_metric.py has every value",
    "uot-errant:cost": "test_uot_errant_metric.py has every value",
    "uot-errant:clip": "test_uot_errant_metric.py has every value",
    "scribendi:drop_latin1": "what is tested here has no other characters",
    "impara:pooling": "test_impara_metric.py has both",
    "pt-green:weights": "TINY_MODELS has two, test_pt_green_metric.py has them all",
    "soft-edits:replacements": "TINY_MODELS has both",
    "pt-green:match": "TINY_MODELS has both",
    "pt-green:unit": "test_pt_green_metric.py has every unit, and green tries them all",
    "pt-green:whitespace": "test_pt_green_metric.py has both, and green tries them",
    "pt-green:short": "test_pt_green_metric.py has both, and green tries them",
    "pt-errant:gold": "errant tries them all, and the edits have the same source",
}
"""name:parameter -> why its choices are not tried one by one."""

MATTERS_WITH: dict[str, list[Parameters]] = {
    "green:whitespace": [{"unit": "char"}],
    "gleu:whitespace": [{"unit": "char"}],
    "gleu:unit": [{}, {"variant": "2015"}],
    "gleu:denominator": [{"variant": "2015", "lambda_": 0.1}],
    "gleu:brevity": [{}, {"variant": "2015"}],
    "cleme:weighting": [{}, {"assumption": "independent"}],
    "errant:merger": [{"edits": "any"}],
}
"""name:parameter -> the other parameters with which its values are tried."""

RANGES: dict[str, tuple[float, float]] = {
    "imeasure": (-1.0, 1.0),
    "bertscore": (-1.0, 1.0),
    "bartscore": (float("-inf"), 0.0),
    "uot-errant": (0.0, float("inf")),
    "scribendi": (float("-inf"), float("inf")),
    "some": (float("-inf"), float("inf")),
}
"""Name -> lowest and highest score, where they are not 0 and 1."""

BATCHES_MOVE_SCORES: dict[str, float] = {
    "bertscore": 1e-6,
    "bartscore": 1e-6,
    "pt-m2": 1e-5,
    "pt-errant": 1e-5,
    "uot-errant": 1e-4,
    "soft-edits": 1e-5,
    "pt-green": 1e-5,
    "scribendi": 1e-6,
    "impara": 1e-6,
    "some": 1e-5,
}
"""Name -> how far a score moves when a pretrained model computes in other batches.

A model's numbers move by about 1e-7; weights of edits are small differences of such numbers.
Metrics that use no model with their parameters give the same bits: `pt-m2:scorer=self`.
"""

NEEDS_ANNOTATED_EDITS = ("gold=annotated", "gold=retyped")
"""Parts of the printed form of metrics that refuse a corpus without annotated edits."""

READS_GOLD_ANYWAY: dict[str, str] = dict.fromkeys(
    ("errant", "cleme", "cleme2", "gotoscorer", "uot-errant", "pt-errant"),
    "it needs texts alone, and gold=auto takes annotated edits where there are any",
)
"""Name -> why annotated edits change the score of a metric that does not need them."""

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
    ("uot-errant:", "corpus"): "the entropy spreads mass over all edits",
    ("uot-errant:", "sentence"): "the entropy spreads mass over all edits",
    ("bartscore:", "corpus"): "a model may find another sentence likelier than the reference",
    ("bartscore:", "sentence"): "a model may find another sentence likelier than the reference",
}
"""Part of the printed form, level -> why a copy of the reference may not be the best output."""

ANNOTATED_EDITS_NOT_FOUND: dict[str, str] = dict.fromkeys(
    ("errant", "cleme", "cleme2", "gotoscorer", "uot-errant", "pt-errant"),
    "ERRANT may cut a copy of the reference into other edits than the annotated ones",
)
"""Name -> why a copy of the reference is best only against edits of the same extractor."""

EMPTY_REFERENCE_NOT_MAXIMAL: dict[str, str] = {
    "imeasure": "an empty reference stands for the source, by definition",
    "bertscore": "an empty sentence scores 0, by definition",
}
"""Name -> the same where a reference is empty."""


@cache
def not_maximal(metric: Metric, level: str, *, empty: bool = False) -> str | None:
    """Why the only reference need not be the best output, if there is a reason."""
    if metric.needs_references == "none":
        return "it does not look at references"
    for (part, at_level), reason in REFERENCE_NOT_MAXIMAL.items():
        if str(metric).startswith(part) and level == at_level:
            return reason
    if empty and "short=available" in str(metric):
        return "an empty sentence has no n-grams that are available"
    return EMPTY_REFERENCE_NOT_MAXIMAL.get(metric.name) if empty else None


def low_high(metric: Metric) -> tuple[float, float]:
    """The range of a metric's scores."""
    if "_gain=" in str(metric):
        return float("-inf"), float("inf")  # weights of gains have no limit
    return RANGES.get(metric.name, (0.0, 1.0))


def tolerance(metric: Metric) -> float:
    """How far batches may move a score: 0 for all metrics without a pretrained model."""
    return BATCHES_MOVE_SCORES[metric.name] if "torch" in metric.modules_in_use else 0.0


def takes_plain_text(metric: Metric) -> bool:
    """Whether the metric scores a corpus without annotated edits."""
    return not any(part in str(metric) for part in NEEDS_ANNOTATED_EDITS)


def label(metric: Metric) -> str:
    """The printed form, without the folder of the tiny models."""
    return str(metric).replace(f"{shared_folder('')}/", "")


def marks(*metrics: Metric) -> list[pytest.MarkDecorator]:
    """The marks of a test: which models it needs, and why it is skipped where they are missing."""
    in_use = dict.fromkeys(module for each in metrics for module in each.modules_in_use)
    found = [pytest.mark.model(*in_use)] if in_use else []
    for metric in metrics:
        if missing := metric.missing_modules():
            reason = f"{metric.name} needs {', '.join(missing)}"
            found.append(pytest.mark.skip(f"{reason}: pip install 'corrigenda[{metric.extra}]'"))
    return found


def as_parameters(metrics: Iterable[Metric], *, choices: bool = True) -> list[object]:
    """Metrics as the parameters of a test, with their marks; ids are the same in every process.

    `make quick` tries each metric as published. `make test` also tries it with every choice, if
    `choices` says so and no model makes that slow. CORRIGENDA_FULL=1 tries all of them.
    """
    return [
        pytest.param(each, marks=marks(each) + slow_choice(each), id=label(each))
        for each in dict.fromkeys(metrics)
        if IS_FULL or each in as_published() or (choices and not each.modules_in_use)
    ]


def slow_choice(metric: Metric) -> list[pytest.MarkDecorator]:
    """The mark of a metric that is not as published."""
    return [] if metric in as_published() else [pytest.mark.slow]


@cache
def as_published() -> frozenset[Metric]:
    """The metrics with their published parameters, or with cheaper ones in their place."""
    cheaper = (metric_class(name)(**CHEAPER.get(name, {}) | base) for name, base in _BASES)
    return frozenset((*PUBLISHED, *cheaper))


def listed_values(name: str) -> Iterator[tuple[str, object]]:
    """Every value of each parameter that has listed values."""
    made = metric_class(name)
    kinds = typing.get_type_hints(made)
    for field in dataclasses.fields(made):
        kind = kinds[field.name]
        listed = (True, False) if kind in (bool, bool | None) else spec.choices(kind)
        yield from ((field.name, value) for value in listed)


def variants(name: str, base: Parameters) -> Iterator[Metric]:
    """The metric, and with every other value of each parameter that has listed values."""
    made = metric_class(name)
    cheap = CHEAPER.get(name, {}) | base
    yield made(**cheap)
    for field, value in listed_values(name):
        if f"{name}:{field}" not in ONE_CHOICE_IS_ENOUGH:
            for others in MATTERS_WITH.get(f"{name}:{field}", [{}]):
                with suppress(MetricError):  # values that do not go with the others
                    yield made(**cheap | others | {field: value})


NAMES: list[str] = [name for name in REGISTRY if name not in NOT_TESTED]
_BASES = [(name, base) for name in NAMES for base in TINY_MODELS.get(name, [{}])]
PUBLISHED: list[Metric] = [metric_class(name)(**base) for name, base in _BASES]
VARIANTS: dict[str, list[Metric]] = {
    label(metric_class(name)(**base)): list(dict.fromkeys(variants(name, base)))
    for name, base in _BASES
}
"""Published metric -> the metric with each of its choices."""
TRIED: dict[str, list[Metric]] = {
    name: [
        each
        for each in found
        if IS_FULL or each in as_published() or not (each.modules_in_use or PROFILE == "quick")
    ]
    for name, found in VARIANTS.items()
}
"""The same without the choices of metrics with models, which take long: CORRIGENDA_FULL=1. The
profile `quick` tries metrics as published."""
METRICS: list[Metric] = [metric for of_name in VARIANTS.values() for metric in of_name]
