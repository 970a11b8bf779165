"""CLEME's chunks, weights and choices, counted by hand and compared with the definition."""

from __future__ import annotations

import json
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate, metric
from corrigenda.core.evaluate import Block, evaluate_blocks
from corrigenda.core.statistics import Statistics
from corrigenda.edits import Annotation, Edit, extract_edits
from corrigenda.edits.chunks import chunk_text
from corrigenda.errors import MetricError
from corrigenda.metrics.cleme_counts import FN, FP, TN, TP, Weights
from examples import examples
from small_corpora import cases


def corpus_of(source: str, *references: str) -> Corpus:
    edits = tuple(
        Annotation(i, extract_edits(source.split(), text.split()))
        for i, text in enumerate(references)
    )
    return Corpus((source,), (references,), (edits,))


def system_of(corpus: Corpus, *outputs: str) -> Hypotheses:
    pairs = zip(corpus.sources, outputs, strict=True)
    return Hypotheses(
        "system",
        outputs,
        tuple(extract_edits(source.split(), text.split()) for source, text in pairs),
    )


def unweighted(corpus: Corpus, output: str, assumption: str = "dependent") -> tuple[float, ...]:
    (result,) = evaluate(
        corpus,
        [system_of(corpus, output)],
        [f"cleme:weighting=none,assumption={assumption}"],
        threads=1,
    )
    return tuple(result.counts[name] for name in ("tp", "fp", "fn", "tn"))


def test_edits_that_touch_share_a_chunk():
    words = ["a", "b", "c", "d", "e", "f"]
    cut = chunk_text(words, [[Edit(1, 2, ("x",))], [Edit(2, 2, ("y",)), Edit(4, 5, ("",))]])
    assert [chunk.source for chunk in cut.chunks] == [("b",), ("e",)]
    assert [chunk.versions for chunk in cut.chunks] == [(("x",), ("b", "y")), (None, ())]
    assert cut.untouched == 3


@pytest.mark.parametrize(
    ("edits", "untouched"),
    [([], 1), ([Edit(0, 1, ("x",))], 1), ([Edit(0, 2, ("x",))], 0), ([Edit(1, 1, ("x",))], 2)],
)
def test_untouched_stretches(edits, untouched):
    assert chunk_text(["a", "b"], [edits]).untouched == untouched


def test_an_empty_sentence_has_no_chunk():
    assert chunk_text([], [[]]).untouched == 0


def test_right_wrong_missed_and_left_alone():
    corpus = corpus_of("a b c d e f g", "a X c Y e Z g")
    assert unweighted(corpus, "a X c W e f g") == (1, 1, 1, 4)


def test_independent_takes_each_correction_from_any_reference():
    corpus = corpus_of("a b c d e", "a X c d e", "a b c Y e")
    assert unweighted(corpus, "a X c Y e") == (1, 1, 0, 3)
    assert unweighted(corpus, "a X c Y e", "independent") == (2, 0, 0, 3)
    # What not every reference changes may be left alone.
    assert unweighted(corpus, "a b c d e", "independent") == (0, 0, 0, 5)


def test_an_empty_reference_does_not_take_part_beside_another():
    corpus = corpus_of("a b c", "", "a X c")
    (result,) = evaluate(corpus, [system_of(corpus, "a X c")], ["cleme:weighting=none"])
    assert result.references.tolist() == [1]
    assert result.counts == {
        "tp": 1,
        "fp": 0,
        "fn": 0,
        "tn": 2,
        "sentence": {"tp": 1, "fp": 0, "fn": 0, "tn": 2},
    }
    assert unweighted(corpus_of("a b c", ""), "a b c") == (0, 0, 1, 0)


def test_an_empty_hypothesis_is_scored_as_it_is():
    """The original deletes it, and scores the first reference in its place."""
    corpus = corpus_of("a b c", "a X c")
    for level in ("corpus", "sentence"):
        for assumption in ("dependent", "independent"):
            (result,) = evaluate(
                corpus, [system_of(corpus, "")], [f"cleme:assumption={assumption}"], level=level
            )
            assert result.score == 0.0
    assert unweighted(corpus, "") == (0, 1, 0, 0)


def test_errors_that_were_only_marked_are_not_corrections():
    corpus = Corpus(("a b",), (("a b",),), ((Annotation(0, (Edit(0, 1, ("",), "UNK"),)),),))
    assert unweighted(corpus, "a b") == (0, 0, 0, 1)


