"""The I-measure on the command line: both kinds of gold, its tables and its messages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from program import GOLD, REFS, SOURCE, TEXT_CORPUS, output_of, run, system

from corrigenda.corpus.gold import gold_sentences
from corrigenda.data import SAMPLE, sample_corpus
from corrigenda.formats import ixml, read_ixml, read_m2, read_text

SYSTEMS = [system(name) for name in ("cautious", "eager", "empty", "strong", "unchanged")]
WIDE = {"COLUMNS": "200"}
TABLE_11 = ["TP", "TN", "FP", "FN", "FPN", "P", "R", "F0.5", "Acc", "WAcc", "WAcc_base", "I"]


@pytest.fixture(scope="module")
def gold_xml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's gold as XML."""
    path = tmp_path_factory.mktemp("ixml") / "gold.xml"
    assert output_of("convert", "--gold", GOLD, "--to", "ixml", "--out", path) == ""
    return path


def results(*arguments: str | Path) -> list[dict]:
    found = json.loads(output_of("score", *arguments, "--format", "json"))["results"]
    assert isinstance(found, list)
    return found


# --- formats --------------------------------------------------------------------------------------


def test_m2_to_xml_holds_the_clustered_errors(gold_xml):
    assert ixml.read(gold_xml) == tuple(gold_sentences(sample_corpus()))


def test_xml_to_xml_and_from_standard_input(gold_xml):
    text = gold_xml.read_text(encoding="utf-8")
    assert output_of("convert", "--ixml", gold_xml, "--to", "ixml") == text
    assert output_of("convert", "--ixml", "-", "--to", "ixml", stdin=text.encode()) == text


def test_xml_to_m2_keeps_every_annotators_edits(gold_xml, tmp_path):
    output_of("convert", "--ixml", gold_xml, "--to", "m2", "--out", tmp_path / "again.m2")
    again, before = read_m2(tmp_path / "again.m2"), sample_corpus()
    assert (again.sources, again.references) == (before.sources, before.references)
    for ours, theirs in zip(again.gold, before.gold, strict=True):
        edits = [
            [
                (each.annotator, [(edit.start, edit.end, edit.corrections) for edit in each.edits])
                for each in gold
            ]
            for gold in (ours, theirs)
        ]
        assert edits[0] == edits[1]


def test_text_becomes_xml_and_xml_text(tmp_path):
    xml, texts = tmp_path / "extracted.xml", tmp_path / "texts"
    output_of("convert", *TEXT_CORPUS, "--to", "ixml", "--out", xml)
    assert read_ixml(xml).references == read_text(SOURCE, REFS).references
    output_of("convert", "--ixml", xml, "--to", "text", "--out", texts)
    for name in ("source", "ref0", "ref1"):
        assert (texts / f"{name}.txt").read_bytes() == (SAMPLE / f"{name}.txt").read_bytes()


def test_xml_with_systems_is_refused():
    done = run("convert", "--gold", GOLD, "--hyps", SYSTEMS[0], "--to", "ixml")
    assert done.returncode != 0
    assert "ixml files hold no systems" in done.stderr


def test_broken_xml_is_an_error_with_its_line(tmp_path):
    path = tmp_path / "gold.xml"
    path.write_text(
        '<scripts>\n<sentence numann="1"><text>a</text>\n<error-list><error req="y"/></error-list></sentence></scripts>'
    )
    done = run("score", "--ixml", path, "--hyps", SYSTEMS[0], "--metrics", "imeasure")
    assert done.returncode != 0
    assert f"{path}:3" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", ["", ":mix=false", ":optimise=corpus", ":maximise=detection.f,beta=1,w=3"]
)
def test_both_kinds_of_gold_give_the_same(gold_xml, options):
    common = ["--hyps", *SYSTEMS, "--metrics", f"imeasure{options}", "--per-sentence"]
    assert results("--gold", GOLD, *common) == results("--ixml", gold_xml, *common)


# --- tables ---------------------------------------------------------------------------------------


