"""Results as records of CSV: one per result, or one per sentence."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.cli.tables import Records, Value
from corrigenda.core.result import Result


def of_results(results: Sequence[Result]) -> Records:
    """One record per system and metric; `low` and `high` where there are intervals."""
    with_intervals = any(result.interval is not None for result in results)
    bounds = ("low", "high") if with_intervals else ()
    header = ("system", "metric", "level", "score", *bounds, "precision", "recall", "signature")
    return Records(header, [_record(result, with_intervals) for result in results])


def _record(result: Result, with_interval: bool) -> list[Value]:
    interval = result.interval
    bounds: list[Value] = []
    if with_interval:
        bounds = [None, None] if interval is None else [interval.low, interval.high]
    front: list[Value] = [result.system, str(result.metric), result.level, result.score]
    return [*front, *bounds, result.precision, result.recall, result.signature]


def of_sentences(results: Sequence[Result]) -> Records:
    """One record per system, metric and sentence; sentences count from 1, references from 0."""
    rows: list[list[Value]] = []
    for result in results:
        references = result.references
        for index, score in enumerate(result.sentence_scores.tolist()):
            reference = None if references is None else int(references[index])
            rows.append([result.system, str(result.metric), index + 1, score, reference])
    return Records(("system", "metric", "sentence", "score", "reference"), rows)
