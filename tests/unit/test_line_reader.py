"""Lines that are found in blocks of bytes are the lines, and the errors, of the line-by-line reader."""

from __future__ import annotations

import gzip
import io
import pickle
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.corpus import Corpus
from corrigenda.formats import input_file, line_reader, text
from corrigenda.kernels.lines import Lines, scan_lines
from examples import examples

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fuzz"))

from line_readers import FailingFile, in_blocks, one_by_one

PIECES = (
    b"a", b"b c", b"\n", b"\n", b"\r\n", b"\r", b"\x00", b"\xef\xbb\xbf", "é".encode(),
    "日".encode(), "😀".encode(), b"\xc3", b"\xa9", b"\xe6\x97", b"\xed\xa0\x80", b"\xf0\x9f",
    b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xe0\x80\x80", b"\xf0\x80\x80\x80", b"\xff", b" " * 9,
)  # fmt: skip
contents = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join),
    st.lists(st.sampled_from(PIECES[:12]), max_size=30).map(b"".join),
    # 64 bytes are looked at together.
    st.lists(st.sampled_from((*PIECES, b"x" * 61, b"y" * 30)), max_size=30).map(b"".join),
    st.binary(max_size=20),
)


@settings(max_examples=examples(400))
@given(contents, st.integers(1, 5), st.integers(1, 7))
def test_blocks_are_the_lines_of_the_oracle(content, size, step):
    expected = one_by_one(io.BytesIO(content))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "DEFAULT_BUFFER_SIZE", step)
        assert in_blocks(io.BytesIO(content), size) == expected


@settings(max_examples=examples(200))
@given(contents, st.integers(1, 4))
def test_a_line_that_is_too_long_is_refused_at_the_same_place(content, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "LONGEST_LINE", 6)
        expected = one_by_one(io.BytesIO(content))
        patch.setattr(io, "DEFAULT_BUFFER_SIZE", 3)
        assert in_blocks(io.BytesIO(content), size) == expected


@pytest.mark.parametrize("cut", [0, 1, 9, 400, 20_000])
def test_a_packed_file_that_is_cut_fails_at_the_same_line(tmp_path, cut):
    import random

    words = random.Random(1)
    lines = "".join(f"{words.random()} {words.random()}\n" for _ in range(4000))
    packed = gzip.compress(lines.encode())
    path = tmp_path / "text.gz"
    path.write_bytes(packed[: len(packed) - cut])
    for size in (1000, 10_000):
        with ExitStack() as one, ExitStack() as other:
            expected = one_by_one(input_file.open_binary(path, one))
            assert in_blocks(input_file.open_binary(path, other), size) == expected
    assert (cut == 0) == isinstance(expected, list)


@pytest.mark.parametrize("content", [b"", b"a", b"a\n", b"a\nb\nc d e f g\nlast", b"a\n\xff\nb\n"])
@pytest.mark.parametrize("size", [1, 2, 9])
def test_an_error_of_the_disk_comes_after_the_lines_before_it(content, size):
    expected = one_by_one(io.BufferedReader(FailingFile(content)))
    assert in_blocks(io.BufferedReader(FailingFile(content)), size) == expected


def test_large_files_are_read_in_steps(tmp_path, monkeypatch):
    monkeypatch.setattr(line_reader, "_BYTES_AT_ONCE", 16)
    path = tmp_path / "text.txt"
    path.write_bytes(b"".join(b"line %d\n" % number for number in range(100)))
    assert text.read(path) == tuple(f"line {number}" for number in range(100))
    blocks = list(text.read_blocks([path, path], 33))
    assert [len(block[0]) for block in blocks] == [33, 33, 33, 1]
    assert [line for block in blocks for line in block[1]] == list(text.read(path))


def lines_of(*sentences: str) -> Lines:
    data = "".join(f"{sentence}\n" for sentence in sentences).encode()
    return scan_lines(data, 0, most=99, longest=99, at_end=True).lines


def test_lines_behave_like_a_tuple_of_strings():
    texts = ("a b", "", "é", "日本")
    lines = lines_of(*texts)
    assert lines == texts
    assert texts == lines
    assert lines != list(texts)
    assert lines != texts[:3]
    assert hash(lines) == hash(texts)
    assert repr(lines) == repr(texts)
    assert (lines[0], lines[-1], lines[1:3], lines[9:]) == (texts[0], "日本", texts[1:3], ())
    assert (lines[1:][1:], lines[3:1], "é" in lines, lines.index("é")) == (texts[2:], (), True, 2)
    assert (lines[::2], lines[::-1]) == (texts[::2], texts[::-1])
    assert pickle.loads(pickle.dumps(lines)) == texts
    assert not lines.isascii()
    assert lines[:2].isascii()
    for place in (4, -5):
        with pytest.raises(IndexError):
            lines[place]


def test_a_corpus_of_lines_equals_the_corpus_of_strings():
    source, first, second = lines_of("a", "b"), lines_of("c", "é"), lines_of("e", "f")
    corpus = Corpus.from_lists(source, [first, second], references_by="text")
    plain = Corpus.from_lists(list(source), [list(first), list(second)], references_by="text")
    assert corpus == plain
    assert corpus.references == (("c", "e"), ("é", "f"))
    assert corpus[1:].references == (("é", "f"),)
    assert corpus[::2] == plain[::2]
    assert corpus[::-1].references == plain[::-1].references
    assert corpus.at([1]) == plain.at([1])
    assert corpus.reference_range == (2, 2)
    assert corpus.references[-1] == ("é", "f")
    assert Corpus.joined([corpus[:1], corpus[1:]]) == plain
    assert pickle.loads(pickle.dumps(corpus)) == plain
    assert hash(corpus.references) == hash(plain.references)
    assert repr(corpus.references) == repr(plain.references)
    with pytest.raises(IndexError):
        corpus.references[2]
    assert list(Corpus.from_lists(source, []).references) == [(), ()]
