"""Tests of two metrics against their definitions; the study in benchmarks has their errors."""

import math

import numpy as np
import pytest

from corrigenda.errors import CorrigendaError
from corrigenda.meta.correlation import pearson
from corrigenda.meta.metric_tests import (
    permutation_of_both,
    simulated_williams_p,
    williams,
)
from lazily import Lazily

stats = Lazily("scipy.stats")


@pytest.mark.slow
def test_williams_by_its_formula():
    """As documented for psych::r.test in R: n=103, r12=.4, r13=.6, r23=.5 gives t = -2.23."""
    target = np.array([[1, 0.4, 0.6], [0.4, 1, 0.5], [0.6, 0.5, 1]])
    generator = np.random.default_rng(0)
    raw = generator.normal(size=(103, 3))
    raw -= raw.mean(axis=0)
    white = raw @ np.linalg.inv(np.linalg.cholesky(np.cov(raw.T))).T
    human, first, second = (white @ np.linalg.cholesky(target).T).T
    t, p = williams(first, second, human)
    determinant = 1 - 0.16 - 0.36 - 0.25 + 2 * 0.4 * 0.6 * 0.5
    expected = (0.4 - 0.6) * np.sqrt(102 * 1.5 / (2 * determinant * 102 / 100 + 0.25 * 0.125))
    assert t == pytest.approx(expected)
    assert p == pytest.approx(2 * stats.t.sf(abs(expected), 100))
    assert williams(second, first, human)[0] == pytest.approx(-t)


def test_williams_without_a_difference_or_without_systems():
    human = np.array([1.0, 2.0, 4.0, 3.0, 7.0])
    assert williams(human * 2, human * 3 + 1, human) == (0.0, 1.0)
    assert np.isnan(williams(np.ones(5), human, human)).all()
    with pytest.raises(CorrigendaError, match="4 systems"):
        williams(human[:3], human[:3], human[:3])


def test_permutation_tells_a_good_metric_from_noise():
    generator = np.random.default_rng(0)
    human = np.arange(10.0)
    good = human[:, np.newaxis] + generator.normal(size=(10, 200))
    noise = generator.normal(size=(10, 200))
    assert permutation_of_both(good, noise, human, permutations=200) < 0.02
    twin = good + generator.normal(scale=1e-3, size=good.shape)
    assert permutation_of_both(good, twin, human, permutations=200) > 0.05
    assert permutation_of_both(good, good, human, permutations=50) == 1.0


def test_permutation_of_corpus_scores_is_exact_for_few_systems():
    """One score per system gives 2^n assignments; the p-value is their exact share."""
    human = np.array([1.0, 2.0, 3.0, 4.0])
    first, second = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([[2.0], [1.0], [4.0], [3.0]])
    normal = [(values - values.mean()) / values.std() for values in (first, second)]
    observed = abs(pearson(normal[0][:, 0], human) - pearson(normal[1][:, 0], human))
    as_large = 0
    for mask in range(16):
        swap = np.array([mask >> bit & 1 for bit in range(4)], bool)
        one, other = (
            np.where(swap, normal[1][:, 0], normal[0][:, 0]),
            np.where(swap, normal[0][:, 0], normal[1][:, 0]),
        )
        as_large += abs(pearson(one, human) - pearson(other, human)) >= observed - 1e-12
    for seed in (0, 1):
        assert permutation_of_both(first, second, human, seed=seed) == as_large / 16
    many = np.random.default_rng(0).normal(size=(2, 15, 1))
    assert permutation_of_both(*many, np.arange(15.0), permutations=9) * 10 % 1 == 0


