"""The characters that two texts share are those that difflib finds."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.errors import SentenceError
from corrigenda.kernels.common_parts import places_in_source

LETTERS = st.one_of(st.text("ab", max_size=60), st.text("abcde", max_size=40), st.text(max_size=20))


def _slow(source: str, text: str) -> list[int]:
    """Where texts begin and end alike; between these parts, what difflib finds."""
    begin = _common_prefix(source, text)
    end = _common_prefix(source[begin:][::-1], text[begin:][::-1])
    places = [-1] * len(text)
    places[:begin] = range(begin)
    places[len(text) - end :] = range(len(source) - end, len(source))
    middle = source[begin : len(source) - end], text[begin : len(text) - end]
    for match in SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
        first = begin + match.a
        places[begin + match.b : begin + match.b + match.size] = range(first, first + match.size)
    return places


def _common_prefix(one: str, other: str) -> int:
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length]:
        length += 1
    return length


@given(LETTERS, LETTERS)
def test_any_two_texts(source: str, text: str) -> None:
    assert places_in_source(source, text) == _slow(source, text)


@given(
    LETTERS, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9), st.text("ab", max_size=3)))
)
def test_a_text_that_was_changed(source: str, changes: list[tuple[int, int, str]]) -> None:
    text = source
    for begin, length, put in changes:
        text = text[:begin] + put + text[begin + length :]
    assert places_in_source(source, text) == _slow(source, text)


def test_long_texts_take_no_long_time() -> None:
    source, text = "ab" * 200_000 + "x", "y" + "ba" * 200_000
    assert places_in_source(source, text)[:6] == [-1, -1, 0, 1, 2, 3]


def test_parts_of_all_lengths_are_refused() -> None:
    """Each length needs a pass of its own."""
    parts = [chr(0x4E00 + length) * length for length in range(450, 0, -1)]
    with pytest.raises(SentenceError, match="share so many parts"):
        places_in_source("x".join(parts), "y".join(parts))
