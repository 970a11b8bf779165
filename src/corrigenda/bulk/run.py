"""A whole run: plan, survey, score, fold; what an earlier run has done is taken over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from corrigenda.bulk import fold, manifest
from corrigenda.bulk.cluster import Workers, workers
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.inputs import find_shards
from corrigenda.bulk.lock import locked
from corrigenda.bulk.manifest import REJECTED, TOTALS, Manifest, Plan
from corrigenda.bulk.partitions import InputFormat, Partition, Shard, cut
from corrigenda.bulk.progress import Progress, Silent
from corrigenda.bulk.records import RECORDS, SCORES, Record, record_name, statistics_folder
from corrigenda.bulk.settings import Settings
from corrigenda.bulk.storage import Folder, absolute
from corrigenda.bulk.versions import versions
from corrigenda.bulk.worker import Done, add_up, score_partition, survey_partition
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result
from corrigenda.errors import CorrigendaError, Location, MetricError, UsageError
from corrigenda.metrics import metric as metric_from_text

PARTITION_ROWS = 50_000
_SHOWN_FAILURES = 5


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
    inputs: Sequence[str | Shard],
    output: str,
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
    chosen = _checked_metrics(metrics)
    columns = columns or Columns()
    shards = find_shards(inputs, columns, input_format)
    if not shards:
        raise UsageError("there is nothing to score", remedy="Give at least one input.")
    settings = Settings(absolute(output), tuple(map(str, chosen)), columns, counts, cache, models or {})
    folder = Folder(settings.output)
    try:
        folder.make()
        with locked(folder):
            if restart:
                manifest.clear(folder)
            run = _Run(folder, settings, chosen, progress or Silent(), max_errors)
            return run.whole(shards, partition_rows, _Where(workers, scheduler, client))
    except OSError as error:
        # What goes wrong with inputs has its own errors.
        raise CorrigendaError(
            f"cannot write: {(error.strerror or str(error)).lower()}",
            at=Location(folder.url),
            remedy="Make room, or check the permissions, and run the same command again; what is done is kept.",
        ) from error


def _checked_metrics(metrics: Sequence[Metric | str]) -> list[Metric]:
    chosen = [metric_from_text(item) if isinstance(item, str) else item for item in metrics]
    if not chosen:
        raise UsageError("no metric is given", remedy="Add --metrics green, for example.")
    for metric in chosen:
        if sum(str(other) == str(metric) for other in chosen) > 1:
            raise UsageError(f"the metric {metric} is given twice", remedy="Give it once.")
        if not metric.divisible:
            raise MetricError(
                f"{metric} cannot be computed in parts: its counts depend on all sentences at once",
                remedy="Score it with corrigenda score, or leave out idf.",
            )
    return chosen


@dataclass(frozen=True)
class _Where:
    count: int | None
    scheduler: str | None
    client: Any


@dataclass
class _Run:
    folder: Folder
    settings: Settings
    metrics: list[Metric]
    progress: Progress
    max_errors: int | None
    failures: list[tuple[str, Exception]] = field(default_factory=list)
    finished: dict[str, Done] = field(default_factory=dict)
    rows: int = 0
    found: Manifest = field(init=False)

    def whole(self, shards: list[Shard], partition_rows: int | None, where: _Where) -> Bulk:
        self.found = self._begun(shards, partition_rows)
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
            return Manifest(self.settings.lasting(), versions(), partition_rows or PARTITION_ROWS, plans)
        manifest.check_same(found, self.settings, versions(), partition_rows, self.folder)
        manifest.check_inputs(found, shards, self.folder)
        return found

    def _make_folders(self) -> None:
        for name in (SCORES, RECORDS):
            self.folder.make(name)
        manifest.sweep(self.folder)
        for place, metric in enumerate(self.metrics):
            if metric.policy("corpus").depends_on_others:
                self.folder.make(statistics_folder(place, str(metric)))

    def _take_over(self) -> None:
        """What an earlier run has done, as far as it is whole."""
        for partition in self.found.partitions:
            record = Record.read(self.folder, partition)
            if record is None:
                continue
            if (name := record.damaged(self.folder)) is not None:
                self.progress.note(f"{self.folder.shown(name)} is damaged: its rows are scored again")
                self.folder.remove(record_name(partition))
                continue
            self.finished[partition.name] = Done(record.rows, record.rejected)

    def _is_complete(self) -> bool:
        planned = all(plan.partitions is not None for plan in self.found.plans)
        return planned and all(partition.name in self.finished for partition in self.found.partitions)

    def _plan(self, hands: Workers) -> None:
        """Cut the shards that have no partitions yet."""
        missing = [(index, plan.shard) for index, plan in enumerate(self.found.plans) if plan.partitions is None]
        if missing:
            self.progress.begin("counting rows", None, 0)
        for (index, shard), result in hands.apply(_cut_one, missing, self.found.partition_rows):
            if isinstance(result, Exception):
                self._fail(shard.label, result)
            else:
                self.found.plans[index].partitions = result
        self.found.write(self.folder)

    def _survey(self, hands: Workers) -> None:
        if not any(metric.surveys for metric in self.metrics):
            return
        self._report_failures()
        self.progress.begin("looking over all rows", self._known_rows(), 0)
        surveys: dict[str, dict[str, int]] = {}
        for partition, result in hands.apply(survey_partition, self.found.partitions, self.settings):
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
        todo = [partition for partition in self.found.partitions if partition.name not in self.finished]
        self._check_errors()
        for partition, result in hands.apply(score_partition, todo, self.settings):
            if isinstance(result, Exception):
                self._fail(partition.label, result)
                continue
            self.finished[partition.name] = result
            self.rows += result.rows
            self.progress.advance(result.rows, len(result.rejected))
            self._check_errors()

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
        more = f"\n… and {len(texts) - _SHOWN_FAILURES} more" if len(texts) > _SHOWN_FAILURES else ""
        parts = sum(1 for partition in self.found.partitions if partition.name in self.finished)
        raise CorrigendaError(
            f"not all inputs could be scored ({parts} of {len(self.found.partitions)} parts are done and kept):\n{shown}{more}"
        )

    def _finish(self) -> Bulk:
        pairs = [(partition, self._record(partition)) for partition in self.found.partitions]
        self._check_errors()
        if not any(record.rows for _, record in pairs):
            raise CorrigendaError("there are no rows to score", remedy="The inputs are empty; check their paths.")
        rejected = self._write_rejected()
        outcome = fold.results(self.folder, pairs, self.metrics)
        rows = sum(record.rows for _, record in pairs)
        done = Bulk(outcome, rows, rejected, self.folder.url, self.folder.shown(SCORES), self.rows)
        manifest.sweep(self.folder)
        self.folder.write(TOTALS, json.dumps(_totals(done), ensure_ascii=False, indent=2).encode())
        return done

    def _record(self, partition: Partition) -> Record:
        record = Record.read(self.folder, partition)
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


def _cut_one(place: tuple[int, Shard], rows: int) -> list[Partition]:
    index, shard = place
    return cut(shard, index, rows)


def _totals(done: Bulk) -> dict[str, Any]:
    return {
        "versions": versions(),
        "rows": done.rows,
        "scored": done.rows - len(done.rejected),
        "rejected": len(done.rejected),
        "results": [result.to_dict() for result in done.results],
    }
