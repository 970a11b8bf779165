"""Rankings of many systems: no table grows with sentences, or resamples, times pairs of systems."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from corrigenda.errors import UsageError
from corrigenda.human import bootstrap
from corrigenda.human.agreement import agreement
from corrigenda.human.bradley_terry import fitted
from corrigenda.human.connected import ordered_groups
from corrigenda.human.ranking import rank
from corrigenda.judgments import Judgments, RankedOutput, Ranking


def chain(systems, sentences):
    """In each sentence one system wins against the next one."""
    rankings = []
    for number in range(sentences):
        place = number % (systems - 1)
        outputs = (
            RankedOutput((f"s{place:04}",), 1),
            RankedOutput((f"s{place + 1:04}",), 1 + bool(number % 7)),
        )
        rankings.append(Ranking(str(number), f"j{number % 3}", outputs))
    return Judgments(tuple(rankings))


def complete(systems, rankings):
    """One judge ranks all systems, and every eighth sentence twice."""
    rng = np.random.default_rng(4)
    return Judgments(
        tuple(
            Ranking(
                str(number - (number % 8 == 7)),
                "j",
                tuple(
                    RankedOutput((f"s{place}",), int(rank))
                    for place, rank in enumerate(rng.integers(1, 6, systems))
                ),
            )
            for number in range(rankings)
        )
    )


@pytest.mark.parametrize("unit", bootstrap.UNITS)
def test_few_kinds_of_many_pairs_give_the_same_draws(unit, monkeypatch):
    pairs = chain(12, 200).pairs
    whole = bootstrap.resampled_outcomes(pairs, 30, unit, seed=3)
    # Without a full table of units and kinds, and a few resamples at a time.
    monkeypatch.setattr(bootstrap, "_CELLS_AT_ONCE", 500)
    batches = [*bootstrap.outcome_batches(pairs, 30, unit, seed=3)]
    assert len(batches) > 1
    assert (np.concatenate(batches) == whole).all()


@pytest.mark.parametrize("full", [0, 1, 10**9])
def test_a_table_with_few_zeros_is_a_matrix(full, monkeypatch):
    pairs = complete(9, 12).pairs
    whole = bootstrap.resampled_outcomes(pairs, 30, "sentences", seed=3)
    monkeypatch.setattr(bootstrap, "_CELLS_AT_ONCE", 1)
    monkeypatch.setattr(bootstrap, "_FULL", full)
    assert (bootstrap.resampled_outcomes(pairs, 30, "sentences", seed=3) == whole).all()


def test_agreement_keeps_the_comparisons_of_one_sentence():
    """All of them at once took 600 bytes per pair of systems and sentence."""
    judgments = complete(150, 40)
    tracemalloc.start()
    found = agreement(judgments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [each.comparisons for each in found.within] == [5 * 150 * 149 // 2]
    assert peak < 40e6


@pytest.mark.parametrize("method", ["expected-wins", "bradley-terry"])
def test_the_memory_does_not_grow_with_sentences_times_pairs_of_systems(method):
    judgments = chain(80, 4_000)
    len(judgments.pairs)
    tracemalloc.start()
    rank(judgments, method, resamples=20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 4,000 sentences times 2 · 80² kinds of eight bytes would be 410 MB.
    assert peak < 150e6


def test_ranks_are_the_same_in_parts(monkeypatch):
    scores = np.random.default_rng(1).integers(0, 5, (40, 6))
    whole = bootstrap.ranks_of_samples(scores)
    monkeypatch.setattr(bootstrap, "_CELLS_AT_ONCE", 100)
    assert (bootstrap.ranks_of_samples(scores) == whole).all()
    assert bootstrap.ranks_of_samples(scores[0]).tolist() == whole[0].tolist()


def test_strengths_of_many_systems_need_no_table_of_pairs_times_systems():
    wins = np.random.default_rng(2).integers(0, 3, (1, 1, 150, 150))
    tracemalloc.start()
    fitted(wins, np.zeros_like(wins))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 11,175 pairs times 150 systems of eight bytes are 13 MB; several of them were made.
    assert peak < 12e6


def test_more_resamples_than_the_systems_allow():
    with pytest.raises(
        UsageError, match="2,000 resamples of the judgments of 300 systems"
    ) as found:
        rank(chain(300, 400), "bradley-terry", resamples=2_000)
    assert "at most 111 resamples" in str(found.value)


def test_groups_of_a_long_chain_and_of_a_long_circle():
    size = 300
    wins = np.eye(size, k=1, dtype=np.int64)
    assert ordered_groups(wins) == [[place] for place in range(size)]
    wins[-1, 0] = 1
    assert ordered_groups(wins) == [[*range(size)]]
