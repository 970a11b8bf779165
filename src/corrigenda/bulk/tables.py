"""Tables on disk: the scores of rows, and statistics [sentence, reference, count]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from corrigenda.bulk.block_scores import BlockScores
from corrigenda.bulk.parquet_reader import type_from_text
from corrigenda.bulk.rows import Keys, RowBlock
from corrigenda.bulk.settings import BulkSettings
from corrigenda.core.measures import Count, NamedCounts
from corrigenda.core.metric import Metric
from corrigenda.core.statistics import Array, Statistics

OWN_COLUMNS = ("file", "row")
"""The columns that say which row of the input a row of scores belongs to."""


class TableWriter:
    """A Parquet file that is written block by block. Each block is a row group."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []

    def write(self, table: pa.Table, *, complete: bool = True) -> None:
        """Add a block. A block that may lack columns waits for the first complete block."""
        self._waiting.append(table)
        if complete or self._writer is not None:
            self._flush(table.schema)

    def _flush(self, schema: pa.Schema) -> None:
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._file, schema, compression="zstd")
        for table in self._waiting:
            whole = completed(table, self._writer.schema)
            self._writer.write_table(whole, row_group_size=max(1, table.num_rows))
        self._waiting = []

    def abandon(self) -> None:
        """Close the writer after an error. If left open, it would write again later, and fail."""
        if self._writer is not None:
            with suppress(Exception):
                self._writer.close()
            self._writer.is_open = False

    def close(self) -> None:
        """Write the waiting blocks and the end of the file."""
        if self._waiting:
            self._flush(self._waiting[-1].schema)
        if self._writer is not None:
            self._writer.close()


def score_table(
    block: RowBlock,
    scored: Sequence[BlockScores],
    metrics: Sequence[Metric],
    settings: BulkSettings,
    name: str,
) -> pa.Table:
    """One row per row of the block, in its order. The scores of rejected rows are null."""
    rows = len(block)
    arrays: dict[str, pa.Array] = {
        "file": pa.DictionaryArray.from_arrays(_column(np.zeros(rows, np.int32)), _one_text(name)),
        "row": _column(np.arange(block.first_row, block.first_row + rows, dtype=np.int64)),
    }
    if settings.columns.key is not None:
        arrays[settings.columns.key] = _keys(block.keys, type_from_text(settings.key_type))
    places = np.array([place for part in scored for place in part.places], np.int64)
    for metric in metrics:
        found = [part.by_metric[str(metric)] for part in scored]
        values = np.concatenate([each.scores for each in found]) if found else np.zeros(0)
        arrays[str(metric)] = _spread(values.astype(np.float64), places, rows)
        if settings.lasting.counts and found:
            arrays |= _count_columns(
                metric, np.concatenate([each.row_counts for each in found]), places, rows
            )
    return pa.table(arrays)


def _keys(keys: Keys | None, kind: pa.DataType) -> pa.Array:
    """The keys unchanged. A block without any key gets the type of the other blocks."""
    if isinstance(keys, pa.Array) and not pa.types.is_null(keys.type):
        return keys
    if isinstance(keys, pa.Array) or not keys:
        return pa.nulls(0 if keys is None else len(keys), kind)
    return pa.array(keys, pa.string())


def completed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with all columns of a schema. Columns that it did not have are null."""
    if table.schema.equals(schema):
        return table
    for field in schema:
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.select(schema.names).cast(schema)


def _count_columns(metric: Metric, counts: Array, places: Array, rows: int) -> dict[str, pa.Array]:
    names = count_names(metric, counts.shape[1])
    return {
        f"{metric}.{name}": _spread(counts[:, place], places, rows)
        for place, name in enumerate(names)
    }


def _spread(values: Array, places: Array, rows: int) -> pa.Array:
    """The values at their places, and null at all other places."""
    if len(places) == rows:  # places are in order
        return _column(values)
    spread = np.zeros(rows, values.dtype)
    is_there = np.zeros(rows, bool)
    spread[places] = values
    is_there[places] = True
    return _column(spread, is_there)


def _column(values: Array, is_there: Array | None = None) -> pa.Array:
    """Numbers as a column of Arrow, without a copy. `pa.array` would load pandas first."""
    kind = pa.from_numpy_dtype(values.dtype)
    mask = None if is_there is None else pa.py_buffer(np.packbits(is_there, bitorder="little"))
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(kind, len(values), [mask, pa.py_buffer(values)])


def _one_text(text: str) -> pa.Array:
    data = text.encode()
    ends = np.array([0, len(data)], np.int32)
    return pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(ends), pa.py_buffer(data)])


def statistics_table(metric: Metric, statistics: Statistics) -> pa.Table:
    """One row per sentence and reference: their numbers in the block from 0, and the counts.

    Of references that share a row there is the first.
    """
    sentence = np.repeat(np.arange(statistics.sentences), statistics.rows)
    names = count_names(metric, statistics.counts.shape[1])
    return pa.table(
        {
            "sentence": _column(sentence.astype(np.int32)),
            "reference": _column(statistics.places.astype(np.int32)),
            **{name: _column(statistics.counts[:, place]) for place, name in enumerate(names)},
        }
    )


def read_statistics(file: IO[bytes]) -> Iterator[Statistics]:
    """The statistics of a partition, in the blocks in which they were written."""
    parquet = pq.ParquetFile(file, pre_buffer=False)
    for group in range(parquet.metadata.num_row_groups):
        table = parquet.read_row_group(group)
        reference = _numbers(table.column("reference"))
        offsets = np.append(np.flatnonzero(reference == 0), len(reference)).astype(np.int64)
        counts = np.column_stack([_numbers(column) for column in table.columns[2:]])
        yield Statistics(counts, offsets)


def _numbers(column: pa.ChunkedArray) -> Array:
    # Its method `to_numpy` would load pandas first.
    return np.from_dlpack(column.combine_chunks())


def count_names(metric: Metric, width: int) -> list[str]:
    """The name of each of the K counts, e.g. `tk.1`, as `named_counts` gives it."""
    # Count i has the value i, so the result shows which name belongs to which count.
    named = metric.named_counts(np.arange(width, dtype=np.int64))
    names = {place: name for name, place in _flattened(named)}
    if sorted(names) != list(range(width)):
        return [f"count.{place}" for place in range(width)]
    return [names[place] for place in range(width)]


def _flattened(named: NamedCounts) -> Iterator[tuple[str, Count]]:
    for name, value in named.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{inner}", count) for inner, count in value.items())
        elif isinstance(value, list):
            yield from ((f"{name}.{number}", count) for number, count in enumerate(value, 1))
        else:
            yield name, value
