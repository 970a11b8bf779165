"""Short headings for metrics: no paths and no long values; signatures say the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result

_LONGEST_VALUE = 16
_LONGEST_MODEL = 20


def labels(metrics: Sequence[Metric]) -> dict[str, str]:
    """A heading for each metric by its printed form. Equal headings are numbered: `pt-m2-1`."""
    short = {str(metric): _label(metric) for metric in metrics}
    equal = Counter(short.values())
    seen: Counter[str] = Counter()
    found = {}
    for printed, label in short.items():
        seen[label] += 1
        found[printed] = _numbered(label, seen[label]) if equal[label] > 1 else label
    return found


def heading(result: Result, headings: dict[str, str]) -> str:
    """The heading of a metric; it says if gold edits were extracted where annotated ones belong."""
    extracted = " (extracted)" if result.has_extracted_gold else ""
    return headings[str(result.metric)] + extracted


def gold_notes(results: Iterable[Result]) -> list[str]:
    """What such a heading means, once per metric."""
    names = {result.metric.name: None for result in results if result.has_extracted_gold}
    return [
        f"{name} (extracted): against edits extracted from the reference texts; published scores "
        "use annotated edits (--gold FILE.m2) and differ"
        for name in names
    ]


def experimental_notes(metrics: Iterable[Metric]) -> list[str]:
    """That no paper defines a metric, once per name."""
    names = {metric.name: None for metric in metrics if metric.experimental}
    return [
        f"{name} is experimental: no paper defines it, and its definition may change"
        for name in names
    ]


def _numbered(label: str, number: int) -> str:
    """`bertscore-2 (MiniLM)`: the number stands behind the name of the metric."""
    name = re.split(r"[:\s]", label, maxsplit=1)[0]
    return f"{name}-{number}{label.removeprefix(name)}"


def _label(metric: Metric) -> str:
    """`bertscore:layer=6 (MiniLM)` for `bertscore:model=models/MiniLM,layer=6`."""
    from corrigenda.core import spec

    name, given = spec.split(str(metric))
    kept = [
        f"{key}={value}"
        for key, value in given.items()
        if not key.endswith("model") and not _is_long(value)
    ]
    label = f"{name}:{','.join(kept)}" if kept else name
    model = next((value for key, value in given.items() if key.endswith("model")), "")
    return f"{label} ({_model_name(model)})" if model else label


def _is_long(value: str) -> bool:
    return len(value) > _LONGEST_VALUE or "/" in value or "\\" in value


def _model_name(model: str) -> str:
    """The last part of a path or of a name such as `organisation/model`."""
    name = re.split(r"[/\\]", model.rstrip("/\\"))[-1]
    return name if len(name) <= _LONGEST_MODEL else f"{name[: _LONGEST_MODEL - 1]}…"


def signature_lines(results: Iterable[Result], headings: dict[str, str]) -> tuple[str, ...]:
    """The signatures of the results; a metric with a short heading has it in front."""
    lines: dict[str, None] = {}
    for result in results:
        printed = str(result.metric)
        front = "" if headings[printed] == printed else f"{headings[printed]}: "
        lines[f"{front}{result.signature}"] = None
    return tuple(lines)
