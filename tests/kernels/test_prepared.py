"""Prepared sentences give the same counts as an index of the corpus, for any text."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.kernels.prepared import count_prepared, prepare
from corrigenda.metrics.ngrams import Counting, ngram_counts
from corrigenda.text.sentences import one_line
from examples import examples

# Few letters, every kind of space, letters of one to four bytes, and half of a surrogate pair.
letters = st.sampled_from(["a", "b", "aa", "é", "語", "𝒳", "\udc80", "'", ".", " "])
blanks = st.sampled_from(
    [" ", "  ", "\t", "\r", "\x1c", "\x85", "\xa0", "\u2003", "\u2028", "\u3000", ""]
)
texts = st.lists(st.one_of(letters, blanks), max_size=16).map("".join)
outputs = st.lists(
    st.one_of(letters, blanks, st.sampled_from(["c", "\n", "\x00"])), max_size=16
).map("".join)
rows = st.lists(
    st.tuples(texts, st.lists(texts, min_size=1, max_size=3).map(tuple), outputs),
    min_size=1,
    max_size=5,
)
countings = st.builds(
    Counting,
    unit=st.sampled_from(["word", "char"]),
    order=st.integers(1, 6),
    whitespace=st.sampled_from(["normalise", "raw"]),
    pooled=st.booleans(),
    types=st.just(True),
)


def prepared(source: str, references: tuple[str, ...], counting: Counting) -> object:
    unit = counting.kernel_unit
    return prepare(source, references, unit=unit, order=counting.order, pooled=counting.pooled)


@given(rows, countings, st.integers(1, 3))
def test_prepared_sentences_equal_the_index(rows, counting, threads):
    sources, references, hypotheses = zip(*rows, strict=True)
    made = [
        prepared(source, of_source, counting)
        for source, of_source in zip(sources, references, strict=True)
    ]
    got = count_prepared(made, hypotheses, threads=threads)
    system = Hypotheses("", tuple(map(one_line, hypotheses)))
    expected = ngram_counts(Corpus(sources, references), system, counting, threads=1)
    for mine, theirs in zip(
        got,
        (
            expected.counts,
            expected.hypothesis_lengths,
            expected.reference_lengths,
            expected.offsets,
        ),
        strict=True,
    ):
        np.testing.assert_array_equal(mine, theirs)
        assert mine.dtype == np.int64


@pytest.mark.slow
def test_a_word_ends_where_python_says():
    """Every code point between two letters is a space if and only if `str.split` says so."""
    unknown = 0
    for begin in range(0, sys.maxunicode + 1, 4096):
        characters = [chr(code) for code in range(begin, begin + 4096)]
        made = [prepare("a b", ("a b",), unit="word", order=1, pooled=False)] * len(characters)
        lengths = count_prepared(made, [f"a{character}b" for character in characters], threads=1)[1]
        expected = [len(one_line(f"a{character}b").split()) for character in characters]
        assert lengths.tolist() == expected, hex(begin)
        unknown += sum(length == 1 for length in expected)
    assert unknown > 1_000_000


def test_many_sentences_and_threads():
    texts = [" ".join(f"w{(7 * i + j) % 11}" for j in range(i % 13)) for i in range(500)]
    made = [prepare(text, (text[::-1], text), unit="word", order=4, pooled=False) for text in texts]
    alone = count_prepared(made, texts[::-1], threads=1)
    together = count_prepared(made, texts[::-1], threads=3)
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)


def test_nothing_to_count():
    assert [len(array) for array in count_prepared([], [], threads=1)] == [0, 0, 0, 1]


def test_what_is_refused():
    made = prepare("a", ("a",), unit="word", order=2, pooled=False)
    with pytest.raises(ValueError, match="1 hypotheses for 0 sentences"):
        count_prepared([], ["a"], threads=1)
    short, long = (prepare("a b", ("a",), unit="word", order=n, pooled=False) for n in (1, 9))
    for order in ([short, long], [long, short]):
        with pytest.raises(ValueError, match="not prepared with the same order"):
            count_prepared(order, ["a", "b"], threads=1)
    with pytest.raises((TypeError, RuntimeError)):
        count_prepared([None], ["a"], threads=1)
    with pytest.raises(ValueError, match="order must be at least 1"):
        prepare("a", ("a",), unit="word", order=0, pooled=False)
    with pytest.raises(TypeError):
        count_prepared([made], [3], threads=1)
    with pytest.raises(TypeError):
        prepare("a", (None,), unit="word", order=1, pooled=False)


def test_the_size_is_that_of_the_memory():
    small = prepare("a", ("a",), unit="word", order=2, pooled=False)
    large = prepare("a b c d " * 100, ("a b c " * 100,), unit="word", order=4, pooled=False)
    assert 200 < sys.getsizeof(small) < sys.getsizeof(large) < 100_000


@st.composite
def changed_texts(draw):
    """A source of few words, and a text that repeats most of it, with other blanks at times."""
    words = st.lists(st.sampled_from(["a", "b", "c", "dé", "語", "longer-than-eight"]), max_size=12)
    source = draw(words)
    changed = list(source)
    for _ in range(draw(st.integers(0, 3))):
        begin = draw(st.integers(0, len(changed)))
        end = draw(st.integers(begin, min(len(changed), begin + 3)))
        changed[begin:end] = draw(words.map(lambda new: new[:2] + ["new"] * len(new[2:3])))
    blank = st.sampled_from([" "] * 8 + ["  ", "\u3000", "\xa0", "\t"])

    def text(of_words):
        return draw(blank).join(of_words) + draw(st.sampled_from(["", "", " ", "\u3000"]))

    return text(source), text(changed)


@settings(max_examples=examples(150))
@given(changed_texts(), changed_texts(), countings)
def test_a_hypothesis_that_is_mostly_its_source(one, other, counting):
    """The shortcut over shared beginnings, ends and runs changes no count."""
    source, hypothesis = one
    references = other
    got = count_prepared([prepared(source, references, counting)], [hypothesis], threads=1)
    corpus = Corpus((source,), (references,))
    expected = ngram_counts(corpus, Hypotheses("", (hypothesis,)), counting, threads=1)
    np.testing.assert_array_equal(got[0], expected.counts)
    np.testing.assert_array_equal(got[1], expected.hypothesis_lengths)
