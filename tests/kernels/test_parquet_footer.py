"""The columns of a footer, against those that Arrow finds."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.kernels.parquet_pages import footer_columns

CODECS = {0: "UNCOMPRESSED", 1: "SNAPPY", 2: "GZIP", 6: "ZSTD", 7: "LZ4"}
TYPES = {2: "INT64", 6: "BYTE_ARRAY"}


def footer_of(content: bytes) -> bytes:
    length = int.from_bytes(content[-8:-4], "little")
    return content[-8 - length : -8]


def written(table: pa.Table, **options: object) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


TABLE = pa.table({"a": ["x", "y", None], "b": [["u", "v"], [], ["w"]], "c": [1, 2, 3]})


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "zstd", "lz4"])
@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("rows", [1, 3])
def test_columns_are_those_of_arrow(codec: str, dictionary: bool, rows: int) -> None:
    content = written(
        TABLE, compression=codec, use_dictionary=dictionary, row_group_size=rows,
        write_page_index=True,
    )  # fmt: skip
    found = footer_columns(footer_of(content))
    assert (found.is_damaged, found.is_encrypted) == (False, False)
    metadata = pq.read_metadata(io.BytesIO(content))
    assert len(found.offsets) == metadata.num_row_groups + 1
    for group in range(metadata.num_row_groups):
        begin, end = found.offsets[group : group + 2]
        assert end - begin == metadata.num_columns
        for leaf in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(leaf)
            kind, code, values, packed, first, at = found.numbers[begin + leaf].tolist()
            assert (TYPES[kind], CODECS[code]) == (chunk.physical_type, chunk.compression)
            assert (values, packed) == (chunk.num_values, chunk.total_compressed_size)
            assert first == chunk.data_page_offset
            assert (at if at >= 0 else None) == chunk.dictionary_page_offset


@given(st.integers(0, 2000), st.integers(0, 255), st.binary(max_size=20))
def test_any_bytes(place: int, value: int, rest: bytes) -> None:
    footer = bytearray(footer_of(written(TABLE)))
    footer[place % len(footer)] = value
    for data in (bytes(footer), bytes(footer)[:place], rest):
        found = footer_columns(data)
        assert len(found.numbers) <= len(data)
        assert found.is_damaged or found.offsets[-1] == len(found.numbers)
