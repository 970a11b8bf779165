"""`corrigenda judge` as people run it: from sources and outputs to a ranking and its exports."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from program import GOLD, REFS, SOURCE, output_of, run, system

from corrigenda import cli
from corrigenda.formats import campaign as campaign_format
from corrigenda.formats import judgments as judgments_format
from corrigenda.formats.campaign_schema import SCHEMA_VERSION
from corrigenda.judge import backup

SYSTEMS = [system(name) for name in ("strong", "cautious", "eager", "unchanged")]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that made-up judges have played."""
    path = tmp_path_factory.mktemp("judge") / "c.db"
    printed = output_of("judge", "new", path, "--source", SOURCE, "--hyps", *SYSTEMS, "--overlap",
                        "0.3", "--controls", "0.1")  # fmt: skip
    assert re.search(r"\d+ items for \d+ judgments", printed)
    assert re.search(r"/o/[\w-]{43}", printed)
    printed = output_of("judge", "simulate", path, "--judges", "3", "--judgments", "45")
    assert "45 judgments by 3 made-up judges over HTTP" in printed
    return path


def ranking(*arguments: str | Path) -> dict:
    found = json.loads(output_of("rank", *arguments, "--format", "json", "--bootstrap", "50"))
    found.pop("skipped")
    return found


@pytest.mark.parametrize(
    ("style", "suffix"), [("appraise", "xml"), ("appraise-wmt", "xml"), ("jsonl", "jsonl")]
)
@pytest.mark.parametrize("method", ["expected-wins", "bradley-terry"])
def test_an_export_gives_the_same_ranking(
    campaign: Path, tmp_path: Path, style: str, suffix: str, method: str
) -> None:
    path = tmp_path / f"judgments.{suffix}"
    assert output_of("judge", "export", campaign, "--format", style, "--out", path) == ""
    assert ranking(path, "--method", method) == ranking(campaign, "--method", method)


@pytest.mark.parametrize("style", ["appraise", "appraise-wmt", "csv", "jsonl"])
def test_a_system_that_would_be_read_as_two_is_not_exported(
    campaign: Path, tmp_path: Path, style: str
) -> None:
    """Campaigns of earlier versions may have such names."""
    older, path = tmp_path / "older.db", tmp_path / "judgments"
    shutil.copy(campaign, older)
    with closing(sqlite3.connect(older)) as connection, connection:
        connection.execute("UPDATE system SET name = 'a\u3000b' WHERE name = 'strong'")
    finished = run("judge", "export", older, "--format", style, "--out", path)
    assert finished.returncode == 1
    assert "a blank or a comma in its name" in finished.stderr
    assert not path.exists()


def test_a_backup_is_restored(campaign: Path, tmp_path: Path) -> None:
    engine = campaign_format.engine_of(campaign)
    lines = tmp_path / "c.backup.jsonl"
    lines.write_text("\n".join(backup._lines(engine, SCHEMA_VERSION)))
    engine.dispose()
    printed = output_of("judge", "restore", lines, tmp_path / "new.db")
    old, new = (judgments_format.read(path) for path in (campaign, tmp_path / "new.db"))
    assert printed == f"{tmp_path / 'new.db'}: {len(old)} judgments that count\n"
    assert [each.ranks() for each in new.rankings] == [each.ranks() for each in old.rankings]


def test_pairs_in_csv_give_the_same_scores(campaign: Path, tmp_path: Path) -> None:
    """A row is a pair, so there are more rankings; scores and counts of pairs are the same."""
    path = tmp_path / "judgments.csv"
    output_of("judge", "export", campaign, "--format", "csv", "--out", path)
    header = path.read_text().splitlines()[0]
    assert header == "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank"
    one, other = (
        ranking(path, "--resample", "sentences"), ranking(campaign, "--resample", "sentences")
    )  # fmt: skip
    for key in ("pairs", "decided", "ties", "systems", "head_to_head", "judges"):
        assert one[key] == other[key], key


def test_json_lines_hold_everything(campaign: Path) -> None:
    printed = output_of("judge", "export", campaign, "--format", "jsonl")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert len(rows) == 45
    kinds = {row["kind"] for row in rows}
    assert kinds == {"main", "repeat", "control"}
    for row in rows:
        assert len(row["shown"]) == len(row["answer"]["ranks"])
        assert row["milliseconds"] >= 0
        assert (row["ranks"] == {}) == (row["kind"] == "control") == ("control" in row)
        if row["kind"] == "control":
            assert row["shown"][row["control"]["broken"]] == []


def test_meta_and_report_read_a_campaign(campaign: Path, tmp_path: Path) -> None:
    corpus = ["--gold", GOLD, "--hyps", *SYSTEMS]
    found = json.loads(
        output_of(
            "meta", *corpus, "--judgments", campaign, "--metrics", "green", "--format", "json"
        )
    )
    assert found
    page = tmp_path / "report.html"
    run("report", *corpus, "--judgments", campaign, "--metrics", "green", "--out", page)
    assert "Expected Wins" in page.read_text()


def test_status_in_words_and_as_json(campaign: Path) -> None:
    words = output_of("judge", "status", campaign)
    assert "45 judgments" in words
    assert "simulated1" in words
    found = json.loads(output_of("judge", "status", campaign, "--format", "json"))
    assert found["judgments"] == 45
    assert len(found["neighbours"]) == 3
    assert {each["name"] for each in found["judges"]} == {f"simulated{n}" for n in (1, 2, 3)}


