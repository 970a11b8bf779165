"""The I-measure's references: from errors and alternatives, and clustered from M2 edits."""

from __future__ import annotations

import time
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.edits import Edit, apply_edits
from corrigenda.edits.edit_clusters import errors_of, gold_sentence
from corrigenda.edits.gold_errors import (
    Alternative,
    ErrorCorrection,
    GoldError,
    GoldSentence,
    Words,
    annotations_of,
    apply,
    references_of,
)
from corrigenda.errors import FormatError
from examples import examples


def corrections() -> st.SearchStrategy[ErrorCorrection]:
    span = st.tuples(st.integers(0, 5), st.integers(0, 2))
    words = st.lists(st.sampled_from("ab"), max_size=2).map(tuple)
    return st.tuples(span, words).map(
        lambda each: ErrorCorrection(each[0][0], each[0][0] + each[0][1], each[1])
    )


def errors() -> st.SearchStrategy[GoldError]:
    alternative = st.lists(corrections(), min_size=1, max_size=2).map(tuple)
    alternatives = st.lists(st.tuples(st.integers(0, 2), alternative), max_size=3)
    return st.builds(
        GoldError,
        alternatives.map(lambda pairs: tuple(Alternative(*pair) for pair in pairs)),
        st.booleans(),
    )


def shortened(error: GoldError, size: int) -> GoldError:
    """The error with its spans moved into a sentence of that size."""
    alternatives = tuple(
        Alternative(
            alternative.annotator,
            tuple(
                ErrorCorrection(min(c.start, size), min(c.end, size), c.words)
                for c in alternative.corrections
            ),
        )
        for alternative in error.alternatives
    )
    return GoldError(alternatives, error.required)


def by_position(gold: list[GoldError]) -> list[GoldError]:
    def first(error: GoldError) -> int:
        return min((c.start for a in error.alternatives for c in a.corrections), default=0)

    return sorted(gold, key=first)


def word_for_word(sentence: GoldSentence) -> list[Words]:
    """References with mixing as the definition says them, every combination written out."""
    options: list[list[dict[tuple[int, int], Words]]] = []
    for error in sentence.errors:
        joined: list[dict[tuple[int, int], Words]] = []
        for alternative in error.alternatives:
            spans: dict[tuple[int, int], Words] = {}
            for each in alternative.corrections:
                spans[each.start, each.end] = spans.get((each.start, each.end), ()) + each.words
            joined.append(spans)
        options.append(joined + ([{}] if not error.required or not joined else []))
    found: dict[Words, None] = {}
    for combination in product(*options):
        if all(a.keys().isdisjoint(b) for a, b in combinations(combination, 2)):
            words = sentence.words
            edits = [item for choice in combination for item in choice.items()]
            for (start, end), text in sorted(edits, key=lambda item: item[0], reverse=True):
                words = words[:start] + text + words[end:] or words
            found[words] = None
    return list(found) or [sentence.words]


@settings(max_examples=examples(200))
@given(st.integers(1, 9), st.lists(errors(), max_size=3), st.booleans())
def test_references_are_those_of_the_definition(
    size: int, gold: list[GoldError], ordered: bool
) -> None:
    words = tuple("cdefghijk"[:size])
    within = [shortened(error, size) for error in gold]
    sentence = GoldSentence(words, tuple(by_position(within) if ordered else within), 3)
    assert references_of(sentence, max_references=10**9).texts() == word_for_word(sentence)


def test_above_the_limit_there_is_one_reference_per_annotator() -> None:
    def by(annotator: int, at: int) -> Alternative:
        return Alternative(annotator, (ErrorCorrection(at, at + 1, ("xy"[annotator],)),))

    words = tuple("abcdefgh")
    gold = tuple(GoldError((by(0, at), by(1, at)), True) for at in range(0, 8, 2))
    sentence = GoldSentence(words, gold, 2)
    assert len(references_of(sentence, max_references=16).texts()) == 16
    fallback = references_of(sentence, max_references=15)
    assert fallback.too_many
    assert fallback.combinations == 16
    assert fallback.texts() == [tuple("xbxdxfxh"), tuple("ybydyfyh")]


def test_an_annotator_who_changed_nothing_gives_the_source() -> None:
    words = ("a", "b")
    sentence = GoldSentence(
        words, (GoldError((Alternative(1, (ErrorCorrection(0, 1, ("x",)),)),), False),), 2
    )
    assert references_of(sentence, mix=False).texts() == [("x", "b"), words]
    assert references_of(GoldSentence(words, (), 0), mix=False).texts() == [words]


def test_a_correction_outside_the_sentence_is_refused() -> None:
    outside = GoldError((Alternative(0, (ErrorCorrection(1, 3, ()),)),), True)
    with pytest.raises(FormatError, match="1-3 is not within the sentence of 2 words"):
        GoldSentence(("a", "b"), (outside,), 1)


def test_no_reference_is_empty() -> None:
    delete = GoldError((Alternative(0, (ErrorCorrection(0, 1, ()),)),), True)
    assert references_of(GoldSentence(("a",), (delete,), 1)).texts() == [("a",)]


def overlap(first: Edit, second: Edit) -> bool:
    """The definition's three sentences."""
    if (first.start, first.end) == (second.start, second.end):
        return True
    for inner, outer in ((first, second), (second, first)):
        if inner.start == inner.end:
            return outer.start < inner.start < outer.end
    return first.start < second.end and second.start < first.end


