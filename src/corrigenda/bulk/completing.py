"""Partitions without a single scored row do not know which counts there are: they learn it from the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow.parquet as pq

from corrigenda.bulk.partitions import Partition
from corrigenda.bulk.records import Record, scores_name
from corrigenda.bulk.storage import Folder
from corrigenda.bulk.tables import TableWriter, completed


def complete_tables(folder: Folder, finished: Sequence[tuple[Partition, Record]]) -> None:
    """All tables of scores have the same columns."""
    whole = next((part for part, record in finished if len(record.rejected) < record.rows), None)
    empty = [(part, record) for part, record in finished if len(record.rejected) == record.rows]
    if whole is None or not empty:
        return
    with folder.open(scores_name(whole)) as file:
        schema = pq.read_schema(file)
    for partition, record in empty:
        _complete(folder, partition, record, schema)


def _complete(folder: Folder, partition: Partition, record: Record, schema: object) -> None:
    name = scores_name(partition)
    with folder.open(name) as file:
        table = pq.read_table(file)
    if table.schema.equals(schema):
        return
    with folder.writing(name) as file:
        writer = TableWriter(file)
        writer.write(completed(table, schema))
        writer.close()
    replace(record, files={**record.files, name: folder.described(name)}).write(folder, partition)
