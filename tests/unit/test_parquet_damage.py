"""Parquet files that are damaged, encrypted, or that readers understand in different ways."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corrigenda.bulk import parquet_headers

NAMES = ("source", "hypothesis", "references")


def _header(*fields: bytes, stop: bytes = b"\x00") -> bytes:
    return b"".join(fields) + stop


KIND, UNPACKED, PACKED, VALUES = b"\x15\x00", b"\x15\x28", b"\x15\x10", b"\x2c\x15\x06\x15\x00\x00"
"""Fields of Thrift's compact protocol: a data page of 20 bytes, packed into 8, with 3 values."""


def _page_of(header: bytes) -> parquet_headers.Page:
    data = header + bytes(100)
    return next(parquet_headers.pages(io.BytesIO(data), 0, len(data), 3))


def test_headers_of_pages() -> None:
    page = _page_of(_header(KIND, UNPACKED, PACKED, VALUES))
    assert (page.kind, page.unpacked, page.packed, page.values) == (0, 20, 8, 3)
    # What is a stop for others is a stop for us: else we would go on at another place.
    assert _page_of(_header(KIND, UNPACKED, PACKED, VALUES, stop=b"\x70")) == page
    long = [b"\x18\x01x"] * 400
    assert _page_of(_header(KIND, UNPACKED, PACKED, VALUES, *long)).unpacked == 20


@pytest.mark.parametrize(
    "header",
    [
        _header(KIND, UNPACKED, PACKED, VALUES, b"\x03\x04\x01"),  # a size again, as a byte
        _header(KIND, UNPACKED, PACKED, VALUES, b"\x05\x84\x80\x08\x02"),  # the place 65538
        _header(KIND, b"\x15\xff\xff\xff\xff\x1f", PACKED, VALUES),  # more than 32 bits
        _header(KIND, UNPACKED, PACKED, VALUES, *([b"\x18\x01x"] * 600)),
        _header(KIND, b"\x15\x27", PACKED, VALUES),  # a size below 0
        _header(KIND, UNPACKED, b"\x15\x80\x80\x10", VALUES),  # more bytes than there are
        b"\x1c" * 50,
        b"\x1d" * 50,
        b"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
    ],
)
def test_headers_of_pages_that_other_readers_understand_otherwise(header: bytes) -> None:
    with pytest.raises(ValueError, match="the header of a page is"):
        _page_of(header)


def test_empty_pages_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_headers, "MOST_PAGES", 50)
    empty = _header(KIND, b"\x15\x00", b"\x15\x00", b"\x2c\x15\x00\x15\x00\x00")
    data = empty * 60
    with pytest.raises(ValueError, match="more than 50 pages"):
        list(parquet_headers.pages(io.BytesIO(data), 0, len(data), 3))


def _in_a_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_encrypted_column_is_refused(tmp_path: Path) -> None:
    encryption = pytest.importorskip("pyarrow.parquet.encryption")

    class Keys(encryption.KmsClient):
        def __init__(self, _: object) -> None:
            super().__init__()

        def wrap_key(self, key: bytes, _: str) -> bytes:
            return base64.b64encode(key)

        def unwrap_key(self, key: bytes, _: str) -> bytes:
            return base64.b64decode(key)

    file = tmp_path / "x.parquet"
    table = pa.table({name: ["a"] for name in NAMES})
    for plaintext_footer in (False, True):
        properties = encryption.CryptoFactory(Keys).file_encryption_properties(
            encryption.KmsConnectionConfig(),
            encryption.EncryptionConfiguration(
                footer_key="f", column_keys={"k": ["source"]}, plaintext_footer=plaintext_footer
            ),
        )
        with pq.ParquetWriter(file, table.schema, encryption_properties=properties) as writer:
            writer.write_table(table)
        # Arrow would end the process.
        done = _in_a_process(
            "import sys; from corrigenda.cli import main; sys.exit(main(sys.argv[1:]))",
            "bulk", str(file), "--output", str(tmp_path / "out"), "--workers", "0",
            "--metrics", "green",
        )  # fmt: skip
        assert done.returncode == 1
        assert "the file is encrypted" in done.stderr


_DAMAGE = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import readers
path = pathlib.Path(sys.argv[2])
for data in readers.seeds("parquet")[:2]:
    footer = int.from_bytes(data[-8:-4], "little")
    for place in range(len(data) - 8 - footer, len(data) - 8, 5):
        for value in (0x00, 0x2C, 0xFF):
            broken = data[:place] + bytes([value]) + data[place + 1 :]
            _, findings = readers._tried("parquet", broken, path)
            assert not findings, findings
print("all read or refused")
"""


@pytest.mark.slow
def test_damaged_footers_do_not_end_the_process(tmp_path: Path) -> None:
    fuzz = Path(__file__).resolve().parents[2] / "fuzz"
    done = _in_a_process(_DAMAGE, str(fuzz), str(tmp_path / "x.parquet"))
    assert done.stdout == "all read or refused\n", done.stderr[-2000:]
