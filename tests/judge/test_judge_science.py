"""It works as science: rankings are recovered, intervals cover, adaptive items save judgments."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from made_up_judging import SYSTEMS, Campaign, separated, true_strengths

from corrigenda.human.ranking import rank
from corrigenda.judge.adaptive import chosen_outputs
from corrigenda.judge.simulation import SimulatedJudging, simulate, tied_ranks
from corrigenda.judge.standing import standing_of
from corrigenda.judgments import Judgments
from judging import corpus_and_systems, make_campaign

pytestmark = pytest.mark.slow
FULL = bool(os.environ.get("CORRIGENDA_FULL"))


def balanced_judgments(seed: int, items: int) -> Judgments:
    campaign = Campaign("balanced", seed, size=3)
    for _ in range(items):
        campaign.judge(None)
    return Judgments(tuple(campaign._rankings))


def test_intervals_cover_the_true_strengths() -> None:
    """The share of 95 % intervals that hold the truth, over campaigns and systems."""
    truth = dict(zip(SYSTEMS, true_strengths(), strict=True))
    covered = []
    for seed in range(400 if FULL else 8):
        found = rank(
            balanced_judgments(seed, 100), "bradley-terry", resamples=300, unit="sentences"
        )
        covered += [
            system.interval[0] <= truth[system.name] <= system.interval[1]
            for system in found.systems
        ]
    share = float(np.mean(covered))
    print(f"\n{len(covered)} intervals, {share:.3f} cover")
    # Fewer campaigns leave room for chance: two standard errors of the smaller run.
    spread = 0.0 if FULL else 2 * (0.05 * 0.95 / len(covered)) ** 0.5
    assert 0.92 - spread <= share <= 0.97 + spread


def test_the_ranking_is_recovered_over_http(tmp_path: Path) -> None:
    """Judges with a clear eye find the order of the systems."""
    make_campaign(tmp_path / "c.db", texts=corpus_and_systems(40, 4), controls=0.1).close()
    plan = SimulatedJudging(judges=2, judgments=24, ability=9.0)
    done = simulate(tmp_path / "c.db", plan)
    assert done.judgments == 24
    from corrigenda.judge.overview import overview
    from corrigenda.judge.store import CampaignStore

    store = CampaignStore.open(tmp_path / "c.db")
    found = overview(store)
    store.close()
    assert [system.name for system in found.bradley_terry] == ["SYS0", "SYS1", "SYS2", "SYS3"]
    assert [system.name for system in found.expected_wins] == ["SYS0", "SYS1", "SYS2", "SYS3"]
    assert found.failed_controls == ()
    assert sum(each.controls for each in found.judges) > 0


def test_guessing_judges_separate_nobody(tmp_path: Path) -> None:
    found = standing_of(no_difference(0))
    assert found is not None
    assert sum(each.apart for each in found.neighbours) <= 1


def no_difference(seed: int) -> Judgments:
    from corrigenda.judgments import RankedOutput, Ranking

    generator = np.random.default_rng(seed)
    return Judgments(
        tuple(
            Ranking(
                str(number),
                "j",
                tuple(
                    RankedOutput((name,), int(place) + 1)
                    for name, place in zip(SYSTEMS[:4], generator.permutation(4), strict=True)
                ),
            )
            for number in range(80)
        )
    )


@pytest.mark.skipif(
    not FULL, reason="minutes: set CORRIGENDA_FULL=1; docs/judging.md has the curve"
)
def test_adaptive_items_save_judgments() -> None:
    """Judgments until all neighbours are apart: at most 70 % of the balanced design's."""
    step, most = 40, 2000
    means = {
        assign: np.mean(
            [step * len(separated(assign, seed, most=most, step=step)) for seed in range(12)]
        )
        for assign in ("balanced", "adaptive")
    }
    print(means)
    assert means["adaptive"] <= 0.7 * means["balanced"]


def test_adaptive_items_aim_at_uncertain_neighbours() -> None:
    """After the same judgments, the next item compares the widest open neighbours."""
    campaign = Campaign("adaptive", 1)
    for _ in range(60):
        campaign.judge(None)
    standing = campaign.standing()
    assert standing is not None
    target = standing.uncertain()[0]
    campaign._generator = np.random.default_rng(3)
    before = len(campaign._rankings)
    while True:
        campaign.judge(standing)
        latest = campaign._rankings[-1]
        if {output.systems[0] for output in latest.outputs} == {target.better, target.worse}:
            break
        assert len(campaign._rankings) < before + 8, "three of four items are adaptive"


def test_more_outputs_compare_the_other_open_neighbours() -> None:
    outputs = {1: frozenset("A"), 2: frozenset("BC"), 3: frozenset("D"), 4: frozenset("E")}
    weights = {frozenset("AB"): 2.0, frozenset("DE"): 1.0, frozenset("CD"): 0.5}
    assert chosen_outputs(outputs, ("A", "B"), weights, 2) == [1, 2]
    assert chosen_outputs(outputs, ("A", "B"), weights, 3) == [1, 2, 3]
    assert chosen_outputs(outputs, ("A", "B"), weights, 6) == [1, 2, 3, 4]


def test_close_outputs_are_tied() -> None:
    assert tied_ranks(np.array([1.0, 0.9, -1.0])) == [1, 1, 2]
    assert tied_ranks(np.array([-1.0, 0.0, 1.0])) == [3, 2, 1]
