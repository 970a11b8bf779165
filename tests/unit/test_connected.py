"""Systems that judgments do not connect, and systems that never lost."""

import numpy as np
import pytest

from corrigenda.human.connected import connected_groups, ordered_groups
from corrigenda.human.ranking import rank
from corrigenda.judgments import Judgments, RankedOutput, Ranking


def judged(*rankings):
    """Each ranking is a dictionary of systems and ranks; the sentences are counted from 0."""
    return Judgments(
        tuple(
            Ranking(
                str(number),
                "anna",
                tuple(RankedOutput((name,), place) for name, place in ranks.items()),
            )
            for number, ranks in enumerate(rankings)
        )
    )


def test_groups_by_hand():
    wins = np.zeros((5, 5), int)
    wins[0, 1] = wins[1, 2] = wins[2, 0] = wins[3, 2] = 1
    ties = np.zeros((5, 5), int)
    assert connected_groups(wins, ties) == [[0, 1, 2, 3], [4]]
    assert ordered_groups(wins) == [[0, 1, 2], [3], [4]]
    ties[4, 0] = ties[0, 4] = 1
    assert connected_groups(wins, ties) == [[0, 1, 2, 3, 4]]
    assert ordered_groups(wins) == [[0, 1, 2], [3], [4]]


METHODS = ["expected-wins", "bradley-terry"]
APART = [
    *({"A": 1 + (number % 4 == 0), "B": 1 + (number % 4 > 0)} for number in range(40)),
    *({"C": 1 + (number % 9 == 0), "D": 1 + (number % 9 > 0)} for number in range(36)),
]


@pytest.mark.parametrize("method", METHODS)
def test_systems_that_nothing_connects_are_in_one_cluster(method):
    """A and C were called better than B and D, though only A met B and only C met D."""
    found = rank(judged(*APART), method, resamples=200)
    assert found.connected == (("A", "B"), ("C", "D"))
    assert {system.cluster for system in found.systems} == {1}
    assert {system.name: system.rank_interval for system in found.systems} == {
        "A": (1, 3), "B": (2, 4), "C": (1, 3), "D": (2, 4),
    }  # fmt: skip
    assert found.to_dict()["connected"] == [["A", "B"], ["C", "D"]]
    for entry in found.neighbours:
        if {entry.better, entry.worse} not in ({"A", "B"}, {"C", "D"}):
            assert np.isnan(entry.power.spread)
            assert entry.power.power is None


@pytest.mark.parametrize("method", METHODS)
def test_one_judgment_that_connects_is_enough(method):
    found = rank(judged(*APART, {"A": 1, "C": 1}), method, resamples=200)
    assert found.connected == (("A", "B", "C", "D"),)
    ranks = {system.name: system.rank_interval for system in found.systems}
    assert ranks["A"][1] < ranks["B"][0] or ranks["C"][1] < ranks["D"][0]


def test_strengths_of_a_system_that_never_lost_have_no_distance():
    """Its strength comes from the prior: "1 sentence is enough, with a power of 1.00"."""
    rankings = [{"A": 1, "B": 1 + (number % 3 > 0), "C": 3} for number in range(30)]
    found = rank(judged(*rankings), "bradley-terry", resamples=200)
    assert found.ordered == (("A",), ("B",), ("C",))
    assert [system.cluster for system in found.systems] == [1, 2, 3]
    assert [entry.power.power for entry in found.neighbours] == [None, None]
    rankings += [{"A": 2, "B": 1, "C": 3}, {"A": 2, "B": 3, "C": 1}]
    found = rank(judged(*rankings), "bradley-terry", resamples=200)
    assert found.ordered == (("A", "B", "C"),)
    assert all(entry.power.power is not None for entry in found.neighbours)
