"""Results, corpora and outputs as tables: pandas, polars, Arrow, and HTML for notebooks."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import pytest

import corrigenda
from corrigenda import Corpus, CorrigendaError, Hypotheses, evaluate
from corrigenda.core.results import Results
from corrigenda.frames import SHOWN_ROWS, table_html

SYSTEMS = {"ours": ["He goes .", "a b"], "<b>theirs</b>": ["He go .", "a b"]}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.from_lists(
        ["He go .", "a b"],
        [["He goes .", "She goes ."], ["a c", "a d"]],
        references_by="sentence",
    )


@pytest.fixture(scope="module")
def results(corpus: Corpus) -> Results:
    return evaluate(corpus, SYSTEMS, ["bleu", "green:n=2"])


def test_a_row_per_result_with_fractions(results: Results) -> None:
    columns = results.columns()
    assert columns["system"] == ["ours", "ours", "<b>theirs</b>", "<b>theirs</b>"]
    assert columns["score"] == [result.score for result in results]
    assert columns["precision"] == [result.precision for result in results]
    assert columns["recall"][1] == results[1].recall


def test_a_part_is_still_a_table(results: Results) -> None:
    assert isinstance(results[:2], Results)
    assert results[:2].systems == ["ours"]
    assert "2 results: ours by bleu, green:n=2" in repr(results[:2])


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow"])
def test_frames(results: Results, corpus: Corpus, name: str) -> None:
    pytest.importorskip(name)
    outputs = Hypotheses("ours", tuple(SYSTEMS["ours"]))
    for table in (results, corpus, outputs, results[0]):
        frame = getattr(table, f"to_{name.replace('py', '')}")()
        columns = table.columns()
        assert list(frame.columns if name != "pyarrow" else frame.column_names) == list(columns)
        assert len(frame) == len(next(iter(columns.values())))


def test_what_is_not_installed_is_said(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(CorrigendaError, match="pandas is not installed"):
        results.to_pandas()


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    code = "import corrigenda.core.results, sys; print('pandas' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_sentences_of_a_result(results: Results) -> None:
    columns = results[1].columns()
    assert columns["sentence"] == [0, 1]
    assert columns["score"] == results[1].sentence_scores.tolist()


class Cells(HTMLParser):
    """The text of the cells, and all tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def test_a_notebook_shows_a_leaderboard(results: Results) -> None:
    page = Cells(results._repr_html_())
    assert page.cells[:4] == ["system", "bleu", "green:n=2", "ours"]
    assert page.cells[4] == f"{100 * results[0].score:.2f}"
    assert "<b>theirs</b>" in page.cells
    assert "b" not in page.tags


def test_long_tables_are_cut(corpus: Corpus) -> None:
    assert "more rows" not in corpus._repr_html_()
    long = table_html({"n": list(range(SHOWN_ROWS + 5))})
    assert "and 5 more rows" in long


def test_natural_mistakes_are_explained(corpus: Corpus) -> None:
    with pytest.raises(CorrigendaError, match="read_hypotheses"):
        evaluate(corpus, "T5.txt", ["green"])
    with pytest.raises(CorrigendaError, match="read_hypotheses"):
        evaluate(corpus, ["T5.txt"], ["green"])  # type: ignore[list-item]
    with pytest.raises(CorrigendaError, match=r"\{'ours': "):
        evaluate(corpus, [["He goes .", "a b"]], ["green"])  # type: ignore[list-item]
    with pytest.raises(CorrigendaError, match=r"Corpus\.from_lists"):
        evaluate(["He go .", "a b"], SYSTEMS, ["green"])  # type: ignore[arg-type]
    with pytest.raises(CorrigendaError, match="a list of sentences"):
        corrigenda.score(source="He go .", hypothesis="He goes .", references="He goes .")  # type: ignore[arg-type]


def test_one_output_needs_no_list(corpus: Corpus) -> None:
    one = Hypotheses("ours", tuple(SYSTEMS["ours"]))
    assert evaluate(corpus, one, ["green"]) == evaluate(corpus, [one], ["green"])
