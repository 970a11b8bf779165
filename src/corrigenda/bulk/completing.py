"""Adds missing columns of counts to tables.

A partition without any scored row does not know which counts there are. It gets the columns of the
other partitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq

from corrigenda.bulk.records import Record, scores_name
from corrigenda.bulk.storage import Folder
from corrigenda.bulk.tables import TableWriter, completed


def complete_tables(folder: Folder, records: Sequence[Record]) -> None:
    """Give all tables of scores the same columns."""
    whole = next((record for record in records if len(record.rejected) < record.rows), None)
    empty = [record for record in records if len(record.rejected) == record.rows]
    if whole is None or not empty:
        return
    with folder.open(scores_name(whole.partition)) as file:
        schema = pq.read_schema(file)
    for record in empty:
        _complete(folder, record, schema)


def _complete(folder: Folder, record: Record, schema: pa.Schema) -> None:
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
