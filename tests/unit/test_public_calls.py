"""`check`, `explain`, `slices`, `convert` and `report` from Python, and pictures of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corrigenda
from corrigenda import CorrigendaError
from corrigenda.data import SAMPLE, sample_corpus, sample_systems

CORPUS, SYSTEMS = sample_corpus(), sample_systems()[:3]
NAMES = [system.name for system in SYSTEMS]


def test_check_is_a_table_of_findings() -> None:
    found = corrigenda.check(CORPUS, {"ours": ["x"] * 60, "theirs": list(SYSTEMS[0].sentences)})
    assert not found.ok
    assert set(found.columns()["system"]) == {"ours"}
    assert len(found.columns()["code"]) == len(found)
    assert repr(found).startswith(f"<{len(found)} findings: ")
    assert corrigenda.check(CORPUS).ok


def test_slices_have_a_row_per_slice_metric_and_system() -> None:
    topics = ["a" if number % 2 else "b" for number in range(60)]
    found = corrigenda.slices(
        CORPUS, SYSTEMS, ["green", "bleu"], by="topic", columns={"topic": topics}, resamples=100
    )
    assert len(found.rows) == 2 * 2 * 3
    assert {row.metric for row in found.differences} == {"green", "bleu"}
    alone = corrigenda.slices(CORPUS, SYSTEMS, ["green"], resamples=0)
    assert alone.differences == ()
    assert "13+" not in alone.columns()["slice"]


def test_explain_takes_a_line() -> None:
    found = corrigenda.explain(CORPUS, SYSTEMS, ["green", "m2"], line=2)
    assert found.source == CORPUS.sources[1]
    assert [(each.system, str(each.result.metric)) for each in found.outputs] == [
        (name, metric) for name in NAMES for metric in ("green", "m2")
    ]
    assert all(each.tables for each in found.outputs)
    assert "annotator" in found._repr_html_()
    with pytest.raises(CorrigendaError, match="lines 1 to 60"):
        corrigenda.explain(CORPUS, SYSTEMS, line=61)


@pytest.mark.parametrize("form", ["m2", "ixml", "jsonl", "cherrant"])
def test_convert_writes_what_it_returns(form: str, tmp_path: Path) -> None:
    text = corrigenda.convert(CORPUS, to=form)
    assert corrigenda.convert(CORPUS, to=form, out=tmp_path / "file") is None
    assert (tmp_path / "file").read_text(encoding="utf-8") == text


def test_convert_into_folders(tmp_path: Path) -> None:
    systems = {"ours": list(SYSTEMS[0].sentences)}
    corrigenda.convert(CORPUS, systems, to="text", out=tmp_path, fill_missing="source")
    assert (tmp_path / "ours.txt").read_text("utf-8").splitlines() == systems["ours"]
    read = corrigenda.read_text(tmp_path / "source.txt", [tmp_path / "ref0.txt"])
    assert read.sources == CORPUS.sources
    essays = corrigenda.Corpus(
        ("He go .",), (("He goes .",),), documents=("7",)
    )  # fmt: skip
    corrigenda.convert(essays, {"ours": ["He went ."]}, to="essays", out=tmp_path / "essays")
    assert corrigenda.read_essays(tmp_path / "essays" / "orig.md").references == (("He goes .",),)
    line = json.loads(corrigenda.convert(CORPUS[:1], {"ours": ["x"]}, to="jsonl") or "")
    assert line["hypotheses"] == {"ours": "x"}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"to": "xml"}, "The formats are: text, m2"),
        ({"to": "text"}, "into which folder"),
        ({"to": "m2", "systems": {"a": ["x"] * 60}}, "hold no systems"),
        ({"to": "m2", "fill_missing": "first"}, "goes with to='text'"),
        ({"to": "text", "out": "x", "fill_missing": "source", "systems": {"../a": ["x"] * 60}},
         "cannot name its file"),
        ({"to": "text", "out": "x", "fill_missing": "first", "systems": {"source": ["x"] * 60}},
         "cannot name its file"),
    ],
)  # fmt: skip
def test_convert_refuses(options: dict, problem: str, tmp_path: Path) -> None:
    with pytest.raises(CorrigendaError) as error:
        corrigenda.convert(CORPUS, **{**options, "out": options.get("out") and tmp_path / "x"})
    assert problem in str(error.value)
    assert not (tmp_path / "x").exists()


@pytest.mark.slow
def test_a_report_in_a_notebook_cell(tmp_path: Path) -> None:
    page = corrigenda.report(
        CORPUS[:9], [system[:9] for system in SYSTEMS], ["green"], out=tmp_path / "r.html",
        title="<b>Ours</b>", resamples=50, human={"strong": 1.0, "eager": 0.5, "cautious": 0.2},
    )  # fmt: skip
    assert (tmp_path / "r.html").read_text("utf-8") == page.html
    frame = page._repr_html_()
    assert frame.startswith("<iframe ")
    assert frame.count("<") == 2, "the page is escaped"
    from corrigenda import report

    with pytest.raises(CorrigendaError, match="report has no option 'tilte'"):
        report(CORPUS, SYSTEMS, ["green"], tilte="x")


@pytest.mark.slow
def test_pictures_of_results() -> None:
    pytest.importorskip("matplotlib")
    results = corrigenda.evaluate(CORPUS, SYSTEMS, ["green", "m2"])
    figure = results.plot()
    assert [axes.get_title() for axes in figure.axes] == ["green", "m2"]
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == NAMES
    dots = figure.axes[0].lines[0].get_xdata()
    assert list(dots) == [100 * result.score for result in results[::2]]
    compared = corrigenda.compare(CORPUS, SYSTEMS, ["green"], resamples=100).plot()
    assert compared.axes[0].get_yticklabels()[0].get_text() == "cautious − strong"
    ranking = corrigenda.rank(SAMPLE / "judgments.xml", resamples=100)
    assert len(ranking.plot().axes[0].lines) == 1 + len(ranking.systems), "dots and intervals"
    sliced = corrigenda.slices(CORPUS, SYSTEMS[:1], ["green"], resamples=0)
    assert len(sliced.plot().axes[0].get_yticklabels()) == len(sliced.rows)
    with pytest.raises(CorrigendaError, match="nothing to draw"):
        results[:0].plot()


MISTAKES = [
    (lambda: corrigenda.evaluate(CORPUS, "T5.txt"), "systems=[read_hypotheses('T5.txt')]"),
    (lambda: corrigenda.evaluate(CORPUS, Path("T5.txt")), "systems=[read_hypotheses('T5.txt')]"),
    (lambda: corrigenda.evaluate(CORPUS, ["T5.txt"]), "write read_hypotheses('T5.txt')"),
    (lambda: corrigenda.evaluate(CORPUS, None), "systems={'ours': [sentence, …]}"),
    (lambda: corrigenda.evaluate(CORPUS, [["a"] * 60]), "systems={'ours': [sentence, …]}"),
    (lambda: corrigenda.evaluate("gold.m2", SYSTEMS), "read_m2('gold.m2')"),
    (lambda: corrigenda.evaluate(CORPUS.sources, SYSTEMS), "Corpus.from_lists"),
    (lambda: corrigenda.evaluate(CORPUS, SYSTEMS, "green"), "metrics=['green']"),
    (lambda: corrigenda.compare(CORPUS, SYSTEMS[:1]), "two systems"),
    (lambda: corrigenda.check("gold.m2"), "read_m2('gold.m2')"),
    (lambda: corrigenda.slices(CORPUS, SYSTEMS, by="lenght", resamples=0), "length"),
    (lambda: corrigenda.explain(CORPUS, {"ours": ["a"]}), "60"),
    (lambda: corrigenda.read_text(SAMPLE / "source.txt", SAMPLE / "ref0.txt"), "list of files"),
    (lambda: corrigenda.score(source="a", hypothesis=["a"]), "source=["),
]


@pytest.mark.parametrize("place", range(len(MISTAKES)))
def test_natural_mistakes_get_help(place: int) -> None:
    call, help_text = MISTAKES[place]
    with pytest.raises(CorrigendaError) as error:
        call()
    assert help_text in str(error.value)
