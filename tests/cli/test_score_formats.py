"""The five formats hold the same results: all are parsed back and compared with the JSON."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from program import TEXT_CORPUS, output_of, system

from corrigenda.cli.render import markdown_escaped

SYSTEMS = ("empty", "strong", "unchanged", "cautious")
METRICS = ("green", "gleu:variant=paper", "bleu")
ARGUMENTS = ["score", *TEXT_CORPUS, "--hyps", *map(system, SYSTEMS), "--metrics", *METRICS]


@pytest.fixture(scope="module")
def results() -> list[dict]:
    return json.loads(output_of(*ARGUMENTS, "--format", "json"))["results"]


@pytest.fixture(scope="module")
def by_first_metric(results) -> list[str]:
    """The systems, best first by the first metric."""
    scores = {
        result["system"]: result["score"] for result in results if result["metric"] == METRICS[0]
    }
    return sorted(scores, key=lambda name: -scores[name])


@pytest.fixture(scope="module")
def shown(results) -> dict[tuple[str, str], str]:
    return {
        (result["system"], result["metric"]): f"{100 * result['score']:.2f}" for result in results
    }


@pytest.fixture(scope="module")
def best(results) -> dict[str, str]:
    return {
        metric: max((r for r in results if r["metric"] == metric), key=lambda r: r["score"])[
            "system"
        ]
        for metric in METRICS
    }


def signatures(results: list[dict]) -> list[str]:
    return list(dict.fromkeys(result["signature"] for result in results))


def check_board(rows: list[list[str]], by_first_metric, shown, best, mark: str) -> None:
    """Rows of cells: a system, then its score by each metric, the best of a column marked."""
    assert [row[0] for row in rows] == by_first_metric
    for name, *cells in rows:
        for metric, cell in zip(METRICS, cells, strict=True):
            text = shown[name, metric]
            assert cell == (mark.format(text) if best[metric] == name else text)


@pytest.fixture(scope="module")
def table() -> str:
    return output_of(*ARGUMENTS)


@pytest.mark.slow
def test_table(table, results, by_first_metric, shown, best):
    lines = table.splitlines()
    header = next(i for i, line in enumerate(lines) if line.split()[:1] == ["system"])
    assert lines[header].split() == ["system", *METRICS]
    rows = [line for line in lines if line.split()[:1] and line.split()[0] in SYSTEMS]
    check_board([line.split() for line in rows], by_first_metric, shown, best, "*{}")
    assert [line for line in lines if line in signatures(results)] == signatures(results)
    assert lines.index(signatures(results)[0]) > lines.index(rows[-1])


@pytest.mark.slow
def test_numbers_of_a_table_stand_below_one_another(table):
    rows = [line for line in table.splitlines() if line.split()[:1] and line.split()[0] in SYSTEMS]
    points = [[match.start() for match in re.finditer(r"\.\d\d", line)] for line in rows]
    assert len(points) == len(SYSTEMS)
    assert all(columns == points[0] for columns in points)


@pytest.mark.slow
def test_table_is_the_default(table):
    assert output_of(*ARGUMENTS, "--format", "table") == table


@pytest.mark.slow
def test_csv(results):
    rows = list(csv.DictReader(io.StringIO(output_of(*ARGUMENTS, "--format", "csv"), newline="")))
    assert list(rows[0]) == [
        "system",
        "metric",
        "level",
        "score",
        "precision",
        "recall",
        "signature",
    ]
    assert len(rows) == len(results)
    for row, result in zip(rows, results, strict=True):
        for key in ("system", "metric", "level", "signature"):
            assert row[key] == result[key]
        for key in ("score", "precision", "recall"):
            assert row[key] == ("" if result[key] is None else repr(result[key]))  # unrounded


def test_csv_per_sentence():
    arguments = [
        "score",
        *TEXT_CORPUS,
        "--hyps",
        system("strong"),
        "--metrics",
        "green",
        "gleu",
        "--per-sentence",
    ]
    rows = list(csv.DictReader(io.StringIO(output_of(*arguments, "--format", "csv"), newline="")))
    data = json.loads(output_of(*arguments, "--format", "json"))
    sentences = [
        (
            result["system"],
            result["metric"],
            str(number),
            repr(sentence["score"]),
            sentence["reference"],
        )
        for result in data["results"]
        for number, sentence in enumerate(result["sentences"], 1)
    ]
    assert [
        (
            row["system"],
            row["metric"],
            row["sentence"],
            row["score"],
            int(row["reference"]) if row["reference"] else None,
        )
        for row in rows
    ] == sentences


@pytest.mark.slow
def test_markdown(results, by_first_metric, shown, best):
    lines = output_of(*ARGUMENTS, "--format", "markdown").splitlines()
    table = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    assert table[0] == ["system", *METRICS]
    assert [set(cell) <= set(":-") for cell in table[1]] == [True] * 4
    assert all(cell.endswith(":") for cell in table[1][1:])  # numbers to the right
    check_board(table[2:], by_first_metric, shown, best, "**{}**")
    assert [line.strip().strip("`") for line in lines if line.startswith("`")] == signatures(
        results
    )


def test_latex(results, by_first_metric, shown, best):
    lines = output_of(*ARGUMENTS, "--format", "latex").splitlines()
    assert r"\begin{tabular}{lrrr}" in lines
    assert r"\end{tabular}" in lines
    table = [line.removesuffix(r" \\").split(" & ") for line in lines if line.endswith(r"\\")]
    assert table[0] == ["system", *METRICS]
    check_board(table[1:], by_first_metric, shown, best, r"\textbf{{{}}}")
    comments = [line.removeprefix("% ") for line in lines if line.startswith("%")]
    assert comments == [
        "corpus level, scores × 100; bold: best of the column",
        *signatures(results),
    ]


NAMES = {
    "50%_of&all": r"50\%\_of\&all",
    "a|b": r"a\textbar{}b",
    "*best* of_all": r"{}*best* of\_all",
    "_x_": r"\_x\_",
    "<b>&lt;": r"$<$b$>$\&lt;",
    "[link](to)": "{}[link](to)",
    "~~old~~": r"\textasciitilde{}\textasciitilde{}old\textasciitilde{}\textasciitilde{}",
    "run-1`\\": r"run-1`\textbackslash{}",
}


def printed_names(style: str) -> str:
    hyps = [f"{name}={system('strong')}" for name in NAMES]
    given = [*TEXT_CORPUS, "--hyps", *hyps, "-m", "green", "--format", style]
    return output_of("score", *given, "--no-health")  # which says that all are one


def test_names_are_escaped_in_latex():
    lines = printed_names("latex").splitlines()
    assert [line.split(" & ")[0] for line in lines if "88.43" in line] == list(NAMES.values())


def test_markdown_shows_names_as_they_are():
    """As a program that reads Markdown understands them."""
    markdown_it = pytest.importorskip("markdown_it")
    parser = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    cells = [
        "".join(child.content for child in inner)
        for inner in (token.children or [] for token in parser.parse(printed_names("markdown")))
        if inner
    ]
    for name in NAMES:
        assert name in cells


def test_many_brackets_in_markdown():
    """Hours would go by if the end of a link were looked for from each of them."""
    many = "[" * 1_000_000
    assert markdown_escaped(many) == many
    assert markdown_escaped("[[a](b) [c] [d]") == r"\[\[a](b) [c] [d]"


def test_a_minus_in_latex_is_not_a_hyphen():
    given = [*TEXT_CORPUS, "--hyps", system("eager"), "-m", "imeasure", "--bootstrap", "10"]
    text = output_of("score", *given, "--format", "latex")
    (row,) = (line for line in text.splitlines() if line.startswith("eager"))
    assert re.search(r"& \$-\$\d+\.\d\d \{\\small \[\$-\$\d", row)


def test_names_are_not_read_as_markup():
    table = output_of(
        "score", *TEXT_CORPUS, "--hyps", f"[red]x[/red]={system('strong')}", "-m", "green"
    )
    assert "[red]x[/red]" in table


def test_a_single_metric_shows_precision_and_recall():
    lines = output_of("score", *TEXT_CORPUS, "--hyps", system("strong"), "-m", "green").splitlines()
    (header,) = (line for line in lines if line.split()[:1] == ["system"])
    assert header.split() == ["system", "green", "P", "R"]


WIDE_METRICS = [f"gleu:variant=2015,lambda=0.{n}" for n in range(1, 9)]
WIDE = ["score", *TEXT_CORPUS, "--hyps", system("strong"), "--metrics", *WIDE_METRICS]


def test_a_wide_table_is_one_block_where_there_is_room():
    table = output_of(*WIDE, environment={"COLUMNS": "300"})
    header = next(line for line in table.splitlines() if line.split()[:1] == ["system"])
    assert header.split() == ["system", *WIDE_METRICS]


def test_a_wide_table_has_several_blocks_with_the_systems_in_each():
    scores = {
        result["metric"]: f"{100 * result['score']:.2f}"
        for result in json.loads(output_of(*WIDE, "--format", "json"))["results"]
    }
    blocks = output_of(*WIDE, environment={"COLUMNS": "80"}).split("\n\n")
    assert len(blocks) > 1
    shown = []
    for block in blocks:
        *headings, rule, row = block.splitlines()[:5]
        assert set(rule) == {"─"}
        assert max(map(len, (*headings, rule, row))) <= 80
        assert [line.split()[0] for line in (*headings, row)][-2:] == ["system", "strong"]
        parts = [line.removeprefix("system").split() for line in headings]
        shown += zip(map("".join, zip(*parts, strict=True)), row.split()[1:], strict=True)
    assert dict(shown) == scores


@pytest.mark.parametrize("style", ["table", "json", "markdown"])
def test_names_of_other_scripts(style):
    assert "системa中" in output_of(
        "score",
        *TEXT_CORPUS,
        "--hyps",
        f"системa中={system('strong')}",
        "-m",
        "green",
        "--format",
        style,
    )