def test_a_metric_against_itself_turned_round_is_the_test_of_its_correlation():
    """Williams' t was 0 there, and p was 1: no difference between the best and the worst."""
    human = np.array([1.0, 2.0, 4.0, 3.0, 7.0, 5.0])
    metric = np.array([2.0, 1.0, 3.0, 4.0, 6.0, 8.0])
    r = float(pearson(metric, human))
    t, p = williams(metric, -metric, human)
    assert t == pytest.approx(r * math.sqrt(3 / (1 - r**2)))
    assert p == pytest.approx(2 * stats.t.sf(t, 3))
    # Errors that change no correlation with people lead to the same t.
    sides = np.column_stack([np.ones(6), human, metric])
    errors = np.array([1.0, -1.0, 2.0, 0.0, -2.0, 1.0])
    errors -= sides @ np.linalg.lstsq(sides, errors)[0]
    assert t == pytest.approx(williams(metric, 1e-4 * errors - metric, human)[0], rel=1e-3)
    assert williams(human, -human, human) == (math.inf, 0.0)


class TestSimulatedWilliams:
    human = np.array([1.0, 2.0, 4.0, 3.0, 7.0])
    first = np.array([1.0, 3.0, 4.0, 2.0, 8.0])
    second = np.array([5.0, 2.0, 4.0, 6.0, 3.5])

    def test_by_its_definition(self):
        """Other draws: correlated errors by a Cholesky factor, each score with heavy tails."""
        generator = np.random.default_rng(99)
        t, _ = williams(self.first, self.second, self.human)
        r = [
            float(pearson(*sides))
            for sides in (
                (self.first, self.human),
                (self.second, self.human),
                (self.first, self.second),
            )
        ]
        mean = (r[0] + r[1]) / 2
        factor = np.linalg.cholesky(np.array([[1, mean, mean], [mean, 1, r[2]], [mean, r[2], 1]]))
        drawn = stats.t.rvs(5, size=(20_000, 3, 5), random_state=generator)
        as_large = sum(
            abs(williams(one, other, people)[0]) >= abs(t)
            for people, one, other in (factor @ each for each in drawn[:4000])
        )
        found = simulated_williams_p(self.first, self.second, self.human)
        assert 0.02 < found < 0.5
        assert found == pytest.approx(as_large / 4000, abs=0.02)

    def test_what_does_not_change_it(self):
        found = simulated_williams_p(self.first, self.second, self.human)
        assert simulated_williams_p(self.second, self.first, self.human) == found
        stretched = simulated_williams_p(3 * self.first + 1, self.second, 2 * self.human - 9)
        assert stretched == pytest.approx(found, abs=1e-3)
        assert simulated_williams_p(self.first, self.second, self.human, seed=1) == (
            pytest.approx(found, abs=0.015)
        )

    def test_the_ends(self):
        assert simulated_williams_p(self.first, 2 * self.first, self.human) == 1.0
        assert simulated_williams_p(self.human, self.human, self.human) == 1.0
        assert math.isnan(simulated_williams_p(np.ones(5), self.first, self.human))
        # Never 0: the observed scores are one of the possible sets.
        best = simulated_williams_p(self.human, -self.human, self.human, draws=50)
        assert best == 1 / 51
        with pytest.raises(CorrigendaError, match="4 systems"):
            simulated_williams_p(self.first[:3], self.second[:3], self.human[:3])

    @pytest.mark.slow
    @pytest.mark.parametrize("tails", [False, True])
    def test_five_systems_two_equal_metrics(self, tails):
        """It rejects about 5 % of the time, where Williams' test by Student's t rejects 3 %."""
        generator = np.random.default_rng(7)
        trials = 2500
        drawn = generator.normal(size=(3, trials, 5))
        if tails:
            drawn *= np.sqrt(5 / generator.chisquare(5, drawn.shape))
        people = drawn[0]
        metrics = people + drawn[1:]
        simulated = published = 0
        for one, other, human in zip(*metrics, people, strict=True):
            simulated += simulated_williams_p(one, other, human, draws=1500) < 0.05
            published += williams(one, other, human)[1] < 0.05
        assert 0.035 <= simulated / trials <= 0.065
        assert published < 0.85 * simulated
