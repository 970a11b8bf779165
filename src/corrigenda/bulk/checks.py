"""Checks of the arguments of a run, before any work is done."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.bulk.columns import Columns
from corrigenda.bulk.tables import OWN_COLUMNS
from corrigenda.core.metric import Metric
from corrigenda.errors import MetricError, UsageError
from corrigenda.metrics import metric_of


def check_lists(**lists: object) -> None:
    """Refuse a single name instead of a list: Python would take its letters as the items."""
    for name, value in lists.items():
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise UsageError(f"{name} must be a list", remedy=f"Write {name}=[{value!r}].")


def check_numbers(**numbers: tuple[object, int]) -> None:
    """Refuse values that are not whole numbers of at least the given size. None is allowed."""
    for name, (value, least) in numbers.items():
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int) or value < least
        ):
            raise UsageError(
                f"{name} is {value!r}", remedy=f"It takes a whole number of {least} or more."
            )


def checked_metrics(metrics: Sequence[Metric | str], *, here: bool) -> list[Metric]:
    """The metrics, if each can be computed in parts.

    If the work is done `here`, on this machine, the modules that they need must be installed.
    """
    chosen = [metric_of(item) for item in metrics]
    if not chosen:
        raise UsageError("no metric is given", remedy="Add --metrics green, for example.")
    for metric in chosen:
        if sum(str(other) == str(metric) for other in chosen) > 1:
            raise UsageError(f"the metric {metric} is given twice", remedy="Give it once.")
        _check_parts(metric)
        if here:
            metric.check_installed()
    return chosen


def _check_parts(metric: Metric) -> None:
    if metric.needs_all_systems:
        raise MetricError(
            f"{metric} compares all systems with each other, but a row holds one system",
            remedy="Score it with corrigenda score.",
        )
    if metric.scope == "corpus":
        raise MetricError(
            f"{metric} cannot be computed in parts: its counts depend on all sentences at once",
            remedy=f"Score it with corrigenda score. {metric.scope_remedy}",
        )


def reference_metric(metrics: Sequence[Metric]) -> str | None:
    """The name of the first metric that needs references; None if no metric needs them."""
    return next((metric.name for metric in metrics if metric.needs_references != "none"), None)


def checked_columns(columns: Columns | None, metrics: Sequence[Metric]) -> Columns:
    """The columns, if the name of the key differs from the columns of the scores."""
    if columns is not None and not isinstance(columns, Columns):
        raise UsageError(
            f"columns is {type(columns).__name__}",
            remedy="Give corrigenda.bulk.Columns(source=…, …).",
        )
    columns = columns or Columns()
    columns.check_free([*OWN_COLUMNS, *map(str, metrics)])
    return columns
