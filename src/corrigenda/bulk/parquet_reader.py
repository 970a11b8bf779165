"""Rows of Parquet files: columns of text, and columns of lists of text for references."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from corrigenda.bulk import storage
from corrigenda.bulk.arrow_texts import arrow_texts
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.partitions import Partition, Shard
from corrigenda.bulk.rows import MaybeText, Reasons, RowBlock, decoded
from corrigenda.errors import FormatError, Location
from corrigenda.formats.text import FREE_BYTES, MOST_EXPANSION

_BUFFER = 1 << 20
_BLOCK_BYTES = 1 << 26
"""So many bytes of a column are read at a time. A row group may be larger than the memory."""
TextCell = MaybeText | list[MaybeText]


def parquet_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    """The rows of a partition's row groups."""
    cut = partition.cut
    with storage.opened(partition.shard.files[0]) as file:
        parquet = pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        columns = checked_columns(parquet.schema_arrow, columns, partition.label)
        done = 0
        groups = list(range(*cut.row_groups))
        _check_expansion(parquet.metadata, groups, partition.label)
        for batch in parquet.iter_batches(
            size, row_groups=groups, columns=list(dict.fromkeys(columns.all))
        ):
            for part in _in_small_parts(batch, partition.label):
                yield _block(part, columns, cut.first_row + done)
                done += part.num_rows
        if done != cut.rows:
            raise EOFError(f"{done} rows instead of {cut.rows}: the file changed while it was read")


def _check_expansion(metadata: pq.FileMetaData, groups: list[int], name: str) -> None:
    """Refuse a column that is out of proportion large when it is unpacked."""
    for group in map(metadata.row_group, groups):
        for column in map(group.column, range(group.num_columns)):
            size = column.total_uncompressed_size
            if size > FREE_BYTES and size > MOST_EXPANSION * column.total_compressed_size:
                raise FormatError(
                    f"the column {column.path_in_schema!r} becomes more than {MOST_EXPANSION} "
                    "times as large when it is unpacked",
                    at=Location(name),
                    remedy="Write the file again without compression if you trust it.",
                )


def _in_small_parts(batch: pa.RecordBatch, name: str) -> Iterator[pa.RecordBatch]:
    """The batch in parts of at most about `_BLOCK_BYTES`."""
    if batch.nbytes <= _BLOCK_BYTES:
        yield batch
        return
    if batch.num_rows == 1:
        raise FormatError(
            f"a row has more than {_BLOCK_BYTES >> 20} MB",
            at=Location(name),
            remedy="Give one sentence per row.",
        )
    half = batch.num_rows // 2
    for part in (batch.slice(0, half), batch.slice(half)):
        yield from _in_small_parts(part, name)


def row_groups(
    shard: Shard, columns: Columns, reference_metric: str | None
) -> tuple[list[int], str]:
    """The rows of each row group, and the type of the key. Missing columns are refused."""
    with storage.opened(shard.files[0]) as file:
        parquet = pq.ParquetFile(file)
        schema = parquet.schema_arrow
        found = checked_columns(schema, columns, shard.label)
        metadata = parquet.metadata
        groups = [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]
    if reference_metric is not None and not found.references:
        raise _missing_column(
            f"{columns.references[0]!r}, but {reference_metric} needs references",
            schema,
            shard.label,
        )
    return groups, "" if columns.key is None else type_to_text(schema.field(columns.key).type)


def column_names(shard: Shard) -> list[str]:
    """The names of all columns of a file."""
    with storage.opened(shard.files[0]) as file:
        names: list[str] = pq.read_schema(file).names
    return names


def type_to_text(kind: pa.DataType) -> str:
    """A type as text for `type_from_text`. Arrow cannot read all names of types that it prints."""
    return base64.b64encode(pa.schema([("key", kind)]).serialize().to_pybytes()).decode()


def type_from_text(text: str) -> pa.DataType:
    """The type of the key. An empty text stands for text."""
    if not text:
        return pa.string()
    return pa.ipc.read_schema(pa.BufferReader(base64.b64decode(text))).field(0).type


def checked_columns(schema: pa.Schema, columns: Columns, name: str) -> Columns:
    """The columns that the table has. A column that is missing or does not hold text is refused."""
    columns = columns.found_in(schema.names)
    for column in columns.all:
        if column not in schema.names:
            raise _missing_column(repr(column), schema, name)
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
                remedy="Sentences must be text. References must be text or lists of text.",
            )
    return columns


def _missing_column(column: str, schema: pa.Schema, name: str) -> FormatError:
    return FormatError(
        f"there is no column {column}",
        at=Location(name),
        remedy=f"Its columns: {', '.join(schema.names)}. "
        "Name them: --columns source=…,hypothesis=…,references=…",
    )


def is_text(kind: pa.DataType) -> bool:
    """Whether it is text in any form. A column without any value has the type null."""
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
    """Whether it is a list of text in any form."""
    lists = (
        pa.types.is_list,
        pa.types.is_large_list,
        pa.types.is_fixed_size_list,
        pa.types.is_list_view,
        pa.types.is_large_list_view,
    )
    return any(is_list(kind) for is_list in lists) and is_text(kind.value_type)


def _block(batch: pa.RecordBatch, columns: Columns, first_row: int) -> RowBlock:
    keys = None if columns.key is None else batch.column(columns.key)
    texts = arrow_texts(batch, columns)
    if texts is not None:
        return RowBlock(first_row, *texts, keys, is_checked=True)
    rejected: Reasons = {}
    sources, hypotheses = (
        _text_cells(batch.column(name), rejected) for name in (columns.source, columns.hypothesis)
    )
    of_columns = [_cells(batch.column(name), rejected) for name in columns.references]
    references = [_present(cells) for cells in zip(*of_columns, strict=True)]
    return RowBlock(
        first_row, sources, hypotheses, references or [()] * len(sources), keys, rejected
    )


def _present(cells: tuple[TextCell, ...]) -> tuple[str, ...]:
    """The references of a row. Null stands for no reference."""
    found: list[str] = []
    for cell in cells:
        found += [item for item in (cell if isinstance(cell, list) else [cell]) if item is not None]
    return tuple(found)


def _text_cells(column: pa.Array, rejected: Reasons) -> list[MaybeText]:
    try:
        cells: list[MaybeText] = column.to_pylist()
    except UnicodeDecodeError:
        return [_text_of(column, place, place, rejected) for place in range(len(column))]
    return cells


def _cells(column: pa.Array, rejected: Reasons) -> Sequence[TextCell]:
    if not is_list_of_text(column.type):
        return _text_cells(column, rejected)
    try:
        cells: list[TextCell] = column.to_pylist()
    except UnicodeDecodeError:
        return [_list_cell(column, place, rejected) for place in range(len(column))]
    return cells


def _list_cell(column: pa.Array, place: int, rejected: Reasons) -> TextCell:
    if not column[place].is_valid:
        return None
    values = column[place].values
    return [_text_of(values, index, place, rejected) for index in range(len(values))]


def _text_of(column: pa.Array, index: int, place: int, rejected: Reasons) -> MaybeText:
    """One cell of a column in which some cell is not UTF-8."""
    if not column[index].is_valid:
        return None
    plain = column.slice(index, 1)
    if pa.types.is_dictionary(plain.type):
        plain = plain.dictionary_decode()
    text, problem = decoded(plain.cast(pa.large_string()).view(pa.large_binary())[0].as_py())
    if problem is not None:
        rejected.setdefault(place, problem)
    return text
