"""The M² kernel against its oracle, and the oracle against the enumeration of all paths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle_m2 import (
    Counts,
    GoldEdit,
    SystemEdit,
    Words,
    all_arcs,
    choose_annotators,
    count,
    shortest_path,
    system_edits,
    weights,
)
from oracle_m2_paths import least_weight
from oracle_m2_short import count as short_count

from corrigenda.core.choice import GreedyCumulative
from corrigenda.core.statistics import Statistics
from corrigenda.kernels import Vocabulary
from corrigenda.kernels.maxmatch import MOST_ARCS, MOST_VISITS, GoldBatch, max_match
from corrigenda.metrics.m2 import M2
from examples import examples

# --- The kernel is called here, and nowhere else --------------------------------------------------


def kernel(
    source: Words,
    hypothesis: Words,
    gold: Sequence[GoldEdit],
    max_unchanged_words: int,
    most_arcs: int = MOST_ARCS,
    most_visits: int = MOST_VISITS,
) -> tuple[Counts, list[SystemEdit]]:
    vocabulary = Vocabulary()
    batch = GoldBatch(
        annotation_offsets=np.array([0, 1]),
        edit_offsets=np.array([0, len(gold)]),
        spans=np.array([(edit.start, edit.end) for edit in gold], np.int32).reshape(-1, 2),
        correction_offsets=np.cumsum(
            [0, *(len(edit.corrections) for edit in gold)], dtype=np.int64
        ),
        corrections=vocabulary.add(
            [" ".join(option) for edit in gold for option in edit.corrections]
        ),
    )
    sources = vocabulary.add([" ".join(source)])
    hypotheses = vocabulary.encode([" ".join(hypothesis)])
    matched, counts = (
        max_match(
            sources,
            hypotheses,
            batch,
            max_unchanged_words=max_unchanged_words,
            threads=1,
            with_edits=with_edits,
            most_arcs=most_arcs,
            most_visits=most_visits,
        )
        for with_edits in (True, False)
    )
    np.testing.assert_array_equal(counts.counts, matched.counts)
    assert matched.by_short_form == counts.by_short_form
    if most_visits:
        assert matched.by_short_form == 0
    edits = [SystemEdit(*row[:4], row[4] if row[4] >= 0 else None) for row in matched.edits_of(0)]
    return Counts(*matched.counts[0].tolist()), edits


# --- Sentences and gold edits, small enough for repeats and ties ----------------------------------


def sentences(most: int) -> st.SearchStrategy[Words]:
    return st.lists(st.sampled_from("abc"), max_size=most).map(tuple)


@st.composite
def corrections(draw: st.DrawFn, hypothesis: Words) -> Words:
    """Any few words, or (since those rarely fit) a stretch of the hypothesis."""
    if draw(st.booleans()):
        return draw(sentences(3))
    begin = draw(st.integers(0, len(hypothesis)))
    return hypothesis[begin : draw(st.integers(begin, len(hypothesis)))]


@st.composite
def gold_edits(draw: st.DrawFn, source: Words, hypothesis: Words) -> GoldEdit:
    start = draw(st.integers(0, len(source)))
    is_insertion = draw(st.booleans())
    end = start if is_insertion else draw(st.integers(start, len(source)))
    accepted = draw(st.lists(corrections(hypothesis), min_size=1, max_size=2))
    return GoldEdit(start, end, tuple(accepted))


@st.composite
def problems(
    draw: st.DrawFn, most_words: int, most_edits: int
) -> tuple[Words, Words, list[GoldEdit]]:
    source = draw(sentences(most_words))
    hypothesis = draw(sentences(most_words))
    gold = draw(st.lists(gold_edits(source, hypothesis), max_size=most_edits))
    if draw(st.booleans()):
        gold.sort(key=lambda edit: (edit.start, edit.end))
    return source, hypothesis, gold


@settings(max_examples=examples(80))
@given(problems(most_words=4, most_edits=3), st.integers(0, 3))
def test_oracle_finds_what_all_paths_show(
    problem: tuple[Words, Words, list[GoldEdit]], limit: int
) -> None:
    source, hypothesis, gold = problem
    graph = all_arcs(source, hypothesis, limit)
    weight, end = weights(graph, hypothesis, gold), (len(source), len(hypothesis))
    found = sum(weight[step] for step in shortest_path(graph, weight, end))
    assert found == pytest.approx(least_weight(graph, weight, end), abs=1e-9)


# --- The kernel against the oracle ----------------------------------------------------------------


@settings(max_examples=examples(200))
@given(problems(most_words=7, most_edits=5), st.integers(0, 3))
@example((("a", "b"), ("a",), [GoldEdit(0, 1, (("a",), ()))]), 2)
@example(((), ("a", "a", "b"), [GoldEdit(0, 0, (("a",),)), GoldEdit(0, 0, (("b",),))]), 2)
@example((("a", "a"), (), [GoldEdit(0, 1, ((),)), GoldEdit(1, 1, ((),))]), 0)
def test_kernel_equals_oracle(problem: tuple[Words, Words, list[GoldEdit]], limit: int) -> None:
    """The same edits, and not only the same counts: ties are decided in the same way."""
    counts, edits = kernel(*problem, limit)
    assert edits == system_edits(*problem, limit)
    assert counts == count(*problem, limit)


@settings(max_examples=examples(60))
@given(problems(most_words=14, most_edits=8), st.sampled_from([2, 3, 5, 100]))
def test_kernel_equals_oracle_on_longer_sentences(
    problem: tuple[Words, Words, list[GoldEdit]], limit: int
) -> None:
    assert kernel(*problem, limit)[1] == system_edits(*problem, limit)


@st.composite
def problems_with_shared_ends(draw: st.DrawFn) -> tuple[Words, Words, list[GoldEdit]]:
    """Both sentences begin and end with the same words, and most of these come once."""
    before = tuple(f"x{i}" for i in range(draw(st.integers(0, 9))))
    after = tuple(f"y{i}" for i in range(draw(st.integers(0, 12))))
    source = before + draw(sentences(4)) + after
    hypothesis = before + draw(sentences(4)) + after
    gold = draw(st.lists(gold_edits(source, hypothesis), max_size=5))
    for start in draw(st.lists(st.integers(0, len(source)), max_size=2)):
        unchanged = source[start : start + draw(st.integers(1, 3))]
        gold.append(GoldEdit(start, start + len(unchanged), (unchanged,)))
    return source, hypothesis, sorted(gold, key=lambda edit: (edit.start, edit.end))


@settings(max_examples=examples(200))
@given(problems_with_shared_ends(), st.integers(0, 4))
def test_arcs_far_from_the_core_are_not_needed(
    problem: tuple[Words, Words, list[GoldEdit]], limit: int
) -> None:
    assert kernel(*problem, limit)[1] == system_edits(*problem, limit)


@settings(max_examples=examples(200))
@given(problems(most_words=7, most_edits=5), st.integers(0, 3))
@example((("a", "b"), ("a",), [GoldEdit(0, 1, (("a",), ()))]), 2)
@example(((), ("a", "a", "b"), [GoldEdit(0, 0, (("a",),)), GoldEdit(0, 0, (("b",),))]), 2)
def test_arcs_of_best_paths_alone_give_the_same_edits(
    problem: tuple[Words, Words, list[GoldEdit]], limit: int
) -> None:
    """Without a list of all arcs, as for sentences that have too many of them."""
    assert kernel(*problem, limit, most_arcs=0)[1] == system_edits(*problem, limit)


@settings(max_examples=examples(60))
@given(problems(most_words=14, most_edits=8), st.sampled_from([2, 3, 5, 6, 100]))
def test_arcs_of_best_paths_alone_give_the_same_edits_of_longer_sentences(
    problem: tuple[Words, Words, list[GoldEdit]], limit: int
) -> None:
    assert kernel(*problem, limit, most_arcs=0)[1] == system_edits(*problem, limit)


def different(source: int, hypothesis: int) -> tuple[Words, Words]:
    return tuple(f"s{i}" for i in range(source)), tuple(f"h{i}" for i in range(hypothesis))


@pytest.mark.parametrize(("source", "hypothesis"), [(26, 26), (28, 22), (22, 30)])
def test_a_sentence_with_a_hundred_thousand_arcs(source: int, hypothesis: int) -> None:
    """It is never listed, and gets the edits that the whole list gives."""
    texts = different(source, hypothesis)
    gold = [gold_edit(3, 4, "h3"), gold_edit(8, 10, "h8 h9"), gold_edit(20, 20, "h20")]
    for edits in (gold, []):
        by_list = kernel(*texts, edits, 2, most_arcs=10**7, most_visits=1)
        assert kernel(*texts, edits, 2) == by_list


@settings(max_examples=examples(200))
@given(problems(most_words=7, most_edits=5), st.sampled_from([0, 1, 2, 3, 2**31 - 1, 10**20]))
def test_the_short_form_where_the_exact_rule_takes_too_long(
    problem: tuple[Words, Words, list[GoldEdit]], limit: int
) -> None:
    source, hypothesis, gold = problem
    by_place = sorted(gold, key=lambda edit: (edit.start, edit.end))
    found, _ = kernel(source, hypothesis, by_place, limit, most_arcs=0, most_visits=0)
    assert found == short_count(source, hypothesis, by_place, limit)


@given(
    problems(most_words=7, most_edits=5),
    st.integers(0, 3),
    st.sampled_from([(0, 0), (0, MOST_VISITS), (MOST_ARCS, MOST_VISITS)]),
)
def test_edits_rebuild_the_hypothesis(
    problem: tuple[Words, Words, list[GoldEdit]], limit: int, limits: tuple[int, int]
) -> None:
    source, hypothesis, gold = problem
    rebuilt: list[str] = []
    done = 0
    for edit in kernel(source, hypothesis, gold, limit, *limits)[1]:
        rebuilt += source[done : edit.start] + hypothesis[edit.begin : edit.finish]
        done = edit.end
    assert tuple(rebuilt) + source[done:] == hypothesis


# --- Single cases, each for one sentence of the definition ----------------------------------------


def words(text: str) -> Words:
    return tuple(text.split())


def gold_edit(start: int, end: int, *accepted: str) -> GoldEdit:
    return GoldEdit(start, end, tuple(words(text) for text in accepted))


# Name: source, hypothesis, gold edits, max_unchanged_words, and (correct, proposed, gold).
P, Q, NOTHING = gold_edit(0, 0, "p"), gold_edit(0, 0, "q"), gold_edit(0, 0, "")
CASES = {
    "neighbours are joined": ("a b", "x y", [], 2, (0, 1, 0)),
    "unless the gold parts them": ("a b", "x y", [gold_edit(0, 1, "x")], 2, (1, 2, 1)),
    "across two unchanged words": ("a k k b", "x k k y", [], 2, (0, 1, 0)),
    "but not across three": ("a k k k b", "x k k k y", [], 2, (0, 2, 0)),
    "nor across any, with 0": ("a k b", "x k y", [], 0, (0, 2, 0)),
    "gold join": ("a k b", "x k y", [gold_edit(0, 3, "x k y")], 2, (1, 1, 1)),
    "gold join, too wide": ("a k b", "x k y", [gold_edit(0, 3, "x k y")], 0, (0, 2, 1)),
    "two words before the first": ("k", "p q k", [gold_edit(0, 0, "p q")], 2, (1, 1, 1)),
    "insertions in order": ("k", "p q k", [P, Q], 2, (2, 2, 2)),
    "insertions not in order": ("k", "p q k", [Q, P], 2, (1, 2, 2)),
    "a gold insertion once": ("k", "p p k", [P], 2, (1, 2, 1)),
    "or twice, if it is there twice": ("k", "p p k", [P, P], 2, (2, 2, 2)),
    "an empty insertion": ("a", "a", [NOTHING], 2, (0, 0, 1)),
    "alternative correction": ("a", "y", [gold_edit(0, 1, "x", "y")], 2, (1, 1, 1)),
    "same span twice": ("a", "y", [gold_edit(0, 1, "x"), gold_edit(0, 1, "y")], 2, (1, 1, 2)),
    "gold that changes nothing": ("a k b", "x k y", [gold_edit(1, 2, "k")], 2, (0, 2, 1)),
    "the same, left alone": ("a", "a", [gold_edit(0, 1, "a")], 2, (0, 0, 1)),
    "empty hypothesis": ("a b", "", [], 2, (0, 1, 0)),
    "empty source": ("", "a b", [gold_edit(0, 0, "a b")], 2, (1, 1, 1)),
    "both empty": ("", "", [], 2, (0, 0, 0)),
    "gold edits in order": (
        "a k b",
        "x k y",
        [gold_edit(0, 1, "x"), gold_edit(2, 3, "y")],
        2,
        (2, 2, 2),
    ),
    "gold edits not in order": (
        "a k b",
        "x k y",
        [gold_edit(2, 3, "y"), gold_edit(0, 1, "x")],
        2,
        (1, 2, 2),
    ),
    "word order": ("a b", "b a", [gold_edit(0, 2, "b a")], 0, (1, 1, 1)),
}


@pytest.mark.parametrize("name", CASES)
def test_counts(name: str) -> None:
    source, hypothesis, gold, limit, expected = CASES[name]
    problem = words(source), words(hypothesis), gold
    assert count(*problem, limit) == expected
    assert kernel(*problem, limit)[0] == expected
    assert kernel(*problem, limit, most_arcs=0)[0] == expected


def test_an_edit_is_shown_without_unchanged_words_at_its_ends() -> None:
    """On the best path it is "a b" → "a a b", which is listed once. An insertion is listed twice."""
    assert kernel(words("a b"), words("a a b"), [], 2)[1] == [(1, 1, 1, 2, None)]


def test_a_join_listed_twice_is_no_better_than_two_arcs() -> None:
    """The short form of the rule does not count listings, and joins everything."""
    problem = words("d c"), words("b c b d"), []
    assert count(*problem) == kernel(*problem, 2)[0] == (0, 2, 0)
    assert kernel(*problem, 2, most_arcs=0)[0] == (0, 2, 0)
    assert kernel(*problem, 2, most_arcs=0, most_visits=0)[0] == (0, 1, 0)


def test_of_equal_paths_an_edit_ends_as_early_as_it_can() -> None:
    source, hypothesis = words("a k k b k k c"), words("x k k y k k z")
    assert kernel(source, hypothesis, [], 2)[1] == [(0, 1, 0, 1, None), (3, 7, 3, 7, None)]


def test_of_equal_paths_an_insertion_comes_before_the_next_word() -> None:
    source, hypothesis = words("k a k"), words("k b k")
    assert kernel(source, hypothesis, [gold_edit(1, 2, "")], 2)[1] == [
        (1, 1, 1, 2, None),
        (1, 2, 2, 2, 0),
    ]


def test_of_equal_paths_a_gold_insertion_goes_before_another() -> None:
    assert kernel(words("k"), words("p p k"), [P], 2)[1] == [(0, 0, 0, 1, 0), (0, 0, 1, 2, None)]


@pytest.mark.parametrize("hypothesis", ["a", "b"])
def test_gold_edit_outside_of_the_sentence_is_refused(hypothesis: str) -> None:
    with pytest.raises(ValueError, match="gold edit 0 lies outside"):
        kernel(("a",), (hypothesis,), [gold_edit(0, 2, "b")], 2)


def test_a_limit_below_zero_is_refused() -> None:
    """The kernel would look for the number of a vertex that it does not have."""
    with pytest.raises(ValueError, match="max_unchanged_words must be at least 0"):
        kernel(words("a b"), words("a c"), [], -1)


def test_no_limit_of_unchanged_words() -> None:
    problem = words("a k k k k b"), words("x k k k k y"), []
    assert kernel(*problem, 10**12)[0] == (0, 1, 0)


EARLIER = Counts(583, 1205, 1720)
TIED = {0: Counts(0, 2, 2), 1: Counts(1, 2, 7), 2: Counts(1, 3, 3)}


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        ([TIED], [1]),
        # With rounded P and R, annotator 2 would win here.
        ([{0: EARLIER}, TIED], [0, 1]),
        ([{0: Counts(0, 0, 0), 1: Counts(0, 0, 0)}], [0]),
    ],
)
def test_exact_ties_between_annotators_go_to_the_earlier(
    sentences: list[dict[int, Counts]], expected: list[int]
) -> None:
    assert choose_annotators(sentences)[0] == expected
    assert chosen(sentences, 0.5) == expected


def chosen(sentences: list[dict[int, Counts]], beta: float) -> list[int]:
    counts = np.array(
        [list(row) for annotators in sentences for row in annotators.values()], np.int64
    )
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    choice = M2(beta=beta).policy("corpus")
    assert isinstance(choice, GreedyCumulative)
    references = choice.choose(Statistics(counts, offsets)).references
    assert references is not None
    return references.tolist()


@st.composite
def counts(draw: st.DrawFn) -> Counts:
    proposed, gold = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    return Counts(draw(st.integers(0, min(proposed, gold))), proposed, gold)


@given(
    st.lists(
        st.lists(counts(), min_size=1, max_size=4).map(lambda found: dict(enumerate(found))),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_annotators_are_chosen_as_the_oracle_does(
    sentences: list[dict[int, Counts]], beta: float
) -> None:
    assert chosen(sentences, beta) == choose_annotators(sentences, beta)[0]
