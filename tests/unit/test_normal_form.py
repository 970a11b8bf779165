"""Normal forms equal those of `unicodedata`, also of many marks, and take linear time."""

from __future__ import annotations

import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.text.normal_form import _MAY_BE_MARKS, _marks, is_normal, normal_form

# Letters, marks of several classes, and marks that are made of marks.
CHARACTERS = (
    "ae\u00e9 \u0301\u0323\u0308\u0345\u0344\u0f73\u0f71\u0f72\u3099\u304b\u1100\u1161\ufb1e"
)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@given(
    st.lists(st.tuples(st.sampled_from(CHARACTERS), st.integers(1, 3)), max_size=20),
    st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=5),
    st.integers(0, 40),
)
def test_they_equal_those_of_unicodedata(form, parts, repeated, times):
    text = "".join(each * number for each, number in parts) + "".join(repeated) * times
    for given_text in (text, unicodedata.normalize(form, text)):
        assert normal_form(given_text, form) == unicodedata.normalize(form, given_text)
        assert is_normal(given_text, form) == unicodedata.is_normalized(form, given_text)


def test_no_mark_is_left_out():
    """Every mark of Unicode is in a run that is looked at."""
    marks = [each for each in map(chr, range(sys.maxunicode + 1)) if _marks(each)]
    assert len(marks) > 800
    assert all(_MAY_BE_MARKS.fullmatch(each * 64) for each in marks)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_many_marks_take_linear_time(form):
    begin = time.process_time()
    for marks in ("\u0301\u0323", "\u0344", "\u0323", "\u0f73\u0f71"):
        assert not is_normal("a" + marks * 100_000 + "\u0327", form)
        assert len(normal_form("a" + marks * 100_000, form)) >= 99_999
    assert time.process_time() - begin < 4
