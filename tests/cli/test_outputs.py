"""An output never overwrites an input, and what cannot be written is refused before the work."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from program import run

from corrigenda.cli import main, outputs
from corrigenda.data import SAMPLE
from corrigenda.errors import CorrigendaError, UsageError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sample to spoil."""
    for name in ("gold.m2", "source.txt", "ref0.txt", "ref1.txt", "strong.txt", "judgments.xml"):
        shutil.copy(SAMPLE / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


CORPUS = ["--gold", "gold.m2", "--hyps", "strong.txt"]
TEXT = ["--source", "source.txt", "--refs", "ref0.txt"]
# The arguments without the output, the option of the output, the option of the input, the input.
COMMANDS: dict[str, tuple[list[str], str, str, str]] = {
    "report over the gold": (["report", *CORPUS], "--out", "--gold", "gold.m2"),
    "report over a system": (["report", *CORPUS], "--out", "--hyps", "strong.txt"),
    "report over a named system": (
        ["report", "--gold", "gold.m2", "--hyps", "x=strong.txt"], "--out", "--hyps", "strong.txt",
    ),
    "report over judgments": (
        ["report", *CORPUS, "--judgments", "judgments.xml"], "--out", "--judgments", "judgments.xml",
    ),
    "convert over the gold": (
        ["convert", "--gold", "gold.m2", "--to", "jsonl"], "--out", "--gold", "gold.m2",
    ),
    "convert over a reference": (
        ["convert", *TEXT, "--to", "m2"], "--out", "--refs", "ref0.txt",
    ),
    "edits over the gold": (["edits", *CORPUS], "--out", "--gold", "gold.m2"),
    "edits over a system": (
        ["edits", *CORPUS, "--format", "jsonl"], "--out", "--hyps", "strong.txt",
    ),
    "m2 merge": (["m2", "merge", "gold.m2", "gold.m2"], "--out", "FILE", "gold.m2"),
    "m2 apply": (["m2", "apply", "gold.m2"], "--out", "FILE", "gold.m2"),
}  # fmt: skip


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main([str(argument) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


def by_name(path: Path) -> Path:
    return path


def by_another_path(path: Path) -> Path:
    return Path("..") / path.parent.name / path.name


def by_symbolic_link(path: Path) -> Path:
    link = path.with_name("a-link")
    link.symlink_to(path)
    return link


def by_hard_link(path: Path) -> Path:
    link = path.with_name("a-hard-link")
    os.link(path, link)
    return link


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("way", [by_name, by_another_path, by_symbolic_link, by_hard_link])
def test_an_input_is_not_overwritten(folder: Path, capsys, name: str, way: Callable[[Path], Path]):
    arguments, option, given, file = COMMANDS[name]
    before = (folder / file).read_bytes()
    message = refused(capsys, *arguments, option, way(folder / file))
    assert (folder / file).read_bytes() == before
    assert f"{option} would overwrite" in message
    assert f"the file of {given}" in message


def test_text_files_of_a_folder_are_not_overwritten(folder: Path, capsys):
    """`ref0.txt` of the folder would become another text."""
    before = (folder / "source.txt").read_bytes()
    arguments = ["convert", "--source", "ref0.txt", "--refs", "source.txt", "--to", "text"]
    message = refused(capsys, *arguments, "--out", ".")
    assert "--out would overwrite ref0.txt, the file of --source" in message or (
        "--out would overwrite source.txt, the file of --refs" in message
    )
    assert (folder / "source.txt").read_bytes() == before


def test_the_edits_of_systems_do_not_overwrite_given_edits(folder: Path, capsys):
    shutil.copy("gold.m2", "other.m2")
    assert main(["edits", *CORPUS, "--out", "strong.m2"]) == 0
    before = (folder / "strong.m2").read_bytes()
    arguments = ["edits", "--gold", "gold.m2", "--hyps", "strong.m2", "eager=strong.txt"]
    message = refused(capsys, *arguments, "--out", ".")
    assert "--out would overwrite strong.m2, the file of --hyps" in message
    assert (folder / "strong.m2").read_bytes() == before
    assert not (folder / "eager.m2").exists()


@pytest.mark.parametrize("option", ["jsonl", "essays"])
def test_the_references_of_essays_are_not_overwritten(folder: Path, capsys, option: str):
    """The command names the source alone, and reads the references beside it."""
    essay = "### essay_id = 1\nHe goes home .\n"
    for name in ("orig.md", "ref1.md", "ref2.md"):
        (folder / name).write_text(essay + name)
    out = "ref2.md" if option == "jsonl" else "."
    arguments = ["convert", "--essays", "orig.md", "--to", option, "--out", out]
    message = refused(capsys, *arguments)
    assert "--out would overwrite" in message
    assert "the file of --essays" in message
    assert (folder / "ref2.md").read_text() == essay + "ref2.md"


def test_a_bundle_does_not_overwrite_the_files_of_metrics(folder: Path, capsys):
    (folder / "model").mkdir()
    (folder / "baseline.csv").write_text("")
    metric = "bertscore:model=model,baseline=baseline.csv"
    arguments = ["codabench", "--gold", "gold.m2", "-m", metric, "--out", "baseline.csv"]
    assert "the file of --metrics" in refused(capsys, *arguments)


def test_the_files_of_a_gate(folder: Path, capsys):
    gate = ["compare", "strong.txt", "ref0.txt", "--gold", "gold.m2", "--fail-if-worse"]
    message = refused(capsys, *gate, "--junit", "x", "--job-summary", "./x")
    assert "--junit and --job-summary name the same file" in message
    (folder / "model").mkdir()
    (folder / "baseline.csv").write_text("")
    metric = "bertscore:model=model,baseline=baseline.csv"
    message = refused(capsys, *gate, "-m", metric, "--job-summary", "baseline.csv")
    assert "the file of --metrics" in message


def test_the_log_of_a_database_is_not_overwritten(folder: Path, capsys):
    """A part of a campaign is in the file beside it."""
    (folder / "c.db-wal").write_text("judgments")
    message = refused(capsys, "judge", "export", "c.db", "--out", "c.db-wal")
    assert "--out would overwrite c.db-wal, the file of CAMPAIGN" in message
    assert (folder / "c.db-wal").read_text() == "judgments"


def test_a_folder_without_a_name(folder: Path, capsys):
    arguments = ["bulk", "--source", "source.txt", "--hyps", "strong.txt", "--refs", "ref0.txt"]
    assert "--output has no value" in refused(capsys, *arguments, "-m", "green", "--output", "")
    assert "--out has no value" in refused(capsys, "m2", "split", "gold.m2", "--out", "")
    assert not (folder / ".lock").exists()


@pytest.mark.parametrize(
    ("value", "message"), [("", "--out has no value"), ("x/", "--out names a folder: x/")]
)
def test_a_file_without_a_name(folder: Path, capsys, value: str, message: str):
    """Python's paths leave a slash at the end out, and take no name for the folder itself."""
    assert message in refused(capsys, "m2", "apply", "gold.m2", "--out", value)
    assert not (folder / "x").exists()


def test_split_does_not_overwrite_its_file(folder: Path, capsys):
    shutil.copy("gold.m2", "x.m2")
    (folder / "x.0.m2").hardlink_to("x.m2")
    message = refused(capsys, "m2", "split", "x.m2", "--fill-missing", "first", "--out", ".")
    assert "--out would overwrite x.0.m2, the file of FILE" in message


def test_the_sample_is_not_overwritten_by_its_report(capsys):
    message = refused(capsys, "demo", "--report", SAMPLE / "gold.m2")
    assert "--report would overwrite" in message
    assert "the bundled sample" in message


def test_a_baseline_does_not_overwrite_its_text(folder: Path, capsys):
    arguments = ["baseline", "--model", "nowhere", "--text", "ref0.txt", "ref1.txt"]
    message = refused(capsys, *arguments, "--output", "ref1.txt")
    assert "--output would overwrite ref1.txt, the file of --text" in message


def test_a_baseline_does_not_overwrite_its_model(folder: Path, capsys):
    (folder / "model").mkdir()
    (folder / "model" / "config.json").write_text("{}")
    arguments = ["baseline", "--model", "model", "--text", "ref0.txt"]
    message = refused(capsys, *arguments, "--output", "model/config.json")
    assert "--output would overwrite model/config.json, the file of --model" in message


def test_a_report_does_not_overwrite_the_files_of_metrics(folder: Path, capsys):
    (folder / "model").mkdir()
    for name in ("model/config.json", "baseline.csv"):
        (folder / name).write_text("")
        metric = "bertscore:model=model,baseline=baseline.csv"
        message = refused(capsys, "report", *CORPUS, "-m", metric, "--out", name)
        assert f"--out would overwrite {name}, the file of --metrics" in message


@pytest.mark.slow
def test_figures_do_not_overwrite_inputs(folder: Path, capsys):
    pytest.importorskip("matplotlib")
    own = ["--hyps", "strong.txt", "eager=ref0.txt", "empty=ref1.txt"]
    judgments = ["--judgments", "judgments.xml"]
    names = [path.name for path in folder.iterdir()]
    message = run("meta", "--gold", "gold.m2", *own, *judgments, "--plots", "strong.txt")
    assert message.returncode == 1
    assert "cannot write into strong.txt: strong.txt is not a folder" in message.stderr
    assert [path.name for path in folder.iterdir()] == names


@pytest.mark.slow
def test_a_figure_does_not_overwrite_a_system(folder: Path, capsys):
    pytest.importorskip("matplotlib")
    own = ["--gold", "gold.m2", "--judgments", "judgments.xml", "--bootstrap", "5", "-m", "m2"]
    systems = ["--hyps", "strong.txt", "eager=ref0.txt", "empty=ref1.txt"]
    assert main(["meta", *own, *systems, "--plots", "figures"]) == 0
    figure = next((folder / "figures").glob("*-ranks.png"))
    figure.write_bytes((folder / "ref0.txt").read_bytes())
    systems[2] = f"eager=figures/{figure.name}"
    capsys.readouterr()
    message = refused(capsys, "meta", *own, *systems, "--plots", "figures")
    assert f"--plots would overwrite figures/{figure.name}, the file of --hyps" in message
    assert figure.read_bytes() == (folder / "ref0.txt").read_bytes()


@pytest.mark.slow
def test_bulk_does_not_overwrite_its_inputs(tmp_path: Path):
    pytest.importorskip("pyarrow")
    row = {"source": "a b", "hypothesis": "a c", "references": ["a c"]}
    (tmp_path / "out" / "scores").mkdir(parents=True)
    rows = tmp_path / "out" / "scores" / "rows.jsonl"
    rows.write_text(json.dumps(row) + "\n", encoding="utf-8")
    finished = run("bulk", rows, "--output", tmp_path / "out", "-m", "green", "--workers", "0")
    assert finished.returncode == 2
    assert "--output would overwrite" in finished.stderr
    assert "the file of INPUT" in finished.stderr
    assert json.loads(rows.read_text(encoding="utf-8")) == row
    beside = run("bulk", rows, "--output", tmp_path / "b", "-m", "green", "--workers", "0")
    assert beside.returncode == 0, beside.stderr


# --- before the work ------------------------------------------------------------------------------

OUTPUTS: list[tuple[list[str], str]] = [
    (["report", *CORPUS], "--out"),
    (["convert", "--gold", "gold.m2", "--to", "jsonl"], "--out"),
    (["edits", *CORPUS], "--out"),
    (["edits", *CORPUS, "--format", "jsonl"], "--out"),
    (["m2", "merge", "gold.m2", "gold.m2"], "--out"),
    (["m2", "apply", "gold.m2"], "--out"),
    (["demo"], "--report"),
    (["baseline", "--model", "nowhere", "--text", "ref0.txt"], "--output"),
]


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any long work fails the test."""

    def refuse(*_: object) -> None:
        raise AssertionError("the work began")

    from corrigenda.cli import options

    monkeypatch.setattr(options, "working", refuse)


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "option"), OUTPUTS, ids=lambda value: " ".join(value)[:24])
@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("nowhere/out", "the folder {folder}/nowhere does not exist"),
        ("strong.txt/out", "{folder}/strong.txt is not a folder"),
    ],
)
@pytest.mark.usefixtures("no_work")
def test_a_file_that_cannot_be_written(folder: Path, capsys, arguments, option, target, reason):
    assert main([*arguments, option, target]) == 1
    error = capsys.readouterr().err
    assert f"cannot write {target}: {reason.format(folder=folder)}" in error
    assert f"{option} FILE" in error


@pytest.mark.parametrize(
    "arguments", [each for each, _ in OUTPUTS if each[0] in ("report", "demo")]
)
@pytest.mark.usefixtures("no_work")
def test_a_folder_in_place_of_a_file(folder: Path, capsys, arguments):
    (folder / "taken").mkdir()
    option = "--report" if arguments[0] == "demo" else "--out"
    assert main([*arguments, option, "taken"]) == 1
    assert "cannot write taken: it is a folder" in capsys.readouterr().err


FOLDERS = [
    ["convert", *TEXT, "--to", "text"],
    ["edits", "--gold", "gold.m2", "--hyps", "strong.txt", "b=strong.txt"],
    ["m2", "split", "gold.m2", "--fill-missing", "first"],
]


@pytest.mark.parametrize("arguments", FOLDERS, ids=lambda value: " ".join(value)[:12])
@pytest.mark.usefixtures("no_work")
def test_a_file_in_place_of_a_folder(folder: Path, capsys, arguments):
    assert main([*arguments, "--out", "ref1.txt"]) == 1
    assert "cannot write into ref1.txt: ref1.txt is not a folder" in capsys.readouterr().err


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The superuser may write anywhere: the answer of the system is played."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(outputs.os, "access", lambda *_: False)
    with pytest.raises(CorrigendaError, match="there is no permission to change it"):
        outputs.check_file("--out", tmp_path / "file", ())
    with pytest.raises(CorrigendaError, match="no permission to write into"):
        outputs.check_file("--out", tmp_path / "new", ())
    with pytest.raises(CorrigendaError, match="no permission to write into"):
        outputs.check_folder("--out", tmp_path / "new", (), ())


def test_what_may_be_written(tmp_path: Path):
    (tmp_path / "old").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "not-yet")
    given = [outputs.GivenFile("--gold", tmp_path / "other"), outputs.GivenFile("--hyps", "-")]
    for target in (None, "-", os.devnull, tmp_path / "old", tmp_path / "new", tmp_path / "link"):
        outputs.check_file("--out", target, given)
    outputs.check_folder("--out", tmp_path / "a" / "b", ["x.txt"], given)


def test_a_device_is_not_an_input(tmp_path: Path):
    """`--hyps /dev/null --out /dev/null` harms nothing."""
    outputs.check_file("--out", os.devnull, [outputs.GivenFile("--hyps", os.devnull)])
    (tmp_path / "x").write_text("")
    with pytest.raises(UsageError):
        outputs.check_file("--out", tmp_path / "x", [outputs.GivenFile("--hyps", tmp_path / "x")])
