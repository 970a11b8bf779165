"""Pretrained metrics on the command line: score, explain, baseline, cache."""

from __future__ import annotations

import json

import pytest

from corrigenda.cli import main
from corrigenda.data import SAMPLE
from tiny_models import encoder_folder, needs_torch, score_cache, translator_folder  # noqa: F401

pytestmark = [needs_torch, pytest.mark.model, pytest.mark.usefixtures("score_cache")]

GOLD = ["--gold", str(SAMPLE / "gold.m2")]


@pytest.fixture
def small_gold(tmp_path):
    """The first sentences of the sample, and what a system made of them."""
    blocks = (SAMPLE / "gold.m2").read_text(encoding="utf-8").split("\n\n")[:8]
    (tmp_path / "gold.m2").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    lines = (SAMPLE / "strong.txt").read_text(encoding="utf-8").splitlines()[:8]
    (tmp_path / "strong.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["--gold", str(tmp_path / "gold.m2"), "--hyps", str(tmp_path / "strong.txt")]


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_per_sentence_has_the_weight_of_every_edit(encoder_folder, small_gold, capsys):  # noqa: F811
    text = output(
        capsys, "score", *small_gold, "-m", f"pt-m2:model={encoder_folder}", "--per-sentence", "-f", "json",
        "--device", "cpu", "--batch-tokens", "64",
    )  # fmt: skip
    (result,) = json.loads(text)["results"]
    for sentence in result["sentences"]:
        made = [edit["weight"] for edit in sentence["edits"] if edit["verdict"] != "missed"]
        assert sum(made) == pytest.approx(sentence["counts"]["proposed"])
        assert len(made) == sentence["counts"]["proposed_edits"]


def test_tables_and_intervals(encoder_folder, translator_folder, small_gold, capsys):  # noqa: F811
    metrics = [f"pt-m2:model={encoder_folder}", f"bertscore:model={encoder_folder}"]
    metrics += [f"bartscore:model={translator_folder}", "pt-m2:scorer=self"]
    text = output(capsys, "score", *small_gold, "-m", *metrics, "--bootstrap", "20", "-f", "csv")
    assert text.count("strong") == 4
    assert "[" in output(
        capsys, "score", *small_gold, "-m", metrics[0], "--bootstrap", "20", "-f", "markdown"
    )


def test_headings_have_no_paths(encoder_folder, translator_folder, small_gold, capsys):  # noqa: F811
    metrics = [f"bertscore:model={encoder_folder}", f"bertscore:model={encoder_folder},layer=1"]
    metrics.append(f"bartscore:model={translator_folder}")
    for style in ("table", "markdown", "latex"):
        lines = output(capsys, "score", *small_gold, "-m", *metrics, "-f", style).splitlines()
        mentioned = [line for line in lines if str(encoder_folder) in line]
        assert all("|model:" in line for line in mentioned)
        headings = "".join(lines[: next(i for i, line in enumerate(lines) if "strong" in line)])
        assert "bertscore" in headings
        assert "(encoder)" in headings
    table = output(capsys, "score", *small_gold, "-m", *metrics, "-f", "table")
    assert "bertscore (encoder): bertscore|" in table
    assert all(len(line) <= 80 for line in table.splitlines() if "|v:" not in line)


def test_explain_shows_weights(encoder_folder, capsys):  # noqa: F811
    text = output(
        capsys, "explain", "--text", "he go to school every days", "--reference", "he goes to school every day",
        "--hypothesis", "he goes to school every days", "-m", f"pt-m2:model={encoder_folder}",
    )  # fmt: skip
    assert "weight" in text
    assert "missed" in text
    assert " %" in text


def test_baseline_makes_a_file_that_bertscore_takes(encoder_folder, small_gold, tmp_path, capsys):  # noqa: F811
    path = tmp_path / "baseline.csv"
    arguments = ["--model", encoder_folder, "--text", str(SAMPLE / "ref0.txt"), "--pairs", "10"]
    printed = output(capsys, "baseline", *arguments, "--all-layers")
    assert [line.split(",")[0] for line in printed.splitlines()] == ["LAYER", "0", "1", "2"]
    assert "10 pairs, 1 layer" in output(capsys, "baseline", *arguments, "--output", str(path))
    assert path.read_text().splitlines()[1] == printed.splitlines()[3]
    metric = f"bertscore:model={encoder_folder},baseline={path}"
    (result,) = json.loads(output(capsys, "score", *small_gold, "-m", metric, "-f", "json"))[
        "results"
    ]
    assert "baseline:0." in result["signature"]


def test_cache_shows_and_clears_scores(encoder_folder, small_gold, capsys):  # noqa: F811
    output(capsys, "score", *small_gold, "-m", f"bertscore:model={encoder_folder}", "--no-cache")
    assert json.loads(output(capsys, "cache", "info", "-f", "json"))["scores"] == {}
    output(capsys, "score", *small_gold, "-m", f"bertscore:model={encoder_folder}")
    data = json.loads(output(capsys, "cache", "info", "-f", "json"))
    ((label, number),) = data["scores"].items()
    assert label == "bertscore, encoder, layer 2"
    assert number > 0
    assert label in output(capsys, "cache", "info")
    assert f"cleared {number} scores" in output(capsys, "cache", "clear")
    assert json.loads(output(capsys, "cache", "info", "-f", "json"))["score_bytes"] == 0


def test_a_missing_model_is_said_in_one_message(small_gold, capsys):
    assert main(["score", *small_gold, "-m", "pt-m2:model=/no/such/folder"]) == 1
    error = capsys.readouterr().err
    assert "there is no model in /no/such/folder" in error
    assert "Traceback" not in error
