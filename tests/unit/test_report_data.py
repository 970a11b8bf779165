"""The report shows the numbers that the library computes."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from corrigenda.analysis.all_pairs import p_value_matrix
from corrigenda.analysis.significance import (
    adjusted,
    bootstrap_weights,
    with_interval,
)
from corrigenda.analysis.slices import Slice, by_length, by_type, differences, slice_scores
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.edits import Annotation, Edit, apply_edits
from corrigenda.errors import AlignmentError, CorrigendaError, FormatError
from corrigenda.report import HumanScores, ReportOptions, report, write_report
from corrigenda.report.human import from_judgments, from_table
from corrigenda.scoring import evaluate
from corrigenda.text.units import normalise

METRICS = ["green", "gleu", "m2", "bleu"]
OPTIONS = ReportOptions(resamples=300)


@cache
def results():
    return evaluate(sample_corpus(), sample_systems(), METRICS)


def of_metric(name: str):
    return [result for result in results() if str(result.metric) == name]


def read(html: str) -> tuple[dict, dict]:
    found = re.findall(r'<script type="application/json" id="\w+">(.*?)</script>', html, re.DOTALL)
    summary, sentences = (json.loads(block) for block in found)
    return summary, sentences


@cache
def sample():
    columns = {"half": ["first"] * 30 + ["second"] * 30}
    human = from_judgments(SAMPLE / "judgments.xml")
    return read(
        report(
            sample_corpus(),
            sample_systems(),
            results(),
            options=OPTIONS,
            columns=columns,
            human=human,
        )
    )


@pytest.mark.slow
def test_scores_are_those_of_the_results():
    summary, _ = sample()
    assert [metric["name"] for metric in summary["metrics"]] == METRICS
    for metric in summary["metrics"]:
        assert metric["scores"] == pytest.approx(
            [result.score for result in of_metric(metric["name"])], abs=1e-6
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["green", "m2", "bleu"])
def test_intervals_are_those_of_score_bootstrap(name: str):
    metric = sample()[0]["metrics"][METRICS.index(name)]
    for index, result in enumerate(of_metric(name)):
        expected = with_interval(result, resamples=300, seed=0).interval
        assert metric["low"][index] == pytest.approx(expected.low, abs=1e-6)
        assert metric["high"][index] == pytest.approx(expected.high, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["green", "m2"])
def test_p_values_are_those_of_compare_corrected_over_all_pairs(name: str):
    systems = of_metric(name)
    matrix = p_value_matrix(systems, resamples=300)
    expected = [matrix[one, other] for one in range(len(systems)) for other in range(one)]
    found = sample()[0]["metrics"][METRICS.index(name)]["p"]
    assert found == pytest.approx(adjusted(expected, "bh"), abs=1e-4)


def test_a_metric_with_many_draws_is_resampled_on_a_few_and_hardly_differs():
    systems = of_metric("gleu")[:2]
    (weights,) = bootstrap_weights(len(sample_corpus()), 300, 0)
    for result in systems:
        full = np.quantile(result.selection.resampled(weights), [0.025, 0.975])
        few = with_interval(result, resamples=300, seed=0).interval
        assert [few.low, few.high] == pytest.approx(full.tolist(), abs=0.004)


@pytest.mark.slow
def test_slices_have_the_scores_and_tests_of_the_library():
    summary, sentences = sample()
    assert [slicing["by"] for slicing in summary["slicings"]] == ["length", "edits", "type", "half"]
    length = summary["slicings"][0]
    parts = by_length(sample_corpus())
    assert length["labels"] == [part.label for part in parts]
    expected = slice_scores(of_metric("green"), parts).T
    assert np.array(length["scores"][0]) == pytest.approx(expected, abs=1e-5)
    assert sentences["slices"][3] == [[0]] * 30 + [[1]] * 30


def test_slices_of_a_pair_are_corrected_together_and_small_ones_not_tested():
    summary, _ = sample()
    counts = [count for slicing in summary["slicings"] for count in slicing["counts"]]
    tested = [p for slicing in summary["slicings"] for p in slicing["p"]]
    assert [p is not None for p in tested] == [count >= 10 for count in counts]
    corpus = sample_corpus()
    half = np.arange(30), np.arange(30, 60)
    parts = [*by_length(corpus), *_edit_parts(corpus), *by_type(corpus)]
    members = [part.sentences for part in parts] + list(half)
    one, other = of_metric("green")[1], of_metric("green")[0]
    parts = [Slice("", str(place), np.asarray(part)) for place, part in enumerate(members)]
    found = differences([(one, other)], parts, min_sentences=10, resamples=300)
    by_place = {int(item.label): item.adjusted_p_value for item in found}
    expected = [by_place[place] for place in sorted(by_place)]
    # The report stops when all pairs are decided, so it may make more exchanges.
    assert [p[0] for p in tested if p] == pytest.approx(expected, abs=0.02)


def _edit_parts(corpus: Corpus):
    from corrigenda.analysis.slices import by_edits

    return by_edits(corpus)


def test_every_output_is_the_source_with_its_edits_against_any_reference():
    _, sentences = sample()
    for system, hypotheses in enumerate(sample_systems()):
        for index, output in enumerate(hypotheses.sentences):
            text, by_reference = sentences["outputs"][index][sentences["output_of"][index][system]]
            assert text == normalise(output)
            for edits in by_reference:
                made = [Edit(start, end, (correction,)) for start, end, correction, _ in edits]
                assert " ".join(apply_edits(sentences["sources"][index].split(), made)) == text


def test_edit_totals_are_those_of_m2():
    _human, correct, wrong, missed = (column["values"] for column in sample()[0]["columns"])
    for index, result in enumerate(of_metric("m2")):
        counts = result.counts
        assert correct[index] == counts["correct"]
        assert wrong[index] == counts["proposed"] - counts["correct"]
        assert missed[index] == counts["gold"] - counts["correct"]


def test_recall_by_type_adds_up_to_all_edits():
    summary, _ = sample()
    edits = next(slicing["edits"] for slicing in summary["slicings"] if slicing["by"] == "type")
    for index, result in enumerate(of_metric("m2")):
        assert sum(row[index] for row in edits["gold"]) == result.counts["gold"]
        assert sum(row[index] for row in edits["made"]) == result.counts["correct"]
    assert edits["wrong"] is None, "the edits of M² have no types"


def test_edits_of_each_type_are_those_of_errant():
    """Two edits that are right, one of them with another type than the gold edit, and one wrong."""
    gold = Annotation(0, (Edit(0, 1, ("A",), "R:X"), Edit(2, 3, ("C",), "R:Y")))
    edits = (Edit(0, 1, ("A",), "R:Z"), Edit(1, 2, ("B",), "R:X"), Edit(2, 3, ("C",), "R:Y"))
    corpus = Corpus(("a b c d",), (("A b C d",),), ((gold,),))
    system = Hypotheses("x", ("A B C d",), (edits,))
    (scored,) = evaluate(corpus, [system], ["errant"], health="off")
    options = ReportOptions(extractor="errant", resamples=10)
    summary, _ = read(report(corpus, [system], [scored], options=options))
    (slicing,) = (each for each in summary["slicings"] if each["by"] == "type")
    counts = zip(*(slicing["edits"][name] for name in ("gold", "made", "wrong")), strict=True)
    shown = dict(zip(slicing["labels"], counts, strict=True))
    assert shown == {"R:X": ([1], [1], [1]), "R:Y": ([1], [1], [0])}
    by_errant = {
        kind: ([found["tp"] + found["fn"]], [found["tp"]], [found["fp"]])
        for kind, of_type in scored.types["both"].items()
        for found in [of_type.counts]
    }
    assert shown == by_errant


def test_sentence_scores_are_thousandths_and_the_chosen_reference_is_named():
    _, sentences = sample()
    green = of_metric("green")[0]
    column = [row[0] for row in sentences["scores"][0]]
    assert np.array(column) == pytest.approx(1000 * green.sentence_scores, abs=0.51)
    assert [row[0] for row in sentences["chosen"][0]] == green.references.tolist()
    # GLEU draws references and BLEU pools them: no single one counts.
    assert sentences["chosen"][1] is None
    assert sentences["chosen"][3] is None


@pytest.mark.slow
def test_the_report_is_the_same_every_time():
    arguments = (sample_corpus(), sample_systems(), results())
    assert report(*arguments, options=OPTIONS) == report(*arguments, options=OPTIONS)


def test_text_references_without_gold_edits_are_enough():
    corpus = Corpus.from_lists(["a b c", ""], [["a d c", ""]], references_by="text")
    systems = [Hypotheses("x", ("a d c", "")), Hypotheses("y", ("", "new words"))]
    summary, sentences = read(
        report(corpus, systems, evaluate(corpus, systems, ["m2"]), options=OPTIONS)
    )
    assert summary["gold"] == "extracted"
    assert sentences["outputs"][0] == [["a d c", [[[1, 2, "d", 0]]]], ["", [[[0, 3, "", -1]]]]]


def test_a_single_system_has_nothing_to_compare():
    corpus, system = sample_corpus(), sample_systems()[:1]
    summary, _ = read(report(corpus, system, evaluate(corpus, system, ["m2"]), options=OPTIONS))
    assert summary["metrics"][0]["p"] == []


class TestHuman:
    def test_expected_wins_of_judgments(self):
        human = sample()[0]["human"]
        assert human["name"] == "Expected Wins"
        assert human["scores"][0] == max(human["scores"])

    def test_a_table_of_scores(self, tmp_path: Path):
        path = tmp_path / "people.tsv"
        path.write_text("A b\t0.5\n\nC\t-1e2\n", encoding="utf-8")
        assert from_table(path) == HumanScores("people", {"A b": 0.5, "C": -100.0})

    @pytest.mark.parametrize("line", ["A 0.5", "A\thigh", "A\tnan", "\t1"])
    def test_a_line_without_a_score_is_named(self, tmp_path: Path, line: str):
        path = tmp_path / "people.tsv"
        path.write_text(f"B\t1\n{line}\n", encoding="utf-8")
        with pytest.raises(FormatError) as raised:
            from_table(path)
        assert raised.value.location.line == 2

    @pytest.mark.slow
    def test_scores_of_other_systems_are_refused_and_missing_ones_are_null(self):
        arguments = (sample_corpus(), sample_systems(), results())
        with pytest.raises(CorrigendaError, match="no system has a human score"):
            report(*arguments, options=OPTIONS, human=HumanScores("x", {"nobody": 1.0}))
        summary, _ = read(
            report(*arguments, options=OPTIONS, human=HumanScores("x", {"strong": 1.0}))
        )
        assert summary["human"]["scores"] == [1.0, None, None, None, None]


class TestRefusals:
    def test_no_results(self):
        with pytest.raises(CorrigendaError, match="nothing to report"):
            report(sample_corpus(), [], [])

    def test_systems_of_another_length(self):
        with pytest.raises(AlignmentError):
            report(sample_corpus(), [Hypotheses("x", ("a",))], results())

    def test_results_that_lack_a_system(self):
        with pytest.raises(CorrigendaError, match="one result per metric and system"):
            report(sample_corpus(), sample_systems(), results()[:-1])

    def test_a_folder_that_does_not_exist(self, tmp_path: Path):
        with pytest.raises(CorrigendaError, match="cannot write"):
            write_report(
                tmp_path / "no" / "r.html",
                sample_corpus(),
                sample_systems(),
                results(),
                options=OPTIONS,
            )
