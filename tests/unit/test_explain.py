"""What `explain` shows, on the papers' own examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.analysis.explain import explain
from corrigenda.core.explanation import Explanation
from corrigenda.core.result import Result
from corrigenda.edits.difference import word_difference
from corrigenda.metrics import REGISTRY, metric_class
from corrigenda.metrics.ngram_explanations import multiset, regions
from reference_free import KeptWords

# Felice & Briscoe (2015), Table 1.
SOURCE = "This machines is designed for help people ."
REFERENCES = [
    "These machines are designed for helping people .",
    "This machine is designed to help people .",
]
HYPOTHESIS = "These machines are designed to help people ."


def explained(metric: str, hypothesis: str = HYPOTHESIS) -> tuple[Result, list[Explanation]]:
    corpus = Corpus.from_lists(
        [SOURCE], [[reference] for reference in REFERENCES], references_by="text"
    )
    system = Hypotheses("system", (hypothesis,))
    result = evaluate(corpus, [system], [metric], level="sentence")[0]
    return result, explain(corpus, system, result)


def rows(table: Explanation) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_every_metric_without_an_extra_is_explained() -> None:
    plain = [metric_class(name) for name in REGISTRY if metric_class(name).extra is None]
    assert all("explain" in each.offers for each in plain)


def test_a_metric_that_needs_no_references_is_explained_without_them() -> None:
    corpus, system = Corpus.from_lists([SOURCE]), Hypotheses("system", (HYPOTHESIS,))
    (result,) = evaluate(corpus, [system], [KeptWords()], level="sentence")
    (table,) = explain(corpus, system, result)
    assert rows(table) == [[word] for word in SOURCE.split()]


def test_green_shows_its_seven_regions() -> None:
    result, (unigrams, bigrams) = explained("green:n=2")
    assert result.references is not None
    assert result.references[0] == 0
    assert rows(unigrams) == [
        ["true keep", "4", "machines · designed · people · ."],
        ["true delete", "2", "This · is"],
        ["true insert", "2", "These · are"],
        ["over-delete", "1", "for"],
        ["over-insert", "1", "to"],
        ["under-delete", "1", "help"],
        ["under-insert", "1", "helping"],
    ]
    counts = [[int(row[1]) for row in rows(table)] for table in (unigrams, bigrams)]
    assert [list(column) for column in zip(*counts, strict=True)] == list(result.counts.values())


@given(*[st.text("ab", max_size=6)] * 3, st.integers(1, 3))
def test_green_regions_by_operations_on_multisets_equal_the_kernel(
    a: str, b: str, c: str, n: int
) -> None:
    source, reference, hypothesis = (" ".join(text) for text in (a, b, c))
    corpus = Corpus.from_lists([source], [reference])
    result = evaluate(corpus, {"s": [hypothesis]}, [f"green:n={n}"])[0]
    for size in range(1, n + 1):
        shown = regions(*(multiset(text.split(), size) for text in (source, reference, hypothesis)))
        assert {name: grams.total() for name, grams in shown.items()} == {
            name: values[size - 1] for name, values in result.counts.items()
        }


def test_gleu_shows_matches_and_penalties_against_each_reference() -> None:
    _, tables = explained("gleu:n=2")
    assert [table.title for table in tables] == ["reference 0", "reference 1"]
    assert rows(tables[0]) == [["1", "6", "1", "8", "help"], ["2", "4", "1", "7", "help people"]]
    assert rows(tables[1]) == [["1", "5", "1", "8", "machines"], ["2", "4", "0", "7", ""]]


def test_bleu_shows_what_no_reference_has() -> None:
    _, (table,) = explained("bleu:n=2")
    assert rows(table)[0] == ["1", "8", "8", ""]
    assert rows(table)[1] == ["2", "7", "7", ""]


def test_m2_shows_correct_wrong_and_missed_edits() -> None:
    """Table 1: precision and recall are 2/3, because the scorer cannot mix annotators."""
    result, (table,) = explained("m2")
    assert result.precision == result.recall == result.score == pytest.approx(2 / 3)
    assert [(row[1], row[2], row[4]) for row in rows(table)] == [
        ("This", "These", "correct"),
        ("is", "are", "correct"),
        ("for", "to", "wrong"),
        ("help", "helping", "missed"),
    ]


def test_imeasure_shows_the_class_of_each_column() -> None:
    """Table 1 again: with mixed annotators the hypothesis is perfect."""
    result, (table,) = explained("imeasure")
    assert result.score == 1
    by_name = {row[0]: row[1:] for row in rows(table)}
    assert by_name["reference"] == HYPOTHESIS.split()
    assert by_name["correction"] == ["TP", "TN", "TP", "TN", "TP", "TN", "TN", "TN"]


def test_imeasure_shows_gaps_and_miscorrections() -> None:
    _, (table,) = explained(
        "imeasure:mix=false", "These machines are designed by help the people ."
    )
    by_name = {row[0]: row[1:] for row in rows(table)}
    assert "–" in by_name["source"]
    assert set(by_name["correction"]) <= {"TP", "TN", "FP", "FN", "FP FN FPN"}
    assert len({len(row) for row in rows(table)}) == 1


@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
def test_a_difference_reads_as_source_and_as_target(source: list[str], target: list[str]) -> None:
    pieces = word_difference(source, target)

    def read(*changes: str) -> list[str]:
        return [word for piece in pieces if piece.change in changes for word in piece.words.split()]

    assert read("kept", "deleted") == source
    assert read("kept", "inserted") == target


# Gong et al. (2022), Table 8: M² prefers PKU (0.83) to NTHU (0.71). With weights of 1, PT-M² is M².
_TEXT = "It is also {} incorrect to fault social media alone for {} of interpersonal {} ."
TABLE_8 = {
    "NTHU": _TEXT.format("entirely", "lack", "skills"),
    "PKU": _TEXT.format("entire", "the lack", "skills"),
}


@pytest.mark.parametrize(("system", "score"), [("NTHU", 0.71), ("PKU", 0.83)])
def test_pt_m2_shows_the_weight_of_each_edit(system: str, score: float) -> None:
    source = _TEXT.format("entire", "the lack", "skill")
    reference = _TEXT.format("entirely", "the lack", "skills")
    corpus = Corpus.from_lists([source], [reference])
    hypotheses = Hypotheses(system, (TABLE_8[system],))
    result = evaluate(corpus, [hypotheses], ["pt-m2:scorer=self"], level="sentence")[0]
    assert result.score == pytest.approx(score, abs=0.005)
    (table,) = explain(corpus, hypotheses, result)
    verdicts = {(row[1], row[2]): row[3] for row in rows(table)}
    assert verdicts["skill", "skills"] == "correct"
    assert verdicts["entire", "entirely"] == ("correct" if system == "NTHU" else "missed")
    assert ("wrong" in verdicts.values()) == (system == "NTHU")
    assert "weight" in table.headers