def rows_of(table: str) -> list[list[str]]:
    """The rows of a table of any format, header first."""
    lines = [re.sub(r"\\\\$", "", line) for line in table.splitlines()]
    cells = [[cell for cell in re.split(r"[|&\s]+", line) if cell] for line in lines]
    begin = next(place for place, row in enumerate(cells) if row[:1] == ["system"])
    rows = [row for row in cells[begin:] if len(row) == len(cells[begin])]
    return [
        [cell.replace("\\", "").replace("$-$", "-") for cell in row]
        for row in rows
        if not row[1].startswith((":", "-", "─"))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("style", ["table", "markdown", "latex"])
def test_details_are_the_papers_table_11(style):
    common = ["--gold", GOLD, "--hyps", *SYSTEMS, "--metrics", "imeasure"]
    printed = output_of("score", *common, "--details", "--format", style, environment=WIDE)
    expected = sorted(results(*common), key=lambda result: -result["score"])
    for aspect in ("correction", "detection"):
        header, *rows = rows_of(printed.split(f"imeasure, {aspect}")[1].split("imeasure, ")[0])
        assert header == ["system", *TABLE_11]
        assert [row[0] for row in rows] == [result["system"] for result in expected]
        for row, result in zip(rows, expected, strict=True):
            measures = [
                result[aspect][name]
                for name in ["precision", "recall", "f", "acc", "wacc", "wacc_base", "i"]
            ]
            assert row[1:6] == [str(count) for count in result["counts"][aspect].values()]
            assert row[6:] == [f"{100 * value:.2f}" for value in measures]


def test_details_of_other_metrics():
    printed = output_of(
        "score",
        "--gold",
        GOLD,
        "--hyps",
        *SYSTEMS,
        "--metrics",
        "m2",
        "green:n=2,beta=1",
        "--details",
        environment=WIDE,
    )
    titles = [
        line
        for line in printed.splitlines()
        if line.startswith(("m2", "green")) and "|" not in line
    ]
    assert titles == [
        "m2",
        "green:n=2,beta=1",
        "green:n=2,beta=1, n = 1",
        "green:n=2,beta=1, n = 2",
    ]
    m2, green, first, _ = [rows_of(f"system{part}") for part in printed.split("\nsystem")[1:]]
    assert m2[0] == ["system", "correct", "proposed", "gold", "P", "R", "F0.5"]
    assert green[0] == ["system", "P", "R", "F1"]
    assert first[0] == ["system", "tk", "td", "ti", "od", "oi", "ud", "ui"]
    for table in (m2, green, first):
        assert {row[0] for row in table[1 : len(SYSTEMS) + 1]} == {
            Path(name).stem for name in SYSTEMS
        }


def test_details_cannot_be_csv():
    done = run("score", "--gold", GOLD, "--hyps", *SYSTEMS, "--details", "--format", "csv")
    assert done.returncode != 0
    assert "--format json" in done.stderr


# --- too many references --------------------------------------------------------------------------


def many_errors(errors: int) -> str:
    """An M2 sentence whose every word two annotators correct in two ways."""
    lines = ["S " + " ".join(["word"] * errors)]
    lines += [
        f"A {at} {at + 1}|||X|||{who}-{at}|||REQUIRED|||-NONE-|||{who}"
        for who in "01"
        for at in range(errors)
    ]
    return "\n".join(lines) + "\n\n"


def test_too_many_references_are_said_and_counted(tmp_path):
    (tmp_path / "gold.m2").write_text("S fine\n\n" + many_errors(100) + many_errors(3))
    (tmp_path / "a.txt").write_text("fine\n" + " ".join(["word"] * 100) + "\n0-0 1-1 0-2\n")
    common = ["--gold", "gold.m2", "--hyps", "a.txt", "b=a.txt", "--metrics", "imeasure"]
    done = run("score", *common, "--format", "json", folder=tmp_path)
    assert done.returncode == 0
    (note,) = done.stderr.splitlines()
    assert "1 of 3 sentences (the first is: word word" in note
    assert "allow more than 20000 mixed references" in note
    for result in json.loads(done.stdout)["results"]:
        assert result["remarks"] == {"sentences_not_mixed": 1}
        assert result["counts"]["correction"]["tp"] == 3
    quiet = run("score", *common[:-1], "imeasure:mix=false", "--format", "json", folder=tmp_path)
    assert quiet.stderr == ""
    assert all("remarks" not in result for result in json.loads(quiet.stdout)["results"])


@pytest.mark.slow
def test_the_largest_sentences_of_conll_with_alternatives(conll_folder, tmp_path):
    """Sentence 333 allows 1.9 · 10¹² references, its two neighbours many millions."""
    whole = (conll_folder / "official-2014.combined-withalt.m2").read_text(encoding="utf-8")
    (tmp_path / "gold.m2").write_text(
        "\n\n".join(whole.split("\n\n")[330:336]) + "\n\n", encoding="utf-8"
    )
    output = (conll_folder / "systems" / "AMU.txt").read_text(encoding="utf-8").split("\n")[330:336]
    (tmp_path / "AMU.txt").write_text("\n".join(output) + "\n", encoding="utf-8")
    done = run(
        "score",
        "--gold",
        "gold.m2",
        "--hyps",
        "AMU.txt",
        "-m",
        "imeasure",
        "-f",
        "json",
        folder=tmp_path,
    )
    assert done.returncode == 0
    assert "3 of 6 sentences (the first is: " in done.stderr
    assert json.loads(done.stdout)["results"][0]["remarks"] == {"sentences_not_mixed": 3}
