"""One default number of resamples and one correction in all commands, and enough resamples."""

import json

import pytest
from program import output_of

from corrigenda.analysis.resolution import DEFAULT_RESAMPLES


def test_the_defaults_are_the_same_in_all_commands():
    for command in ("compare", "slices", "report"):
        text = " ".join(output_of(command, "--help").split())
        assert f"get them (default: {DEFAULT_RESAMPLES}" in text
        assert "Holm, or none (default: bh)" in text


@pytest.mark.slow
def test_the_pairs_of_conll_are_what_a_reader_expects(conll_folder):
    """IPN was in one cluster with CAMB, because 78 pairs need more than 1000 resamples."""
    systems = [conll_folder / "systems" / f"{name}.txt" for name in ("CAMB", "AMU", "IPN", "NTHU")]
    found = json.loads(
        output_of(
            "compare", *systems, "--gold", conll_folder / "official-2014.combined.m2", "--metrics",
            "m2", "--pairs", "--correction", "holm", "--format", "json",
        )
    )["pairs"][0]  # fmt: skip
    cluster = {entry["system"]: entry["cluster"] for entry in found["systems"]}
    assert cluster["IPN"] > cluster["NTHU"] > cluster["CAMB"] == 1
    assert "|resamples:2400|" in found["signature"]


@pytest.mark.slow
def test_ratings_are_ranked(tmp_path):
    pytest.importorskip("scipy")
    path = tmp_path / "ratings.csv"
    rows = [
        f"{sentence},{judge},{system},{value + sentence % 3}"
        for sentence in range(12)
        for judge, shift in (("x", 0), ("y", 50))
        for system, value in (("good", 9 + shift), ("poor", 4 + shift))
    ]
    path.write_text("\n".join(["sentence,judge,system,score", *rows]) + "\n")
    text = output_of("rank", path, "--ratings")
    assert "48 ratings of 12 sentences by 2 judges" in text
    found = json.loads(output_of("rank", path, "--ratings", "--format", "json"))
    assert [entry["cluster"] for entry in found["systems"]] == [1, 2]
    assert output_of("rank", path, "--ratings", "--format", "csv").startswith("system,score,raw")


def test_power_is_printed_where_it_is_asked_for():
    from program import GOLD, system

    text = output_of(
        "compare", system("cautious"), system("eager"), "--gold", GOLD, "-m", "green", "--power"
    )
    assert "sentences needed" in text
    rows = json.loads(
        output_of(
            "compare", system("cautious"), system("eager"), "--gold", GOLD, "-m", "green",
            "--power", "--format", "json",
        )
    )["comparisons"]  # fmt: skip
    assert rows[0]["power"]["needed"] > 60
    assert "to tell neighbours apart" in output_of("rank", "sample", "--power")


def test_runs_of_one_system_and_the_ceiling():
    from program import GOLD, system

    runs = f"ours={system('strong')},{system('eager')}"
    text = output_of("score", "--gold", GOLD, "--hyps", runs, "-m", "green", "m2", "--ceiling")
    assert "mean ± standard deviation over runs" in text
    assert "human ceiling" in text
    data = json.loads(
        output_of(
            "score", "--gold", GOLD, "--hyps", runs, "-m", "green", "--ceiling", "--format", "json"
        )
    )
    assert len(data["runs"][0]["scores"]) == 2
    assert 0 < data["ceiling"][0]["human"] < 1
    found = json.loads(
        output_of(
            "compare", system("cautious"), runs, "--gold", GOLD, "-m", "green", "--format", "json"
        )
    )["runs"]
    assert found[0]["system"]["system"] == "ours"
    assert "runs and sentences are both resampled" in " ".join(
        output_of("compare", system("cautious"), runs, "--gold", GOLD, "-m", "green").split()
    )
