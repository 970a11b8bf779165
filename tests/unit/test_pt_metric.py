"""PT-M² and PT-ERRANT: weights by hand, and edits without weight.

If all weights are 1, they equal M² and ERRANT.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Annotation, Corpus, Edit, Hypotheses, evaluate, metric
from corrigenda.analysis.significance import with_interval
from corrigenda.core.metric import LEVELS
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.errors import MetricError
from corrigenda.metrics import weighed_edits
from corrigenda.metrics.errant import Errant
from corrigenda.metrics.m2 import M2
from corrigenda.metrics.pt_errant import PtErrant
from corrigenda.metrics.pt_m2 import PtM2
from corrigenda.neural.scorers import bert_scorer
from corrigenda.neural.types import pair
from examples import examples
from small_corpora import cases
from tiny_models import encoder_folder, score_cache, translator_folder  # noqa: F401

pytestmark = pytest.mark.usefixtures("score_cache")


def assert_same_scores(weighed, plain):
    assert weighed.score == plain.score
    assert weighed.precision == plain.precision
    assert weighed.recall == plain.recall
    assert weighed.references.tolist() == plain.references.tolist()
    assert weighed.sentence_scores.tolist() == plain.sentence_scores.tolist()


@settings(max_examples=examples(60))
@given(whole=cases(), level=st.sampled_from(LEVELS), beta=st.sampled_from([0.5, 1.0, 2.0, 0.0]))
def test_m2_where_every_edit_weighs_one(whole, level, beta):
    weighed, plain = evaluate(
        whole.corpus,
        [whole.hypotheses],
        [PtM2(scorer="self", beta=beta), M2(beta=beta)],
        level=level,
    )
    assert_same_scores(weighed, plain)


@st.composite
def edited(draw: st.DrawFn) -> tuple[Corpus, Hypotheses]:
    """Given edits on both sides, with duplicates and alternatives. No sentence has to be parsed."""
    edit = st.builds(
        Edit,
        start=st.integers(0, 1),
        end=st.integers(1, 2),
        corrections=st.sampled_from([("x",), ("y",), ("x", "y"), ("",)]),
        type=st.sampled_from(["R:NOUN", "R:VERB", "UNK"]),
    )
    lists = st.lists(edit, max_size=3).map(tuple)
    gold, made = [], []
    for _ in range(draw(st.integers(1, 4))):
        annotations = draw(st.lists(lists, min_size=1, max_size=3))
        gold.append(tuple(Annotation(number, edits) for number, edits in enumerate(annotations)))
        made.append(draw(lists))
    number = len(gold)
    corpus = Corpus(("a b",) * number, tuple(("a c",) * len(each) for each in gold), tuple(gold))
    return corpus, Hypotheses("given", ("a d",) * number, tuple(made))


@settings(max_examples=examples(60))
@given(both=edited(), level=st.sampled_from(LEVELS), unk=st.sampled_from(["keep", "drop"]))
def test_errant_where_every_edit_weighs_one(both, level, unk):
    corpus, system = both
    weighed, plain = evaluate(
        corpus, [system], [PtErrant(scorer="self", unk=unk), Errant(unk=unk)], level=level
    )
    assert_same_scores(weighed, plain)


def test_weights_by_hand(encoder_folder):  # noqa: F811
    pytest.importorskip("torch")
    source, reference = "he go to school every days .", "he goes to school every day ."
    gold = (Annotation(0, (Edit(1, 2, ("goes",)), Edit(5, 6, ("day",)))),)
    corpus = Corpus((source,), ((reference,),), (gold,))
    system = Hypotheses("ours", ("he goes to b every days .",))
    texts = [
        source,
        "he goes to school every days .",
        "he go to b every days .",
        "he go to school every day .",
    ]
    scores = {}
    for part in bert_scorer(corpus, encoder_folder, None, idf=False).score(
        [pair(text, reference) for text in texts]
    ):
        scores.update(part)
    before, goes, b, day = (scores[pair(text, reference)][2] for text in texts)
    right, wrong, missed = abs(goes - before), abs(b - before), abs(day - before)
    for level in LEVELS:
        (result,) = evaluate(corpus, [system], [PtM2(model=encoder_folder)], level=level)
        assert result.precision == pytest.approx(right / (right + wrong), abs=1e-6)
        assert result.recall == pytest.approx(right / (right + missed), abs=1e-6)
        expected = 1.25 * right / ((right + wrong) + 0.25 * (right + missed))
        assert result.score == pytest.approx(expected, abs=1e-6)
    (result,) = evaluate(corpus, [system], [PtM2(model=encoder_folder, inverse=True)])
    assert result.precision == pytest.approx((1 / right) / (1 / right + 1 / wrong), rel=1e-4)
    assert result.recall == pytest.approx((1 / right) / (1 / right + 1 / missed), rel=1e-4)
    assert "|inverse:true|" in result.signature
    assert result.counts["proposed_edits"] == 2
    assert result.counts["gold_edits"] == 2
    assert result.counts["correct_edits"] == 1


def test_where_no_edit_has_weight_all_weigh_the_same():
    """Two proposed edits, one of them right, and three gold edits; all weights are 0."""
    tested = PtM2(scorer="self")
    counts = np.array([0.0, 0.0, 0.0, 1, 2, 3])
    assert tested.score(counts, "sentence") == pytest.approx(1.25 * 1 / (2 + 0.25 * 3))
    assert tested.measures(counts, "sentence").precision == pytest.approx(0.5)
    assert tested.score(counts) == 1.0  # in the corpus they weigh nothing
    nothing = np.zeros(6)
    assert tested.score(nothing, "sentence") == 1.0
    only_gold = np.array([0.0, 0.0, 0.4, 0, 1, 2])
    found = tested.measures(only_gold, "sentence")
    assert (found.precision, found.recall) == (1.0, 0.0)
    assert tested.score(only_gold, "sentence") == 0.0


def test_differences_from_rounding_have_weight_0():
    assert weighed_edits._weight(9e-7) == 0.0
    assert weighed_edits._weight(-2e-6) == 2e-6


@pytest.mark.parametrize("scorer", ["bertscore", "bartscore"])
def test_tables_intervals_and_json_work(scorer, encoder_folder, translator_folder):  # noqa: F811
    pytest.importorskip("torch")
    folder = encoder_folder if scorer == "bertscore" else translator_folder
    corpus, systems = sample_corpus()[:12], [system[:12] for system in sample_systems()]
    for level in LEVELS:
        results = evaluate(
            corpus, systems, [PtM2(scorer=scorer, model=folder)], level=level, threads=1
        )
        for result in results:
            assert 0 <= result.score <= 1
            interval = with_interval(result, resamples=50, seed=1).interval
            assert interval is not None
            assert interval.low <= result.score <= interval.high
            assert result.to_dict(per_sentence=True)["sentences"]
        assert results[0].signature.startswith(f"pt-m2|beta:0.5|scorer:{scorer}|model:")


def test_idf_and_measures_are_other_weights(encoder_folder):  # noqa: F811
    pytest.importorskip("torch")
    corpus, systems = sample_corpus()[:12], [sample_systems()[0][:12]]
    variants = [
        PtM2(model=encoder_folder),
        PtM2(model=encoder_folder, idf=True),
        PtM2(model=encoder_folder, measure="recall"),
    ]
    scores = [result.score for result in evaluate(corpus, systems, variants, threads=1)]
    assert len({round(score, 9) for score in scores}) == 3


def test_printed_forms():
    for text in (
        "pt-m2",
        "pt-m2:scorer=self",
        "pt-m2:model=some/model,layer=6",
        "pt-errant:beta=1,scorer=bartscore",
    ):
        assert str(metric(text)) == metric(str(metric(text))).__str__()
        assert metric(str(metric(text))) == metric(text)


@pytest.mark.parametrize(
    "text",
    [
        "pt-m2:beta=-1",
        "pt-m2:scorer=self,model=x",
        "pt-m2:scorer=self,layer=2",
        "pt-errant:scorer=bartscore,idf=true",
    ],
)
def test_parameters_that_do_not_go_together(text):
    with pytest.raises(MetricError):
        metric(text)
