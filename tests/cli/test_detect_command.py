"""`corrigenda detect` as users run it."""

from __future__ import annotations

import json

import pytest
from program import GOLD, output_of, run, system


@pytest.mark.slow
def test_the_default_is_the_first_suspect() -> None:
    (result,) = json.loads(
        output_of("score", "--gold", GOLD, "--hyps", system("eager"), "-m", "m2", "-f", "json")
    )["results"]
    number = f"{100 * result['score']:.2f}"
    found = output_of("detect", number, "--gold", GOLD, "--hyps", system("eager"), "-m", "m2")
    first = found.splitlines()[2].split()
    assert first[:3] == ["m2", "corpus", "score"]
    assert f"values compared with {number}" in found
    rows = output_of(
        "detect", number, "--gold", GOLD, "--hyps", system("eager"), "-m", "m2", "-f", "csv"
    )
    assert rows.splitlines()[1].startswith("eager,m2,corpus,as given,score,")


@pytest.mark.slow
def test_nothing_is_found() -> None:
    finished = run(
        "detect", "99.9999", "--gold", GOLD, "--hyps", system("eager"), "-m", "m2:beta=1"
    )
    assert finished.returncode == 1
    assert "the closest are" in finished.stdout
    assert "no setting that was tried gives 99.9999" in finished.stderr
    finished = run("detect", "many", "--gold", GOLD, "--hyps", system("eager"))
    assert finished.returncode == 2
    assert "Write it as printed" in finished.stderr


def test_no_service_is_asked_unless_it_is_named() -> None:
    from corrigenda.cli.detect import _searched

    searched = _searched()
    assert {"green", "gleu", "m2", "errant"} <= {each.name for each in searched}
    assert not [each.name for each in searched if each.needs_service or each.needs_all_systems]
