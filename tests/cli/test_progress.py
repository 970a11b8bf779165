"""Long work says which system and metric it is at, and how many of how many are done."""

from __future__ import annotations

import pytest
from program import GOLD, system

from corrigenda.cli import main, progress_bar

THREE = [system(name) for name in ("strong", "eager", "cautious")]
CORPUS = ["--gold", GOLD, "--hyps", *THREE, "-m", "m2"]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """What a log would hold if it had a line for each report."""
    monkeypatch.setattr(progress_bar, "SECONDS_BETWEEN_LINES", -1)

    def run(*arguments: str) -> list[str]:
        assert main(list(arguments)) == 0
        return [line.rsplit(", ", 2)[0] for line in capsys.readouterr().err.splitlines()]

    return run


def test_scores_and_intervals(said):
    lines = said("score", *CORPUS, "--bootstrap", "10")
    assert "corrigenda: scores: 1 of 3 (eager, m2)" in lines
    assert "corrigenda: intervals: 1 of 3 (eager, m2)" in lines


def test_systems_against_the_baseline(said):
    lines = said("compare", *CORPUS, "--resamples", "10")
    assert "corrigenda: exchanges: 640 of 800 (m2)" in lines


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_pairs(said, test):
    lines = said("compare", *CORPUS, "--resamples", "10", "--pairs", "--test", test)
    made = "exchanges: 640" if test == "permutation" else "resamples: 0"
    assert f"corrigenda: {made} of 1,200 (m2)" in lines


def test_slices(said):
    lines = said("slices", *CORPUS, "--resamples", "10")
    assert "corrigenda: slices: 3 of 4 (cautious, m2, length: 11–20)" in lines


@pytest.mark.slow
def test_the_report_resamples_by_each_metric(said, tmp_path):
    page = str(tmp_path / "report.html")
    lines = said("report", *CORPUS, "gleu", "--resamples", "10", "--out", page)
    assert "corrigenda: resamples: 0 of 10 (m2)" in lines
    assert "corrigenda: resamples: 0 of 10 (gleu)" in lines


def test_a_log_of_quick_work_is_empty(capsys):
    assert main(["score", *CORPUS, "--bootstrap", "10"]) == 0
    assert capsys.readouterr().err == ""
