"""The last stage of a run: fold the records into totals, and write what belongs to all rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NotRequired, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

from corrigenda.bulk import fold, manifest
from corrigenda.bulk.manifest import TOTALS
from corrigenda.bulk.partitions import Partition
from corrigenda.bulk.records import SCORES, Record, scores_name, versions
from corrigenda.bulk.rows import SYSTEM
from corrigenda.bulk.state import RejectedRow, RunState
from corrigenda.bulk.storage import Folder
from corrigenda.bulk.tables import TableWriter, completed
from corrigenda.core.result import PlainResult, Result
from corrigenda.errors import CorrigendaError, Location
from corrigenda.health.finding import PlainFinding
from corrigenda.tokens import PlainTokenisation


@dataclass(frozen=True)
class Bulk:
    """The result of a run. The scores of the rows are Parquet files in `scores`."""

    results: list[Result]
    rows: int
    rejected: list[RejectedRow]
    output: str
    scores: str
    health: list[PlainFinding] = field(default_factory=list)
    """What the first rows of the partitions show about the texts, each kind of finding once."""
    tokenisation: PlainTokenisation | None = None
    """How words were made of raw text, and how many edits that removed."""
    rows_by_this_run: int = field(default=0, compare=False)
    """The number of rows that this run scored, without rows that an earlier run had finished."""


class PlainTotals(TypedDict):
    """The content of totals.json."""

    versions: dict[str, str]
    rows: int
    scored: int
    rejected: int
    health: list[PlainFinding]
    tokenisation: NotRequired[PlainTokenisation]
    results: list[PlainResult]


def finish(state: RunState) -> Bulk:
    """Compute the totals from the records of all partitions, and write them."""
    records = [_record(state, partition) for partition in state.manifest.partitions]
    state.check_rejections()
    if not any(record.rows for record in records):
        raise CorrigendaError(
            "there are no rows to score", remedy="The inputs are empty; check their paths."
        )
    rejected = state.write_rejected()
    folder = state.folder
    done = Bulk(
        fold.results(folder, records, state.metrics),
        sum(record.rows for record in records),
        rejected,
        folder.url,
        folder.shown(SCORES),
        _health(records) if state.settings.health else [],
        _tokenisation(state, records),
        state.rows_by_this_run,
    )
    manifest.sweep(folder, state.manifest.partitions)
    _complete_tables(folder, records)
    folder.write(TOTALS, json.dumps(_totals(done), ensure_ascii=False, indent=2).encode())
    return done


def _record(state: RunState, partition: Partition) -> Record:
    record = Record.read(state.folder, partition, state.manifest.run)
    if record is None:
        raise CorrigendaError(
            f"the record of {partition.name} is missing",
            at=Location(state.folder.url),
            remedy="Workers on other machines must write to a folder that all of them share, or to "
            "a URL.",
        )
    if record.versions != versions():
        raise CorrigendaError(
            f"{partition.name} was made with {record.versions}, but this process has {versions()}",
            at=Location(state.folder.url),
            remedy="Install the same versions everywhere, and begin again with --restart.",
        )
    return record


def _health(records: Sequence[Record]) -> list[PlainFinding]:
    """The findings of all partitions: each kind once, with the partition that shows it most."""
    found: dict[tuple[str, str], PlainFinding] = {}
    for record in records:
        for finding in record.health:
            kind = finding["code"], finding["text"]
            if kind not in found or finding["share"] > found[kind]["share"]:
                message = f"{record.partition.name}: {finding['message']}"
                found[kind] = {**finding, "system": None, "message": message}
    return list(found.values())


def _tokenisation(state: RunState, records: Sequence[Record]) -> PlainTokenisation | None:
    if (plan := state.manifest.tokens) is None:
        return None
    return {"by": plan.name, "removed": {SYSTEM: sum(record.removed for record in records)}}


def _totals(done: Bulk) -> PlainTotals:
    totals: PlainTotals = {
        "versions": versions(),
        "rows": done.rows,
        "scored": done.rows - len(done.rejected),
        "rejected": len(done.rejected),
        "health": done.health,
        "results": [result.to_dict() for result in done.results],
    }
    if done.tokenisation is not None:
        totals["tokenisation"] = done.tokenisation
    return totals


def _complete_tables(folder: Folder, records: Sequence[Record]) -> None:
    """Give all tables of scores the same columns.

    A partition without any scored row does not know which counts there are. It gets the columns of
    the other partitions.
    """
    whole = next((record for record in records if len(record.rejected) < record.rows), None)
    empty = [record for record in records if len(record.rejected) == record.rows]
    if whole is None or not empty:
        return
    with folder.open(scores_name(whole.partition)) as file:
        schema = pq.read_schema(file)
    for record in empty:
        _complete_table(folder, record, schema)


def _complete_table(folder: Folder, record: Record, schema: pa.Schema) -> None:
    name = scores_name(record.partition)
    with folder.open(name) as file:
        table = pq.read_table(file)
    if table.schema.equals(schema):
        return
    with folder.writing(name) as file:
        writer = TableWriter(file)
        writer.write(completed(table, schema))
        writer.close()
    replace(record, files={**record.files, name: folder.described(name)}).write(folder)
