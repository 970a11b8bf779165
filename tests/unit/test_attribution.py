"""Values of edits: they add up, equal the definition, and are the same in any batch."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate, metric
from corrigenda.analysis import attribution
from corrigenda.analysis.attribution import attribute, attribute_edits, values_by_type
from corrigenda.edits import Edit, apply_edits
from corrigenda.errors import CorrigendaError, MetricError, UsageError
from examples import examples
from reference_free import KeptWords
from small_corpora import cases

METRICS = ("green", "m2", "gleu:references=best", "bleu", "green:unit=char", "imeasure")


def sentence_score(specification: str, corpus: Corpus, text: str) -> float:
    (result,) = evaluate(
        corpus, [Hypotheses("x", (text,))], [specification], level="sentence", threads=1
    )
    return result.score


def slow_shapley(specification: str, corpus: Corpus, edits: list[Edit]) -> list[float]:
    """The mean gain over all orders."""
    words = corpus.sources[0].split()
    known: dict[frozenset[int], float] = {}

    def value(chosen: frozenset[int]) -> float:
        if chosen not in known:
            text = " ".join(apply_edits(words, [edits[place] for place in sorted(chosen)]))
            known[chosen] = sentence_score(specification, corpus, text)
        return known[chosen]

    totals = [0.0] * len(edits)
    for order in itertools.permutations(range(len(edits))):
        for size, place in enumerate(order):
            before = frozenset(order[:size])
            totals[place] += value(before | {place}) - value(before)
    return [total / math.factorial(len(edits)) for total in totals]


@settings(max_examples=examples(20))
@given(
    whole=cases(max_sentences=1, max_words=6, min_words=1),
    specification=st.sampled_from(METRICS),
)
def test_it_is_the_mean_over_all_orders(whole, specification):
    (found,) = attribute(*whole, metric(specification))
    expected = slow_shapley(specification, whole.corpus, [each.edit for each in found.edits])
    assert [each.value for each in found.edits] == pytest.approx(expected, abs=1e-9)


@settings(max_examples=examples(40))
@given(
    whole=cases(max_sentences=4, max_words=10),
    specification=st.sampled_from(METRICS),
    most=st.integers(0, 4),
    seed=st.integers(0, 3),
)
def test_values_add_up(whole, specification, most, seed):
    """Exact ones and sampled ones, to the score of the output minus that of the source."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attribution, "MOST_EDITS", most)
        found = attribute(*whole, metric(specification), permutations=3, seed=seed)
    (result,) = evaluate(
        whole.corpus, [whole.hypotheses], [specification], level="sentence", threads=1
    )
    for sentence, score in zip(found, result.sentence_scores.tolist(), strict=True):
        assert sentence.after == pytest.approx(score, abs=1e-12)
        total = sum(each.value for each in sentence.edits)
        assert total == pytest.approx(sentence.after - sentence.before, abs=1e-9)
        assert sentence.exact == (len(sentence.edits) <= most)


@settings(max_examples=examples(15))
@given(whole=cases(max_sentences=4, max_words=8))
def test_parts_of_a_corpus_and_small_batches_change_nothing(whole):
    together = attribute(*whole, metric("green"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attribution, "_ROWS_AT_ONCE", 1)
        assert attribute(*whole, metric("green")) == together


CORPUS = Corpus(("a b c d e f",), (("a X c d Y f",),))
SYSTEM = Hypotheses("ours", ("a X c W e f",))


def test_a_right_edit_helps_and_a_wrong_one_hurts():
    (found,) = attribute(CORPUS, SYSTEM, metric("m2"))
    right, wrong = found.edits
    assert (right.edit.correction, wrong.edit.correction) == ("X", "W")
    assert right.value > 0 > wrong.value
    assert found.exact


def test_alone_and_without():
    score = {
        text: sentence_score("green", CORPUS, text)
        for text in ("a b c d e f", "a X c d e f", "a b c W e f", "a X c W e f")
    }
    (alone,) = attribute(CORPUS, SYSTEM, metric("green"), method="add")
    assert [each.value for each in alone.edits] == pytest.approx(
        [score["a X c d e f"] - score["a b c d e f"], score["a b c W e f"] - score["a b c d e f"]]
    )
    (without,) = attribute(CORPUS, SYSTEM, metric("green"), method="remove")
    assert [each.value for each in without.edits] == pytest.approx(
        [score["a X c W e f"] - score["a b c W e f"], score["a X c W e f"] - score["a X c d e f"]]
    )


def test_without_references():
    corpus = Corpus(CORPUS.sources, ((),))
    (found,) = attribute(corpus, SYSTEM, KeptWords())
    assert [each.value for each in found.edits] == pytest.approx([-1 / 6, -1 / 6])


def test_many_edits_are_sampled_with_a_seed():
    """Each sampled value is close to the exact one of a metric that adds up."""
    words = [chr(ord("a") + i) for i in range(20)]
    output = [word.upper() if place % 2 else word for place, word in enumerate(words)]
    corpus = Corpus((" ".join(words),), ((),))
    system = Hypotheses("ours", (" ".join(output),))
    (found,) = attribute(corpus, system, KeptWords(), permutations=2)
    assert len(found.edits) == 10
    assert not found.exact
    assert [each.value for each in found.edits] == pytest.approx([-1 / 20] * 10)
    assert attribute(corpus, system, KeptWords(), permutations=2) == [found]


def test_summary_by_type():
    found = attribute(CORPUS, SYSTEM, metric("m2"))
    (summary,) = values_by_type(found)
    assert (summary.edits, summary.helped, summary.hurt) == (2, 1, 1)
    assert summary.mean == pytest.approx((found[0].after - found[0].before) / 2)


def test_what_cannot_be_attributed():
    with pytest.raises(MetricError, match="compares all systems"):
        attribute(CORPUS, SYSTEM, metric("gotoscorer"))
    with pytest.raises(MetricError, match="needs the whole corpus"):
        attribute(CORPUS, SYSTEM, metric("bertscore:idf=true"))
    with pytest.raises(UsageError, match="no attribution 'banzhaf'"):
        attribute(CORPUS, SYSTEM, metric("green"), method="banzhaf")
    with pytest.raises(UsageError, match="permutations is 0"):
        attribute(CORPUS, SYSTEM, metric("green"), permutations=0)
    with pytest.raises(CorrigendaError, match="do not make its output"):
        attribute_edits(CORPUS, SYSTEM, [(Edit(1, 2, ("X",)),)], metric("green"))


def test_shapley_values_of_very_many_edits_are_refused() -> None:
    number = attribution.MOST_SAMPLED_EDITS + 1
    source, output = " ".join("a" * number), " ".join("b" * number)
    corpus, system = Corpus((source,), ((output,),)), Hypotheses("s", (output,))
    edits = [tuple(Edit(place, place + 1, ("b",)) for place in range(number))]
    with pytest.raises(UsageError, match=r"sentence 1 has 201 edits; .* at most 200"):
        attribute_edits(corpus, system, edits, metric("green"))
    (found,) = attribute_edits(corpus, system, edits, metric("green"), method="add")
    assert len(found.edits) == number
