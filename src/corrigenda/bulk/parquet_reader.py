"""Rows of Parquet files: columns of text, and columns of lists of text for references."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from corrigenda.bulk import storage
from corrigenda.bulk.arrow_texts import arrow_texts
from corrigenda.bulk.columns import Columns
from corrigenda.bulk.parquet_sizes import Measuring
from corrigenda.bulk.partitions import Partition, Shard
from corrigenda.bulk.rows import REFERENCES_AT_ONCE, MaybeText, Reasons, RowBlock, decoded
from corrigenda.errors import FormatError, Location
from corrigenda.formats.edited_texts import MOST_REFERENCES, too_many_references
from corrigenda.kernels.parquet_pages import FooterColumns, footer_columns

_BUFFER = 1 << 20
_BLOCK_BYTES = 1 << 26
"""So many bytes of a column are read at a time. A row group may be larger than the memory."""
_FOOTER_END = 8
"""The last bytes of a file: the length of the footer, and a mark."""
_LONGEST_FOOTER = 1 << 24
_PLAIN = (pa.string(), pa.large_string())
TextCell = MaybeText | list[MaybeText]
_SHOWN_COLUMNS = 20


def parquet_blocks(partition: Partition, columns: Columns, size: int) -> Iterator[RowBlock]:
    """The rows of a partition's row groups."""
    cut = partition.cut
    with _opened(partition.shard) as (file, parquet, footer):
        columns = checked_columns(parquet.schema_arrow, columns, partition.label)
        names = list(dict.fromkeys(columns.all))
        groups = list(range(*cut.row_groups))
        measuring = Measuring(file, parquet, footer, names, partition.label)
        batches = (
            batch
            for portion in measuring.portions(groups)
            for batch in parquet.iter_batches(
                measuring.rows_at_once(portion, size),
                row_groups=portion,
                columns=names,
                use_threads=False,  # the workers use the cores
            )
        )
        done = 0
        for part in _in_blocks(batches, columns, size, partition.label):
            yield _block(part, columns, cut.first_row + done)
            done += part.num_rows
        if done != cut.rows:
            raise EOFError(f"{done} rows instead of {cut.rows}: the file changed while it was read")


@contextmanager
def _opened(shard: Shard) -> Iterator[tuple[IO[bytes], pq.ParquetFile, FooterColumns]]:
    """A Parquet file: its bytes, what reads it, and the columns of its footer."""
    url = shard.files[0]
    if storage.is_packed(url):
        raise FormatError(
            "the Parquet file is compressed as a whole; Parquet compresses its columns itself",
            at=Location(shard.label),
            remedy="Unpack it first.",
        )
    with storage.opened_at_random(url) as file:
        footer = footer_columns(_footer(file, shard))
        if footer.is_encrypted:
            raise _encrypted(shard)
        with pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False) as parquet:
            if footer.is_damaged or len(footer.offsets) != parquet.metadata.num_row_groups + 1:
                raise ValueError("the footer of the file is damaged")
            yield file, parquet, footer


def _footer(file: IO[bytes], shard: Shard) -> bytes:
    """The footer; no bytes if there is none. A long one would only fill the memory."""
    size = shard.sizes[0]
    file.seek(max(0, size - _FOOTER_END))
    end = file.read(_FOOTER_END)
    length = int.from_bytes(end[:4], "little")
    if end[4:] == b"PARE":
        raise _encrypted(shard)
    if end[4:] == b"PAR1" and length > _LONGEST_FOOTER:
        raise FormatError(
            f"the footer of the file has more than {_LONGEST_FOOTER >> 20} MB",
            at=Location(shard.label),
            remedy="Write several files, or larger row groups.",
        )
    file.seek(max(0, size - _FOOTER_END - length))
    found = file.read(length) if end[4:] == b"PAR1" else b""
    file.seek(0)
    return found


def _encrypted(shard: Shard) -> FormatError:
    return FormatError(
        "the file is encrypted", at=Location(shard.label), remedy="Decrypt it first."
    )


def _in_blocks(
    batches: Iterable[pa.RecordBatch], columns: Columns, size: int, name: str
) -> Iterator[pa.RecordBatch]:
    """The rows of the batches, at most `size` of them and about `_BLOCK_BYTES` at a time."""
    waiting: list[pa.RecordBatch] = []
    rows = bytes_waiting = references = 0
    for batch in batches:
        for part in _in_small_parts(_plain(batch, columns), columns, name):
            large, number = part.nbytes, _number_of_references(part, columns)
            if waiting and (
                rows + part.num_rows > size
                or bytes_waiting + large > _BLOCK_BYTES
                or references + number > REFERENCES_AT_ONCE
            ):
                yield _joined(waiting)
                waiting, rows, bytes_waiting, references = [], 0, 0, 0
            waiting.append(part)
            rows, bytes_waiting = rows + part.num_rows, bytes_waiting + large
            references += number
    if waiting:
        yield _joined(waiting)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.concat_batches(batches)