def test_weights_are_those_of_the_formula():
    corpus = corpus_of("a b c d e f", "a X c D E f")
    (result,) = evaluate(corpus, [system_of(corpus, "a X c d Y f")], ["cleme"])
    mean = 1.5  # the reference's chunks have one word and two
    right = max(0.75, 2 / (1 + math.exp(mean - 1)))
    wrong = min(1.25, max(0.75, 2 / (1 + math.exp(2 - mean))))
    assert result.counts["tp"] == pytest.approx(right)
    assert result.counts["fp"] == pytest.approx(wrong)
    assert result.counts["sentence"]["tp"] == pytest.approx(
        max(1.0, 10 / (1 + 9 * math.exp(mean - 1)))
    )
    assert result.counts["sentence"]["fp"] == pytest.approx(
        min(1.0, max(0.25, 10 / (1 + 9 * math.exp(2 - mean))))
    )


def test_endless_chunks_do_not_overflow():
    weights = Weights(2.0, ((0.75, 1.25),) * 3)
    with np.errstate(all="raise"):
        found = weights.of(np.array([TP, FP, FN, TN]), np.full(4, 10**6), 1.0)
    assert found.tolist() == [1.25, 0.75, 1.25, 1.0]


@pytest.mark.parametrize(
    "specification",
    ["cleme:alpha=0.5", "cleme:tp_min=2", "cleme:fn_min=-1", "cleme:beta=-1", "cleme:weighting=x"],
)
def test_parameters_that_make_no_sense(specification):
    with pytest.raises(MetricError):
        metric(specification)


def test_given_weights_are_in_the_signature_and_in_the_printed_form():
    tested = metric("cleme:alpha=3,tp_max=2")
    corpus = corpus_of("a", "b")
    (result,) = evaluate(corpus, [system_of(corpus, "b")], [tested])
    assert str(tested) == "cleme:alpha=3,tp_max=2"
    assert result.signature.startswith(
        "cleme|assumption:dependent|weighting:length|beta:0.5|alpha:3|tp_max:2|gold:annotated|"
    )


@settings(max_examples=examples(100))
@given(whole=cases(max_sentences=4, min_words=1), size=st.integers(1, 4), independent=st.booleans())
def test_blocks_are_joined_and_everything_is_plain(whole, size, independent):
    """The mean length is that of the whole corpus, for any division into blocks."""
    tested = metric(f"cleme:assumption={'independent' if independent else 'dependent'}")
    system = system_of(whole.corpus, *whole.hypotheses.sentences)
    blocks = [
        Block(whole.corpus[part], [system[part]])
        for part in (slice(begin, begin + size) for begin in range(0, len(system), size))
    ]
    for level in ("corpus", "sentence"):
        (at_once,) = evaluate(whole.corpus, [system], [tested], level=level)
        (in_blocks,) = evaluate_blocks(blocks, [tested], level=level)
        assert at_once.to_dict(per_sentence=True) == in_blocks.to_dict(per_sentence=True)
        data = at_once.to_dict(per_sentence=True)
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert 0 <= at_once.score <= 1


@settings(max_examples=examples(100))
@given(whole=cases(max_sentences=3, min_words=1))
def test_the_only_reference_is_the_best_output(whole):
    corpus = Corpus(
        whole.corpus.sources,
        tuple(references[:1] for references in whole.corpus.references),
        tuple(annotations[:1] for annotations in whole.corpus.gold),
    )
    perfect = system_of(corpus, *(references[0] for references in corpus.references))
    for assumption in ("dependent", "independent"):
        (result,) = evaluate(corpus, [perfect], [f"cleme:assumption={assumption}"])
        assert result.score == 1.0


def test_with_one_reference_both_assumptions_agree():
    corpus = corpus_of("a b c d e f", "a X c Y f g")
    statistics = [
        metric(f"cleme:assumption={name},weighting=none").statistics(
            corpus, system_of(corpus, "a X d Y f"), threads=1
        )
        for name in ("dependent", "independent")
    ]
    np.testing.assert_array_equal(statistics[0].counts, statistics[1].counts)


def test_the_choice_compares_f_to_four_decimals():
    """F is 0.5 before the second sentence; its second reference lowers it by less than 0.00005."""
    rows = np.array(
        [[20_000, 20_000, 20_000, 0], [0, 0, 0, 0], [1, 2, 0, 0]],
        np.float64,
    )
    counted = Statistics(np.concatenate([rows, rows], axis=1), np.array([0, 1, 3]))
    chosen = metric("cleme").policy("corpus").choose(counted)
    assert chosen.rows.tolist() == [[0, 2]]  # a tie to four decimals goes to more right chunks


def test_chunks_take_linear_time() -> None:
    edits = [Edit(place, place + 1, ("x",)) for place in range(0, 60_000, 2)]
    begin = time.process_time()
    cut = chunk_text(["a"] * 60_000, [edits, edits[::2]])
    assert time.process_time() - begin < 3
    assert len(cut.chunks) == 30_000
    assert cut.chunks[1].versions == (("x",), None)
