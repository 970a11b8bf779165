"""File formats: one module per format, each with the functions that read and write it.

The functions below are loaded when they are first used, so that the list of formats is light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corrigenda.formats.cherrant import read_corpus as read_cherrant
    from corrigenda.formats.essays import read_corpus as read_essays
    from corrigenda.formats.ixml import read_corpus as read_ixml
    from corrigenda.formats.jsonl import read_corpus as read_jsonl
    from corrigenda.formats.m2 import read_corpus as read_m2
    from corrigenda.formats.m2 import read_hypotheses as read_m2_hypotheses
    from corrigenda.formats.text import read_corpus as read_text
    from corrigenda.formats.text import read_hypotheses

_HOMES = {
    "read_cherrant": "corrigenda.formats.cherrant:read_corpus",
    "read_essays": "corrigenda.formats.essays:read_corpus",
    "read_hypotheses": "corrigenda.formats.text:read_hypotheses",
    "read_ixml": "corrigenda.formats.ixml:read_corpus",
    "read_jsonl": "corrigenda.formats.jsonl:read_corpus",
    "read_m2": "corrigenda.formats.m2:read_corpus",
    "read_m2_hypotheses": "corrigenda.formats.m2:read_hypotheses",
    "read_text": "corrigenda.formats.text:read_corpus",
}

__all__ = [
    "read_cherrant",
    "read_essays",
    "read_hypotheses",
    "read_ixml",
    "read_jsonl",
    "read_m2",
    "read_m2_hypotheses",
    "read_text",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'corrigenda.formats' has no attribute {name!r}")
    module, _, function = _HOMES[name].partition(":")
    return getattr(importlib.import_module(module), function)
