"""ERRANT and CLEME on the command line: scores by type, M2 files, the cache."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from corrigenda.cli import main
from corrigenda.data import SAMPLE
from corrigenda.formats import m2
from errant_model import cache, errant_ready, model  # noqa: F401

GIVEN = """\
S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 3 4|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""
SYSTEM = """\
S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S Fine .
A 0 0|||M:DET|||The|||REQUIRED|||-NONE-|||0
"""


@pytest.fixture
def given_files(tmp_path: Path) -> list[str]:
    (tmp_path / "gold.m2").write_text(GIVEN)
    (tmp_path / "ours.m2").write_text(SYSTEM)
    return ["--gold", str(tmp_path / "gold.m2"), "--hyps", str(tmp_path / "ours.m2")]


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def error(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) != 0
    return capsys.readouterr().err


def test_given_edits_need_no_extra(given_files, capsys, monkeypatch):
    monkeypatch.setenv("CORRIGENDA_SPACY_MODEL", "no_such_model")
    data = json.loads(output(capsys, "score", *given_files, "-m", "errant", "cleme", "-f", "json"))
    errant, cleme = data["results"]
    assert errant["counts"] == {"tp": 1, "fp": 1, "fn": 1}
    assert errant["signature"].startswith(
        "errant|beta:0.5|mode:correction|unk:dropped|gold:annotated|edits:given|"
    )
    assert set(cleme["counts"]) == {"tp", "fp", "fn", "tn", "sentence"}
    assert list(errant["types"]) == ["operation", "type", "both"]
    assert errant["types"]["operation"]["R"]["counts"] == {"tp": 1, "fp": 0, "fn": 0}
    assert errant["types"]["type"]["DET"]["precision"] == 0.0
    assert "types" not in cleme


@pytest.mark.parametrize(
    ("choice", "types"),
    [("1", "M R U"), ("2", "DET PUNCT VERB:SVA"), ("3", "M:DET R:VERB:SVA U:PUNCT")],
)
def test_tables_by_type(given_files, capsys, choice, types):
    for style in ("table", "markdown", "latex"):
        shown = output(
            capsys, "score", *given_files, "-m", "errant", "--by-type", choice, "-f", style
        )
        assert all(name in shown for name in types.split())
        assert "errant|beta:0.5" in shown
    rows = list(
        csv.DictReader(
            io.StringIO(
                output(
                    capsys, "score", *given_files, "-m", "errant", "--by-type", choice, "-f", "csv"
                )
            )
        )
    )
    assert [row["type"] for row in rows] == types.split()
    assert rows[0] == {
        "system": "ours", "metric": "errant", "type": types.split()[0], "tp": "0", "fp": "1", "fn": "0",
        "precision": "0.0", "recall": "1.0", "score": "0.0",
    }  # fmt: skip


def test_by_type_needs_types(given_files, capsys):
    assert "knows error types" in error(
        capsys, "score", *given_files, "-m", "green", "--by-type", "1"
    )


def test_edits_of_other_sentences_are_refused(given_files, capsys, tmp_path):
    (tmp_path / "ours.m2").write_text(SYSTEM.replace("Fine", "Bad"))
    assert "ours.m2:4: the sentence differs from the source sentence" in error(
        capsys, "score", *given_files, "-m", "errant"
    )
    (tmp_path / "ours.m2").write_text(SYSTEM + "A 0 0|||M:DET|||A|||REQUIRED|||-NONE-|||1\n")
    assert "edits of 2 annotators" in error(capsys, "score", *given_files, "-m", "errant")
    (tmp_path / "ours.m2").write_text(SYSTEM.split("\n\n")[0] + "\n")
    assert "the numbers of sentences differ" in error(capsys, "score", *given_files, "-m", "errant")


def test_given_edits_with_text_references(given_files, capsys, tmp_path, errant_ready):  # noqa: F811
    (tmp_path / "src.txt").write_text("He go home .\nFine .\n")
    (tmp_path / "ref.txt").write_text("He goes home .\nFine .\n")
    arguments = [
        "--source",
        str(tmp_path / "src.txt"),
        "--refs",
        str(tmp_path / "ref.txt"),
        *given_files[2:],
    ]
    (result,) = json.loads(output(capsys, "score", *arguments, "-m", "errant", "-f", "json"))[
        "results"
    ]
    assert result["counts"] == {"tp": 1, "fp": 1, "fn": 0}
    assert "|gold:extracted|errant:" in result["signature"]
    assert "|edits:given|" in result["signature"]


