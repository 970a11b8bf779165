"""Lines of files in parallel: the same as a reader that takes them one by one."""

from __future__ import annotations

import codecs
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.bulk import line_source
from corrigenda.bulk.line_source import LineSource, RawLines, next_lines
from corrigenda.errors import FormatError
from corrigenda.formats import text

PIECES = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b"a", b"bc ", codecs.BOM_UTF8, b"\xff"])


def one_by_one(data: bytes) -> list[bytes]:
    """The lines of a file by Python's own `readline`."""
    found = []
    for number, raw in enumerate(BytesIO(data)):
        line = raw.removeprefix(codecs.BOM_UTF8) if number == 0 else raw
        if not line:
            break
        if line.endswith(b"\n"):
            line = line[:-1].removesuffix(b"\r")
        found.append(line)
    return found


@given(
    st.lists(PIECES, max_size=30).map(b"".join),
    st.integers(1, 7),
    st.integers(1, 9),
    st.integers(1, 40),
)
def test_the_same_lines_whatever_is_read_at_once(
    data: bytes, wanted: int, at_once: int, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_source, "_BYTES_AT_ONCE", at_once)
        patch.setattr(line_source, "_BLOCK_BYTES", most)
        sources = [LineSource(BytesIO(data), "x"), LineSource(BytesIO(data.upper()), "y")]
        found: list[bytes] = []
        while any(block := next_lines(sources, wanted)):
            first, second = map(list, block)
            assert [line.upper() for line in first] == second
            assert len(first) <= wanted
            found += first
    assert found == one_by_one(data)


def test_lines_from_a_place_in_the_file() -> None:
    data = b"ab\n" + codecs.BOM_UTF8 + b"c\r\nd"
    (block,) = next_lines([LineSource(BytesIO(data), "x", 3)], 9)
    assert list(block) == [codecs.BOM_UTF8 + b"c", b"d"]


def test_a_file_that_ends_before_the_others() -> None:
    sources = [LineSource(BytesIO(b"a\nb\n"), "x"), LineSource(BytesIO(b"a\nb\nc"), "y")]
    assert list(map(len, next_lines(sources, 9))) == [2, 2]
    assert list(map(len, next_lines(sources, 9))) == [0, 1]


@pytest.mark.parametrize("data", [b"a\n" + b"b" * 50, b"a\n" + b"b" * 50 + b"\n"])
@pytest.mark.parametrize("at_once", [4, 1000])
def test_a_line_that_is_too_long(
    data: bytes, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "LONGEST_LINE", 40)
    monkeypatch.setattr(line_source, "_BYTES_AT_ONCE", at_once)
    source = LineSource(BytesIO(data), "rows.txt")
    with pytest.raises(FormatError, match=r"rows.txt:2: the line has more than"):
        [next_lines([source], 9) for _ in range(3)]


def test_lines_become_sentences_without_strings() -> None:
    (block,) = next_lines([LineSource(BytesIO("é b\r\n\nc".encode()), "x")], 9)
    assert block.sentences() == ("é b", "", "c")


@pytest.mark.parametrize("data", [b"a\n\xff\n", b"a\nb\x00\n"])
def test_lines_that_are_no_sentences(data: bytes) -> None:
    (block,) = next_lines([LineSource(BytesIO(data), "x")], 9)
    assert isinstance(block, RawLines)
    assert block.sentences() is None
