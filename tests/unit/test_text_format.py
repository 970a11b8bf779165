"""Plain text: one sentence per line, and nothing is lost."""

from __future__ import annotations

import gzip
import io
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.corpus import Corpus
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError, Location
from corrigenda.formats import input_file, packed, text


@pytest.fixture
def read(tmp_path):
    """Reads a file with these bytes."""

    def read_bytes(content: bytes) -> tuple[str, ...]:
        path = tmp_path / "text.txt"
        path.write_bytes(content)
        return text.read(path)

    return read_bytes


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ()),
        (b"\n", ("",)),
        (b"a", ("a",)),
        (b"a\n", ("a",)),
        (b"a\nb", ("a", "b")),
        (b"a\n\n\nb\n\n", ("a", "", "", "b", "")),
        (b"a\r\nb\r\n", ("a", "b")),
        (b"a\r\nb\nc", ("a", "b", "c")),
        (b"\r\n\r\n", ("", "")),
        (b"a\rb\n", ("a\rb",)),
        (b"a\r\r\n", ("a\r",)),
        (b"  a  b \n", ("  a  b ",)),
        (b"\xef\xbb\xbfa\nb\n", ("a", "b")),
        (b"\xef\xbb\xbf\na\n", ("", "a")),
        (b"a\n\xef\xbb\xbfb\n", ("a", "\ufeffb")),
        (b"\xef\xbb\xbf\xef\xbb\xbfa\n", ("\ufeffa",)),
    ],
)
def test_lines(read, content, expected):
    assert read(content) == expected


def test_a_byte_order_mark_alone_is_an_empty_file(read):
    assert read(b"\xef\xbb\xbf") == ()


@pytest.mark.parametrize(
    "character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"]
)
def test_only_lf_and_crlf_end_a_line(read, character):
    line = f"a{character}b"
    assert read(f"{line}\nc{character}\n".encode()) == (line, f"c{character}")


def error_of(read, content: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(content)
    assert caught.value.remedy
    assert str(caught.value).startswith(f"{caught.value.location}: ")
    return caught.value


@pytest.mark.parametrize("content", [b"a\n\x00b\n", b"a\nb\x00", b"a\n\x00\n"])
def test_nul_is_refused_with_its_line(read, tmp_path, content):
    error = error_of(read, content)
    assert "NUL" in error.problem
    assert error.location == Location(str(tmp_path / "text.txt"), 2)


@pytest.mark.parametrize(
    "bad", [b"caf\xe9", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xe4\xb8", b"\xf5\x80\x80\x80"]
)
def test_what_is_not_utf8_is_refused_with_its_line(read, tmp_path, bad):
    error = error_of(read, b"a\nb\n" + bad + b"\nd\n")
    assert "UTF-8" in error.problem
    assert error.location == Location(str(tmp_path / "text.txt"), 3)


def test_the_byte_of_the_line_is_named(read):
    assert "byte 4 " in error_of(read, b"first\ncaf\xe9\n").problem


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_other_unicode_encodings_are_refused(read, encoding):
    error_of(read, "a b\nc d\n".encode(encoding))


def test_a_missing_file_is_a_users_error(tmp_path):
    with pytest.raises(CorrigendaError) as caught:
        text.read(tmp_path / "missing.txt")
    assert caught.value.location == Location(str(tmp_path / "missing.txt"))
    assert caught.value.exit_code == 1
    assert caught.value.remedy


def test_a_folder_is_a_users_error(tmp_path):
    with pytest.raises(CorrigendaError, match="directory"):
        text.read(tmp_path)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything"
)
def test_a_file_without_permission_is_a_users_error(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text("a\n", encoding="utf-8")
    path.chmod(0)
    with pytest.raises(CorrigendaError, match="permission"):
        text.read(path)


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("é\r\nb".encode())))
    assert text.read("-") == ("é", "b")
    assert input_file.stem("-") == "stdin"
    assert input_file.shown("-") == "<stdin>"


def written(tmp_path, counts: dict[str, int]) -> list:
    paths = []
    for name, count in counts.items():
        paths.append(tmp_path / name)
        paths[-1].write_text("".join(f"{name} {i}\n" for i in range(count)), encoding="utf-8")
    return paths


COUNTS = {"first.txt": 4, "second.txt": 4, "third.txt": 6}


def check_counts_are_named(error: AlignmentError) -> None:
    for name, count in COUNTS.items():
        assert any(
            line.split()[0] == str(count) and name in line for line in str(error).splitlines()
        )
    assert error.remedy


def test_aligned_files_of_unequal_length_are_all_named(tmp_path):
    with pytest.raises(AlignmentError) as caught:
        text.read_aligned(written(tmp_path, COUNTS))
    check_counts_are_named(caught.value)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 100])
