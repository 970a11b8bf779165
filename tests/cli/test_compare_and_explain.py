"""`corrigenda compare`, `corrigenda explain` and intervals, by the real program."""

from __future__ import annotations

import json
from functools import partial

import program
import pytest

from corrigenda.data import SAMPLE

run = partial(program.run, folder=SAMPLE)


def test_compare_names_the_verdict() -> None:
    done = run(
        "compare",
        "cautious.txt",
        "strong.txt",
        "empty.txt",
        "--gold",
        "gold.m2",
        "-m",
        "green",
        "m2",
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert sum("(baseline)" in line for line in lines) == 2
    assert all("better" in line for line in lines if line.strip().startswith("strong"))
    assert all("worse" in line for line in lines if line.strip().startswith("empty"))
    assert sum("choice:frozen" in line for line in lines) == 2


def test_compare_as_json() -> None:
    done = run(
        "compare", "cautious.txt", "other=strong.txt", "--gold", "gold.m2", "-m", "m2", "--test", "bootstrap",
        "--resamples", "200", "--seed", "3", "--format", "json",
    )  # fmt: skip
    (row,) = json.loads(done.stdout)["comparisons"]
    assert (row["system"], row["baseline"], row["metric"], row["test"]) == (
        "other",
        "cautious",
        "m2",
        "bootstrap",
    )
    assert row["difference"] == pytest.approx(row["score"] - row["baseline_score"])
    assert 0 < row["p_value"] <= row["corrected_p_value"] <= 1
    assert "seed:3" in row["signature"]
    assert row["signature"].endswith("|choice:frozen|correction:bh")


def test_all_pairs_with_ranks_and_clusters() -> None:
    systems = ["strong.txt", "eager.txt", "cautious.txt", "unchanged.txt", "empty.txt"]
    common = ["compare", *systems, "--gold", "gold.m2", "-m", "green", "--pairs"]
    (group,) = json.loads(run(*common, "--format", "json").stdout)["pairs"]
    scores = [system["score"] for system in group["systems"]]
    assert scores == sorted(scores, reverse=True)
    assert (group["systems"][0]["ranks"], group["systems"][0]["cluster"]) == ([1, 1], 1)
    assert group["systems"][1]["cluster"] == group["systems"][2]["cluster"] == 2
    matrix = group["p_values"]
    assert all(matrix[i][j] == matrix[j][i] for i in range(5) for j in range(5))
    shown = run(*common, "--test", "bootstrap").stdout
    assert "cluster" in shown
    assert "test:bootstrap" in shown


def test_intervals_in_every_format() -> None:
    common = [
        "score",
        "--gold",
        "gold.m2",
        "--hyps",
        "strong.txt",
        "eager.txt",
        "-m",
        "green",
        "--bootstrap",
        "100",
    ]
    (first, _) = json.loads(run(*common, "--interval", "bca", "--format", "json").stdout)["results"]
    assert first["interval"]["method"] == "bca"
    assert first["interval"]["low"] <= first["score"] <= first["interval"]["high"]
    assert "low,high" in run(*common, "--format", "csv").stdout.splitlines()[0]
    for style in ("table", "markdown", "latex"):
        assert "[8" in run(*common, "--format", style).stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "strong.txt", "--gold", "gold.m2"], "two systems"),
        (
            ["compare", "strong.txt", "eager.txt", "--gold", "gold.m2", "--resamples", "0"],
            "--resamples",
        ),
        (
            ["compare", "strong.txt", "eager.txt", "--gold", "gold.m2", "--confidence", "95"],
            "--confidence",
        ),
        (["score", "--gold", "gold.m2", "--hyps", "strong.txt", "--bootstrap", "0"], "--bootstrap"),
        (["explain", "--gold", "gold.m2", "--hyps", "strong.txt"], "no sentence is chosen"),
        (["explain", "--line", "61", "--gold", "gold.m2", "--hyps", "strong.txt"], "lines 1 to 60"),
        (["explain", "--text", "a b"], "--reference"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


LINE = ["explain", "--line", "12", "--gold", "gold.m2", "--hyps", "strong.txt", "eager.txt"]


def test_explain_is_short() -> None:
    done = run(*LINE)
    assert done.returncode == 0, done.stderr
    for word in ("source", "reference 0", "reference 1", "strong", "eager", "over-delete", "wrong"):
        assert word in done.stdout
    assert "true keep" not in done.stdout
    _, strong, eager = done.stdout.split(" ───")
    assert len(strong.splitlines()) <= 24
    assert len(eager.splitlines()) <= 40
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


@pytest.mark.slow
def test_explain_can_be_long() -> None:
    done = run(*LINE, "--verbose")
    assert done.returncode == 0, done.stderr
    for word in ("true keep", "n = 4", "under-insert", "alignment", "penalised n-grams"):
        assert word in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def alignment(printed: str) -> list[list[str]]:
    """The columns of the I-measure's alignment, from all bands."""
    columns: list[list[str]] = []
    for band in printed.split("\n\n"):
        rows = [line.split() for line in band.splitlines() if line.startswith("  ")]
        if rows and rows[-1][0] == "correction":
            assert [row[0] for row in rows[-5:]] == [
                "source", "hypothesis", "reference", "detection", "correction",
            ]  # fmt: skip
            columns += zip(*(row[1:] for row in rows[-5:]), strict=True)
    return columns


def test_the_alignment_is_cut_into_bands() -> None:
    """Sentence 12 of `eager` has 19 columns: more than 80 characters."""
    imeasure = [*LINE[:-2], "eager.txt", "-m", "imeasure"]
    data = json.loads(run(*imeasure, "--format", "json").stdout)
    (table,) = data["systems"][0]["metrics"][0]["tables"]
    whole = [
        tuple(cell["text"] for cell in column)
        for column in zip(*(row[1:] for row in table["rows"]), strict=True)
    ]
    for options in ([], ["--verbose"]):
        assert alignment(run(*imeasure, *options).stdout) == whole


@pytest.mark.slow
def test_only_bands_with_differences_are_shown() -> None:
    common = "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 2
    missed = f"{common}one"
    sentence = ["--text", missed, "--reference", f"{common}two", "--hypothesis", missed]
    short, long = (
        alignment(run("explain", *sentence, "-m", "imeasure", *options).stdout)
        for options in ([], ["--verbose"])
    )
    assert len(long) == 53
    assert 1 <= len(short) < 53
    assert short == long[-len(short) :]


def test_explain_a_typed_sentence_as_json() -> None:
    done = run(
        "explain", "--text", "This are it .", "--reference", "This is it .", "--hypothesis", "mine=This was it .",
        "--metrics", "m2", "imeasure", "--format", "json",
    )  # fmt: skip
    data = json.loads(done.stdout)
    (system,) = data["systems"]
    assert system["system"] == "mine"
    assert [entry["metric"] for entry in system["metrics"]] == ["m2", "imeasure"]
    assert system["metrics"][0]["sentences"][0]["counts"] == {
        "correct": 0,
        "proposed": 1,
        "gold": 1,
    }
    assert system["metrics"][1]["tables"][0]["rows"][-1][2]["text"] == "FP FN FPN"
