"""`corrigenda report`, and the report of `corrigenda demo`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import GOLD, output_of, run, system

from corrigenda.cli import main
from corrigenda.data import SAMPLE

CORPUS = [
    "--gold",
    str(SAMPLE / "gold.m2"),
    "--hyps",
    str(SAMPLE / "eager.txt"),
    f"A&B={SAMPLE / 'strong.txt'}",
]
QUICK = ["--metrics", "green", "m2", "--resamples", "50"]


def test_a_report_is_written_and_said(tmp_path: Path, capsys):
    out = tmp_path / "report.html"
    assert main(["report", *CORPUS, *QUICK, "--title", "A <b>title</b>", "--out", str(out)]) == 0
    assert f"{out} (" in capsys.readouterr().out
    html = out.read_text(encoding="utf-8")
    assert "A \\u003cb\\u003etitle" in html
    assert "A\\u0026B" in html


def test_sidecar_human_scores_and_judgments(tmp_path: Path):
    sidecar, scores = tmp_path / "side.jsonl", tmp_path / "scores.tsv"
    sidecar.write_text("".join(json.dumps({"level": "AB"[k % 2]}) + "\n" for k in range(60)))
    scores.write_text("eager\t0.25\nA&B\t0.75\n")
    out = tmp_path / "report.html"
    arguments = ["report", *CORPUS, *QUICK, "--out", str(out), "--sidecar", str(sidecar)]
    assert main([*arguments, "--human", str(scores)]) == 0
    assert '"by":"level","labels":["A","B"]' in out.read_text(encoding="utf-8")
    assert '"human":{"name":"scores","scores":[0.25,0.75]}' in out.read_text(encoding="utf-8")
    assert main([*arguments, "--judgments", str(SAMPLE / "judgments.xml")]) == 0
    assert '"human":{"name":"Expected Wins","scores":[0.' in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "problem", "code"),
    [
        (["--extractor", "magic"], "no extractor 'magic'", 2),
        (["--resamples", "0"], "--resamples is 0\n  It takes a whole number of 1 or more", 2),
        (["--seed", "-1"], "--seed is -1", 2),
        (["--confidence", "95"], "--confidence is 95", 2),
        (["--out", "/nowhere/report.html"], "cannot write /nowhere/report.html: the folder", 1),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, monkeypatch, capsys, arguments, problem, code):
    monkeypatch.chdir(tmp_path)
    assert main(["report", *CORPUS, *QUICK, *arguments]) == code
    assert problem in capsys.readouterr().err


def test_no_system_is_a_usage_error(capsys):
    assert main(["report", *CORPUS[:2]]) == 2
    assert "no system" in capsys.readouterr().err


@pytest.mark.slow
def test_the_demo_writes_the_report_of_the_sample(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 0
    assert not list(tmp_path.iterdir())
    assert "corrigenda demo --report" in capsys.readouterr().out
    assert main(["demo", "--report", "sample.html"]) == 0
    assert "sample.html" in capsys.readouterr().out
    assert "The bundled sample" in (tmp_path / "sample.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_against_an_earlier_run(tmp_path):
    earlier, page = tmp_path / "may.json", tmp_path / "report.html"
    scores = output_of(
        "score", "--gold", GOLD, "--hyps", f"strong={system('cautious')}", "-m", "m2", "-f", "json"
    )
    earlier.write_text(scores, encoding="utf-8")
    arguments = ["--gold", GOLD, "--hyps", system("strong"), "-m", "m2", "--resamples", "20"]
    output_of("report", *arguments, "--against", earlier, "--out", page)
    assert "Since may, by m2: strong +21.18." in page.read_text(encoding="utf-8")
    data = json.loads(scores)
    earlier.write_text(json.dumps({**data, "results": 2 * data["results"]}), encoding="utf-8")
    finished = run("report", *arguments, "--against", earlier, "--out", page)
    assert finished.returncode == 1
    assert "'strong' has two scores by 'm2' ('corpus' level)" in finished.stderr
    finished = run("report", *arguments, "--against", GOLD, "--out", page)
    assert finished.returncode == 1
    assert "score --format json" in finished.stderr
