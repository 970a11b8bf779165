"""Intervals of correlations against their definitions; the study in benchmarks has the coverage."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda.analysis.student import t_limit, two_sided_p
from corrigenda.meta import rank_correlations
from corrigenda.meta.correlation import COEFFICIENTS, kendall, pearson, spearman
from corrigenda.meta.intervals import (
    fisher_interval,
    interval_over_both,
    interval_over_systems,
    shared_variance,
)
from corrigenda.meta.rank_correlations import mid_p_interval
from lazily import Lazily

stats = Lazily("scipy.stats")


def made(systems, theta=0.8, seed=0):
    generator = np.random.default_rng(seed)
    human = generator.normal(size=systems)
    return theta * human + math.sqrt(1 - theta**2) * generator.normal(size=systems), human


class TestStudent:
    @pytest.mark.slow
    @given(st.floats(-60, 60), st.integers(1, 2000))
    def test_p_values_equal_scipy(self, t, freedom):
        expected = 2 * stats.t.sf(abs(t), freedom)
        assert two_sided_p(t, freedom) == pytest.approx(expected, rel=1e-8, abs=1e-300)

    @pytest.mark.slow
    @pytest.mark.parametrize("freedom", [1, 2, 4, 12, 29, 1000])
    def test_limits_equal_scipy(self, freedom):
        for alpha in (0.5, 0.1, 0.05, 0.001):
            assert t_limit(alpha, freedom) == pytest.approx(stats.t.isf(alpha / 2, freedom))

    def test_the_ends(self):
        assert two_sided_p(0.0, 3) == 1.0
        assert two_sided_p(math.inf, 3) == 0.0
        assert math.isnan(two_sided_p(math.nan, 3))


def test_fisher_intervals_equal_scipy():
    pytest.importorskip("scipy.stats")
    generator = np.random.default_rng(1)
    human = generator.normal(size=12)
    metric = human + generator.normal(size=12)
    theirs = stats.pearsonr(metric, human).confidence_interval(0.9)
    ours = fisher_interval(float(pearson(metric, human)), 12, "pearson", confidence=0.9)
    assert ours == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_perfect_rank_correlation_is_not_certain(coefficient, sign):
    """A bootstrap over systems says 1.00 to 1.00 for every perfect ρ."""
    for systems in (5, 13, 30):
        low, high = fisher_interval(float(sign), systems, coefficient)
        assert (high if sign > 0 else low) == sign
        assert 1e-4 < high - low < 2
    assert fisher_interval(0.9, 3, coefficient) == (-1.0, 1.0)
    assert np.isnan(fisher_interval(float("nan"), 9, coefficient)).all()


class TestJackknife:
    @pytest.mark.parametrize("systems", [5, 13, 30])
    def test_r_by_its_definition(self, systems):
        metric, human = made(systems)
        z = [
            math.atanh(float(pearson(np.delete(metric, i), np.delete(human, i))))
            for i in range(systems)
        ]
        variance = (systems - 1) / systems * sum((each - np.mean(z)) ** 2 for each in z)
        variance *= systems * (systems - 4) / ((systems - 1) * (systems - 3))
        reach = t_limit(0.05, systems - 1) * math.sqrt(variance)
        middle = math.atanh(float(pearson(metric, human)))
        found = interval_over_systems(metric, human, "pearson")
        assert found.bounds == pytest.approx((math.tanh(middle - reach), math.tanh(middle + reach)))
        assert found.method == found.described == "jackknife"

    def test_an_outlier_makes_it_wider_than_fisher(self):
        """One system far away decides r alone. Fisher's interval does not see it."""
        metric, human = made(12, theta=0.0, seed=4)
        metric[0] = human[0] = 30.0
        found = interval_over_systems(metric, human, "pearson")
        fisher = fisher_interval(float(pearson(metric, human)), 12, "pearson")
        assert fisher[0] > 0.9
        assert found.low < 0

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["spearman", "kendall"])
    def test_many_systems_need_no_normal_copula(self, name):
        metric, human = made(25)
        assert interval_over_systems(metric, human, name).method == "jackknife"
        assert interval_over_systems(metric[:19], human[:19], name).method == "mid-p"
        perfect = interval_over_systems(human, human, name)
        assert perfect.method == "mid-p"
        assert 0.8 < perfect.low < perfect.high == 1


