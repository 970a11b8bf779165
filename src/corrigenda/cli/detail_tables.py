"""All counts and measures of each metric: tables with one row per system, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corrigenda.cli.labels import labels
from corrigenda.cli.tables import Cell, Column, Row, Table, count, key_column, number, percent, text
from corrigenda.core import spec
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result

_HEADINGS = {
    "precision": "P", "recall": "R", "acc": "Acc", "wacc": "WAcc", "wacc_base": "WAcc_base",
    "i": "I", "brevity_penalty": "BP", "tp": "TP", "tn": "TN", "fp": "FP", "fn": "FN", "fpn": "FPN",
}  # fmt: skip


def detail_tables(results: Sequence[Result]) -> list[Table]:
    """The tables of every metric, in the order of the metrics."""
    metrics = list(dict.fromkeys(result.metric for result in results))
    headings = labels(metrics)
    tables = []
    for metric in metrics:
        found = [result for result in results if result.metric == metric]
        ordered = sorted(found, key=lambda result: -result.score)
        tables += _tables_of(metric, headings[str(metric)], ordered)
    return tables


def _tables_of(metric: Metric, label: str, results: Sequence[Result]) -> list[Table]:
    """One table per kind of counts (correction, detection); else one of totals, and one per n."""
    kinds = [
        name
        for name, value in results[0].counts.items()
        if isinstance(value, Mapping) and isinstance(results[0].measures.more.get(name), Mapping)
    ]
    if kinds:
        # People look for the correction first.
        kinds.sort(key=lambda kind: kind != "correction")
        return [
            _table(metric, f"{label}, {kind}", results, [_of_kind(each, kind) for each in results])
            for kind in kinds
        ]
    tables = [_table(metric, label, results, list(map(_totals, results)))]
    lists = {name for name, value in results[0].counts.items() if isinstance(value, list)}
    longest = max((len(_counts_of_n(results[0], name)) for name in lists), default=0)
    for n in range(longest):
        rows = [
            {name: count(_counts_of_n(result, name)[n]) for name in result.counts if name in lists}
            for result in results
        ]
        tables.append(_table(metric, f"{label}, n = {n + 1}", results, rows))
    return tables


NamedCells = dict[str, Cell]


def _of_kind(result: Result, kind: str) -> NamedCells:
    counts, measures = result.counts[kind], result.measures[kind]
    assert isinstance(counts, Mapping)
    assert isinstance(measures, Mapping)
    return {
        **{name: count(each) for name, each in counts.items()},
        **{name: percent(value) for name, value in measures.items()},
    }


def _totals(result: Result) -> NamedCells:
    """The counts that are single numbers, then precision, recall, other measures and the score."""
    # Counts may have other weights at this level.
    of_level = result.counts.get(result.level)
    counts = {**result.counts, **of_level} if isinstance(of_level, Mapping) else result.counts
    cells = {name: count(each) for name, each in counts.items() if isinstance(each, int | float)}
    measures = {"precision": result.precision, "recall": result.recall, **result.measures.more}
    for name, value in measures.items():
        if isinstance(value, float):
            own_scale = name in result.metric.own_scale
            cells[name] = number(value, 2) if own_scale else percent(value)
        elif isinstance(value, Mapping) and name not in result.counts:
            cells |= {f"{name}: {of}": percent(each) for of, each in value.items()}
    return {**cells, "score": percent(result.score)}


def _counts_of_n(result: Result, name: str) -> list[int | float]:
    counts = result.counts[name]
    assert isinstance(counts, list)
    return counts


def _table(
    metric: Metric, title: str, results: Sequence[Result], rows: Sequence[NamedCells]
) -> Table:
    columns = [Column(_heading(metric, name)) for name in rows[0]]
    return Table(
        (key_column("system"), *columns),
        tuple(
            Row((text(result.system), *cells.values()))
            for result, cells in zip(results, rows, strict=True)
        ),
        title=title,
    )


def _heading(metric: Metric, name: str) -> str:
    """The metric's own heading; `F0.5` for the F of a metric with β; else the usual one."""
    if name in metric.labels:
        return metric.labels[name]
    beta = spec.parameters(metric).get("beta")
    if isinstance(beta, float | int) and name in ("f", "score"):
        return f"F{beta:g}"
    return _HEADINGS.get(name, name)
