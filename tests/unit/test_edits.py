"""Edits: applied, compared, and found between two sentences."""

from __future__ import annotations

import itertools
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from corrigenda.edits import Edit, apply_edits, extract_edits, first_overlap

WORDS = st.lists(st.sampled_from("abc"), max_size=9)


def levenshtein(source: list[str], target: list[str]) -> int:
    @cache
    def distance(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        changed = source[i - 1] != target[j - 1]
        return min(distance(i - 1, j - 1) + changed, distance(i - 1, j) + 1, distance(i, j - 1) + 1)

    return distance(len(source), len(target))


def cannot_both_be_applied(first: Edit, second: Edit) -> bool:
    """An insertion occupies a gap between words; the gaps at the two ends of a span are free."""
    if first.is_insertion and second.is_insertion:
        return False
    for insertion, span in ((first, second), (second, first)):
        if insertion.is_insertion:
            return span.start < insertion.start < span.end
    return bool(set(range(first.start, first.end)) & set(range(second.start, second.end)))


spans = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(sorted)
edits = spans.map(lambda span: Edit(span[0], span[1], ("x",)))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ([], "a b c d"),
        ([Edit(1, 2, ("X",))], "a X c d"),
        ([Edit(1, 2, ("X Y",)), Edit(2, 3, ("",))], "a X Y d"),
        ([Edit(0, 0, ("X",))], "X a b c d"),
        ([Edit(4, 4, ("X", "Y"))], "a b c d X"),
        ([Edit(0, 4, ("",))], ""),
        ([Edit(2, 2, ("X",)), Edit(2, 2, ("Y",))], "a b X Y c d"),
        ([Edit(2, 3, ("Z",)), Edit(2, 2, ("X",)), Edit(3, 3, ("Y",))], "a b X Z Y d"),
        ([Edit(3, 4, ("Y",)), Edit(0, 1, ("X",))], "X b c Y"),
    ],
)
def test_apply(made, expected):
    assert " ".join(apply_edits(["a", "b", "c", "d"], made)) == expected


@given(edits, edits)
def test_overlap(first, second):
    assert first.overlaps(second) == cannot_both_be_applied(first, second)
    assert second.overlaps(first) == first.overlaps(second)


@given(st.lists(edits, max_size=5))
def test_first_overlap_finds_one_if_there_is_one(made):
    expected = any(cannot_both_be_applied(a, b) for a, b in itertools.combinations(made, 2))
    found = first_overlap(made)
    assert (found is not None) == expected
    if found:
        assert cannot_both_be_applied(*found)


@given(st.lists(edits, max_size=4, unique_by=lambda edit: (edit.start, edit.end)), st.randoms())
def test_order_of_edits_at_different_places_does_not_matter(made, random):
    assume(first_overlap(made) is None)
    words = ["a", "b", "c", "d", "e"]
    expected = apply_edits(words, made)
    random.shuffle(made)
    assert apply_edits(words, made) == expected


@given(WORDS, WORDS)
def test_extracted_edits_lead_to_the_target(source, target):
    assert apply_edits(source, extract_edits(source, target)) == target


@given(WORDS, WORDS)
def test_extracted_edits_change_as_few_words_as_possible(source, target):
    changed = sum(
        max(e.end - e.start, len(e.correction.split())) for e in extract_edits(source, target)
    )
    assert changed == levenshtein(source, target)


@given(WORDS, WORDS)
def test_extracted_edits_are_apart_and_in_order(source, target):
    made = extract_edits(source, target)
    assert first_overlap(made) is None
    for earlier, later in itertools.pairwise(made):
        assert earlier.end < later.start  # neighbouring changes are one edit


@given(WORDS, WORDS)
def test_types_are_operations(source, target):
    for edit in extract_edits(source, target):
        operation = "M" if edit.is_insertion else "R" if edit.correction else "U"
        assert edit.type == operation
        assert edit.correction or not edit.is_insertion


@given(WORDS)
def test_equal_sentences_have_no_edits(words):
    assert extract_edits(words, list(words)) == ()


def test_the_first_correction_is_the_one_applied():
    edit = Edit(0, 1, ("x", "y"))
    assert edit.correction == "x"
    assert apply_edits(["a"], [edit]) == ["x"]