def test_invite_renew_forget(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    output_of("judge", "new", path, "--source", SOURCE, "--refs", *REFS, "--hyps", *SYSTEMS[:2],
              "--mode", "pair", "--include", "source", "reference")  # fmt: skip
    printed = output_of("judge", "invite", path, "anna", "ben", "--url", "https://j.example/x/")
    links = dict(line.split("\t") for line in printed.splitlines())
    assert list(links) == ["anna", "ben"]
    assert re.fullmatch(r"https://j\.example/x/j/[\w-]{43}", links["anna"])
    assert run("judge", "invite", path, "anna").returncode == 1
    assert output_of("judge", "invite", path, "anna", "--renew") != printed
    assert "judge3\t" in output_of("judge", "invite", path)
    both = output_of("judge", "invite", path, "--open", "--organiser")
    assert "/open/" in both
    assert "/o/" in both
    assert output_of("judge", "forget", path, "anna") == "anna is now forgotten-1\n"
    finished = run("judge", "forget", path, "anna")
    assert finished.returncode == 1
    assert "The judges are: ben, forgotten-1, judge3" in finished.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["new", "c.db", "--source", SOURCE, "--hyps", SYSTEMS[0]], "only one system"),
        (["new", "c.db", "--source", SOURCE], "no system"),
        (["new", "c.db", "--source", SOURCE, "--hyps", *SYSTEMS, "--candidates", "9"], "2 to 6"),
        (["new", "c.db", "--source", SOURCE, "--hyps", *SYSTEMS, "--strata", "x"], "no such column"),
        (["new", "c.db", "--source", SOURCE, "--hyps", *SYSTEMS, "--max-words", "1"], "no sentence"),
        (["new", "c.db", "--source", SOURCE, "--hyps", *SYSTEMS, "--include", "reference"],
         "needs references"),
        (["new", "no/c.db", "--source", SOURCE, "--hyps", *SYSTEMS], "does not exist"),
        (["serve", "none.db"], "no such campaign"),
        (["status", SOURCE], "cannot use the campaign"),
        (["export", "none.db"], "no such campaign"),
        (["status", "postgresql://nobody@127.0.0.1:1/none"], "cannot use the campaign"),
    ],
)  # fmt: skip
def test_mistakes_are_said_with_a_remedy(
    tmp_path: Path, arguments: list[str], problem: str
) -> None:
    finished = run("judge", *arguments, folder=tmp_path)
    assert finished.returncode in (1, 2)
    assert problem in finished.stderr
    assert "Traceback" not in finished.stderr
    assert list(tmp_path.iterdir()) == []


def test_made_up_judges_have_a_limit(tmp_path: Path) -> None:
    for option in ("--judges", "--parallel"):
        finished = run("judge", "simulate", "c.db", option, "2147483648", folder=tmp_path)
        assert finished.returncode == 2
        assert "at most 1,000" in finished.stderr


def test_a_file_of_sentences_and_strata(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("0\n5\n7\n")
    rows = [json.dumps({"level": "AB"[number % 2]}) for number in range(60)]
    (tmp_path / "side.jsonl").write_text("\n".join(rows) + "\n")
    printed = output_of(
        "judge", "new", "c.db", "--source", SOURCE, "--hyps", *SYSTEMS, "--sentences", "list.txt",
        "--sidecar", "side.jsonl", "--strata", "level", folder=tmp_path,
    )  # fmt: skip
    assert "c.db: 3 items" in printed
    (tmp_path / "list.txt").write_text("0\n60\n")
    finished = run("judge", "new", "d.db", "--source", SOURCE, "--hyps", *SYSTEMS, "--sentences",
                   "list.txt", folder=tmp_path)  # fmt: skip
    assert "list.txt:2: '60' is not a sentence" in finished.stderr
    (tmp_path / "list.txt").write_text("9" * 5000)
    finished = run("judge", "new", "d.db", "--source", SOURCE, "--hyps", *SYSTEMS, "--sentences",
                   "list.txt", folder=tmp_path)  # fmt: skip
    assert finished.returncode == 1
    assert "is not a sentence" in finished.stderr


def test_without_the_extra_the_message_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import importlib.util, sys; real = importlib.util.find_spec\n"
        "def missing(name, *rest): return None if name == 'sqlalchemy' else real(name, *rest)\n"
        "importlib.util.find_spec = missing\n"
        "from corrigenda.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    finished = run("judge", "status", tmp_path / "c.db", program=(sys.executable, "-c", code))
    assert finished.returncode == 1
    assert "pip install 'corrigenda[judge]'" in finished.stderr


@pytest.mark.parametrize(
    ("how", "codes"),
    [
        (signal.SIGINT, (0, 130)),
        (signal.SIGTERM, (128 + signal.SIGTERM,)),
        (signal.SIGHUP, (128 + signal.SIGHUP,)),
    ],
)
def test_demo_serves_the_sample_at_once(
    tmp_path: Path, how: signal.Signals, codes: tuple[int, ...]
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "corrigenda", "judge", "demo", "--port", "0"],
        stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # `nohup` ignores it
    )  # fmt: skip
    assert process.stdout is not None
    try:
        lines = []
        while len(lines) < 5:
            lines.append(process.stdout.readline())
        printed = "".join(lines)
        assert "Only this machine can reach it" in printed
        link = re.search(r"Judge here: +(\S+)", printed)
        assert link is not None
        with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(
            link[1]
        ) as page:
            assert b"The bundled sample" in page.read()
    finally:
        process.send_signal(how)
        assert process.wait(timeout=20) in codes
    assert list(tmp_path.iterdir()) == [], "the campaign of the demo is removed"


def test_a_place_where_no_database_can_be(capsys: pytest.CaptureFixture[str]) -> None:
    corpus = ["--source", SOURCE, "--hyps", system("strong"), system("eager")]
    assert cli.main(["judge", "new", "/proc/self/x.db", *corpus]) == 1
    assert "cannot use the campaign: unable to open database file" in capsys.readouterr().err
