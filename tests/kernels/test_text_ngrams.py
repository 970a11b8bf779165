"""Counting straight from text gives the counts of the formulas, whatever the texts share."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import oracle_ngrams
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.kernels import NGRAM_COUNTS
from corrigenda.kernels.lines import Lines, scan_lines
from corrigenda.kernels.numbered_words import NumberedWords, number_words
from corrigenda.kernels.ragged import Ragged
from corrigenda.kernels.text_ngrams import count_numbered_ngrams, count_text_ngrams
from examples import examples

Row = tuple[str, list[str], str]


def units(text: str, unit: str) -> Sequence[str]:
    if unit == "word":
        return text.split()
    return text if unit == "raw" else " ".join(text.split())


def counted(
    rows: Sequence[Row],
    unit: str,
    order: int,
    *,
    pooled: bool,
    threads: int = 1,
    types: bool = True,
) -> tuple:
    return count_text_ngrams(
        [source for source, _, _ in rows],
        [references for _, references, _ in rows],
        [hypothesis for _, _, hypothesis in rows],
        by_text=False, unit=unit, order=order, pooled=pooled, threads=threads, types=types,
    )  # fmt: skip


def expected(rows: Sequence[Row], unit: str, order: int, *, pooled: bool) -> np.ndarray:
    values = [
        [[of_n[kind] for kind in NGRAM_COUNTS] for of_n in row]
        for source, references, hypothesis in rows
        for row in oracle_ngrams.rows(
            units(source, unit),
            [units(text, unit) for text in references],
            units(hypothesis, unit),
            order,
            pooled=pooled,
        )
    ]
    return np.array(values, np.int64).reshape(-1, order, len(NGRAM_COUNTS))


def check(rows: Sequence[Row], unit: str, order: int, *, pooled: bool, threads: int = 1) -> None:
    counts, hypothesis_lengths, reference_lengths, offsets = counted(
        rows, unit, order, pooled=pooled, threads=threads
    )
    np.testing.assert_array_equal(counts, expected(rows, unit, order, pooled=pooled))
    assert hypothesis_lengths.tolist() == [len(units(text, unit)) for _, _, text in rows]
    assert reference_lengths.tolist() == [
        len(units(text, unit)) for _, texts, _ in rows for text in texts
    ]
    assert np.diff(offsets).tolist() == [len(texts) for _, texts, _ in rows]
    # Without types, words that all texts share at their margins are not looked at.
    seven, *others = counted(rows, unit, order, pooled=pooled, threads=threads, types=False)
    np.testing.assert_array_equal(seven[:, :, :7], counts[:, :, :7])
    assert not seven[:, :, 7:].any()
    for mine, theirs in zip(others, (hypothesis_lengths, reference_lengths, offsets), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    if unit == "word":
        sources, references, hypotheses = zip(*rows, strict=True) if rows else ((), (), ())
        words = number_words(sources, references, hypotheses, by_text=False, threads=threads)
        numbered = count_numbered_ngrams(words, order=order, pooled=pooled, threads=threads)
        given = counts, hypothesis_lengths, reference_lengths, offsets
        for mine, theirs in zip(numbered, given, strict=True):
            np.testing.assert_array_equal(mine, theirs)


# Few distinct words, so that n-grams repeat; words around 8 and 16 bytes are compared in parts.
WORDS = (
    "a",
    "b",
    "ab",
    "abcdefgh",
    "abcdefgi",
    "abcdefghijklmnopq",
    "abcdefghijkXmnopq",
    "é",
    "日本",
)
BLANKS = (" ", "  ", "\t", "\u00a0", "\u3000", "\u2009 ")
few = st.lists(st.sampled_from(WORDS[:3]), max_size=14).map(" ".join)
free = st.lists(st.sampled_from((*WORDS, *BLANKS)), max_size=14).map("".join)


@st.composite
def edited(draw: st.DrawFn) -> Row:
    """Texts that share most of their words, as sources, references and outputs do."""
    words = draw(st.lists(st.sampled_from(WORDS), max_size=24))

    def version() -> str:
        changed = list(words)
        for _ in range(draw(st.integers(0, 3))):
            at = draw(st.integers(0, len(changed)))
            end = draw(st.integers(at, min(len(changed), at + 2)))
            changed[at:end] = draw(st.lists(st.sampled_from(WORDS), max_size=2))
        return " ".join(changed)

    return version(), [version() for _ in range(draw(st.integers(1, 3)))], version()


repeated = st.tuples(few, st.lists(few, min_size=1, max_size=4), few)
any_text = st.tuples(free, st.lists(free, min_size=1, max_size=2), free)
some_rows = st.lists(st.one_of(repeated, any_text, edited()), max_size=4)


@settings(max_examples=examples(150))
@given(
    some_rows,
    st.sampled_from(["word", "char", "raw"]),
    st.sampled_from([*range(1, 7), 23]),  # the units of 23-grams do not fit into one number
    st.booleans(),
)
def test_text_kernel_equals_oracle(rows, unit, order, pooled):
    check(rows, unit, order, pooled=pooled)


@settings(max_examples=examples(60))
@given(
    st.integers(50, 130),
    st.lists(st.sampled_from((*WORDS, *BLANKS, "\x1d", "\x01", "“")), max_size=9),
)
def test_words_are_those_of_python_at_any_place(before, pieces):
    """Blanks are searched in 64 bytes at a time."""
    text = "x" * before + "".join(pieces) + " y"
    check([(text, [" ".join(text.split())], text[1:])], "word", 2, pooled=False)


@settings(max_examples=examples(60))
@given(repeated, st.booleans())
def test_pooled_without_references_is_an_empty_reference(row, pooled):
    source, _, hypothesis = row
    counts = counted([(source, [], hypothesis)], "word", 4, pooled=pooled)[0]
    empty = expected([(source, [""], hypothesis)], "word", 4, pooled=False)
    np.testing.assert_array_equal(counts, empty if pooled else empty[:0])


def test_many_sentences_on_threads_and_many_references():
    random = np.random.default_rng(5)

    def text(base: list[str]) -> str:
        return " ".join(w if random.random() > 0.1 else str(random.integers(9)) for w in base)

    bases = [[str(word) for word in random.integers(0, 30, 20)] for _ in range(150)]
    rows = [(text(base), [text(base) for _ in range(1 + i % 3)], text(base))
            for i, base in enumerate(bases)]  # fmt: skip
    check(rows, "word", 4, pooled=False, threads=3)
    check([(text(bases[0]), [text(bases[0]) for _ in range(70)], text(bases[0]))], "word", 4,
          pooled=False)  # fmt: skip


def test_long_sentences_and_many_distinct_words():
    random = np.random.default_rng(3)
    source, reference, hypothesis = (
        " ".join(map(str, random.integers(0, 2000, 3000))) for _ in range(3)
    )
    check([(source, [reference, source], hypothesis), ("a", ["a"], "a")], "word", 4, pooled=False)
    check([("x " * 3000, ["x " * 2999, ""], "x " * 3001)], "word", 6, pooled=False)
    every = "".join(map(chr, range(0x100, 0x900)))
    check([(every, [every[::-1]], every[:900] + every[700:])], "raw", 3, pooled=True)


@settings(max_examples=examples(60))
@given(st.data(), st.integers(1, 6), st.booleans())
def test_margins_of_any_length_may_be_shared(data, order, pooled):
    """The words at both margins repeat, and the texts differ in few words between them."""
    letters = st.lists(st.sampled_from("abc"), max_size=9)
    margins = st.tuples(st.sampled_from([0, 1, order - 1, order, 40, 150]), letters)
    (before, first), (behind, last) = data.draw(margins), data.draw(margins)

    def version() -> str:
        middle = data.draw(letters)
        return " ".join(
            [*(["a", "b", "a"] * before), *first, *middle, *last, *(["b", "c"] * behind)]
        )

    row = version(), [version() for _ in range(data.draw(st.integers(1, 3)))], version()
    check([row], "word", order, pooled=pooled)


def test_lone_surrogates_are_characters():
    check([("a \ud800 b", ["a \ud801 b"], "a \ud800 b")], "word", 2, pooled=False)


def test_lines_of_a_buffer_count_as_strings_do():
    texts = [("a b c", "a x c"), ("a b c d", "é x c"), ("", "a x y")]
    buffers = [
        scan_lines("\n".join(text).encode(), 0, most=9, longest=99, at_end=True).lines
        for text in texts
    ]
    assert all(isinstance(each, Lines) for each in buffers)
    source, reference, hypothesis = buffers
    got = count_text_ngrams(
        source, [reference, reference], hypothesis,
        by_text=True, unit="word", order=4, pooled=False, threads=1,
    )  # fmt: skip
    rows = [(s, [r, r], h) for s, r, h in zip(*texts, strict=True)]
    for mine, theirs in zip(got, counted(rows, "word", 4, pooled=False), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_wrong_shapes_are_refused():
    options = {"unit": "word", "order": 4, "pooled": False, "threads": 1}
    with pytest.raises(ValueError, match="1 hypotheses for 2 sentences"):
        count_text_ngrams(["a", "b"], [[], []], ["a"], by_text=False, **options)
    with pytest.raises(ValueError, match="references of"):
        count_text_ngrams(["a", "b"], [["a"]], ["a", "b"], by_text=True, **options)
    with pytest.raises(ValueError, match="references of"):
        count_text_ngrams(["a", "b"], [["a"]], ["a", "b"], by_text=False, **options)
    with pytest.raises(ValueError, match="order"):
        count_text_ngrams(["a"], [["a"]], ["a"], by_text=False, **{**options, "order": 0})


def test_tables_grow_with_long_texts() -> None:
    chance = random.Random(3)
    words = [f"w{number}" for number in range(2_000)]
    # Words that differ in the middle alone, as addresses do.
    words += [f"https://example.org/{number}/index.html" for number in range(2_000)]
    source, reference, hypothesis = (" ".join(chance.choices(words, k=9_000)) for _ in range(3))
    rows = [("a b", ["a c"], "a"), (source, [reference], hypothesis), ("x y", ["x z"], "x")]
    check(rows, "word", 4, pooled=False)
    check([(source[:20_000], [reference[:20_000]] * 2, hypothesis[:20_000])], "raw", 6, pooled=True)


def test_words_must_be_numbered_as_they_come() -> None:
    def ragged(*ids: int) -> Ragged:
        return Ragged(np.array(ids, np.int32), np.array([0, len(ids)], np.int64))

    one = np.array([0, 1], np.int64)
    for wrong in (2, -1):
        words = NumberedWords(ragged(0), ragged(0, 1), ragged(0, wrong), one)
        if wrong == 2:
            count_numbered_ngrams(words, order=2, pooled=False, threads=1)
            words = NumberedWords(ragged(0), ragged(0, 2), ragged(0), one)
        with pytest.raises(ValueError, match="words are not numbered"):
            count_numbered_ngrams(words, order=2, pooled=False, threads=1)
    words = NumberedWords(ragged(0), ragged(0), ragged(0), one)
    with pytest.raises(ValueError, match="order"):
        count_numbered_ngrams(words, order=0, pooled=False, threads=1)
