"""The order of the systems, and short headings of metrics."""

from __future__ import annotations

import pytest
from program import GOLD, output_of, run, system

from corrigenda.cli.labels import labels
from corrigenda.metrics import metric

NAMES = ["unchanged", "strong", "eager", "cautious"]
SCORE = ["score", "--gold", GOLD, "--hyps", *map(system, NAMES), "-m", "green", "gleu"]
BY_GREEN = ["strong", "eager", "cautious", "unchanged"]
BY_GLEU = ["strong", "cautious", "unchanged", "eager"]


def order(text: str) -> list[str]:
    return [
        line.split()[0]
        for line in text.splitlines()
        if line.split()[:1] and line.split()[0] in NAMES
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ([], BY_GREEN),
        (["--sort", "green"], BY_GREEN),
        (["--sort", "gleu"], BY_GLEU),
        (["--sort", "system"], sorted(NAMES)),
        (["--sort", "given"], NAMES),
    ],
)
def test_score_sorts(sort, expected):
    assert order(output_of(*SCORE, *sort)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("style", ["markdown", "latex"])
def test_every_table_is_sorted(style):
    text = output_of(*SCORE, "--sort", "gleu", "--format", style)
    assert order(text.replace("| ", "")) == BY_GLEU


@pytest.mark.slow
def test_data_keep_the_order_in_which_they_were_given():
    text = output_of(*SCORE, "--sort", "gleu", "--format", "csv")
    assert [line.split(",")[0] for line in text.splitlines()[1::2]] == NAMES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ([], [["strong", "eager", "cautious"], ["strong", "cautious", "eager"]]),
        (["--sort", "gleu"], [["strong", "cautious", "eager"]] * 2),
        (["--sort", "given"], [["strong", "eager", "cautious"]] * 2),
    ],
)
def test_compare_sorts_below_the_baseline(sort, expected):
    common = ["--gold", GOLD, "-m", "green", "gleu", "--resamples", "20"]
    text = output_of("compare", *map(system, NAMES), *common, *sort)
    found = order(text)
    assert [found[:4], found[4:]] == [["unchanged", *rows] for rows in expected]


@pytest.mark.parametrize("sort", ["m2", "nonsense", "green:beta=1"])
def test_a_metric_that_is_not_there(sort):
    finished = run(*SCORE, "--sort", sort)
    assert finished.returncode == 2
    assert f"--sort is '{sort}'" in finished.stderr
    assert "green, gleu, system or given" in finished.stderr


@pytest.mark.parametrize(
    ("specification", "label"),
    [
        ("green", "green"),
        ("green:unit=char,beta=1", "green:beta=1,unit=char"),
        ("bertscore:model=/home/me/models/MiniLM", "bertscore (MiniLM)"),
        ("bertscore:model=microsoft/deberta-xlarge-mnli", "bertscore (deberta-xlarge-mnli)"),
        ("bertscore:model=C:\\models\\MiniLM\\,layer=6", "bertscore:layer=6 (MiniLM)"),
        ("bertscore:model=x/y,baseline=/a/long/path/baseline.csv", "bertscore (y)"),
        ("pt-m2:scorer=self", "pt-m2:scorer=self"),
        ("bertscore:model=an-extremely-long-name-of-a-model", "bertscore (an-extremely-long-n…)"),
    ],
)
def test_labels_have_no_paths(specification, label):
    assert list(labels([metric(specification)]).values()) == [label]


def test_equal_labels_are_numbered():
    metrics = [metric(f"bertscore:model={place}/MiniLM") for place in ("a", "b")]
    metrics.append(metric("green"))
    assert list(labels(metrics).values()) == [
        "bertscore-1 (MiniLM)",
        "bertscore-2 (MiniLM)",
        "green",
    ]


def test_models_with_equal_short_names_are_numbered_behind_the_name_of_the_metric():
    printed = [f"bertscore:model={folder}/a-very-long-name-of-{folder}" for folder in "xy"]
    found = labels([metric(text) for text in printed])
    assert list(found.values()) == [
        "bertscore-1 (a-very-long-name-of…)",
        "bertscore-2 (a-very-long-name-of…)",
    ]


def test_pairs_are_in_the_order_of_their_ranks():
    given = [*map(system, NAMES), "--gold", GOLD, "-m", "green", "--pairs", "--resamples", "20"]
    finished = run("compare", *given, "--sort", "system")
    assert finished.returncode == 2
    assert "--sort does not go with --pairs" in finished.stderr
    assert "Leave --sort or --pairs out." in finished.stderr


def test_experimental_metrics_are_marked() -> None:
    note = "pt-green is experimental: no paper defines it, and its definition may change"
    metrics = ["-m", "green", "pt-green:weights=one", "pt-green:weights=one,unit=char"]
    hyps = [system("strong"), system("eager")]
    assert output_of("score", "--gold", GOLD, "--hyps", *hyps, *metrics).count(note) == 1
    assert output_of("compare", *hyps, "--gold", GOLD, *metrics).count(note) == 2
    assert note not in output_of("score", "--gold", GOLD, "--hyps", *hyps, "-m", "green")
    assert "(experimental)" in output_of("metrics", "pt-green")


def test_notes_of_an_explanation_are_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    shown = output_of(
        "explain", "--gold", GOLD, "--hyps", system("eager"), "--line", "3",
        "-m", "pt-green:weights=one",
    )  # fmt: skip
    lines = shown.splitlines()
    (first,) = (place for place, line in enumerate(lines) if "n-grams that only the hyp" in line)
    assert lines[first].startswith("  n-grams")
    assert lines[first + 1].startswith("  ")