def test_edits_as_the_package_writes_them(errant_ready, capsys, tmp_path):  # noqa: F811
    (tmp_path / "src.txt").write_text("He go home , .\nFine .\n")
    (tmp_path / "ref0.txt").write_text("He goes home .\nFine .\n")
    (tmp_path / "ref1.txt").write_text("He went home .\nFine  . \n")
    source, *references = (str(tmp_path / name) for name in ("src.txt", "ref0.txt", "ref1.txt"))
    output(
        capsys,
        "edits",
        "--extractor",
        "errant",
        "--source",
        source,
        "--refs",
        *references,
        "--out",
        str(tmp_path / "gold.m2"),
    )
    assert (tmp_path / "gold.m2").read_text() == (
        "S He go home , .\n"
        "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        "A 3 4|||U:PUNCT||||||REQUIRED|||-NONE-|||0\n"
        "A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1\n"
        "A 3 4|||U:PUNCT||||||REQUIRED|||-NONE-|||1\n\n"
        "S Fine .\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    )
    folder = tmp_path / "systems"
    output(
        capsys,
        "edits",
        "--extractor",
        "errant",
        "--source",
        source,
        "--hyps",
        *references,
        "--out",
        str(folder),
    )
    assert sorted(path.name for path in folder.iterdir()) == ["ref0.m2", "ref1.m2"]
    arguments = [
        "score",
        "--gold",
        str(tmp_path / "gold.m2"),
        "--hyps",
        str(folder / "ref1.m2"),
        "-m",
        "errant",
        "-f",
        "json",
    ]
    (result,) = json.loads(output(capsys, *arguments))["results"]
    assert result["score"] == 1.0


def test_edits_of_a_gold_file_retyped_and_extracted(errant_ready, capsys, tmp_path):  # noqa: F811
    (tmp_path / "gold.m2").write_text(
        "S He go to home .\nA 0 2|||SVA|||He goes|||REQUIRED|||-NONE-|||0\nA 3 4|||Um||||||REQUIRED|||-NONE-|||0\n\n"
    )
    kinds = {}
    for choice in ("retyped", "extracted"):
        arguments = [
            "--gold",
            str(tmp_path / "gold.m2"),
            "--gold-edits",
            choice,
            "--out",
            str(tmp_path / "out.m2"),
        ]
        output(capsys, "edits", "--extractor", "errant", *arguments)
        kinds[choice] = [
            (e.start, e.end, e.type) for e in m2.read(tmp_path / "out.m2")[0].annotations[0].edits
        ]
    assert kinds["retyped"] == [(1, 2, "R:VERB:SVA"), (3, 4, "UNK")]
    assert kinds["extracted"] == [(1, 2, "R:VERB:SVA"), (3, 4, "UNK")]
    message = error(
        capsys,
        "edits",
        "--extractor",
        "errant",
        "--gold-edits",
        "retyped",
        "--source",
        "a",
        "--refs",
        "b",
    )
    assert "--gold-edits" in message


def test_json_lines_have_types_and_matches(errant_ready, capsys):  # noqa: F811
    arguments = ["--gold", str(SAMPLE / "gold.m2"), "--hyps", str(SAMPLE / "strong.txt")]
    lines = output(
        capsys, "edits", "--extractor", "errant", *arguments, "--format", "jsonl"
    ).splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 60
    (result,) = json.loads(output(capsys, "score", *arguments, "-m", "errant", "-f", "json"))[
        "results"
    ]
    assert sum(row["counts"]["correct"] for row in rows) == result["counts"]["tp"]
    assert sum(len(row["missed"]) for row in rows) == result["counts"]["fn"]
    assert all(edit["type"] for row in rows for edit in row["edits"])


def test_the_cache_is_shown_turned_off_and_cleared(errant_ready, cache, capsys):  # noqa: F811
    arguments = [
        "score",
        "--gold",
        str(SAMPLE / "gold.m2"),
        "--hyps",
        str(SAMPLE / "strong.txt"),
        "-m",
        "errant",
    ]
    without = output(capsys, *arguments, "--no-cache")
    assert not cache.exists()
    cold, warm = (output(capsys, *arguments) for _ in range(2))
    assert without == cold == warm
    data = json.loads(output(capsys, "cache", "info", "--format", "json"))
    assert data["folder"] == str(cache)
    assert data["bytes"] > 0
    ((origin, number),) = data["annotations"].items()
    assert origin.startswith("errant 3.")
    assert number > 10
    assert f"{number:,}" in output(capsys, "cache", "info")
    assert output(capsys, "cache", "clear").startswith(f"cleared {number} annotations")
    assert json.loads(output(capsys, "cache", "info", "-f", "json"))["annotations"] == {}


@pytest.mark.slow
def test_without_a_model_the_message_says_what_to_do(capsys, monkeypatch, cache):  # noqa: F811
    pytest.importorskip("errant")
    monkeypatch.setenv("CORRIGENDA_SPACY_MODEL", "no_such_model")
    arguments = [
        "score",
        "--gold",
        str(SAMPLE / "gold.m2"),
        "--hyps",
        str(SAMPLE / "strong.txt"),
        "-m",
        "errant",
    ]
    message = error(capsys, *arguments)
    assert "the spaCy model 'no_such_model' is not installed" in message
    assert "python -m spacy download no_such_model" in message


def test_an_output_that_differs_in_blanks_only_gets_no_line(errant_ready, tmp_path, capsys):  # noqa: F811
    """As ERRANT writes it: a noop if the output is the source in single blanks, else nothing."""
    (tmp_path / "source.txt").write_text("Fine .\nFine .\nVery  fine .\n")
    (tmp_path / "ours.txt").write_text("Fine .\nFine  .\nVery fine . \n")
    texts = ["--source", str(tmp_path / "source.txt"), "--hyps", str(tmp_path / "ours.txt")]
    written = output(capsys, "edits", "--extractor", "errant", *texts)
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    assert written == f"S Fine .\n{noop}\nS Fine .\n\nS Very fine .\n{noop}\n"
    (tmp_path / "ours.m2").write_text(written)
    assert [list(each.annotations[0].edits) for each in m2.read(tmp_path / "ours.m2")] == [[]] * 3
