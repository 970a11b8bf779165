"""The benchmark suite as a smoke test: everything runs and is written down; no time is asserted."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from public_data import full

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

BROKEN = """
from measuring import Row, Time
def run(quick):
    return [Row("something", Time(1.0, 1.0))]
def growth(quick):
    raise ValueError("no such luck")
"""
KILLED = """
import os
def run(quick):
    os._exit(9)
"""
PEERLESS = """
from measuring import Row, Time, if_installed
def run(quick):
    peer = if_installed("no_such_module", lambda: Time(2.0, 2.0))
    return [Row("alone", Time(1.0, 1.0), peer, "nobody", package="no-such-package")]
"""
NEEDY = """
def run(quick):
    import no_such_module
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The suite beside benchmarks that go wrong in every way."""
    folder = tmp_path_factory.mktemp("suite") / "benchmarks"
    shutil.copytree(BENCHMARKS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in {
        "broken": BROKEN,
        "killed": KILLED,
        "peerless": PEERLESS,
        "needy": NEEDY,
    }.items():
        (folder / f"bench_{name}.py").write_text(text, encoding="utf-8")
    return folder


def run(suite: Path, out: Path, *names: str) -> tuple[subprocess.CompletedProcess[str], dict]:
    command = [
        sys.executable,
        str(suite / "run.py"),
        "--quick",
        "--out",
        str(out),
        "--only",
        *names,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return done, json.loads((out / "results.json").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_a_failure_is_reported_and_does_not_stop_the_others(suite, tmp_path):
    done, results = run(suite, tmp_path, "broken", "killed", "needy", "peerless")
    assert done.returncode == 1
    found = {benchmark["name"]: benchmark for benchmark in results["benchmarks"]}
    assert found["broken"]["problem"] == "failed: ValueError: no such luck"
    assert [row["what"] for row in found["broken"]["rows"]] == ["something"]
    assert found["killed"]["problem"].startswith("ended with code 9")
    assert "not installed" in found["needy"]["problem"]
    assert "no_such_module" in found["needy"]["problem"]
    assert found["peerless"]["problem"] == ""
    assert found["peerless"]["rows"][0]["peer_version"] is None
    table = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert table in done.stdout
    assert "nobody (not installed)" in table
    assert "**killed**" in table


@pytest.mark.slow
def test_a_missing_program_is_not_a_failure(suite, tmp_path):
    done, _ = run(suite, tmp_path, "needy", "peerless")
    assert done.returncode == 0


@full
@pytest.mark.slow
def test_every_benchmark_that_can_run_here_does(suite, tmp_path):
    """Benchmarks with slow peers are left out. A peer that is not installed is reported."""
    names = ["analysis", "bleu", "green", "gleu", "m2", "imeasure", "million", "reward"]
    done, results = run(suite, tmp_path, *names)
    assert done.returncode == 0, done.stderr
    assert [benchmark["name"] for benchmark in results["benchmarks"]] == names
    for benchmark in results["benchmarks"]:
        assert benchmark["problem"] == ""
        assert benchmark["rows"] or benchmark["series"]
    assert {"processor", "cores", "memory_gib", "system", "python"} <= set(results["machine"])
    assert {"corrigenda", "numpy"} <= set(results["versions"])
    if importlib.util.find_spec("sacrebleu"):
        bleu = results["benchmarks"][1]["rows"][0]
        assert bleu["peer_version"]
        assert bleu["ratio"]["clock"] > 0
    series = [one for benchmark in results["benchmarks"] for one in benchmark["series"]]
    assert {one["unit"] for one in series} == {"words", "mixed references", "sentences"}
    if importlib.util.find_spec("matplotlib"):
        for kind in ("svg", "png"):
            plots = list(tmp_path.glob(f"growth-*.{kind}"))
            assert len(plots) == len({one["title"] for one in series})
            assert all(plot.stat().st_size > 1000 for plot in plots)
