"""Human rankings equal the published ones: Expected Wins, TrueSkill and agreement."""

import json

import numpy as np
import pytest

from corrigenda.formats import judgments as judgments_format
from corrigenda.human import bootstrap
from corrigenda.human.agreement import agreement
from corrigenda.human.expected_wins import expected_wins
from corrigenda.human.ranking import rank
from public_data import full

FILES = {
    "conll": "conll14/judgments.xml",
    "sent": "seeda/judgments_sent.xml",
    "edit": "seeda/judgments_edit.xml",
}
PUBLISHED_TRUESKILL_ORDER = [
    "AMU", "CAMB", "RAC", "CUUI", "POST", "PKU", "UMC",
    "UFC", "IITB", "INPUT", "SJTU", "NTHU", "IPN",
]  # fmt: skip


@pytest.fixture(scope="module")
def expected(golden):
    return json.loads((golden / "human.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=FILES)
def judged(request, shared):
    return request.param, judgments_format.read(shared / "data" / FILES[request.param])


def test_expected_wins_are_exactly_the_golden_ones(judged, expected):
    kind, judgments = judged
    pairs, wanted = judgments.pairs, expected["expected_wins"][kind]
    assert (len(pairs), pairs.ties) == (wanted["n_pairs"], wanted["n_ties"])
    assert (
        dict(zip(pairs.systems, expected_wins(pairs.wins()).tolist(), strict=True))
        == wanted["EW_exact"]
    )
    wins = [[wanted["wins_matrix"][i][j] for j in pairs.systems] for i in pairs.systems]
    assert pairs.wins().tolist() == wins


def test_the_printed_scores_of_conll(shared):
    scores = rank(judgments_format.read(shared / "data" / FILES["conll"])).scores()
    assert [f"{scores[name]:.3f}" for name in ("AMU", "INPUT", "IPN")] == [
        "0.628",
        "0.456",
        "0.300",
    ]


@pytest.mark.parametrize("kind", ["sent", "edit"])
def test_seeda_is_published_as_means_of_resamples(shared, expected, kind):
    """The paper prints means over resamples, random in the third digit.

    Most equal ours, and no difference is larger than .001.
    """
    wanted = expected["expected_wins"][kind]
    scores = rank(judgments_format.read(shared / "data" / FILES[kind])).scores()
    published = wanted["published_EW"]
    differences = [abs(round(scores[name], 3) - published[name]) for name in published]
    assert sum(difference < 1e-9 for difference in differences) >= 10
    assert max(differences) < 0.001 + 1e-9
    ours = sorted(scores, key=lambda name: -scores[name])
    assert ours == sorted(published, key=lambda name: -published[name])


def test_bootstrap_over_pairs_has_the_golden_spread(judged, expected):
    kind, judgments = judged
    drawn = expected_wins(
        bootstrap.resampled_outcomes(judgments.pairs, 1000, "pairs", seed=0)[..., 0]
    )
    wanted = expected["expected_wins"][kind]["bootstrap_sd"]
    assert drawn.std(axis=0) == pytest.approx(
        [wanted[name] for name in judgments.pairs.systems], rel=0.12
    )


def test_clusters_of_conll_over_pairs_are_the_published_ones(shared):
    found = rank(
        judgments_format.read(shared / "data" / FILES["conll"]), resamples=1000, unit="pairs"
    )
    clusters = {system.name: system.cluster for system in found.systems}
    assert [name for name in clusters if clusters[name] == 1] == ["AMU"]
    assert {name for name in clusters if clusters[name] == 2} == {"RAC", "CAMB", "CUUI", "POST"}
    assert [name for name in clusters if clusters[name] == 4] == ["IPN"]


def test_agreement_of_conll_is_the_published_one(shared):
    """Grundkiewicz et al. (2015) print κ .29 between and .46 within judges."""
    report = agreement(judgments_format.read(shared / "data" / FILES["conll"]))
    assert round(report.mean("between"), 2) == 0.29
    assert report.mean("within") == pytest.approx(0.46, abs=0.006)


@full
def test_trueskill_ranks_are_the_published_ones(judged, expected):
    pytest.importorskip("scipy")
    kind, judgments = judged
    scores = rank(judgments, "trueskill", resamples=0, runs=20).scores()
    wanted = expected["trueskill"][kind]
    # The golden run is the mean of 10 repetitions with a spread of about .01 to .02 each.
    assert max(abs(scores[name] - wanted["mean_mu"][name]) for name in scores) < 0.02
    order = sorted(scores, key=lambda name: -scores[name])
    published = wanted.get(
        "published", {name: -place for place, name in enumerate(PUBLISHED_TRUESKILL_ORDER)}
    )
    for ours, theirs in zip(
        order, sorted(published, key=lambda name: -published[name]), strict=True
    ):
        # Where ranks differ, the two systems are nearer to each other than the repetitions are.
        assert ours == theirs or abs(published[ours] - published[theirs]) <= 0.0075
    if kind == "conll":
        assert order == PUBLISHED_TRUESKILL_ORDER


def test_napoles_in_both_formats(shared):
    folder = shared / "data" / "napoles15"
    xml, csv = (
        judgments_format.read(folder / f"all_judgments.{suffix}") for suffix in ("xml", "csv")
    )
    native = xml.without_judges(["non-native"])
    assert len(csv.pairs) == len(native.pairs) == 28_146
    assert xml.skipped == 78
    assert (csv.pairs.wins() == native.pairs.wins()).all()
    assert (csv.pairs.tied() == native.pairs.tied()).all()
    assert np.array_equal(rank(csv).pairs.systems, native.systems)
    for unit in ("sentences", "judges+sentences"):
        of_xml, of_csv = (rank(each, resamples=50, unit=unit) for each in (native, csv))
        assert of_xml.systems == of_csv.systems


def test_the_spread_grows_with_the_unit(shared):
    """Computed independently: .0064 by pairs, .0133 by rankings, .0217 by sentences."""
    pairs = judgments_format.read(shared / "data" / FILES["conll"]).pairs
    spread = {
        unit: expected_wins(bootstrap.resampled_outcomes(pairs, 500, unit, seed=0)[..., 0])
        .std(axis=0)
        .mean()
        for unit in bootstrap.UNITS
    }
    assert spread["pairs"] == pytest.approx(0.0064, rel=0.05)
    assert spread["rankings"] == pytest.approx(0.0133, rel=0.05)
    assert spread["sentences"] == pytest.approx(0.0217, rel=0.05)
    assert spread["judges+sentences"] > spread["sentences"]
