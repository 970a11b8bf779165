"""Bradley–Terry–Davidson: the strengths make the judgments most likely, by the slow definition."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda.data import SAMPLE
from corrigenda.formats import judgments as judgments_format
from corrigenda.human.bradley_terry import PRIOR_DEVIATION, fitted, strengths
from corrigenda.human.expected_wins import expected_wins
from corrigenda.human.ranking import rank
from corrigenda.judgments import Judgments, RankedOutput, Ranking
from examples import examples


def log_posterior(strength, log_ties, wins, ties):
    """Davidson's model, one pair of systems after another, with the prior."""
    total = -(sum(value**2 for value in strength) + log_ties**2) / (2 * PRIOR_DEVIATION**2)
    for i in range(len(strength)):
        for j in range(i):
            parts = [
                math.exp(strength[i]),
                math.exp(strength[j]),
                math.exp(log_ties + (strength[i] + strength[j]) / 2),
            ]
            for count, part in zip((wins[i][j], wins[j][i], ties[i][j]), parts, strict=True):
                total += count * math.log(part / sum(parts))
    return total


@given(st.integers(2, 5), st.integers(0, 6), st.integers(0, 2**32 - 1))
@settings(max_examples=examples(60))
def test_no_other_strengths_make_the_judgments_more_likely(systems, most, seed):
    """Also where a system wins always or never, and where there are no ties or only ties."""
    generator = np.random.default_rng(seed)
    wins = generator.integers(0, most + 1, (systems, systems))
    ties = np.triu(generator.integers(0, most + 1, (systems, systems)), 1)
    ties = ties + ties.T
    np.fill_diagonal(wins, 0)
    found = fitted(wins[np.newaxis, np.newaxis], ties[np.newaxis, np.newaxis])
    strength, log_ties = found.systems[0].tolist(), found.log_ties[0, 0]
    best = log_posterior(strength, log_ties, wins, ties)
    for _ in range(20):
        step = generator.normal(0, 0.05, systems + 1)
        moved = [value + change for value, change in zip(strength, step, strict=False)]
        assert log_posterior(moved, log_ties + step[-1], wins, ties) <= best + 1e-9
    # The strengths do not depend on which systems are fitted together with which resamples.
    twice = fitted(
        np.stack([wins, wins.T])[:, np.newaxis], np.stack([ties, ties])[:, np.newaxis]
    ).systems
    assert twice[0] == pytest.approx(found.systems[0], abs=1e-8)
    assert twice[1] == pytest.approx(-found.systems[0], abs=1e-6)


def test_two_systems_by_hand():
    """3 wins, 1 loss and 2 ties: the odds are 3, and ν is 2 / √(3 · 1)."""
    wins = np.array([[0, 3000], [1000, 0]])
    ties = np.array([[0, 2000], [2000, 0]])
    found = fitted(wins[np.newaxis, np.newaxis], ties[np.newaxis, np.newaxis])
    assert found.systems[0] == pytest.approx([math.log(3) / 2, -math.log(3) / 2], abs=1e-3)
    assert math.exp(found.log_ties[0, 0]) == pytest.approx(2 / math.sqrt(3), abs=1e-3)
    assert found.win_probability(0, 1)[0] == pytest.approx(0.5, abs=1e-3)


def test_the_sample_by_two_methods():
    judgments = judgments_format.read(SAMPLE / "judgments.xml")
    ranking = rank(judgments, "bradley-terry", resamples=50)
    assert [system.name for system in ranking.systems] == [
        "strong", "eager", "cautious", "unchanged", "empty",
    ]  # fmt: skip
    assert sum(system.score for system in ranking.systems) == pytest.approx(0)
    for system in ranking.systems:
        assert system.interval[0] <= system.score <= system.interval[1]
    wins = expected_wins(judgments.pairs.wins())
    assert np.corrcoef(strengths(judgments.pairs).systems, wins)[0, 1] > 0.9


def test_judges_may_tie_more_or_less_often():
    def judged(number, judge, a, b):
        return Ranking(str(number), judge, (RankedOutput(("A",), a), RankedOutput(("B",), b)))

    often = [judged(i, "often", 1, 1 if i % 4 else 2) for i in range(40)]
    never = [judged(i, "never", 1 + (i % 4 == 0), 2 - (i % 4 == 0)) for i in range(40)]
    found = strengths(Judgments((*often, *never)).pairs, judge_effects=True)
    never_ties, often_ties = found.log_ties.tolist()
    assert often_ties > 0 > never_ties
    assert found.systems[0] > 0 > found.systems[1]


@pytest.mark.parametrize(
    ("file", "agreement"),
    [("conll14/judgments.xml", 0.9808), ("seeda/judgments_sent.xml", 0.9790)],
)
def test_it_agrees_with_expected_wins_on_public_data(shared, file, agreement):
    pairs = judgments_format.read(shared / "data" / file).pairs
    found = np.corrcoef(strengths(pairs).systems, expected_wins(pairs.wins()))[0, 1]
    assert found == pytest.approx(agreement, abs=2e-4)
