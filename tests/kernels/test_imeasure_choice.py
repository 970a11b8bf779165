"""The references that the I-measure chooses are those of a loop over the definition."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import numpy as np
import oracle_imeasure as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import evaluate
from corrigenda.core.choice import BestCumulative, GreedyCumulative
from corrigenda.core.statistics import Statistics
from corrigenda.corpus.gold import gold_sentences
from corrigenda.edits.gold_errors import references_of
from corrigenda.metrics.imeasure import IMeasure
from examples import examples
from small_corpora import Case, cases

MAXIMISE = get_args(get_type_hints(IMeasure)["maximise"])
NAMES = {
    "precision": "precision",
    "recall": "recall",
    "f": "f",
    "acc": "accuracy",
    "wacc": "weighted_accuracy",
    "i": "improvement",
}


def test_every_measure_of_both_aspects_can_be_maximised() -> None:
    assert sorted(MAXIMISE) == sorted(
        f"{aspect}.{name}" for aspect in ("correction", "detection") for name in NAMES
    )


def measures(totals: oracle.Statistics, aspect: str, metric: IMeasure) -> oracle.Measures:
    return oracle.measure(getattr(totals, aspect), totals.baseline, metric.beta, metric.w)


def slow_choice(case: Case, metric: IMeasure) -> list[int]:
    """The references chosen by the definition, one sentence and one reference after the other."""
    aspect, _, wanted = metric.maximise.partition(".")
    other = "detection" if aspect == "correction" else "correction"

    def key(totals: oracle.Statistics) -> tuple[float, ...]:
        return tuple(
            value
            for each in (measures(totals, aspect, metric), measures(totals, other, metric))
            for value in (getattr(each, NAMES[wanted]), each.improvement, each.accuracy)
        )

    picks, so_far = [], oracle.Statistics()
    for sentence, hypothesis in zip(
        gold_sentences(case.corpus), case.hypotheses.sentences, strict=True
    ):
        candidates = [
            oracle.statistics(sentence.words, tuple(hypothesis.split()), reference)
            for reference in references_of(sentence, metric.mix, metric.max_references).texts()
        ]
        before = so_far if metric.optimise == "corpus" else oracle.Statistics()
        picks.append(oracle.choose(candidates, before, key))
        so_far = so_far + candidates[picks[-1]]
    return picks


@pytest.mark.slow
@pytest.mark.parametrize("optimise", ["sentence", "corpus"])
@pytest.mark.parametrize("maximise", MAXIMISE)
@settings(max_examples=examples(8))
@given(
    case=cases(max_sentences=4, max_words=5),
    mix=st.booleans(),
    weight=st.sampled_from([1.5, 2.0, 3.0]),
)
def test_the_choice_is_that_of_a_loop(
    case: Case, mix: bool, weight: float, maximise: str, optimise: str
) -> None:
    names: Any = {"maximise": maximise, "optimise": optimise}
    metric = IMeasure(w=weight, mix=mix, **names)
    (result,) = evaluate(case.corpus, [case.hypotheses], [metric])
    assert result.references is not None
    assert result.references.tolist() == slow_choice(case, metric)


@given(cases(max_sentences=5, max_words=5))
def test_a_sentence_alone_is_not_optimised_for_the_corpus(case: Case) -> None:
    """At sentence level there are no totals, so `optimise=corpus` changes nothing."""
    first, second = evaluate(
        case.corpus, [case.hypotheses], ["imeasure", "imeasure:optimise=corpus"], level="sentence"
    )
    assert first.references is not None
    assert second.references is not None
    assert first.references.tolist() == second.references.tolist()
    assert first.score == second.score == pytest.approx(np.mean(first.sentence_scores))


ROWS = st.lists(
    st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=1, max_size=4),
    max_size=8,
)


@given(ROWS, st.integers(1, 8))
def test_a_choice_over_whole_sentences_is_that_over_single_rows(rows: list[Any], cut: int) -> None:
    """With equal keys, `BestCumulative` and `GreedyCumulative` agree, also after a block."""

    def key(totals: tuple[int, ...], beta: float) -> tuple[int, ...]:
        return totals[0] * totals[1], totals[0]

    def keys(totals: np.ndarray) -> list[np.ndarray]:
        return [totals[:, 0] * totals[:, 1], totals[:, 0]]

    def picks(choice: BestCumulative | GreedyCumulative) -> list[int]:
        choose, found = choice.start(), []
        for part in (rows[:cut], rows[cut:]):
            flat = np.array([row for references in part for row in references], np.int64).reshape(
                -1, 2
            )
            chosen = choose(Statistics(flat, np.cumsum([0, *map(len, part)]).astype(np.int64)))
            assert chosen.references is not None
            found += chosen.references.tolist()
        return found

    assert picks(BestCumulative(keys)) == picks(GreedyCumulative(key, beta=1.0))
