"""Each sentence numbers its own words: equal words of its texts have equal numbers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.kernels import Ragged
from corrigenda.kernels.lines import scan_lines
from corrigenda.kernels.numbered_words import number_words

WORDS = ("a", "b", "the", "abcdefgh", "abcdefghijklmnop", "abcdefghijklmnopq", "é", "日本")
text = st.lists(st.sampled_from((*WORDS, "\u00a0")), max_size=8).map(" ".join)
sentences = st.lists(st.tuples(text, st.lists(text, max_size=3), text), max_size=6)


def parts(ragged: Ragged) -> list[list[int]]:
    ids, offsets = ragged.ids.tolist(), ragged.offsets.tolist()
    return [ids[begin:end] for begin, end in pairwise(offsets)]


def expected(rows: list[tuple[str, list[str], str]]) -> tuple[list, list, list]:
    """New words get the next number, in the order source, references, hypothesis."""
    sources, references, hypotheses = [], [], []
    for source, of_source, hypothesis in rows:
        known: dict[str, int] = {}

        def numbers(line: str, known: dict[str, int] = known) -> list[int]:
            return [known.setdefault(word, len(known)) for word in line.split()]

        sources.append(numbers(source))
        references += [numbers(reference) for reference in of_source]
        hypotheses.append(numbers(hypothesis))
    return sources, references, hypotheses


@given(sentences, st.integers(1, 3))
def test_numbers_are_those_of_a_dictionary(rows, threads):
    sources = [source for source, _, _ in rows]
    references = [each for _, each, _ in rows]
    hypotheses = [hypothesis for _, _, hypothesis in rows]
    found = number_words(sources, references, hypotheses, by_text=False, threads=threads)
    assert (parts(found.sources), parts(found.references), parts(found.hypotheses)) == expected(
        rows
    )
    lengths = [len(each) for each in references]
    assert found.references_of_sentence.tolist() == [sum(lengths[:i]) for i in range(len(rows) + 1)]
    without = number_words(sources, references, None, by_text=False, threads=threads)
    assert (parts(without.sources), parts(without.references)) == expected(rows)[:2]
    assert len(without.hypotheses) == 0


line = st.lists(
    st.sampled_from((*WORDS, " ", "  ", "\t", "\u00a0", "\u3000", "\u2009", "\x1c")), max_size=16
).map("".join)


@given(line, st.integers(0, 60), st.integers(0, 60), line, st.integers(0, 60))
def test_texts_that_begin_and_end_alike(source, begin, length, new, other):
    """Shared bytes are not split into words; a word or a blank may be cut anywhere."""
    hypothesis = source[:begin] + new + source[begin + length :]
    reference = source[:other] + source[begin:]
    found = number_words([source], [[reference]], [hypothesis], by_text=False, threads=1)
    rows = [(source, [reference], hypothesis)]
    assert (parts(found.sources), parts(found.references), parts(found.hypotheses)) == expected(
        rows
    )


def test_a_long_source():
    source = " ".join(f"word{i % 5000}" for i in range(20_000))
    rows = [(source, [source + " x"], f"y {source}"), ("a b", ["a b"], "a c b")]
    columns = [list(column) for column in zip(*rows, strict=True)]
    found = number_words(*columns, by_text=False, threads=1)
    assert (parts(found.sources), parts(found.references), parts(found.hypotheses)) == expected(
        rows
    )


def test_many_sentences_on_threads_and_lines_of_a_buffer():
    rows = [(f"w{i} x y", [f"x w{i} z"], f"z w{i % 7} q w{i}") for i in range(1_000)]
    sources, references, hypotheses = (
        scan_lines("\n".join(lines).encode(), 0, most=2_000, longest=99, at_end=True).lines
        for lines in zip(*((source, each, output) for source, (each,), output in rows), strict=True)
    )
    found = number_words(sources, [references], hypotheses, by_text=True, threads=3)
    assert (parts(found.sources), parts(found.references), parts(found.hypotheses)) == expected(
        rows
    )


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="1 hypotheses for 2 sentences"):
        number_words(["a", "b"], [[], []], ["a"], by_text=False, threads=1)
    with pytest.raises(ValueError, match="references of"):
        number_words(["a", "b"], [["a"]], None, by_text=True, threads=1)
