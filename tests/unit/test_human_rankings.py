"""Rankings from judgments: Expected Wins, TrueSkill, bootstrap, clusters, agreement."""

import importlib.util
import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.data import SAMPLE
from corrigenda.errors import CorrigendaError
from corrigenda.formats import judgments as judgments_format
from corrigenda.human import agreement as agreement_module
from corrigenda.human import bootstrap
from corrigenda.human.agreement import agreement
from corrigenda.human.expected_wins import expected_wins, undecided_pairs
from corrigenda.human.ranking import rank
from corrigenda.human.trueskill import DRAWN, LOST, WON, Environment, trueskill, updated
from corrigenda.judgments import Judgments, RankedOutput, Ranking

needs_scipy = pytest.mark.skipif(
    importlib.util.find_spec("scipy") is None, reason="corrigenda[meta] is not installed"
)


@pytest.fixture(scope="module")
def sample():
    return judgments_format.read(SAMPLE / "judgments.xml")


def ranking(sentence, judge, **ranks):
    return Ranking(
        str(sentence), judge, tuple(RankedOutput((name,), value) for name, value in ranks.items())
    )


def test_expected_wins_by_hand():
    wins = np.array([[0, 3, 1], [1, 0, 0], [1, 0, 0]])
    # A beats B in 3 of 4 and C in 1 of 2; B and C were never decided, which counts 0.
    assert expected_wins(wins) == pytest.approx([(0.75 + 0.5) / 2, 0.25 / 2, 0.5 / 2])
    assert undecided_pairs(wins) == [(1, 2)]


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_expected_wins_equal_their_definition(systems, seed):
    wins = np.random.default_rng(seed).integers(0, 3, (systems, systems))
    np.fill_diagonal(wins, 0)
    expected = []
    for i in range(systems):
        rates = [
            wins[i, j] / (wins[i, j] + wins[j, i]) if wins[i, j] + wins[j, i] else 0
            for j in range(systems)
            if j != i
        ]
        expected.append(sum(rates) / (systems - 1))
    assert expected_wins(wins) == pytest.approx(expected)
    assert expected_wins(np.stack([wins, wins]))[1] == pytest.approx(expected)


@pytest.mark.slow
@needs_scipy
@given(
    st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    st.tuples(st.floats(0.05, 2), st.floats(0.05, 2)),
    st.sampled_from([WON, DRAWN, LOST]),
    st.floats(0.5, 50),
)
def test_the_update_is_that_of_the_trueskill_package(means, sigmas, outcome, beta):
    package = pytest.importorskip("trueskill")
    environment = package.TrueSkill(mu=0, sigma=0.5, beta=beta, tau=0, draw_probability=0.25)
    players = [
        [environment.create_rating(mean, sigma)] for mean, sigma in zip(means, sigmas, strict=True)
    ]
    (first,), (second,) = environment.rate(
        players, ranks={WON: [0, 1], DRAWN: [0, 0], LOST: [1, 0]}[outcome]
    )
    ours = updated(
        (np.array([means[0]]), np.array([sigmas[0] ** 2])),
        (np.array([means[1]]), np.array([sigmas[1] ** 2])),
        np.array([outcome]),
        Environment(beta=beta),
    )
    expected = [first.mu, first.sigma**2, second.mu, second.sigma**2]
    # The package's normal distribution is an approximation with an error of 1e-7.
    assert np.concatenate(ours) == pytest.approx(expected, abs=1e-5, rel=1e-5)


@needs_scipy
def test_trueskill_follows_the_scripts_of_wmt_step_by_step(sample):
    """The slow, obvious tournament, one run, with the same random numbers."""
    pairs = sample.pairs
    names = pairs.systems
    wins, ties = pairs.wins(), pairs.tied()
    matches = 200
    environment = Environment.of_matches(matches)
    skill = dict.fromkeys(names, (0.0, environment.sigma**2))
    numbers = np.random.default_rng(3).random((matches, 2, 1))[:, :, 0]
    for draw, result in numbers:
        first = max(names, key=lambda name: (skill[name][1], name))
        others = sorted(names, reverse=True)
        weights = [
            0 if name == first else np.exp(-abs(skill[first][0] - skill[name][0]))
            for name in others
        ]
        reached = itertools.accumulate(weights)
        second = next(
            name for name, total in zip(others, reached, strict=True) if draw * sum(weights) < total
        )
        i, j = names.index(first), names.index(second)
        met = wins[i, j] + wins[j, i] + ties[i, j]
        outcome = (
            WON
            if result < wins[i, j] / met
            else DRAWN
            if result < (wins[i, j] + ties[i, j]) / met
            else LOST
        )
        one, other = ((np.array([value]) for value in skill[name]) for name in (first, second))
        a, b, c, d = updated(tuple(one), tuple(other), np.array([outcome]), environment)
        skill[first], skill[second] = (a[0], b[0]), (c[0], d[0])
    skills = trueskill(pairs, runs=1, seed=3, matches=matches)
    assert skills.mu[0] == pytest.approx([skill[name][0] for name in names])
    assert skills.sigma[0] ** 2 == pytest.approx([skill[name][1] for name in names])


