"""A whole run: plan, survey, score, fold; what an earlier run has done is taken over."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pyarrow.types import is_null

from corrigenda.bulk import fold, manifest
from corrigenda.bulk.block_scores import adds_up
from corrigenda.bulk.checks import (
    check_format,
    check_lists,
    check_numbers,
    checked_columns,
    checked_metrics,
)
from corrigenda.bulk.cluster import Workers, workers
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.completing import complete_tables
from corrigenda.bulk.inputs import Input, find_shards
from corrigenda.bulk.lock import locked
from corrigenda.bulk.manifest import REJECTED, TOTALS, Manifest, Plan
from corrigenda.bulk.parquet_reader import type_from_text
from corrigenda.bulk.partitions import InputFormat, Partition, Shard, cut
from corrigenda.bulk.progress import Progress, Silent
from corrigenda.bulk.records import RECORDS, SCORES, Record, record_name, statistics_folder
from corrigenda.bulk.settings import BulkSettings
from corrigenda.bulk.storage import Folder, absolute
from corrigenda.bulk.versions import versions
from corrigenda.bulk.worker import Done, score_partition, survey_partition
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result
from corrigenda.core.survey import Survey, add_up
from corrigenda.errors import CorrigendaError, Location, UsageError

PARTITION_ROWS = 50_000
_SHOWN_FAILURES = 5
_ENOUGH_TO_TELL = 100
"""So many rows in a row that cannot be scored are no accident."""


@dataclass(frozen=True)
class Bulk:
    """What a run gave. The scores of the rows are Parquet files in `scores`."""

    results: list[Result]
    rows: int
    rejected: list[tuple[str, int, str]]
    """File, row (counted from 0) and what is wrong with it."""
    output: str
    scores: str
    rows_by_this_run: int = field(default=0, compare=False)
    """Without those that an earlier run had done."""


def bulk(
    inputs: Sequence[Input],
    output: str | os.PathLike[str],
    metrics: Sequence[Metric | str],
    *,
    columns: Columns | None = None,
    input_format: InputFormat | None = None,
    counts: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    client: Any = None,
    partition_rows: int | None = None,
    max_errors: int | None = None,
    restart: bool = False,
    cache: bool = True,
    models: dict[str, Any] | None = None,
    progress: Progress | None = None,
) -> Bulk:
    """Score every row of the inputs, and all of them together.

    Files may be given by path, pattern, folder or URL. By default as many processes work as this machine has
    cores; `workers` says another number (0: this process alone), `scheduler` the address of a Dask cluster,
    `client` a connection to one. The result is the same to the last bit in all these cases.
    """
    check_lists(inputs=inputs, metrics=metrics)
    check_numbers(
        workers=(workers, 0), partition_rows=(partition_rows, 1), max_errors=(max_errors, 0)
    )
    check_format(input_format)
    chosen = checked_metrics(metrics, here=scheduler is None and client is None)
    columns = checked_columns(columns, chosen)
    shards = find_shards(inputs, columns, input_format)
    if not shards:
        raise UsageError("there is nothing to score", remedy="Give at least one input.")
    place = absolute(os.fspath(output))
    settings = BulkSettings(
        place, tuple(map(str, chosen)), columns, counts=counts, cache=cache, models=models or {}
    )
    folder = Folder(settings.output)
    try:
        folder.make()
        with locked(folder):
            if restart:
                manifest.clear(folder)
            run = _BulkRun(folder, settings, chosen, progress or Silent(), max_errors)
            return run.whole(shards, partition_rows, _Where(workers, scheduler, client))
    except OSError as error:
        # What goes wrong with inputs has its own errors.
        raise CorrigendaError(
            f"cannot write: {(error.strerror or str(error)).lower()}",
            at=Location(folder.url),
            remedy="Check the path, its permissions and the room there, and run the same command again; what is done is kept.",
        ) from error


@dataclass(frozen=True)
class _Where:
    count: int | None
    scheduler: str | None
    client: Any


@dataclass
class _BulkRun:
    folder: Folder
    settings: BulkSettings
    metrics: list[Metric]
    progress: Progress
    max_errors: int | None
    failures: list[tuple[str, Exception]] = field(default_factory=list)
    finished: dict[str, Done] = field(default_factory=dict)
    rows: int = 0
    found: Manifest = field(init=False)

    def whole(self, shards: list[Shard], partition_rows: int | None, where: _Where) -> Bulk:
        self.found = self._begun(shards, partition_rows)
        self.settings = replace(self.settings, run=self.found.run)
        self._make_folders()
        self._take_over()
        if not self._is_complete():
            with workers(where.count, where.scheduler, where.client) as hands:
                self._plan(hands)
                self._survey(hands)
                self._score(hands)
            self._report_failures()
        return self._finish()

    def _begun(self, shards: list[Shard], partition_rows: int | None) -> Manifest:
        """What an earlier run in this folder was begun with, if it fits; else a new beginning."""
        found = manifest.read(self.folder)
        if found is None:
            plans = [Plan(shard) for shard in shards]
            return Manifest(
                self.settings.lasting(), versions(), partition_rows or PARTITION_ROWS, plans
            )
        manifest.check_same(found, self.settings, versions(), partition_rows, self.folder)
        for label in manifest.check_inputs(found, shards, self.folder):
            self.progress.note(
                f"{label} has changed since a part of it was scored: all of it is scored again"
            )
        return found

    def _make_folders(self) -> None:
        for name in (SCORES, RECORDS):
            self.folder.make(name)
        manifest.sweep(self.folder, self.found.partitions)
        for place, metric in enumerate(self.metrics):
            if not adds_up(metric):
                self.folder.make(statistics_folder(place, str(metric)))

    def _take_over(self) -> None:
        """What an earlier run has done, as far as it is whole."""
        for partition in self.found.partitions:
            record = Record.read(self.folder, partition, self.found.run)
            if record is None:
                continue
            if (name := record.damaged(self.folder)) is not None:
                self.progress.note(
                    f"{self.folder.shown(name)} is damaged: its rows are scored again"
                )
                self.folder.remove(record_name(partition))
                continue
            self.finished[partition.name] = Done(record.rows, record.rejected)

    def _is_complete(self) -> bool:
        planned = all(plan.partitions is not None for plan in self.found.plans)
        return planned and all(
            partition.name in self.finished for partition in self.found.partitions
        )

    def _plan(self, hands: Workers) -> None:
        """Cut the shards that have no partitions yet."""
        missing = [
            (index, plan.shard)
            for index, plan in enumerate(self.found.plans)
            if plan.partitions is None
        ]
        if missing:
            self.progress.begin("counting rows", None, 0)
        columns = self.settings.columns
        for (index, shard), result in hands.apply(
            _cut_one, missing, self.found.partition_rows, columns
        ):
            if isinstance(result, Exception):
                self._fail(shard.label, result)
            else:
                self.found.plans[index].partitions = result
        self.found.write(self.folder)
        self.settings = replace(self.settings, key_type=self._key_type())

    def _key_type(self) -> str:
        """The type that the key has in all inputs; one without any key goes with every type."""
        labels: dict[str, str] = {}
        for partition in self.found.partitions:
            if not is_null(type_from_text(partition.key_type)):
                labels.setdefault(partition.key_type, partition.label)
        if len(labels) > 1:
            (one, first), (other, second) = list(labels.items())[:2]
            raise CorrigendaError(
                f"the key {self.settings.columns.key!r} is {type_from_text(one)} in {first} "
                f"and {type_from_text(other)} in {second}",
                remedy="Give it the same type in all inputs, or leave out --key.",
            )
        return next(iter(labels), "")

    def _survey(self, hands: Workers) -> None:
        if not any(metric.scope == "survey" for metric in self.metrics):
            return
        self._report_failures()
        self.progress.begin("looking over all rows", self._known_rows(), 0)
        surveys: dict[str, Survey] = {}
        for partition, result in hands.apply(
            survey_partition, self.found.partitions, self.settings
        ):
            if isinstance(result, Exception):
                self._fail(partition.label, result)
                continue
            for metric, numbers in result.items():
                add_up(surveys.setdefault(metric, {}), numbers)
            self.progress.advance(partition.rows or 0, 0)
        self._report_failures()
        self.settings = replace(self.settings, surveys=surveys)

    def _score(self, hands: Workers) -> None:
        done = sum(each.rows for each in self.finished.values())
        self.progress.begin("scoring", self._known_rows(), done)
        todo = [
            partition for partition in self.found.partitions if partition.name not in self.finished
        ]
        self._check_errors()
        for partition, result in hands.apply(score_partition, todo, self.settings):
            if isinstance(result, Exception):
                self._fail(partition.label, result)
                continue
            self._check_some_are_good(partition, result)
            self.finished[partition.name] = result
            self.rows += result.rows
            self.progress.advance(result.rows, len(result.rejected))
            self._check_errors()

    def _check_some_are_good(self, partition: Partition, result: Done) -> None:
        """Where nothing at all can be scored to begin with, the rows are hardly to blame."""
        some = self.finished or len(result.rejected) < result.rows
        if some or result.rows < _ENOUGH_TO_TELL or self.max_errors is not None:
            return
        row, reason = result.rejected[0]
        self.folder.remove(record_name(partition))
        raise CorrigendaError(
            f"not one of the first {result.rows:,} rows can be scored; row {row}: {reason}",
            at=Location(partition.label),
            remedy="Are the columns named right? --columns source=NAME,hypothesis=NAME,references=NAME+NAME. --max-errors N goes on.",
        )

    def _known_rows(self) -> int | None:
        rows = [partition.rows for partition in self.found.partitions]
        return None if None in rows else sum(row or 0 for row in rows)

    def _fail(self, label: str, error: Exception) -> None:
        """A bad input stops only itself; a full disk, or a program that is missing, stops everything."""
        if not isinstance(error, CorrigendaError) or error.location is None:
            raise error
        self.failures.append((label, error))

    def _check_errors(self) -> None:
        rejected = sum(len(each.rejected) for each in self.finished.values())
        if self.max_errors is not None and rejected > self.max_errors:
            self._write_rejected()
            raise CorrigendaError(
                f"{rejected:,} rows were rejected, and --max-errors is {self.max_errors}",
                at=Location(self.folder.shown(REJECTED)),
                remedy="That file says which rows and why. What is done is kept; --max-errors N permits N of them.",
            )

    def _report_failures(self) -> None:
        if not self.failures:
            return
        self._write_rejected()
        texts = list(dict.fromkeys(str(error) for _, error in self.failures))
        shown = "\n".join(texts[:_SHOWN_FAILURES])
        more = (
            f"\n… and {len(texts) - _SHOWN_FAILURES} more" if len(texts) > _SHOWN_FAILURES else ""
        )
        parts = sum(1 for partition in self.found.partitions if partition.name in self.finished)
        raise CorrigendaError(
            f"not all inputs could be scored ({parts} of {len(self.found.partitions)} parts are done and kept):\n{shown}{more}"
        )

    def _finish(self) -> Bulk:
        pairs = [(partition, self._record(partition)) for partition in self.found.partitions]
        self._check_errors()
        if not any(record.rows for _, record in pairs):
            raise CorrigendaError(
                "there are no rows to score", remedy="The inputs are empty; check their paths."
            )
        rejected = self._write_rejected()
        outcome = fold.results(self.folder, pairs, self.metrics)
        rows = sum(record.rows for _, record in pairs)
        done = Bulk(outcome, rows, rejected, self.folder.url, self.folder.shown(SCORES), self.rows)
        manifest.sweep(self.folder, self.found.partitions)
        complete_tables(self.folder, pairs)
        self.folder.write(TOTALS, json.dumps(_totals(done), ensure_ascii=False, indent=2).encode())
        return done

    def _record(self, partition: Partition) -> Record:
        record = Record.read(self.folder, partition, self.found.run)
        if record is None:
            raise CorrigendaError(
                f"the record of {partition.name} is not there",
                at=Location(self.folder.url),
                remedy="Workers on other machines must write to a folder that all of them share, or to a URL.",
            )
        if record.versions != versions():
            raise CorrigendaError(
                f"{partition.name} was made with {record.versions}, and this process has {versions()}",
                at=Location(self.folder.url),
                remedy="Install the same versions everywhere, and begin anew with --restart.",
            )
        return record

    def _write_rejected(self) -> list[tuple[str, int, str]]:
        """All rejected rows, in the order of the inputs."""
        found: list[tuple[str, int, str]] = []
        for partition in self.found.partitions:
            if (done := self.finished.get(partition.name)) is not None:
                found += [(partition.label, row, reason) for row, reason in done.rejected]
        lines = [
            json.dumps({"file": file, "row": row, "reason": reason}, ensure_ascii=False) + "\n"
            for file, row, reason in found
        ]
        self.folder.write(REJECTED, "".join(lines).encode())
        return found


def _cut_one(place: tuple[int, Shard], rows: int, columns: Columns) -> list[Partition]:
    index, shard = place
    return cut(shard, index, rows, columns)


def _totals(done: Bulk) -> dict[str, Any]:
    return {
        "versions": versions(),
        "rows": done.rows,
        "scored": done.rows - len(done.rejected),
        "rejected": len(done.rejected),
        "results": [result.to_dict() for result in done.results],
    }
