"""`corrigenda explain --attribute`: a sentence, a corpus, JSON, and mistakes."""

from __future__ import annotations

import json

import pytest

from corrigenda.cli import main
from corrigenda.data import SAMPLE

CORPUS = ("--gold", str(SAMPLE / "gold.m2"), "--hyps", str(SAMPLE / "eager.txt"))
TYPED = ("--text", "a b c d e f", "--reference", "a X c d Y f", "--hypothesis", "a X c W e f")


def test_a_sentence(capsys):
    assert main(["explain", *TYPED, "--attribute", "m2"]) == 0
    out = capsys.readouterr().out
    assert "X" in out
    assert "█" in out
    assert "Shapley values" in out


def test_a_sentence_as_json(capsys):
    """The numbers with all digits, not only the cells of the table."""
    assert main(["explain", *TYPED, "--attribute", "m2", "green", "-f", "json"]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    for result in system["metrics"]:
        found = result["attribution"]
        assert (found["method"], found["exact"], found["after"]) == (
            "shapley",
            True,
            result["score"],
        )
        assert [each["correction"] for each in found["edits"]] == ["X", "W"]
        total = sum(each["value"] for each in found["edits"])
        assert total == pytest.approx(found["after"] - found["before"], abs=1e-12)
    assert main(["explain", *TYPED, "--metrics", "m2", "-f", "json"]) == 0
    assert "attribution" not in capsys.readouterr().out


@pytest.mark.parametrize("how", ["shapley", "add", "remove"])
def test_the_corpus_as_json(capsys, how):
    arguments = ["explain", *CORPUS, "--attribute", "green", "--attribution", how, "-f", "json"]
    assert main(arguments) == 0
    data = json.loads(capsys.readouterr().out)
    (result,) = data["results"]
    assert (data["attribution"], result["system"], result["metric"]) == (how, "eager", "green")
    assert len(result["sentences"]) == 60
    for sentence in result["sentences"] if how == "shapley" else ():
        total = sum(edit["value"] for edit in sentence["edits"])
        assert total == pytest.approx(sentence["after"] - sentence["before"], abs=1e-9)


def test_a_summary(capsys):
    assert main(["explain", *CORPUS, "--attribute", "green", "m2"]) == 0
    out = capsys.readouterr().out
    assert "helped" in out
    assert out.count("eager") == 6  # three operations, two metrics


def test_mistakes(capsys):
    assert main(["explain", *CORPUS, "--attribute", "green", "--metrics", "m2"]) == 2
    assert "--metrics and --attribute are both given" in capsys.readouterr().err
    assert main(["explain", *CORPUS, "--attribute", "green", "--edits-by", "bleu"]) == 2
    assert "there is no extractor 'bleu'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "given", "megabytes", "problem"),
    [
        (300, ["--attribute", "green"], "256", "sentence 3 has 300 edits"),
        (3000, ["--metrics", "m2"], "1", "sentence 3: two sentences of 6000 and 6000 words"),
    ],
)
def test_errors_name_the_line_of_the_file(
    tmp_path, capsys, monkeypatch, words, given, megabytes, problem
):
    monkeypatch.setenv("CORRIGENDA_MAX_MEMORY", megabytes)
    texts = {"source": "a b ", "output": "x b " if words == 300 else "x y "}
    paths = {}
    for name, piece in texts.items():
        paths[name] = tmp_path / f"{name}.txt"
        paths[name].write_text("a\na\n" + piece * words + "\n")
    output = str(paths["output"])
    corpus = ["--source", str(paths["source"]), "--refs", output, "--hyps", output]
    assert main(["explain", *corpus, "--line", "3", *given]) != 0
    assert problem in capsys.readouterr().err