def clusters(edits: list[tuple[int, Edit]]) -> set[frozenset[tuple[int, Edit]]]:
    groups = [{edit} for edit in edits]
    for one, two in combinations(edits, 2):
        if overlap(one[1], two[1]):
            a = next(group for group in groups if one in group)
            b = next(group for group in groups if two in group)
            if a is not b:
                groups.remove(b)
                a |= b
    return {frozenset(group) for group in groups}


@settings(max_examples=examples(100))
@given(
    st.dictionaries(
        st.integers(0, 2),
        st.lists(
            st.tuples(st.integers(0, 6), st.integers(0, 3)).map(
                lambda s: Edit(s[0], s[0] + s[1], ("x",), "T")
            ),
            max_size=4,
            unique=True,
        ),
    )
)
def test_clusters_are_those_of_pairwise_overlap(edits: dict[int, list[Edit]]) -> None:
    found = errors_of(edits)
    mine = {
        frozenset(
            (a.annotator, Edit(c.start, c.end, ("x",), "T"))
            for a in error.alternatives
            for c in a.corrections
        )
        for error in found
    }
    assert mine == clusters([(annotator, edit) for annotator, own in edits.items() for edit in own])
    for error in found:
        assert error.required == ({a.annotator for a in error.alternatives} == set(edits))


def test_accepted_corrections_are_alternatives_and_the_first_is_the_annotators_own() -> None:
    sentence = gold_sentence(("a", "b"), {0: [Edit(0, 1, ("x", "y"))]})
    assert references_of(sentence).texts() == [("x", "b"), ("y", "b")]
    assert references_of(sentence, mix=False).texts() == [("x", "b")]


def test_too_many_accepted_corrections_are_refused() -> None:
    overlapping = [Edit(0, 2, ("x", "y")) for _ in range(30)]
    with pytest.raises(FormatError, match="annotator 0"):
        errors_of({0: overlapping})


def test_combinations_of_accepted_corrections_are_bounded_over_a_sentence() -> None:
    """Each place accepts few ways, but each way lists all edits of its place."""

    def places(number: int) -> dict[int, list[Edit]]:
        accepted = tuple(f"x{number}" for number in range(8))
        return {
            0: [Edit(5 * p + n, 5 * p + n + 1, accepted) for p in range(number) for n in range(4)],
            1: [Edit(5 * p, 5 * p + 4, ("y",)) for p in range(number)],
        }

    assert len(errors_of(places(12))) == 12
    with pytest.raises(FormatError, match="more than 200,000 corrections, up to words 60-64"):
        errors_of(places(13))
    apart = [Edit(place, place + 1, ("x", "y")) for place in range(1_000)]
    assert len(errors_of({0: apart})) == 1_000


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), max_size=4), st.integers(1, 3))
def test_annotators_own_edits_come_back(spans: list[tuple[int, int]], annotators: int) -> None:
    """M2 edits become errors and edits again; annotators without edits are not lost."""
    words = tuple("abcdef")
    edits: dict[int, list[Edit]] = {annotator: [] for annotator in range(annotators)}
    for number, (start, size) in enumerate(spans):
        own = edits[number % annotators]
        edit = Edit(start, start + size, (f"w{number}",), "T")
        if not any(overlap(edit, other) for other in own):
            own.append(edit)
    back = annotations_of(gold_sentence(words, edits))
    assert [annotation.annotator for annotation in back] == list(range(annotators))
    for annotation in back:
        own = edits[annotation.annotator]
        assert apply_edits(words, annotation.edits) == apply_edits(words, own)


def test_thousands_of_errors_that_are_not_independent() -> None:
    """They cover all words, so they are combined one by one."""
    words = tuple("a" * 3_000)
    errors = tuple(
        GoldError((Alternative(0, (ErrorCorrection(place, place + 1, ("b",)),)),), True, "R")
        for place in range(len(words))
    )
    found = references_of(GoldSentence(words, errors, 1))
    assert found.texts() == [("b",) * 3_000]


def test_extents_take_time_in_proportion_to_the_spans() -> None:
    edits = {0: [Edit(place, place + 1, ("b",)) for place in range(0, 60_000, 2)]}
    begin = time.process_time()
    found = errors_of(edits)
    assert len(found) == 30_000
    # Each span compared with each extent took minutes.
    assert time.process_time() - begin < 10


@given(st.lists(corrections(), max_size=6), st.integers(0, 5))
def test_corrections_are_applied_as_one_after_the_other(
    given: list[ErrorCorrection], size: int
) -> None:
    """The last first; a correction that would leave nothing is skipped."""
    error = shortened(GoldError((Alternative(0, tuple(given)),), True), size)
    words = expected = tuple("vwxyz"[:size])
    corrected = error.alternatives[0].corrections
    for each in sorted(corrected, key=lambda each: (each.start, each.end), reverse=True):
        expected = (expected[: each.start] + each.words + expected[each.end :]) or expected
    assert apply(words, corrected) == expected


def test_many_corrections_take_linear_time() -> None:
    words = tuple("a" for _ in range(60_000))
    given = [ErrorCorrection(place, place + 1, ("b",)) for place in range(60_000)]
    begin = time.process_time()
    assert apply(words, given) == tuple("b" for _ in words)
    alternatives = tuple(Alternative(who, (ErrorCorrection(0, 1, ()),)) for who in range(9_000))
    sentence = GoldSentence(("a",), (GoldError(alternatives, True),), 0)
    assert len(annotations_of(sentence)) == 9_000
    assert time.process_time() - begin < 2
