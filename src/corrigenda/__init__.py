"""Corrigenda measures grammatical error correction: every metric of the field in one place.

The names below are public. Each is loaded when it is first used, so importing the package is fast.
"""

from __future__ import annotations

from corrigenda._version import __version__

# The module `typing` takes longer than all of this, and Ctrl+C meanwhile would be a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from corrigenda import meta, report
    from corrigenda.analysis.comparing import compare
    from corrigenda.calls.checking import check
    from corrigenda.calls.converting import convert
    from corrigenda.calls.explaining import explain
    from corrigenda.calls.slicing import slices
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result
    from corrigenda.core.scored import Scored
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.edits import Annotation, Edit
    from corrigenda.errors import CorrigendaError
    from corrigenda.formats import (
        read_cherrant,
        read_essays,
        read_hypotheses,
        read_ixml,
        read_jsonl,
        read_m2,
        read_m2_hypotheses,
        read_text,
    )
    from corrigenda.health import Finding
    from corrigenda.human.ranking import rank
    from corrigenda.metrics import metric
    from corrigenda.rewards import reward
    from corrigenda.scoring import evaluate, score

_HOMES = {
    "Annotation": "corrigenda.edits",
    "Corpus": "corrigenda.corpus",
    "CorrigendaError": "corrigenda.errors",
    "Edit": "corrigenda.edits",
    "Finding": "corrigenda.health",
    "Hypotheses": "corrigenda.corpus",
    "Metric": "corrigenda.core.metric",
    "Result": "corrigenda.core.result",
    "Scored": "corrigenda.core.scored",
    "check": "corrigenda.calls.checking",
    "compare": "corrigenda.analysis.comparing",
    "convert": "corrigenda.calls.converting",
    "evaluate": "corrigenda.scoring",
    "explain": "corrigenda.calls.explaining",
    "metric": "corrigenda.metrics",
    "rank": "corrigenda.human.ranking",
    "read_cherrant": "corrigenda.formats",
    "read_essays": "corrigenda.formats",
    "read_hypotheses": "corrigenda.formats",
    "read_ixml": "corrigenda.formats",
    "read_jsonl": "corrigenda.formats",
    "read_m2": "corrigenda.formats",
    "read_m2_hypotheses": "corrigenda.formats",
    "read_text": "corrigenda.formats",
    "reward": "corrigenda.rewards",
    "score": "corrigenda.scoring",
    "slices": "corrigenda.calls.slicing",
}

_ROOMS = ("meta", "report")
"""Rooms that are public, and can be called."""

__all__ = [
    "Annotation",
    "Corpus",
    "CorrigendaError",
    "Edit",
    "Finding",
    "Hypotheses",
    "Metric",
    "Result",
    "Scored",
    "__version__",
    "check",
    "compare",
    "convert",
    "evaluate",
    "explain",
    "meta",
    "metric",
    "rank",
    "read_cherrant",
    "read_essays",
    "read_hypotheses",
    "read_ixml",
    "read_jsonl",
    "read_m2",
    "read_m2_hypotheses",
    "read_text",
    "report",
    "reward",
    "score",
    "slices",
]


def __getattr__(name: str) -> Any:
    import importlib

    if name in _ROOMS:
        return importlib.import_module(f"corrigenda.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'corrigenda' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
