"""What a valid sentence is, for all formats alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.errors import FormatError, Location
from corrigenda.text.sentences import (
    LINE_END_OR_NUL,
    LONE_SURROGATE,
    check_sentence,
    checked_sentences,
    problem_of,
)

INVALID = {
    "a\nb": LINE_END_OR_NUL,
    "\x00": LINE_END_OR_NUL,
    "\ud800\n": LINE_END_OR_NUL,
    "\ud800": LONE_SURROGATE,
    "a\udfff": LONE_SURROGATE,
    "\ud83d\ude00": LONE_SURROGATE,
}


@pytest.mark.parametrize("sentence", ["", " a  b ", "a\r", "\u2028", "\U0001f600", "\ufeff"])
def test_valid_sentences(sentence):
    assert problem_of(sentence) is None
    check_sentence(sentence, Location("file", 1))
    assert checked_sentences([sentence], "source") == (sentence,)


@pytest.mark.parametrize(("sentence", "problem"), INVALID.items())
def test_invalid_sentences_are_refused_with_their_place(sentence, problem):
    assert problem_of(sentence) == problem
    with pytest.raises(FormatError) as caught:
        check_sentence(sentence, Location("file", 3))
    assert caught.value.problem == problem
    assert caught.value.location == Location("file", 3)
    assert caught.value.remedy


def test_lists_may_hold_half_characters():
    """Files cannot hold them, but every kernel can count them."""
    assert checked_sentences(["\ud800"], "source") == ("\ud800",)


@given(st.lists(st.text(st.characters(exclude_categories=[])), max_size=4))
def test_joined_sentences_are_valid_if_each_one_is(sentences):
    each = [problem_of(sentence) is None for sentence in sentences]
    assert (problem_of("".join(sentences)) is None) == all(each)
