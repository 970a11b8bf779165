"""Six commands print in the same five formats, and all formats hold the same numbers."""

from __future__ import annotations

import csv
import io
import json

import pytest
from program import GOLD, output_of, run, system

NAMES = ("cautious", "strong", "eager")
SYSTEMS = [system(name) for name in NAMES]
CORPUS = ["--gold", GOLD, "--hyps", *SYSTEMS]
COMMANDS: dict[str, list[str]] = {
    "score": ["score", *CORPUS, "-m", "m2", "green"],
    "compare": ["compare", *SYSTEMS, "--gold", GOLD, "-m", "m2", "green", "--resamples", "200"],
    "compare --pairs": ["compare", *SYSTEMS, "--gold", GOLD, "-m", "m2", "--pairs", "--resamples", "200"],
    "slices": ["slices", *CORPUS, "-m", "m2", "--by", "length", "--resamples", "200"],
    "rank": ["rank", "sample", "--bootstrap", "50"],
    "meta": ["meta", "--data", "sample", "--metrics", "green", "m2", "--bootstrap", "50"],
    "reproduce": ["reproduce", "imeasure-table8"],
}  # fmt: skip


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What each command prints in each format, made once."""
    kept: dict[tuple[str, ...], str] = {}
    environment = {"CORRIGENDA_DATA": str(tmp_path_factory.mktemp("data")), "COLUMNS": "80"}

    def get(command: str, style: str, *more: str) -> str:
        key = (command, style, *more)
        if key not in kept:
            arguments = [*COMMANDS[command], "--format", style, *more]
            kept[key] = output_of(*arguments, environment=environment)
        return kept[key]

    return get


def records(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("style", ["table", "json", "csv", "markdown", "latex"])
def test_every_command_has_every_format(printed, command, style):
    text = printed(command, style)
    signs = {"table": "───", "json": "{", "csv": ",", "markdown": "|--", "latex": r"\toprule"}
    assert signs[style] in text


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_csv_is_rectangular_and_unrounded(printed, command):
    rows = list(csv.reader(io.StringIO(printed(command, "csv"), newline="")))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) > 1
    assert all(name and name == name.lower() for name in rows[0])


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_latex_tables_have_equal_rows_and_escaped_letters(printed, command):
    text = printed(command, "latex")
    for table in text.split(r"\begin{tabular}")[1:]:
        columns = table[1 : table.index("}")]
        body = table.split(r"\toprule")[1].split(r"\bottomrule")[0]
        lines = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert {line.count(" & ") + 1 for line in lines} == {len(columns)}
        assert body.isascii()
        assert not [line for line in lines if "%" in line.replace(r"\%", "")]
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") > 0


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_markdown_tables_have_equal_rows(printed, command):
    tables = [
        [line for line in block.splitlines() if line.startswith("|")]
        for block in printed(command, "markdown").split("\n\n")
    ]
    tables = [table for table in tables if table]
    assert tables
    for table in tables:
        assert len({line.count("|") for line in table}) == 1
        assert set(table[1]) <= set("|:-")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_compare_marks_what_differs_from_the_baseline(printed):
    found = json.loads(printed("compare", "json"))["comparisons"]
    significant = {(row["metric"], row["system"]): row["corrected_p_value"] < 0.05 for row in found}
    assert set(significant.values()) == {True, False}
    markdown, latex = printed("compare", "markdown"), printed("compare", "latex")
    for row in found:
        marked = significant[row["metric"], row["system"]]
        shown = f"{100 * row['difference']:+.2f}"
        assert (f"| {shown}* |" in markdown) == marked
        with_minus = shown.replace("-", "$-$")
        assert (f"& {with_minus}\\textsuperscript{{*}} &" in latex) == marked
    meaning = "differs from cautious: p < 0.05 in a paired permutation test after Benjamini-Hochberg correction"
    assert f"\\* {meaning}" in markdown
    assert meaning.replace("<", "$<$") in latex
    # The words of the terminal are not needed beside the marks.
    assert "better" not in markdown + latex
    assert "better" in printed("compare", "table")


def test_no_mark_no_note():
    same = ["compare", f"a={SYSTEMS[0]}", f"b={SYSTEMS[0]}", "--gold", GOLD, "-m", "m2"]
    same.append("--no-health")  # which says that the two are one
    for style in ("markdown", "latex"):
        text = output_of(*same, "--resamples", "50", "--format", style)
        assert "p < " not in text.replace("$", "")
        assert "*" not in text.replace("**", "").replace(r"\*", "*")


def test_pairs_are_marked(printed):
    (group,) = json.loads(printed("compare --pairs", "json"))["pairs"]
    significant = sum(p < 0.05 for row in group["p_values"] for p in row)
    assert significant
    assert (
        printed("compare --pairs", "latex").count(r"\textsuperscript{*} &")
        + printed("compare --pairs", "latex").count("\\textsuperscript{*} \\\\")
        == significant
    )
    assert r"\midrule" in printed("compare --pairs", "latex").split("strong")[1]


def test_slices_mark_differences(printed):
    found = json.loads(printed("slices", "json"))["differences"]
    significant = [row for row in found if row["adjusted_p_value"] < 0.05]
    assert significant
    markdown = printed("slices", "markdown")
    for row in found:
        shown = f"| {100 * row['difference']:+.2f}"
        assert (f"{shown}* |" in markdown) == (row in significant)
    assert "after Benjamini-Hochberg correction" in markdown


def test_meta_marks_intervals_without_zero_and_says_so(printed):
    data = json.loads(printed("meta", "json"))
    markdown = printed("meta", "markdown")
    for entry in data["metrics"]:
        for name in ("pearson", "spearman", "kendall"):
            value, (low, high) = entry[name]["value"], entry[name]["interval"]
            mark = "*" if low > 0 or high < 0 else ""
            assert f"| {value:.3f}{mark} [{low:.2f}, {high:.2f}] |" in markdown
    assert "the 95 % interval excludes 0" in markdown


def test_meta_says_when_williams_decides():
    """Corpus scores of 5 systems have 32 exchanges. The smallest p of the test is 2/32."""
    arguments = ["meta", "--data", "sample", "-m", "green", "bleu", "--compare", "--bootstrap", "0"]
    (pair,) = json.loads(output_of(*arguments, "--format", "json"))["comparisons"]
    assert pair["decided_by"] == "simulated-williams"
    assert pair["deciding_p"] == pair["corrected_simulated_p"]
    text = " ".join(output_of(*arguments).split())
    assert "the permutation test cannot reject with 5 systems: it has 32 outcomes" in text
    assert "smallest p is 0.0625; Williams' test decides, with a simulated distribution" in text
    records = output_of(*arguments, "--table", "comparisons", "--format", "csv").splitlines()
    assert dict(zip(*(line.split(",") for line in records), strict=True))["decided_by"] == (
        "simulated-williams"
    )


def test_meta_marks_what_the_permutation_test_finds():
    arguments = ["meta", "--data", "sample", "-m", "green", "bleu", "--compare", "--bootstrap", "0",
                 "--confidence", "0.4"]  # fmt: skip
    (pair,) = json.loads(output_of(*arguments, "--format", "json"))["comparisons"]
    text = output_of(*arguments, "--format", "markdown")
    mark = "*" if pair["corrected_permutation_p"] < 0.6 else ""
    assert f"| {pair['difference']:+.3f}{mark} |" in text
    assert "permutation test: p < 0.6" in text
    assert "corrected (bh) over 1 pair of metrics" in text


def test_rank_separates_clusters(printed):
    systems = json.loads(printed("rank", "json"))["systems"]
    clusters = {entry["cluster"] for entry in systems}
    assert len(clusters) > 1
    body = printed("rank", "latex").split(r"\midrule", 1)[1]
    assert body.count(r"\midrule") == len(clusters) - 1
    rows = [cells(line) for line in printed("rank", "markdown").splitlines() if line[:1] == "|"]
    assert [row[-1] for row in rows[2:]] == [str(entry["cluster"]) for entry in systems]


def test_csv_of_compare_has_the_json(printed):
    for row, found in zip(
        records(printed("compare", "csv")),
        json.loads(printed("compare", "json"))["comparisons"],
        strict=True,
    ):
        assert float(row["difference"]) == found["difference"]
        assert (float(row["low"]), float(row["high"])) == (
            found["interval"]["low"],
            found["interval"]["high"],
        )
        assert float(row["corrected_p_value"]) == found["corrected_p_value"]


def test_csv_of_rank_and_meta_has_the_json(printed):
    ranked = json.loads(printed("rank", "json"))["systems"]
    for row, entry in zip(records(printed("rank", "csv")), ranked, strict=True):
        assert (row["system"], int(row["rank"])) == (entry["system"], entry["rank"])
        assert float(row["score"]) == entry["score"]
        assert [float(row["low"]), float(row["high"])] == entry["interval"]
    metrics = json.loads(printed("meta", "json"))["metrics"]
    for row, entry in zip(records(printed("meta", "csv")), metrics, strict=True):
        assert row["metric"] == entry["metric"]
        assert float(row["pearson"]) == entry["pearson"]["value"]
        assert [float(row["kendall_low"]), float(row["kendall_high"])] == (
            entry["kendall"]["interval"]
        )


TABLES = [
    ("compare --pairs", "p-values", 3),
    ("compare --pairs", "systems", 3),
    ("slices", "differences", 4),
    ("rank", "head-to-head", 20),
    ("rank", "by-judge", 15),
    ("rank", "agreement", 6),
    ("meta", "ranks", 10),
    ("meta", "top-k", 18),
    ("meta", "windows", 12),
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "table", "number"), TABLES)
def test_csv_of_other_tables(printed, command, table, number):
    rows = records(printed(command, "csv", "--table", table))
    assert len(rows) == number
    assert all(None not in row.values() for row in rows)


def test_csv_of_comparisons_and_of_beta():
    pytest.importorskip("scipy")
    common = ["meta", "--data", "sample", "-m", "green", "m2", "bleu", "--bootstrap", "0"]
    rows = records(output_of(*common, "--format", "csv", "--table", "comparisons"))
    assert [(row["first_metric"], row["second_metric"]) for row in rows] == [
        ("green", "m2"),
        ("green", "bleu"),
        ("m2", "bleu"),
    ]
    sweep = ["--beta-sweep", "0:1:0.5", "--format", "csv", "--table", "beta"]
    assert [row["beta"] for row in records(output_of(*common, *sweep))] == ["0.0", "0.5", "1.0"] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["slices", *CORPUS, "--table", "differences"], "Add --format csv"),
        (["compare", *SYSTEMS, "--gold", GOLD, "-f", "csv", "--table", "systems"], "Add --pairs"),
        (["meta", "--data", "sample", "-f", "csv", "--table", "beta"], "Add --beta-sweep"),
        (["rank", "sample", "-f", "csv", "--table", "nothing"], "--table is 'nothing'"),
    ],
)
def test_tables_that_cannot_be_written(arguments, message):
    finished = run(*arguments)
    assert finished.returncode == 2
    assert message in finished.stderr


def test_reproduce_marks_differences_above_the_tolerance(capsys):
    from corrigenda.cli.reproduce import _print
    from corrigenda.meta.laboratory import PublishedCell, Reproduction

    cells = (PublishedCell("ours", "r", 0.6, 0.25), PublishedCell("equal", "r", 0.6, 0.6))
    signs = {"table": "-0.350!", "markdown": "-0.350!", "latex": r"$-$0.350\textsuperscript{!}"}
    for style, sign in signs.items():
        _print(Reproduction("name", "A table", cells), 0.1, style)
        text = capsys.readouterr().out
        assert sign in text
        assert "+0.000!" not in text
        assert "above the tolerance of 0.1" in text
