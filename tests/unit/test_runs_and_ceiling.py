"""Several runs of one system, and the human ceiling."""

import numpy as np
import pytest

from corrigenda.analysis.ceiling import MOST_LEFT_OUT, ceilings
from corrigenda.analysis.runs import compare_runs, run_scores
from corrigenda.core.choice import Pooled
from corrigenda.core.result import Result
from corrigenda.core.scored import Selection
from corrigenda.core.statistics import Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.errors import CorrigendaError
from corrigenda.metrics import metric
from corrigenda.scoring import evaluate

M2 = metric("m2")


def made_up(generator, skill, sentences=80):
    gold = generator.poisson(2.0, sentences)
    correct = generator.binomial(gold, skill)
    counts = np.column_stack([correct, correct + generator.poisson(0.7, sentences), gold])
    chosen = Pooled().choose(Statistics(counts.astype(np.int64), np.arange(sentences + 1)))
    selection = Selection(M2, "corpus", chosen)
    return Result("s", M2, "corpus", selection.measures, {}, "", selection)


def test_mean_and_spread_over_runs():
    generator = np.random.default_rng(0)
    results = [made_up(generator, 0.5) for _ in range(3)]
    found = run_scores("ours", results)
    assert found.mean == pytest.approx(np.mean([result.score for result in results]))
    assert found.spread == pytest.approx(np.std([result.score for result in results], ddof=1))
    assert run_scores("ours", results[:1]).spread is None


def test_a_lucky_seed_is_not_a_better_system():
    """Runs differ by seed far more than sentences tell; two systems of one kind hardly differ."""
    alarms = {"runs": 0, "lucky": 0}
    for seed in range(200):
        generator = np.random.default_rng(seed)
        skills = generator.normal(0.5, 0.08, (2, 3)).clip(0.1, 0.9)
        ours, theirs = ([made_up(generator, skill) for skill in row] for row in skills)
        (found,) = compare_runs({"base": theirs, "ours": ours}, "base", resamples=200)
        alarms["runs"] += found.p_value < 0.05
        best, worst = max(ours, key=lambda run: run.score), min(theirs, key=lambda run: run.score)
        (lucky,) = compare_runs({"base": [worst], "ours": [best]}, "base", resamples=200)
        alarms["lucky"] += lucky.p_value < 0.05
    assert 4 <= alarms["runs"] <= 16 < 60 < alarms["lucky"]


@pytest.mark.parametrize("seeds", [2, 3, 5])
def test_runs_by_welch_where_sentences_are_many(seeds):
    """Then the spread over runs is all there is, and the test is Welch's."""
    stats = pytest.importorskip("scipy.stats")
    generator = np.random.default_rng(seeds)
    skills = generator.uniform(0.2, 0.8, (2, seeds))
    ours, theirs = ([made_up(generator, skill, 20_000) for skill in row] for row in skills)
    (found,) = compare_runs({"base": theirs, "ours": ours}, "base", resamples=200)
    welch = stats.ttest_ind(
        [run.score for run in ours], [run.score for run in theirs], equal_var=False
    )
    assert found.p_value == pytest.approx(welch.pvalue, abs=0.01)
    low, high = welch.confidence_interval(0.95)
    assert found.interval.low == pytest.approx(low, abs=0.03)
    assert found.interval.high == pytest.approx(high, abs=0.03)
    assert (found.p_value < 0.05) == (not found.interval.low <= 0 <= found.interval.high)


def test_runs_on_one_sentence_tell_nothing():
    """All resamples of one sentence are that sentence: p was 1/1001."""
    generator = np.random.default_rng(1)
    ours, theirs = made_up(generator, 0.9, 1), made_up(generator, 0.1, 1)
    (found,) = compare_runs({"base": [theirs], "ours": [ours]}, "base")
    assert found.difference
    assert found.p_value == 1.0


def test_a_real_difference_between_runs_is_found():
    generator = np.random.default_rng(3)
    ours = [made_up(generator, 0.8) for _ in range(3)]
    theirs = [made_up(generator, 0.3) for _ in range(3)]
    (found,) = compare_runs({"base": theirs, "ours": ours}, "base")
    assert found.difference > 0
    assert found.interval.low > 0
    assert found.corrected_p_value < 0.01
    with pytest.raises(CorrigendaError, match="needs a baseline"):
        compare_runs({"ours": ours}, "ours")


@pytest.mark.parametrize("name", ["green", "m2", "bleu"])
def test_the_ceiling_is_each_reference_against_the_others(name):
    corpus = sample_corpus()
    kept = [place for place, found in enumerate(corpus.references) if len(found) > 1]
    part = corpus.at(kept)
    (found,) = ceilings(corpus, sample_systems()[:2], [metric(name)])
    assert found.sentences == len(kept)
    for left_out in range(2):
        rest = Corpus(
            part.sources,
            tuple((*r[:left_out], *r[left_out + 1 :]) for r in part.references),
            None
            if part.gold is None
            else tuple((*g[:left_out], *g[left_out + 1 :]) for g in part.gold),
        )
        person = Hypotheses("p", tuple(r[left_out] for r in part.references))
        (expected,) = evaluate(rest, [person], [name], health="off")
        assert found.by_reference[left_out] == expected.score
    assert found.human == pytest.approx(np.mean(found.by_reference))
    assert found.share("strong") == found.systems["strong"] / found.human


def test_one_reference_has_no_ceiling():
    corpus = sample_corpus()
    single = Corpus(corpus.sources, tuple(found[:1] for found in corpus.references))
    with pytest.raises(CorrigendaError, match="two references"):
        ceilings(single, sample_systems()[:1], [metric("green")])


def test_the_ceiling_of_very_many_references_is_refused() -> None:
    """Each of them is scored against all others: the time grows with their square."""
    corpus = Corpus(["a b"], [tuple(f"a {number}" for number in range(MOST_LEFT_OUT + 1))])
    with pytest.raises(CorrigendaError, match="at most 100 are scored so"):
        ceilings(corpus, [Hypotheses("s", ["a b"])], [M2])
