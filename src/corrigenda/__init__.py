"""Corrigenda measures grammatical error correction: every metric of the field in one place.

The names below are the public ones; each is loaded when it is first used, so that importing the
package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from corrigenda._version import __version__

if TYPE_CHECKING:
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.edits import Annotation, Edit
    from corrigenda.errors import CorrigendaError
    from corrigenda.metrics import metric
    from corrigenda.rewards import reward
    from corrigenda.scoring import evaluate, score

_HOMES = {
    "Annotation": "corrigenda.edits",
    "Corpus": "corrigenda.corpus",
    "CorrigendaError": "corrigenda.errors",
    "Edit": "corrigenda.edits",
    "Hypotheses": "corrigenda.corpus",
    "Metric": "corrigenda.core.metric",
    "Result": "corrigenda.core.result",
    "evaluate": "corrigenda.scoring",
    "metric": "corrigenda.metrics",
    "reward": "corrigenda.rewards",
    "score": "corrigenda.scoring",
}

__all__ = [
    "Annotation",
    "Corpus",
    "CorrigendaError",
    "Edit",
    "Hypotheses",
    "Metric",
    "Result",
    "__version__",
    "evaluate",
    "metric",
    "reward",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'corrigenda' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