@needs_scipy
def test_trueskill_is_seeded_and_needs_pairs(sample):
    first, again, other = (trueskill(sample.pairs, runs=3, seed=seed).mu for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()
    with pytest.raises(CorrigendaError, match="two systems"):
        trueskill(sample.of_systems(["strong"]).pairs)


@pytest.mark.parametrize("unit", bootstrap.UNITS)
def test_resampled_judgments_have_the_expectation_of_the_judgments(sample, unit):
    drawn = bootstrap.resampled_outcomes(sample.pairs, 2000, unit, seed=0)
    assert drawn[..., 0].mean(axis=0) == pytest.approx(sample.pairs.wins(), abs=2.0)
    assert drawn[..., 1].mean(axis=0) == pytest.approx(sample.pairs.tied(), abs=2.0)
    assert (drawn == bootstrap.resampled_outcomes(sample.pairs, 2000, unit, seed=0)).all()


def test_whole_rankings_are_drawn(sample):
    """One ranking has three decided pairs and the other none, so only multiples of 3 occur."""
    one = Judgments((ranking(0, "x", A=1, B=2, C=3), ranking(1, "x", A=1, B=1, C=1)))
    drawn = bootstrap.resampled_outcomes(one.pairs, 50, "rankings", seed=0)
    assert set(drawn[..., 0].sum(axis=(1, 2)).tolist()) == {0, 3, 6}


def test_sentences_are_drawn_with_all_their_rankings():
    """Sentence 0 has two rankings, so its wins come in twos; the judges do not matter."""
    one = Judgments(
        (ranking(0, "x", A=1, B=2), ranking(1, "x", A=1, B=1), ranking(0, "y", A=1, B=2))
    )
    drawn = bootstrap.resampled_outcomes(one.pairs, 50, "sentences", seed=0)
    assert set(drawn[:, 0, 1, 0].tolist()) == {0, 2, 4}
    # Judge y is drawn 0, 1 or 2 times, and has judged only sentence 0.
    both = bootstrap.resampled_outcomes(one.pairs, 400, "judges+sentences", seed=0)
    judged = both[..., 0].sum(axis=(1, 2)) + both[..., 1].sum(axis=(1, 2)) // 2
    assert judged.mean() == pytest.approx(3, abs=0.2)
    assert set(both[:, 0, 1, 0].tolist()) == {0, 2, 4}


def test_the_order_of_a_file_changes_no_draw(sample):
    turned = Judgments(sample.rankings[::-1])
    for unit in ("sentences", "judges+sentences"):
        drawn = bootstrap.resampled_outcomes(sample.pairs, 20, unit, seed=0)
        assert (drawn == bootstrap.resampled_outcomes(turned.pairs, 20, unit, seed=0)).all()


def test_clusters_are_separated_where_rank_intervals_are():
    order = np.array([2, 0, 1, 3])
    best, worst = np.array([2, 2, 1, 4]), np.array([3, 3, 1, 4])
    assert bootstrap.clusters(order, best, worst) == [1, 2, 2, 3]
    linked = np.array([3, 4, 1, 4])
    assert bootstrap.clusters(order, np.array([1, 2, 1, 4]), linked) == [1, 1, 1, 1]


def test_equal_scores_share_a_rank():
    assert bootstrap.ranks_of_samples(np.array([0.5, 0.7, 0.5])).tolist() == [2, 1, 2]


@pytest.mark.parametrize("method", ["expected-wins", pytest.param("trueskill", marks=needs_scipy)])
def test_ranking_of_the_sample(sample, method):
    found = rank(sample, method, resamples=100, runs=10)
    assert [system.name for system in found.systems] == [
        "strong",
        "eager",
        "cautious",
        "unchanged",
        "empty",
    ]
    for system in found.systems:
        assert system.interval[0] <= system.score <= system.interval[1]
        assert system.rank_interval[0] <= system.rank <= system.rank_interval[1]
    clusters = [system.cluster for system in found.systems]
    assert clusters[0] == 1
    assert clusters == sorted(clusters)
    assert found.to_dict()["decided"] + found.to_dict()["ties"] == len(sample.pairs)


def test_a_ranking_needs_two_systems(sample):
    with pytest.raises(CorrigendaError, match="judged together"):
        rank(sample.of_systems(["strong"]))


def test_undecided_pairs_are_named():
    judgments = Judgments((ranking(0, "x", A=1, B=2, C=2),))
    assert rank(judgments).undecided == (("B", "C"),)


def test_kappa_by_hand():
    # The judges agree on one of two comparisons; the answers are 2 better, 1 worse, 1 equal.
    judgments = Judgments(
        (
            ranking(0, "x", A=1, B=2),
            ranking(0, "y", A=1, B=2),
            ranking(1, "x", A=2, B=1),
            ranking(1, "y", A=1, B=1),
        )
    )
    (entry,) = agreement(judgments).between
    chance = (2 / 4) ** 2 + (1 / 4) ** 2 + (1 / 4) ** 2
    assert entry.comparisons == 2
    assert entry.kappa == pytest.approx((0.5 - chance) / (1 - chance))
    # With weights, this disagreement counts half of the largest one.
    expected = 2 * (0.5 * 0.25 * 0.5 + 0.25 * 0.25 * 0.5 + 0.5 * 0.25 * 1)
    assert entry.weighted_kappa == pytest.approx(1 - 0.25 / expected)


def test_agreement_within_a_judge_and_its_limits():
    steady = Judgments(
        tuple(ranking(i, "x", A=1 + i % 2, B=2 - i % 2) for i in range(60) for _ in range(2))
    )
    report = agreement(steady)
    assert report.mean("within") == 1.0
    assert report.mean("between") is None
    few = agreement(Judgments((ranking(0, "x", A=1, B=2), ranking(0, "y", A=2, B=1))))
    assert few.mean("between") is None
    assert few.mean("between", fewest=1) == pytest.approx(-1.0)
    always = agreement(
        Judgments(tuple(ranking(i, judge, A=1, B=2) for i in range(60) for judge in "xy"))
    )
    assert always.mean("between") == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_agreement_equals_its_definition(seed):
    """All pairs of judges, also those that repeat comparisons, by the formula of the docs."""
    chance = random.Random(seed)
    judgments = Judgments(
        tuple(
            ranking(chance.randrange(4), f"j{chance.randrange(6)}", A=chance.randrange(3),
                    B=chance.randrange(3), C=chance.randrange(3))
            for _ in range(30)
        )
    )  # fmt: skip
    found = {(each.first, each.second): each for each in agreement(judgments).between}
    answers = {}
    for each in judgments.rankings:
        for one, other in itertools.combinations(sorted(each.ranks().items()), 2):
            answer = (one[1] > other[1]) - (one[1] < other[1])
            key = each.judge, (each.sentence, one[0], other[0])
            answers.setdefault(key, []).append(answer)
    for first, second in itertools.combinations(judgments.judges, 2):
        shared = [key for who, key in answers if who == first and (second, key) in answers]
        met = [
            pair for key in shared
            for pair in itertools.product(answers[first, key], answers[second, key])
        ]  # fmt: skip
        if not met:
            assert (first, second) not in found
            continue
        given = [each for key in shared for who in (first, second) for each in answers[who, key]]
        share = {answer: given.count(answer) / len(given) for answer in (-1, 0, 1)}
        observed = sum(one != other for one, other in met) / len(met)
        expected = 1 - sum(value * value for value in share.values())
        entry = found[first, second]
        assert entry.comparisons == len(met)
        assert entry.kappa == pytest.approx(1 - observed / expected if expected else 1)


def test_pairs_of_judges_are_bounded(monkeypatch):
    monkeypatch.setattr(agreement_module, "MOST_PAIRS", 10)
    apart = [ranking(number, f"j{number}", A=1, B=2) for number in range(50)]
    assert agreement(Judgments(tuple(apart))).between == ()
    together = [ranking(0, f"j{number}", A=1, B=2) for number in range(6)]
    with pytest.raises(CorrigendaError, match="more than 10 pairs of judges"):
        agreement(Judgments(tuple(together)))