def test_blocks_of_unequal_files_are_all_named_with_their_whole_counts(tmp_path, size):
    with pytest.raises(AlignmentError) as caught:
        list(text.read_blocks(written(tmp_path, COUNTS), size))
    check_counts_are_named(caught.value)


@pytest.mark.parametrize("size", range(1, 9))
@pytest.mark.parametrize("sentences", [0, 1, 4, 7])
def test_blocks_are_the_files_in_pieces(tmp_path, size, sentences):
    paths = written(tmp_path, {"a.txt": sentences, "b.txt": sentences})
    blocks = list(text.read_blocks(paths, size))
    assert all(len(texts[0]) == len(texts[1]) for texts in blocks)
    assert all(1 <= len(texts[0]) <= size for texts in blocks)
    for index, whole in enumerate(text.read_aligned(paths)):
        assert tuple(sentence for texts in blocks for sentence in texts[index]) == whole


# A sentence cannot end with a carriage return, which would become part of the line end.
lines = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"])).filter(
    lambda line: not line.endswith("\r")
)


@given(sentences=st.lists(lines.filter(lambda line: not line.startswith("\ufeff"))))
def test_written_text_is_read_back(sentences):
    file = io.StringIO(newline="")
    text.write(file, sentences, "text.txt")
    written = io.BytesIO(file.getvalue().encode())
    assert list(text.lines(written, "text.txt")) == sentences


def test_a_text_that_would_lose_its_first_character_is_refused():
    with pytest.raises(FormatError, match="byte-order mark"):
        text.write(io.StringIO(), ["\ufeffa"], "text.txt")


@given(st.lists(lines, min_size=1), st.booleans(), st.booleans())
def test_line_ends_do_not_matter(sentences, crlf, final):
    end = "\r\n" if crlf else "\n"
    content = end.join(sentences) + (end if final or not sentences[-1] else "")
    read = list(text.lines(io.BytesIO(b"\xef\xbb\xbf" + content.encode()), "text"))
    assert read == sentences


def test_a_packed_file_that_grows_out_of_proportion(tmp_path, monkeypatch):
    monkeypatch.setattr(packed, "FREE_BYTES", 1 << 16)
    file = tmp_path / "x.txt.gz"
    file.write_bytes(gzip.compress(b"a b c d\n" * 100_000))
    with pytest.raises(FormatError, match="more than 200 times as large"):
        text.read(file)
    file.write_bytes(gzip.compress(b"a b c d\n" * 5_000))
    assert len(text.read(file)) == 5_000


@pytest.mark.parametrize("cut", [5, 30, -1])
def test_a_packed_file_that_is_not_whole(tmp_path, cut):
    file = tmp_path / "x.txt.gz"
    file.write_bytes(gzip.compress(b"a b c d\n" + bytes(range(32, 127)))[:cut])
    with pytest.raises(FormatError, match="cannot unpack it"):
        text.read(file)


def test_a_folder_of_texts_is_the_corpus(tmp_path):
    corpus = Corpus(("a", "b"), (("A", "X"), ("B", "")))
    folder = tmp_path / "new" / "folder"
    text.write_folder(folder, text.corpus_texts(corpus))
    assert sorted(path.name for path in folder.iterdir()) == ["ref0.txt", "ref1.txt", "source.txt"]
    references = [folder / "ref0.txt", folder / "ref1.txt"]
    assert text.read_corpus(folder / "source.txt", references) == corpus


@pytest.mark.parametrize("sources", [["a", "b"], []])
def test_a_corpus_without_references_is_its_source_alone(tmp_path, sources):
    corpus = Corpus.from_lists(sources)
    text.write_folder(tmp_path, text.corpus_texts(corpus))
    assert [path.name for path in tmp_path.iterdir()] == ["source.txt"]
    assert text.read_corpus(tmp_path / "source.txt") == corpus


def test_missing_references_are_filled_as_told():
    corpus = Corpus(("a", "b"), (("A", "X"), ("B",)))
    assert text.corpus_texts(corpus, fill="first")["ref1"] == ("X", "B")
    assert text.corpus_texts(corpus, fill="source")["ref1"] == ("X", "b")
    with pytest.raises(CorrigendaError, match="sentence 2 has 1 of 2 references"):
        text.corpus_texts(corpus)


def test_a_sentence_without_references_can_only_be_filled_with_its_source():
    corpus = Corpus(("a", "b"), (("A",), ()))
    assert text.corpus_texts(corpus, fill="source")["ref0"] == ("A", "b")
    with pytest.raises(CorrigendaError, match="sentence 2 has 0 of 1 references") as caught:
        text.corpus_texts(corpus, fill="first")
    assert "no first reference" in caught.value.remedy
