"""Documents are the unit of resampling and of slices, where they are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from corrigenda import Corpus, Result, evaluate
from corrigenda.analysis.significance import compare_with_baseline, interval, with_interval
from corrigenda.analysis.slices import slices_by

SOURCES = tuple(f"a b {i} d ." for i in range(12))
CORPUS = Corpus(SOURCES, tuple((text.replace("b", "c"),) for text in SOURCES))
OUTPUTS = {
    "good": [text.replace("b", "c") if i % 4 else text for i, text in enumerate(SOURCES)],
    "bad": [text.replace("b", "c") if i < 2 else text for i, text in enumerate(SOURCES)],
}
PAIRS = tuple(f"essay {i // 2}" for i in range(12))


def results(documents: tuple[str, ...] | None, metric: str, level: str) -> list[Result]:
    return evaluate(replace(CORPUS, documents=documents), OUTPUTS, [metric], level=level)


@pytest.mark.parametrize("metric", ["green:n=1", "errant:edits=any", "gleu:n=1,draws=2"])
@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_documents_of_one_sentence_change_nothing(metric, level):
    alone, single = (
        results(documents, metric, level) for documents in (None, tuple(str(i) for i in range(12)))
    )
    for one, other in zip(alone, single, strict=True):
        for method in ("percentile", "bca"):
            first, second = (interval(each, resamples=200, method=method) for each in (one, other))
            assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=1e-12)
    one, other = (
        compare_with_baseline([system], baseline, resamples=200)
        for system, baseline in (alone, single)
    )
    assert [each.p_value for each in one] == [each.p_value for each in other]


@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_a_document_is_drawn_as_a_whole(level):
    (result, _) = results(PAIRS, "errant:edits=any", level)
    selection = result.selection
    assert selection.units == 6
    weights = np.array([[2.0, 0, 1, 1, 1, 1]])
    by_hand = np.repeat(weights, 2, axis=1)
    assert selection.by_sentence(weights).tolist() == by_hand.tolist()
    assert selection.resampled(by_hand) == selection.resampled(selection.by_sentence(weights))
    without = [
        selection.restricted(np.array([i for i in range(12) if PAIRS[i] != f"essay {k}"])).score
        for k in range(6)
    ]
    assert selection.leave_one_out().tolist() == pytest.approx(without, abs=1e-12)


def test_two_documents_have_few_outcomes():
    """Two essays are exchanged or not: four equally likely cases, two as extreme as the first."""
    halves = tuple("first" if i < 6 else "second" for i in range(12))
    good, bad = results(halves, "errant:edits=any", "corpus")
    assert compare_with_baseline([good], bad, resamples=2000)[0].p_value > 0.4
    good, bad = results(None, "errant:edits=any", "corpus")
    assert compare_with_baseline([good], bad, resamples=2000)[0].p_value < 0.1


def test_the_signature_says_what_was_resampled():
    good, _ = results(PAIRS, "errant:edits=any", "corpus")
    made = with_interval(good, resamples=50, seed=1)
    assert "|bootstrap:50|resampled:documents|seed:1|" in made.signature
    good, _ = results(None, "errant:edits=any", "corpus")
    assert "documents" not in with_interval(good, resamples=50, seed=1).signature


def test_slices_by_document():
    found = slices_by(replace(CORPUS, documents=PAIRS), "document")
    assert [part.label for part in found] == [f"essay {i}" for i in range(6)]
    assert found[1].sentences.tolist() == [2, 3]
