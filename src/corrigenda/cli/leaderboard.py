"""Results as a table: one row per system, one column per metric, the best of each column marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corrigenda.cli.labels import experimental_notes, gold_notes, heading, labels, signature_lines
from corrigenda.cli.tables import Cell, Column, Row, Table, key_column, percent, text
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result


def leaderboard(results: Sequence[Result], sort: str | None = None) -> Table:
    """Many systems by many metrics, sorted by the first metric unless `sort` says otherwise."""
    metrics = list(dict.fromkeys(result.metric for result in results))
    headings = labels(metrics)
    by_system = results_by_system(results)
    columns = [key_column("system")]
    for metric in metrics:
        found = next(result for result in results if result.metric == metric)
        columns.append(Column(heading(found, headings)))
        if _shows_precision_and_recall(metric, results):
            columns += [Column("P", attached=True), Column("R", attached=True)]
    rows = []
    for system in sorted_systems(by_system, sort or str(metrics[0])):
        cells = [_metric_cells(metric, system, by_system, results) for metric in metrics]
        rows.append(Row((text(system), *(cell for group in cells for cell in group))))
    return Table(
        tuple(columns),
        tuple(rows),
        notes=(
            f"{results[0].level} level, scores × 100",
            *gold_notes(results),
            *experimental_notes(metrics),
        ),
        signatures=signature_lines(results, headings),
    )


def described(result: Result) -> str:
    """The system and the metric of a result, for progress."""
    return f"{result.system}, {result.metric.name}"


SystemResults = dict[str, dict[str, Result]]
"""By system and the printed form of a metric."""


def results_by_system(results: Iterable[Result]) -> SystemResults:
    """The results of each system, in the order in which systems were given."""
    found: SystemResults = {}
    for result in results:
        found.setdefault(result.system, {})[str(result.metric)] = result
    return found


def sorted_systems(by_system: SystemResults, sort: str) -> list[str]:
    """The systems by a metric, best first; by `system`, their name; or as `given`."""
    if sort == "given":
        return list(by_system)
    if sort == "system":
        return sorted(by_system)
    return sorted(by_system, key=lambda system: -by_system[system][sort].score)


def _shows_precision_and_recall(metric: Metric, results: Sequence[Result]) -> bool:
    """Metrics that count edits show them; any metric that has them does when it is alone."""
    alone = all(result.metric == metric for result in results)
    known = all(result.recall is not None for result in results if result.metric == metric)
    return known and (alone or metric.shows_precision_recall)


def _metric_cells(
    metric: Metric, system: str, by_system: SystemResults, results: Sequence[Result]
) -> list[Cell]:
    name = str(metric)
    found = by_system[system][name]
    best = max(of_system[name].score for of_system in by_system.values())
    is_best = len(by_system) > 1 and found.score == best
    cells = [percent(found.score, interval=found.interval, best=is_best)]
    if _shows_precision_and_recall(metric, results):
        cells += [percent(found.precision), percent(found.recall)]
    return cells
