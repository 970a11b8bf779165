"""What a worker must know to score a partition.

Only plain values are sent to workers: each process loads its own models.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from corrigenda.bulk.columns import Columns, PlainColumns
from corrigenda.bulk.words import TokenPlan
from corrigenda.core.survey import Survey
from corrigenda.health.surveys import FirstRows
from corrigenda.neural.settings import ModelSettings
from corrigenda.neural.types import NumberType

MOST_REJECTED = 1_000_000
"""A run with more rejected rows ends, unless more are allowed. Memory holds the list of them."""


@dataclass(frozen=True)
class ModelOptions:
    """How workers run pretrained models. If an option is None, the worker's environment decides."""

    device: str | None = None
    dtype: NumberType | None = None
    batch_tokens: int | None = None

    def __post_init__(self) -> None:
        # The checks of ModelSettings, before any work is done.
        ModelSettings(dtype=self.dtype or "float32", batch_tokens=self.batch_tokens)


class PlainLastingSettings(TypedDict):
    """Lasting settings as JSON has them."""

    metrics: list[str]
    columns: PlainColumns
    counts: bool
    tokenise: str | None


@dataclass(frozen=True)
class LastingSettings:
    """The settings that must be the same in every partition of a run."""

    metrics: tuple[str, ...]
    columns: Columns
    counts: bool = False
    """Whether to write the counts of each row beside its scores."""
    tokenise: str | None = None
    """How to make words of raw text, if at all."""

    @classmethod
    def from_plain(cls, data: PlainLastingSettings) -> LastingSettings:
        """The settings that JSON holds."""
        columns = Columns.from_plain(data["columns"])
        return cls(tuple(data["metrics"]), columns, data["counts"], data["tokenise"])


@dataclass(frozen=True)
class BulkSettings:
    """Everything that shapes the results, and how models are run."""

    output: str
    lasting: LastingSettings
    run: str
    """The id of this run; records of other runs are ignored."""
    reference_metric: str | None
    """The name of the first metric that needs references; None if no metric needs them."""
    cache: bool = True
    models: ModelOptions | None = None
    key_type: str = ""
    """The type of the key's column, the same in all partitions."""
    tokens: TokenPlan | None = None
    """How words are made of raw text, if they are."""
    health: bool = True
    """Whether the texts are examined."""
    first_rows: FirstRows | None = None
    """What is usual for the texts, by the first rows of all inputs."""
    most_rejected: int = MOST_REJECTED
    """A partition with more rejected rows is not finished."""
    surveys: dict[str, Survey] = field(default_factory=dict)
    """The survey of all partitions for each metric that needs one."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The printed forms of the metrics."""
        return self.lasting.metrics

    @property
    def columns(self) -> Columns:
        """The columns of the inputs."""
        return self.lasting.columns
