"""Names for the counts of a metric: one name per count, for the columns of a table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrigenda.core.measures import Count, NamedCounts
from corrigenda.core.metric import Metric

OWN_COLUMNS = ("file", "row")
"""The columns that say which row of the input a row of scores belongs to."""


def count_names(metric: Metric, width: int) -> list[str]:
    """The name of each of the K counts, e.g. `tk.1`, as `named_counts` gives it."""
    # Count i has the value i, so the result shows which name belongs to which count.
    named = metric.named_counts(np.arange(width, dtype=np.int64))
    names = {place: name for name, place in _flattened(named)}
    if sorted(names) != list(range(width)):
        return [f"count.{place}" for place in range(width)]
    return [names[place] for place in range(width)]


def _flattened(named: NamedCounts) -> Iterator[tuple[str, Count]]:
    for name, value in named.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{inner}", count) for inner, count in value.items())
        elif isinstance(value, list):
            yield from ((f"{name}.{number}", count) for number, count in enumerate(value, 1))
        else:
            yield name, value
