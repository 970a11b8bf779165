"""Packed files are read to their end, or refused: never a shorter text without a word."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from corrigenda.bulk import bulk
from corrigenda.errors import CorrigendaError, FormatError
from corrigenda.formats import packed, text

LINES = [f"line {number} of the text\n".encode() for number in range(8_000)]
FIRST, SECOND = b"".join(LINES[:4_000]), b"".join(LINES[4_000:])
SKIPPED = struct.pack("<II", 0x184D2A53, 5) + b"12345"
"""A frame of zstd that holds no text."""


def zstd(content: bytes, **options: int) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    parameters = zstandard.ZstdCompressionParameters(write_checksum=1, **options)
    packing = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packing.compress(content) + packing.flush()


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "zst": zstd,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


def unpacked(content: bytes, suffix: str) -> bytes:
    name = f"x.{suffix}"
    packing = packed.of_name(name)
    assert packing is not None
    with ExitStack() as stack:
        return packed.unpacked(io.BytesIO(content), packing, name, stack).read()


@pytest.mark.parametrize("suffix", PACK)
def test_all_parts_are_read(suffix: str) -> None:
    pack = PACK[suffix]
    assert unpacked(pack(FIRST) + pack(SECOND), suffix) == FIRST + SECOND
    assert unpacked(pack(b"") + pack(FIRST) + pack(b""), suffix) == FIRST
    assert unpacked(b"".join(map(pack, LINES[:500])), suffix) == b"".join(LINES[:500])
    assert unpacked(pack(b""), suffix) == b""


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("kept", [0, 1, 0.3, 0.6, -9, -1])
def test_a_file_that_ends_too_early_is_refused(suffix: str, kept: float) -> None:
    one, two = PACK[suffix](FIRST), PACK[suffix](SECOND)
    cut = kept if isinstance(kept, int) else int(len(two) * kept)
    with pytest.raises(FormatError, match="cannot unpack it"):
        unpacked(two[:cut], suffix)
    if cut:
        with pytest.raises(FormatError, match="cannot unpack it"):
            unpacked(one + two[:cut], suffix)


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("rest", [b"g", b"garbage after the end", SECOND])
def test_what_follows_the_end_is_refused(suffix: str, rest: bytes) -> None:
    with pytest.raises(FormatError, match="cannot unpack it"):
        unpacked(PACK[suffix](FIRST) + rest, suffix)


@pytest.mark.parametrize("suffix", PACK)
def test_a_changed_byte_is_refused(suffix: str) -> None:
    content = bytearray(PACK[suffix](FIRST))
    content[len(content) // 2] ^= 0x55
    with pytest.raises(FormatError, match="cannot unpack it"):
        unpacked(bytes(content), suffix)


@pytest.mark.parametrize("suffix", ["gz", "xz"])
def test_zeros_after_the_end_are_padding(suffix: str) -> None:
    content = PACK[suffix](FIRST) + bytes(512) + PACK[suffix](SECOND) + bytes(512)
    assert unpacked(content, suffix) == FIRST + SECOND


@pytest.mark.parametrize("suffix", PACK)
def test_a_bomb_is_refused(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "FREE_BYTES", 1 << 16)
    with pytest.raises(FormatError, match="more than 200 times as large"):
        unpacked(PACK[suffix](bytes(1 << 24)), suffix)


def test_skipped_frames_of_zstd() -> None:
    content = SKIPPED + zstd(FIRST) + SKIPPED + zstd(SECOND) + SKIPPED
    assert unpacked(content, "zst") == FIRST + SECOND
    with pytest.raises(FormatError, match="ends too early"):
        unpacked(content[:-2], "zst")


def test_the_memory_of_unpacking_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unpacked(zstd(FIRST, window_log=27), "zst") == FIRST
    with pytest.raises(FormatError, match="needs more than 128 MB of memory"):
        unpacked(zstd(FIRST, window_log=28), "zst")
    monkeypatch.setattr(packed, "MOST_MEMORY", 1 << 20)
    with pytest.raises(FormatError, match="needs more than 1 MB of memory"):
        unpacked(lzma.compress(FIRST), "xz")


def test_a_checksum_of_zstd_that_is_wrong() -> None:
    content = bytearray(zstd(FIRST))
    content[-1] ^= 1
    with pytest.raises(FormatError, match="cannot unpack it"):
        unpacked(bytes(content), "zst")


@pytest.mark.parametrize("suffix", PACK)
def test_texts_and_tables_are_read_whole(suffix: str, tmp_path: Path) -> None:
    """By the readers of texts, which look at the first bytes, and by `bulk`, by the suffix."""
    pack = PACK[suffix]
    (tmp_path / "a").write_bytes(pack(FIRST) + pack(SECOND))
    assert len(text.read(tmp_path / "a")) == 8_000
    row = b'{"source": "a", "hypothesis": "a", "references": ["a"]}\n'
    table = tmp_path / f"a.jsonl.{suffix}"
    whole = pack(row * 3_000) + pack(row * 2_000)
    table.write_bytes(whole)
    done = bulk([str(table)], str(tmp_path / "out"), ["green"], workers=0)
    assert done.rows == 5_000
    for kept in (0, len(whole) - 3):
        table.write_bytes(whole[:kept])
        with pytest.raises(CorrigendaError, match="cannot unpack it"):
            bulk([str(table)], str(tmp_path / "out"), ["green"], workers=0, restart=True)


def test_text_that_begins_like_a_packed_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("BZh is a word\nBZh9 too\n")
    assert text.read(tmp_path / "a") == ("BZh is a word", "BZh9 too")


@pytest.mark.parametrize("suffix", [".zip", ".lz4", ".tar"])
def test_archives_are_not_read_as_their_first_file(suffix: str, tmp_path: Path) -> None:
    table = tmp_path / f"a.jsonl{suffix}"
    table.write_bytes(b"PK")
    with pytest.raises(CorrigendaError, match="files packed like this are not read"):
        bulk([str(table)], str(tmp_path / "out"), ["green"], workers=0, input_format="jsonl")
