"""`corrigenda bulk` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from program import REFS, SOURCE, run, system

from bulk_tables import made_up_rows, scores, totals, write_jsonl, write_parquet, write_text


def bulk(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run("bulk", *arguments)


@pytest.mark.slow
def test_the_sample_equals_score(tmp_path: Path) -> None:
    hypothesis = system("strong")
    text = ["--source", SOURCE, "--refs", *REFS, "--hyps", hypothesis]
    done = bulk(*text, "--output", tmp_path / "out", "--metrics", "green", "m2", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert "60 rows, " in done.stderr
    assert "per second" in done.stderr
    assert f"60 rows scored; their scores are in {tmp_path / 'out'}/scores" in done.stdout
    assert "m2|beta:0.5" in done.stdout
    for level in ("corpus", "sentence"):
        plain = run(
            "score", *text, "--metrics", "green", "m2", "--format", "json", "--level", level
        )
        for result in json.loads(plain.stdout)["results"]:
            result["system"] = "hypothesis"
            assert result in totals(tmp_path / "out")


@pytest.mark.slow
def test_columns_keys_counts_and_rejected_rows(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "src": "a b", "hyp": "a c", "ref0": "a c", "ref1": "a d"},
        {"id": 8, "src": "a b", "hyp": None, "ref0": "a c", "ref1": "a d"},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = bulk(
        tmp_path / "rows.jsonl", "--columns", "source=src,hypothesis=hyp,references=ref0+ref1",
        "--key", "id", "--counts", "--output", tmp_path / "out", "--metrics", "m2:beta=1",
        "--workers", "0",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "1 row rejected" in done.stdout
    assert "row 1: there is no hypothesis" in done.stdout
    assert scores(tmp_path / "out") == {
        "file": [str(tmp_path / "rows.jsonl")] * 2,
        "row": [0, 1],
        "id": ["7", "8"],
        "m2:beta=1": [1.0, None],
        "m2:beta=1.correct": [1, None],
        "m2:beta=1.proposed": [1, None],
        "m2:beta=1.gold": [1, None],
    }


@pytest.mark.slow
def test_parallel_text_by_its_beginning_and_a_url(tmp_path: Path) -> None:
    rows = made_up_rows(30)
    write_text(rows, tmp_path, "a")
    write_parquet(rows, tmp_path / "b.parquet")
    columns = ["--columns", "source=src,hypothesis=hyp,references=ref0+ref1"]
    text = bulk(
        tmp_path / "a", *columns, "--output", tmp_path / "1", "--metrics", "green", "--workers", "0"
    )
    assert text.returncode == 0, text.stderr
    url = bulk(
        f"file://{tmp_path}/b.parquet",
        "--output",
        f"file://{tmp_path}/2",
        "--metrics",
        "green",
        "--workers",
        "0",
    )
    assert url.returncode == 0, url.stderr
    assert totals(tmp_path / "1") == totals(tmp_path / "2")
    assert scores(tmp_path / "2")["file"][0] == f"file://{tmp_path}/b.parquet"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([], "exactly one way"),
        (["x.jsonl", "--source", "y"], "exactly one way"),
        (["--source", "y"], "--hyps is missing"),
        (["x.jsonl", "--workers", "-1"], "--workers is -1"),
        (["x.jsonl", "--workers", "1000000"], "--workers is 1000000"),
        (["x.jsonl", "--max-errors", "-1"], "--max-errors is -1"),
        (
            ["x.jsonl", "--workers", "1", "--scheduler", "tcp://h:1"],
            "--workers does not go with --scheduler",
        ),
        (["x.jsonl", "--columns", "hyp"], "does not name a column"),
        (["x.jsonl"], "x.jsonl: there is no such file"),
    ],
)
def test_options_that_make_no_sense(options: list[str], problem: str, tmp_path: Path) -> None:
    done = bulk(*options, "--output", tmp_path / "out", "--metrics", "green")
    assert done.returncode != 0
    assert problem in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_text_without_references_for_a_metric_that_needs_them(tmp_path: Path) -> None:
    done = bulk(
        "--source", SOURCE, "--hyps", system("strong"), "--output", tmp_path / "out",
        "--metrics", "m2", "--workers", "0",
    )  # fmt: skip
    assert done.returncode == 2
    assert "m2 needs references, but no file of references is given" in done.stderr
    assert "--refs FILE" in done.stderr


@pytest.mark.slow
def test_max_errors(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(
        "{}\n{}\n" + json.dumps({"source": "a", "hypothesis": "a", "references": "a"})
    )
    done = bulk(
        tmp_path / "rows.jsonl", "--output", tmp_path / "out", "--metrics", "green",
        "--workers", "0", "--max-errors", "1",
    )  # fmt: skip
    assert done.returncode == 1
    assert "2 rows were rejected, but --max-errors is 1" in done.stderr


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Path]:
    """A scheduler and two workers, each a process of its own; one worker has two threads."""
    file = tmp_path / "cluster.json"
    dask = [sys.executable, "-m", "dask"]
    commands = [
        [*dask, "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)],
        [*dask, "worker", "--scheduler-file", str(file), "--no-dashboard", "--nthreads", "1"],
        [*dask, "worker", "--scheduler-file", str(file), "--no-dashboard", "--nthreads", "2"],
    ]
    processes = []
    for command in commands:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        processes.append(subprocess.Popen(command, cwd=tmp_path, **quiet))
        while not file.exists():
            assert processes[0].poll() is None
            time.sleep(0.05)
    yield file
    for process in reversed(processes):
        process.kill()
    for process in processes:
        process.wait(30)


@pytest.mark.slow
def test_a_cluster_started_by_hand(cluster: Path, tmp_path: Path) -> None:
    write_jsonl(made_up_rows(400), tmp_path / "rows.jsonl")
    common = ["--metrics", "green", "m2", "imeasure", "--partition-rows", "50"]
    here = bulk(tmp_path / "rows.jsonl", *common, "--output", tmp_path / "here", "--workers", "0")
    there = bulk(
        tmp_path / "rows.jsonl",
        *common,
        "--output",
        tmp_path / "there",
        "--scheduler",
        str(cluster),
    )
    assert (here.returncode, there.returncode) == (0, 0), here.stderr + there.stderr
    assert totals(tmp_path / "here") == totals(tmp_path / "there")
    assert scores(tmp_path / "here") == scores(tmp_path / "there")