class TestIntervalsOfRanks:
    @pytest.mark.parametrize("name", ["spearman", "kendall"])
    def test_the_distribution_of_unrelated_scores_is_that_of_permutations(self, name):
        values = np.array(
            [float(COEFFICIENTS[name](np.arange(5), order)) for order in permutations(range(5))]
        )
        drawn = rank_correlations._drawn_keys(5, name)[0]
        for value in np.unique(values):
            expected = np.mean(values <= value + 1e-9)
            assert np.mean(drawn <= value + 0.01) == pytest.approx(expected, abs=0.02)

    @pytest.mark.parametrize("systems", [5, 13])
    def test_means_equal_the_formulas_for_normal_scores(self, systems):
        """Moran (1948) for ρ; the mean of τ is its value in the population."""
        row = 11  # artanh θ = 1.1
        theta = math.tanh(1.1)
        expected = {
            "spearman": 6
            / (math.pi * (systems + 1))
            * (math.asin(theta) + (systems - 2) * math.asin(theta / 2)),
            "kendall": 2 / math.pi * math.asin(theta),
        }
        for name, mean in expected.items():
            drawn = rank_correlations._drawn_keys(systems, name)[row]
            assert drawn.mean() == pytest.approx(mean, abs=0.01)

    @pytest.mark.parametrize("systems", [4, 5, 9])
    @pytest.mark.parametrize("name", ["spearman", "kendall"])
    def test_the_acceptability_by_its_definition(self, name, systems):
        """The chance of a key whose smaller tail is no larger; the observed one counts half."""
        grid = rank_correlations._grid()
        observed = [rank_correlations._drawn_keys(systems, name)[5][place] for place in (0, 50, -1)]
        for key in (*observed, 1.0001, -1.0001):
            accepted = rank_correlations.acceptability(key, systems, name)
            assert len(accepted) == len(grid)
            for place in (0, 30, 60, 75, 120):
                sign = 1 if grid[place] >= 0 else -1
                drawn = sign * rank_correlations._drawn_keys(systems, name)[abs(place - 60)]
                values, counts = np.unique(np.append(drawn, key), return_counts=True)
                counts[values == key] -= 1  # it was added, in case it was never drawn
                shares = counts / len(drawn)
                below, above = shares.cumsum(), shares[::-1].cumsum()[::-1]
                tails = np.minimum(below, above)
                at = int(np.flatnonzero(values == key)[0])
                expected = shares[tails <= tails[at] + 1e-12].sum() - shares[at] / 2
                assert accepted[place] == pytest.approx(expected)

    @pytest.mark.parametrize("systems", [4, 5, 7, 10])
    @pytest.mark.parametrize("name", ["spearman", "kendall"])
    def test_mid_p_intervals_of_few_systems(self, name, systems):
        """They hold the estimate, are mirrored, ordered and nested, and end at 1 for a perfect ρ."""
        human = np.arange(float(systems))
        generator = np.random.default_rng(systems)
        orders = [human, *(generator.permutation(human) for _ in range(30))]
        found = []
        for metric in orders:
            value = float(COEFFICIENTS[name](metric, human))
            low, high = mid_p_interval(value, metric, human, name, alpha=0.05)
            mirrored = mid_p_interval(-value, -metric, human, name, alpha=0.05)
            assert (-high, -low) == pytest.approx(mirrored)
            wide = mid_p_interval(value, metric, human, name, alpha=0.01)
            assert wide[0] <= low <= value <= high <= wide[1]
            found.append((value, low, high))
        assert found[0][2] == 1.0
        found.sort()
        for before, after in pairwise(found):
            if after[0] > before[0] + 1e-9:
                assert before[1] <= after[1] + 1e-9
                assert before[2] <= after[2] + 1e-9

    @pytest.mark.parametrize("theta", [0.0, 0.6, 0.95])
    @pytest.mark.parametrize("name", ["spearman", "kendall"])
    def test_mid_p_intervals_of_five_systems_cover(self, name, theta):
        """Over all 120 orders, by chances from other seeds than those of the interval."""
        generator = np.random.default_rng(2026)
        human = np.sort(generator.normal(size=(100_000, 5)), axis=1)
        metric = theta * human + math.sqrt(1 - theta**2) * generator.normal(size=human.shape)
        orders, counts = np.unique(metric.argsort(axis=1), axis=0, return_counts=True)
        truth = (
            6 / math.pi * math.asin(theta / 2)
            if name == "spearman"
            else 2 / math.pi * math.asin(theta)
        )
        held = 0
        for order, count in zip(orders, counts, strict=True):
            found = interval_over_systems(order.argsort().astype(float), np.arange(5.0), name)
            assert found.method == "mid-p"
            held += int(count) if found.low <= truth <= found.high else 0
        assert 0.93 <= held / len(human) <= 0.97

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["spearman", "kendall"])
    def test_intervals_of_thirteen_systems_cover_near_one(self, name):
        """A perfect order is frequent there. With whole counts and ties τ covers .977."""
        theta, generator = 0.99, np.random.default_rng(2027)
        human = generator.normal(size=(2000, 13))
        metric = theta * human + math.sqrt(1 - theta**2) * generator.normal(size=human.shape)
        truth = rank_correlations._population(theta, name)
        found = [interval_over_systems(*rows, name) for rows in zip(metric, human, strict=True)]
        held = np.mean([each.low <= truth <= each.high for each in found])
        assert 0.94 <= held <= 0.968

    def test_tied_scores_have_an_interval(self):
        human = np.array([1.0, 2, 2, 3, 4, 4])
        metric = np.array([1.0, 1, 2, 2, 3, 5])
        for name, coefficient in (("spearman", spearman), ("kendall", kendall)):
            found = interval_over_systems(metric, human, name)
            assert -1 < found.low < float(coefficient(metric, human)) < found.high <= 1