def _plain(batch: pa.RecordBatch, columns: Columns) -> pa.RecordBatch:
    """The batch with texts in one buffer per column, whatever form they had."""
    for place, name in enumerate(batch.schema.names):
        kind = batch.column(place).type
        if name in columns.sentences and (wanted := _plain_type(kind)) != kind:
            try:
                column = batch.column(place).cast(wanted)
            except pa.ArrowInvalid:
                continue  # a text is not UTF-8: it is read row by row
            batch = batch.set_column(place, name, column)
    return batch


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if is_list_of_text(kind):
        return kind if kind.value_type in _PLAIN else pa.large_list(pa.large_string())
    return kind if kind in _PLAIN or pa.types.is_null(kind) else pa.large_string()


def _in_small_parts(batch: pa.RecordBatch, columns: Columns, name: str) -> Iterator[pa.RecordBatch]:
    """The batch in parts of at most about `_BLOCK_BYTES`, and of few references."""
    is_large = batch.nbytes > _BLOCK_BYTES
    if not is_large and _number_of_references(batch, columns) <= REFERENCES_AT_ONCE:
        yield batch
        return
    if batch.num_rows == 1:
        if is_large:
            raise FormatError(
                f"a row has more than {_BLOCK_BYTES >> 20} MB",
                at=Location(name),
                remedy="Give one sentence per row.",
            )
        yield batch
        return
    half = batch.num_rows // 2
    for part in (batch.slice(0, half), batch.slice(half)):
        yield from _in_small_parts(part, columns, name)


def _number_of_references(batch: pa.RecordBatch, columns: Columns) -> int:
    """How many references the lists of a batch hold."""
    number = 0
    for name in columns.references:
        if is_list_of_text(batch.schema.field(name).type):
            import pyarrow.compute as pc  # its import takes as long as that of numpy

            number += pc.sum(pc.list_value_length(batch.column(name))).as_py() or 0
    return number


def row_groups(
    shard: Shard, columns: Columns, reference_metric: str | None
) -> tuple[list[int], str]:
    """The rows of each row group, and the type of the key. Missing columns are refused."""
    with _opened(shard) as (_, parquet, _):
        schema = parquet.schema_arrow
        found = checked_columns(schema, columns, shard.label)
        metadata = parquet.metadata
        groups = [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]
        if min(groups, default=0) < 0 or sum(groups) != metadata.num_rows:
            raise ValueError("the rows of the row groups are not those of the file")
    if reference_metric is not None and not found.references:
        raise _missing_column(
            f"{columns.references[0]!r}, but {reference_metric} needs references",
            schema,
            shard.label,
        )
    return groups, "" if columns.key is None else type_to_text(schema.field(columns.key).type)


def column_names(shard: Shard) -> list[str]:
    """The names of all columns of a file."""
    with _opened(shard) as (_, parquet, _):
        names: list[str] = parquet.schema_arrow.names
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
    names = schema.names
    shown = ", ".join(names[:_SHOWN_COLUMNS]) + (", …" if len(names) > _SHOWN_COLUMNS else "")
    return FormatError(
        f"there is no column {column}",
        at=Location(name),
        remedy=f"Its columns: {shown}. Name them: --columns source=…,hypothesis=…,references=…",
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
    rejected: Reasons = {}
    batch = _without_long_lists(batch, columns, rejected)
    texts = None if rejected else arrow_texts(batch, columns)
    if texts is not None:
        return RowBlock(first_row, *texts, keys, is_checked=True)
    sources, hypotheses = (
        _text_cells(batch.column(name), rejected) for name in (columns.source, columns.hypothesis)
    )
    of_columns = [_cells(batch.column(name), rejected) for name in columns.references]
    references = [_present(cells) for cells in zip(*of_columns, strict=True)]
    return RowBlock(
        first_row, sources, hypotheses, references or [()] * len(sources), keys, rejected
    )


def _without_long_lists(
    batch: pa.RecordBatch, columns: Columns, rejected: Reasons
) -> pa.RecordBatch:
    """Reject the rows with too many references, before strings are made of them."""
    for name in columns.references:
        column = batch.column(name)
        if not is_list_of_text(column.type):
            continue
        import pyarrow.compute as pc

        lengths = pc.fill_null(pc.list_value_length(column), 0)
        for place in pc.indices_nonzero(pc.greater(lengths, MOST_REFERENCES)).to_pylist():
            rejected.setdefault(place, too_many_references(lengths[place].as_py()))
            parts = (column.slice(0, place), pa.nulls(1, column.type), column.slice(place + 1))
            column = pa.concat_arrays(parts)
        batch = batch.set_column(batch.schema.get_field_index(name), name, column)
    return batch


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
