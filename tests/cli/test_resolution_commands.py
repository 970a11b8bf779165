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
