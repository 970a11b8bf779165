"""Rows of Parquet files: columns of text, and lists of text for references."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from corrigenda.bulk import storage
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.partitions import Partition, Shard
from corrigenda.bulk.rows import MaybeText, RowBlock, decoded
from corrigenda.errors import FormatError, Location

_BUFFER = 1 << 20
"""Bytes of a column that are read at a time: a row group need not fit into memory."""


def parquet_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    """The rows of a partition's row groups."""
    with storage.opened(partition.files[0]) as file:
        parquet = pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        check_columns(parquet.schema_arrow, columns, partition.label)
        done = 0
        groups = list(range(*partition.row_groups))
        for batch in parquet.iter_batches(
            size, row_groups=groups, columns=list(dict.fromkeys(columns.all))
        ):
            yield _block(batch, columns, partition.first_row + done)
            done += batch.num_rows
        if done != partition.rows:
            raise EOFError(
                f"{done} rows instead of {partition.rows}: the file changed while it was read"
            )


def row_groups(shard: Shard, columns: Columns) -> tuple[list[int], str]:
    """The rows of each row group, and the type of the key; columns that are missing are missed here."""
    with storage.opened(shard.files[0]) as file:
        parquet = pq.ParquetFile(file)
        schema = parquet.schema_arrow
        check_columns(schema, columns, shard.label)
        metadata = parquet.metadata
        groups = [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]
    return groups, "" if columns.key is None else type_to_text(schema.field(columns.key).type)


def type_to_text(kind: pa.DataType) -> str:
    """A type as text that `type_from_text` reads: what Arrow prints it cannot read in all cases."""
    return base64.b64encode(pa.schema([("key", kind)]).serialize().to_pybytes()).decode()


def type_from_text(text: str) -> pa.DataType:
    """The type of the key; text where nothing is said of it."""
    return (
        pa.ipc.read_schema(pa.BufferReader(base64.b64decode(text))).field(0).type
        if text
        else pa.string()
    )


def check_columns(schema: pa.Schema, columns: Columns, name: str) -> None:
    """Refuse tables without the columns, or with something else than text in them."""
    missing = [column for column in columns.all if column not in schema.names]
    if missing:
        raise FormatError(
            f"there is no column {missing[0]!r}",
            at=Location(name),
            remedy=f"Its columns: {', '.join(schema.names)}. Name them: --columns source=…,hypothesis=…,references=…",
        )
    for column in columns.all:
        if schema.names.count(column) > 1:
            raise FormatError(
                f"two columns are called {column!r}",
                at=Location(name),
                remedy="Rename one of them.",
            )
    for column in columns.sentences:
        kind = schema.field(column).type
        if not (is_text(kind) or (column in columns.references and is_list_of_text(kind))):
            raise FormatError(
                f"the column {column!r} holds {kind}",
                at=Location(name),
                remedy="Sentences must be text; references text, or lists of text.",
            )


def is_text(kind: pa.DataType) -> bool:
    """Text in any of Arrow's forms; a column without any value has a type of its own."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    texts = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_string_view,
        pa.types.is_null,
    )
    return any(is_kind(kind) for is_kind in texts)


def is_list_of_text(kind: pa.DataType) -> bool:
    """Lists of text."""
    lists = (
        pa.types.is_list,
        pa.types.is_large_list,
        pa.types.is_fixed_size_list,
        pa.types.is_list_view,
        pa.types.is_large_list_view,
    )
    return any(is_list(kind) for is_list in lists) and is_text(kind.value_type)


def _block(batch: pa.RecordBatch, columns: Columns, first_row: int) -> RowBlock:
    rejected: dict[int, str] = {}
    texts = {
        name: _cells(batch.column(name), rejected) for name in dict.fromkeys(columns.sentences)
    }
    references = [
        _present(cells) for cells in zip(*(texts[name] for name in columns.references), strict=True)
    ]
    keys = None if columns.key is None else batch.column(columns.key)
    return RowBlock(
        first_row, texts[columns.source], texts[columns.hypothesis], references, keys, rejected
    )


def _present(cells: tuple[Any, ...]) -> tuple[str, ...]:
    """The references of a row: null stands for none."""
    found: list[str] = []
    for cell in cells:
        found += [item for item in (cell if isinstance(cell, list) else [cell]) if item is not None]
    return tuple(found)


def _cells(column: pa.Array, rejected: dict[int, str]) -> list[Any]:
    try:
        cells: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        return [_cell(column, place, rejected) for place in range(len(column))]
    return cells


def _cell(column: pa.Array, place: int, rejected: dict[int, str]) -> Any:
    """One by one, where some cell of a column is no UTF-8."""
    if is_list_of_text(column.type):
        if not column[place].is_valid:
            return None
        values = column[place].values
        return [_text_of(values, index, place, rejected) for index in range(len(values))]
    return _text_of(column, place, place, rejected)


def _text_of(column: pa.Array, index: int, place: int, rejected: dict[int, str]) -> MaybeText:
    if not column[index].is_valid:
        return None
    plain = column.slice(index, 1)
    if pa.types.is_dictionary(plain.type):
        plain = plain.dictionary_decode()
    text, problem = decoded(plain.cast(pa.large_string()).view(pa.large_binary())[0].as_py())
    if problem is not None:
        rejected.setdefault(place, problem)
    return text
