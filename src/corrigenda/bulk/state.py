"""A run under way: what it has to do, what is done, and what went wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import NamedTuple

from corrigenda.bulk.manifest import REJECTED, Manifest
from corrigenda.bulk.settings import MOST_REJECTED, BulkSettings
from corrigenda.bulk.storage import Folder
from corrigenda.bulk.worker import FinishedPartition
from corrigenda.core.metric import Metric
from corrigenda.errors import CorrigendaError, Location

_SHOWN_FAILURES = 5


class RejectedRow(NamedTuple):
    """A row that could not be scored."""

    file: str
    row: int
    """Counted from 0."""
    reason: str


@dataclass
class RunState:
    """What the stages of a run share."""

    folder: Folder
    settings: BulkSettings
    metrics: list[Metric]
    manifest: Manifest
    max_errors: int | None
    finished: dict[str, FinishedPartition] = field(default_factory=dict)
    """The finished partitions by name."""
    failures: list[CorrigendaError] = field(default_factory=list)
    """What is wrong with inputs that could not be read."""
    rows_by_this_run: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all inputs are cut and all partitions are finished."""
        return all(plan.cuts is not None for plan in self.manifest.plans) and all(
            partition.name in self.finished for partition in self.manifest.partitions
        )

    @property
    def known_rows(self) -> int | None:
        """The number of all rows; None while compressed files may hold more."""
        rows = [partition.cut.rows for partition in self.manifest.partitions]
        return None if None in rows else sum(row or 0 for row in rows)

    @property
    def finished_rows(self) -> int:
        """The number of rows of the finished partitions."""
        return sum(part.rows for part in self.finished.values())

    @property
    def rejections(self) -> int:
        """The number of rejected rows so far."""
        return sum(len(part.rejected) for part in self.finished.values())

    def add_failure(self, error: Exception) -> None:
        """Remember a bad input. The other inputs are still scored.

        Any other error, e.g. a full disk or a missing package, stops the run.
        """
        if not isinstance(error, CorrigendaError) or error.location is None:
            raise error
        self.failures.append(error)

    def check_failures(self) -> None:
        """Stop if an input could not be read."""
        if not self.failures:
            return
        self.write_rejected()
        texts = list(dict.fromkeys(map(str, self.failures)))
        shown = "\n".join(texts[:_SHOWN_FAILURES])
        if len(texts) > _SHOWN_FAILURES:
            shown += f"\n… and {len(texts) - _SHOWN_FAILURES} more"
        partitions = self.manifest.partitions
        done = sum(partition.name in self.finished for partition in partitions)
        raise CorrigendaError(
            "not all inputs could be scored "
            f"({done} of {len(partitions)} parts are done and kept):\n{shown}"
        )

    def check_rejections(self) -> None:
        """Stop if too many rows were rejected."""
        most = MOST_REJECTED if self.max_errors is None else self.max_errors
        if self.rejections > most:
            self.write_rejected()
            limit = f"the limit is {most:,}"
            if self.max_errors is not None:
                limit = f"--max-errors is {most}"
            raise CorrigendaError(
                f"{self.rejections:,} rows were rejected, but {limit}",
                at=Location(self.folder.shown(REJECTED)),
                remedy="That file says which rows and why. Finished work is kept; --max-errors N "
                "allows N rejected rows.",
            )

    def write_rejected(self) -> list[RejectedRow]:
        """Write all rejected rows, in the order of the inputs."""
        rows = [
            RejectedRow(partition.label, rejection.row, rejection.reason)
            for partition in self.manifest.partitions
            if partition.name in self.finished
            for rejection in self.finished[partition.name].rejected
        ]
        lines = [json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in rows]
        self.folder.write(REJECTED, "".join(lines).encode())
        return rows
