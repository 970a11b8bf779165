"""The paper's own examples (Felice & Briscoe 2015), recomputed: Tables 1, 2, 3, 8 and 11."""

from __future__ import annotations

import numpy as np
import pytest

from corrigenda import Annotation, Corpus, Edit, Result, evaluate, metric
from corrigenda.edits import apply_edits
from corrigenda.metrics.imeasure import improvement as improvement_of

Spans = list[tuple[int, int, str]]


def corpus(source: str, annotators: list[Spans]) -> Corpus:
    """One sentence with the edits of each annotator."""
    gold = tuple(
        Annotation(
            number, tuple(Edit(start, end, (correction,)) for start, end, correction in edits)
        )
        for number, edits in enumerate(annotators)
    )
    references = tuple(
        " ".join(apply_edits(source.split(), annotation.edits)) for annotation in gold
    )
    return Corpus((source,), (references,), (gold,))


Gold = tuple[str, list[Spans]]


def scored(gold: Gold, hypothesis: str, name: str) -> Result:
    source, annotators = gold
    return evaluate(corpus(source, annotators), {"system": [hypothesis]}, [name])[0]


TABLE_1: Gold = (
    "This machines is designed for help people .",
    [[(0, 1, "These"), (2, 3, "are"), (5, 6, "helping")], [(1, 2, "machine"), (4, 5, "to")]],
)
TABLE_2: Gold = (
    "Machine is design to help people .",
    [[(0, 1, "Machines"), (1, 3, "are designed")]],
)
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
def test_table_8(
    tp: int, fp: int, tn: int, fn: int, printed: tuple[float, ...], improvement: float
) -> None:
    """Its counts in the metric's formulas; the baseline has six kept and four missed columns."""
    totals = np.array([tp, tn, fp, fn, 0, 6, 4])
    found = metric("imeasure").measures(totals, "corpus")["correction"]
    names = ("precision", "recall", "f", "acc", "wacc")
    assert [float(found[name]) for name in names] == pytest.approx(printed, abs=0.00501)
    assert float(found["wacc_base"]) == 0.6
    assert float(found["i"]) == pytest.approx(improvement)
    assert float(metric("imeasure").score(totals)) == pytest.approx(improvement)


TABLE_11 = """\
UFC 19 13062 7 665 2 73.08 2.78 12.06 95.13 95.09 95.03 1.35
BASELINE 0 13078 0 673 0 100.00 0.00 0.00 95.11 95.11 95.11 0.00
IITB 11 13057 26 668 4 29.73 1.62 6.65 94.98 94.82 95.06 -0.25
SJTU 54 12947 114 649 8 32.14 7.68 19.64 94.51 93.79 94.89 -1.16
CUUI 290 12697 337 553 34 46.25 34.40 43.27 93.82 91.86 93.91 -2.18
PKU 128 12800 283 625 66 31.14 17.00 26.70 93.89 92.28 94.53 -2.38
AMU 219 12761 322 556 41 40.48 28.26 37.26 93.94 92.06 94.39 -2.47
UMC 179 12761 314 603 26 36.31 22.89 32.50 93.56 91.67 94.35 -2.84
IPN 25 12848 251 680 40 9.06 3.55 6.91 93.53 92.00 94.88 -3.04
POST 231 12588 454 574 46 33.72 28.70 32.58 92.88 90.23 94.17 -4.18
RAC 147 12723 426 623 49 25.65 19.09 24.00 92.79 90.28 94.45 -4.41
CAMB 386 12402 641 502 78 37.59 43.47 38.63 92.31 88.77 93.59 -5.15
NTHU 196 12620 521 575 54 27.34 25.42 26.93 92.48 89.44 94.44 -5.29
"""


@pytest.mark.parametrize("row", TABLE_11.splitlines())
def test_the_counts_of_table_11_give_its_percentages(row: str) -> None:
    """Its counts in the formulas; I is less exact, as the printed WAcc_base has two decimals."""
    numbers = [float(cell) for cell in row.split()[1:]]
    tp, tn, fp, fn, fpn = (int(number) for number in numbers[:5])
    classes = np.array([tp, tn, fp - fpn, fn - fpn, fpn, 0, 0])
    found = metric("imeasure").measures(classes, "corpus")["correction"]
    names = ("precision", "recall", "f", "acc", "wacc")
    assert [100 * float(found[name]) for name in names] == pytest.approx(numbers[5:10], abs=0.00501)
    *_, base, printed = numbers
    possible = [
        100 * float(improvement_of(found["wacc"], np.array(b / 100)))
        for b in (base - 0.005, base + 0.005)
    ]
    assert min(possible) - 0.00501 <= printed <= max(possible) + 0.00501
