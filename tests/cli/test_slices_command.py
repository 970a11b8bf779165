"""`corrigenda slices`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from corrigenda.cli import main
from corrigenda.data import SAMPLE

CORPUS = [
    "--gold",
    str(SAMPLE / "gold.m2"),
    "--hyps",
    str(SAMPLE / "eager.txt"),
    str(SAMPLE / "strong.txt"),
]


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    assert main(["slices", *arguments]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_a_table_of_slices_and_of_differences(capsys):
    out, _ = run(capsys, *CORPUS, "--by", "length", "type", "--metrics", "m2", "--resamples", "50")
    assert "where strong beats eager most, and least" in out
    assert "≤10" in out
    assert "ArtOrDet" in out
    assert "slices of fewer than 10 sentences were not tested: 17" in out
    assert "choice:frozen" in out


def test_json_holds_scores_and_tests(capsys):
    out, _ = run(
        capsys,
        *CORPUS,
        "--by",
        "edits",
        "--metrics",
        "green",
        "--resamples",
        "50",
        "--format",
        "json",
    )
    data = json.loads(out)
    assert {row["slice"] for row in data["slices"]} == {"0", "1", "2", "3–4", "5+"}
    assert {row["system"] for row in data["slices"]} == {"eager", "strong"}
    assert all(row["adjusted_p_value"] >= row["p_value"] - 1e-12 for row in data["differences"])
    assert {(row["system"], row["baseline"]) for row in data["differences"]} == {
        ("strong", "eager")
    }


def test_csv_has_a_row_for_each_slice_metric_and_system(capsys):
    out, _ = run(
        capsys,
        *CORPUS,
        "--by",
        "edits",
        "--metrics",
        "green",
        "m2",
        "--resamples",
        "0",
        "-f",
        "csv",
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 5 * 2 * 2


def test_a_single_system_has_nothing_to_be_tested_against(capsys):
    out, _ = run(capsys, *CORPUS[:4], "--metrics", "m2")
    assert "beats" not in out


def test_a_column_of_a_sidecar(capsys, tmp_path: Path):
    sidecar = tmp_path / "side.jsonl"
    sidecar.write_text("".join(json.dumps({"half": k < 30}) + "\n" for k in range(60)))
    out, _ = run(
        capsys, *CORPUS, "--by", "half", "--sidecar", str(sidecar), "--metrics", "m2", "-f", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["slice"], row["sentences"]) for row in rows[:2]] == [("no", "30"), ("yes", "30")]


def test_json_lines_bring_their_own_columns(capsys, tmp_path: Path):
    corpus = tmp_path / "corpus.jsonl"
    rows = [
        {"source": "a b", "references": ["a c"], "hypotheses": {"x": "a c"}, "level": level}
        for level in "AAB"
    ]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out, _ = run(capsys, "--jsonl", str(corpus), "--by", "level", "--metrics", "m2", "-f", "csv")
    assert [row["slice"] for row in csv.DictReader(io.StringIO(out))] == ["A", "B"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--by", "colour"], "cannot slice by 'colour'"),
        (["--bounds", "20", "10"], "do not rise"),
        (["--confidence", "2"], "--confidence is 2"),
        (["--resamples", "-1"], "--resamples is -1\n  It takes a whole number of 0 or more"),
        (["--top", "0"], "--top is 0\n  It takes a whole number of 1 or more"),
    ],
)
def test_what_cannot_be_done_is_said(capsys, arguments: list[str], problem: str):
    assert main(["slices", *CORPUS, *arguments]) in (1, 2)
    assert problem in capsys.readouterr().err
