"""Names for a metric's counts, one each, for columns of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from corrigenda.core.metric import Metric

OWN_COLUMNS = ("file", "row")
"""What says which row of the input a row of scores belongs to."""


def count_names(metric: Metric, width: int) -> list[str]:
    """The name of each of the K counts, e.g. `tk.1`: where `named_counts` puts it."""
    # Each count is its own place, so what comes out says which place has which name.
    named = dict(_flattened("", metric.named_counts(np.arange(width, dtype=np.int64))))
    places = {place: name for name, place in named.items()}
    if sorted(places) != list(range(width)):
        return [f"count.{place}" for place in range(width)]
    return [places[place] for place in range(width)]


def _flattened(prefix: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flattened(f"{prefix}.{name}".lstrip("."), inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield from _flattened(f"{prefix}.{number}", inner)
    else:
        yield prefix, value
