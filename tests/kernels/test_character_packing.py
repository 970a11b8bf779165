"""Characters become code points, of the line as it is or with single spaces between words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.corpus import Corpus
from corrigenda.corpus.packed import pack
from corrigenda.text.units import normalise, pack_characters

characters = st.text(
    st.one_of(
        st.sampled_from(" \t\u3000\xa0\x85\u2028\r"), st.characters(exclude_characters="\n\0")
    ),
    max_size=8,
)
texts = st.lists(characters, max_size=5)


def unpacked(packed) -> list[str]:
    bounds = zip(packed.offsets[:-1], packed.offsets[1:], strict=True)
    return ["".join(map(chr, packed.ids[begin:end])) for begin, end in bounds]


@given(texts)
def test_raw_characters_are_the_line_itself(text):
    assert unpacked(pack_characters(text, "raw")) == text


@given(texts)
def test_normalised_characters_are_words_with_single_blanks(text):
    assert unpacked(pack_characters(text, "normalise")) == [" ".join(line.split()) for line in text]


@given(characters)
def test_normalising_twice_changes_nothing_more(line):
    assert normalise(normalise(line)) == normalise(line)


def test_astral_characters_are_one_unit_each():
    packed = pack_characters(["a\U0001f600\U0010ffff", "", "é"], "raw")
    assert packed.ids.tolist() == [0x61, 0x1F600, 0x10FFFF, 0xE9]
    assert packed.offsets.tolist() == [0, 3, 3, 4]


def test_lone_surrogates_are_kept():
    """Python's strings may hold them, and a metric counts what it is given."""
    assert pack_characters(["\ud83d a"], "raw").ids.tolist() == [0xD83D, 0x20, 0x61]


@pytest.mark.parametrize("whitespace", ["raw", "normalise"])
def test_no_sentences(whitespace):
    assert len(pack_characters([], whitespace)) == 0


def test_a_corpus_is_packed_with_the_references_of_each_sentence():
    corpus = Corpus(("a  b", ""), (("a b",), ("c", "  d")))
    raw = pack(corpus, "char", "raw")
    assert unpacked(raw.sources) == ["a  b", ""]
    assert unpacked(raw.references) == ["a b", "c", "  d"]
    assert raw.references_of_sentence.tolist() == [0, 1, 3]
    assert unpacked(raw.encode([" x ", "y"])) == [" x ", "y"]
    normalised = pack(corpus, "char")
    assert unpacked(normalised.sources) == ["a b", ""]
    assert unpacked(normalised.encode([" x ", "y  z"])) == ["x", "y z"]
    assert pack(corpus, "char") is normalised  # once for all metrics
