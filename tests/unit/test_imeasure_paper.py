"""The paper's own examples (Felice & Briscoe 2015), recomputed: Tables 1, 2, 3 and 8."""

from __future__ import annotations

import numpy as np
import pytest

from corrigenda import Annotation, Corpus, Edit, Result, evaluate, metric
from corrigenda.edits import apply_edits

Spans = list[tuple[int, int, str]]


def corpus(source: str, annotators: list[Spans]) -> Corpus:
    """One sentence with the edits of each annotator."""
    gold = tuple(
        Annotation(number, tuple(Edit(start, end, (correction,)) for start, end, correction in edits))
        for number, edits in enumerate(annotators)
    )
    references = tuple(" ".join(apply_edits(source.split(), annotation.edits)) for annotation in gold)
    return Corpus((source,), (references,), (gold,))


Gold = tuple[str, list[Spans]]


def scored(gold: Gold, hypothesis: str, name: str) -> Result:
    source, annotators = gold
    return evaluate(corpus(source, annotators), {"system": [hypothesis]}, [name])[0]


TABLE_1: Gold = (
    "This machines is designed for help people .",
    [[(0, 1, "These"), (2, 3, "are"), (5, 6, "helping")], [(1, 2, "machine"), (4, 5, "to")]],
)
TABLE_2: Gold = ("Machine is design to help people .", [[(0, 1, "Machines"), (1, 3, "are designed")]])
TABLE_3: Gold = (TABLE_2[0], [[(0, 1, "Machines"), (1, 2, "are"), (2, 3, "designed")]])
MIXED = "These machines are designed to help people ."
PARTIAL = "Machine is designed to help people ."
BETTER = "The machine is designed for helping people ."
WORSE = "Machines is a design on the helping of the people ."


@pytest.mark.parametrize(
    ("gold", "hypothesis", "precision", "recall", "f"),
    [
        (TABLE_1, MIXED, 0.67, 0.67, 0.67),
        (TABLE_2, PARTIAL, 0.00, 0.00, 0.00),
        (TABLE_3, BETTER, 0.33, 0.33, 0.33),
        (TABLE_3, WORSE, 0.50, 0.33, 0.45),
    ],
)
def test_what_m2_says_of_the_examples(
    gold: Gold, hypothesis: str, precision: float, recall: float, f: float
) -> None:
    result = scored(gold, hypothesis, "m2")
    values = (result.precision, result.recall, result.score)
    assert [round(value, 2) for value in values] == [precision, recall, f]


def test_table_1_mixes_the_annotators() -> None:
    result = scored(TABLE_1, MIXED, "imeasure")
    assert result.counts["correction"] == {"tp": 3, "tn": 5, "fp": 0, "fn": 0, "fpn": 0}
    assert result.score == 1
    # By one annotator alone, "to" is wrong and "helping" is missed, as M² has it.
    alone = scored(TABLE_1, MIXED, "imeasure:mix=false")
    assert alone.counts["correction"] == {"tp": 2, "tn": 4, "fp": 1, "fn": 1, "fpn": 0}
    assert alone.measures["correction"]["wacc"] == pytest.approx(8 / 11)
    assert alone.score == pytest.approx((8 / 11 - 5 / 8) / (1 - 5 / 8))


def test_table_2_counts_a_partial_match() -> None:
    result = scored(TABLE_2, PARTIAL, "imeasure")
    assert result.counts["correction"] == {"tp": 1, "tn": 4, "fp": 0, "fn": 2, "fpn": 0}
    assert result.measures["correction"]["wacc"] == pytest.approx(6 / 8)
    assert result.measures["correction"]["wacc_base"] == pytest.approx(4 / 7)
    assert result.score == pytest.approx((6 / 8 - 4 / 7) / (1 - 4 / 7))


def test_table_3_prefers_the_first_hypothesis() -> None:
    better, worse = scored(TABLE_3, BETTER, "imeasure"), scored(TABLE_3, WORSE, "imeasure")
    assert better.counts["correction"] == {"tp": 1, "tn": 2, "fp": 4, "fn": 2, "fpn": 1}
    assert worse.counts["correction"] == {"tp": 1, "tn": 2, "fp": 6, "fn": 2, "fpn": 0}
    waccs = [result.measures["correction"]["wacc"] for result in (better, worse)]
    assert waccs == pytest.approx([4 / (4 + 2 * 3.5 + 1.5), 4 / (4 + 2 * 6 + 2)])
    assert better.score == pytest.approx(0.32 / (4 / 7) - 1)
    assert worse.score == pytest.approx(4 / 18 / (4 / 7) - 1)
    assert better.score > worse.score


@pytest.mark.parametrize(
    ("tp", "fp", "tn", "fn", "printed", "improvement"),
    [
        (0, 0, 6, 4, (1.00, 0.00, 0.00, 0.60, 0.60), 0.0),
        (4, 1, 5, 0, (0.80, 1.00, 0.83, 0.90, 0.87), (13 / 15 - 0.6) / 0.4),
        (1, 0, 6, 3, (1.00, 0.25, 0.62, 0.70, 0.73), (8 / 11 - 0.6) / 0.4),
        (1, 1, 5, 3, (0.50, 0.25, 0.42, 0.60, 0.58), 7 / 12 / 0.6 - 1),
        (4, 6, 0, 0, (0.40, 1.00, 0.45, 0.40, 0.40), 0.4 / 0.6 - 1),
    ],
)
def test_table_8(tp: int, fp: int, tn: int, fn: int, printed: tuple[float, ...], improvement: float) -> None:
    """Its counts put into the metric's formulas; the columns of the baseline are six kept, four missed."""
    totals = np.array([tp, tn, fp, fn, 0, 6, 4])
    found = metric("imeasure").measures(totals)["correction"]
    names = ("precision", "recall", "f", "acc", "wacc")
    assert [float(found[name]) for name in names] == pytest.approx(printed, abs=0.00501)
    assert float(found["wacc_base"]) == 0.6
    assert float(found["i"]) == pytest.approx(improvement)
    assert float(metric("imeasure").score(totals)) == pytest.approx(improvement)
