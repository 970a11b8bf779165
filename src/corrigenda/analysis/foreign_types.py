"""Gold edits with error types of another scheme: a table by type would mix two schemes."""

from __future__ import annotations

from corrigenda.core import spec
from corrigenda.core.metric import Metric
from corrigenda.core.types import OPERATIONS
from corrigenda.corpus import Corpus

_IN_ALL_SCHEMES = ("", "noop", "UNK", "Um")


def foreign_types(corpus: Corpus) -> list[str]:
    """The types of gold edits that have no operation (M, R or U), sorted."""
    types = {
        edit.type
        for annotations in corpus.gold or ()
        for annotation in annotations
        for edit in annotation.edits
    }
    prefixes = tuple(f"{operation}:" for operation in OPERATIONS)
    return sorted(
        each for each in types if each not in _IN_ALL_SCHEMES and not each.startswith(prefixes)
    )


def with_types(metric: Metric) -> Metric:
    """The metric with its own types on the gold edits, if it knows types and has no other order."""
    if "types" not in metric.offers or getattr(metric, "gold", None) != "auto":
        return metric
    return spec.replaced(metric, gold="retyped")
