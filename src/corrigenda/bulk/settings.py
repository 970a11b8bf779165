"""What a worker must know to score a partition: plain values alone, so that no model ever travels."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from corrigenda.bulk.columns import Columns


@dataclass(frozen=True)
class BulkSettings:
    """Everything that shapes the results, and how models are run."""

    output: str
    metrics: tuple[str, ...]
    columns: Columns
    run: str = ""
    """Of the run that these are the settings of: a record of another is none."""
    counts: bool = False
    """Whether to write the counts of each row beside its scores."""
    cache: bool = True
    models: dict[str, Any] = field(default_factory=dict)
    """Device, type of numbers and size of batches of pretrained models."""
    key_type: str = ""
    """Of the key's column, in all partitions alike."""
    surveys: dict[str, dict[str, int]] = field(default_factory=dict)
    """For metrics that need it, what all partitions together say."""

    def lasting(self) -> dict[str, Any]:
        """What must be the same in every partition of a run."""
        data = asdict(self)
        return {name: data[name] for name in ("metrics", "columns", "counts")}