class TestFewOrEqualSystems:
    def test_three_and_four_systems(self):
        metric, human = made(4)
        assert interval_over_systems(metric, human, "pearson").method == "fisher"
        three = interval_over_systems(metric[:3], human[:3], "pearson")
        assert (three.bounds, three.method) == ((-1.0, 1.0), "none")

    @pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
    def test_a_constant_metric_has_no_interval(self, name):
        found = interval_over_systems(np.ones(6), np.arange(6.0), name)
        assert np.isnan(found.bounds).all()
        drawn = (np.ones((20, 6)), np.tile(np.arange(6.0), (20, 1)))
        both = interval_over_both(np.ones(6), np.arange(6.0), drawn, name)
        assert np.isnan(both.bounds).all()

    def test_one_system_that_decides_excludes_nothing(self):
        """Without the last system the metric is constant."""
        found = interval_over_systems(np.array([0.0, 0, 0, 0, 0, 1]), np.arange(6.0), "pearson")
        assert (found.bounds, found.method) == ((-1.0, 1.0), "none")

    def test_a_perfect_line_is_certain(self):
        found = interval_over_systems(np.arange(6.0), np.arange(6.0), "pearson")
        assert found.bounds == pytest.approx((1.0, 1.0))


class TestSharedSentences:
    @staticmethod
    def drawn(shared, own, hard=0.0, systems=13, seed=0):
        """Scores on drawn sentences; some favour good systems, by the metric, as `shared` says."""
        generator = np.random.default_rng(seed)
        metric, human = made(systems, seed=seed)
        rows = (400, 1)
        alike = generator.normal(0, hard, rows)
        trait = human * generator.normal(0, shared, rows)
        noise = generator.normal(0, own, (2, 400, systems))
        return (metric + trait + noise[0] + alike, human + noise[1] + alike), metric, human

    @pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
    def test_own_noise_is_not_counted_again(self, name):
        (metric, human), *_ = self.drawn(shared=0.0, own=0.3)
        together = np.arctanh(np.clip(COEFFICIENTS[name](metric, human), -0.999, 0.999)).var()
        assert shared_variance(metric, human, name) < 0.25 * together

    @pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
    def test_shared_noise_is_counted(self, name):
        (metric, human), scores, judged = self.drawn(shared=0.3, own=0.05)
        together = np.arctanh(np.clip(COEFFICIENTS[name](metric, human), -0.999, 0.999)).var()
        assert shared_variance(metric, human, name) > 0.6 * together
        over = interval_over_systems(scores, judged, name)
        both = interval_over_both(scores, judged, (metric, human), name)
        assert both.low < over.low < over.high < both.high
        assert both.described == f"{over.method}+sentences"

    def test_hard_sentences_change_nothing(self):
        easy, *_ = self.drawn(shared=0.3, own=0.2)
        hard = tuple(side + np.linspace(-9, 9, 400)[:, np.newaxis] for side in easy)
        assert shared_variance(*hard, "pearson") == pytest.approx(shared_variance(*easy, "pearson"))

    def test_the_reaches_add_up_as_squares(self):
        drawn, scores, judged = self.drawn(shared=0.3, own=0.05)
        over = interval_over_systems(scores, judged, "pearson")
        both = interval_over_both(scores, judged, drawn, "pearson")
        z = math.atanh(float(pearson(scores, judged)))
        variance = shared_variance(*drawn, "pearson")
        for ours, theirs in ((both.low, over.low), (both.high, over.high)):
            expected = (math.atanh(theirs) - z) ** 2 + 1.959963984540054**2 * variance
            assert (math.atanh(ours) - z) ** 2 == pytest.approx(expected)
