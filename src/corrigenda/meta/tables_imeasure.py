"""The examples of the paper on the I-measure (Felice & Briscoe 2015), computed again.

Its results on CoNLL-2014 (Tables 10 and 11) are in `tables_earlier`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from corrigenda.core.f_scores import f_score
from corrigenda.core.measures import Measures
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.edits import Annotation, Edit, apply_edits
from corrigenda.meta.drawing import Drawing, Series
from corrigenda.meta.laboratory import (
    Cause,
    Laboratory,
    PublishedCell,
    Reproduction,
    cell,
    with_causes,
)
from corrigenda.meta.scores import score_systems
from corrigenda.meta.tables_earlier import annotation_with_alternatives
from corrigenda.metrics import metric
from corrigenda.metrics.imeasure import IMeasure, improvement

Spans = tuple[tuple[int, int, str], ...]

_THIS_MACHINES = "This machines is designed for help people ."
_MACHINE = "Machine is design to help people ."
_THREE_EDITS: Spans = ((0, 1, "Machines"), (1, 2, "are"), (2, 3, "designed"))
# Table: source, the edits of each annotator, and hypotheses with P, R and F0.5 by M².
EXAMPLES: Mapping[str, tuple[str, tuple[Spans, ...], dict[str, tuple[float, float, float]]]] = {
    "1": (
        _THIS_MACHINES,
        (
            ((0, 1, "These"), (2, 3, "are"), (5, 6, "helping")),
            ((1, 2, "machine"), (4, 5, "to")),
        ),
        {"These machines are designed to help people .": (0.67, 0.67, 0.67)},
    ),
    "2": (
        _MACHINE,
        (((0, 1, "Machines"), (1, 3, "are designed")),),
        {"Machine is designed to help people .": (0.00, 0.00, 0.00)},
    ),
    "3": (
        _MACHINE,
        (_THREE_EDITS,),
        {
            "The machine is designed for helping people .": (0.33, 0.33, 0.33),
            "Machines is a design on the helping of the people .": (0.50, 0.33, 0.45),
        },
    ),
}
# System, references: P, R, F0.5.
TABLE_7 = {
    "S₁ on 1.2, 2.1, 3.1": (0.60, 0.20, 0.43),
    "S₂ on 1.2, 2.1, 3.1": (0.80, 0.05, 0.20),
    "S₁ on 1.1, 2.1, 3.2": (0.30, 0.30, 0.30),
    "S₂ on 1.1, 2.1, 3.2": (0.30, 0.40, 0.32),
}
# TP, FP, TN, FN; then P, R, F0.5, Acc, WAcc.
TABLE_8 = {
    "Baseline": ((0, 0, 6, 4), (1.00, 0.00, 0.00, 0.60, 0.60)),
    "S₁": ((4, 1, 5, 0), (0.80, 1.00, 0.83, 0.90, 0.87)),
    "S₂": ((1, 0, 6, 3), (1.00, 0.25, 0.62, 0.70, 0.73)),
    "S₃": ((1, 1, 5, 3), (0.50, 0.25, 0.42, 0.60, 0.58)),
    "S₄": ((4, 6, 0, 0), (0.40, 1.00, 0.45, 0.40, 0.40)),
}
_MEASURES = {"P": "precision", "R": "recall", "F0.5": "f", "Acc": "acc", "WAcc": "wacc"}
# Pairs of outputs on CoNLL-2014: the sentence (from 0), and systems that gave them.
TABLE_12 = {"first pair": (518, "CUUI", "CAMB"), "second": (119, "CUUI", "CAMB"),
            "third": (583, "CAMB", "AMU")}  # fmt: skip
# Table 5: two alignments of source, hypothesis and reference; a gap is an empty word.
_SOURCE = ("Their", "is", "wide", "spread", "usage", "of", "technology", ".")
TABLE_5 = {
    "first": ("There", "is", "widespread", "use", "", "of", "technology", "."),
    "second": ("There", "is", "widespread", "", "use", "of", "technology", "."),
}


def _one_sentence(source: str, annotators: tuple[Spans, ...]) -> Corpus:
    gold = tuple(
        Annotation(number, tuple(Edit(start, end, (text,)) for start, end, text in edits))
        for number, edits in enumerate(annotators)
    )
    words = source.split()
    references = tuple(" ".join(apply_edits(words, annotation.edits)) for annotation in gold)
    return Corpus((source,), (references,), (gold,))


def _measured(corpus: Corpus, hypothesis: Hypotheses, specification: str) -> Measures[float]:
    (found,) = score_systems([metric(specification)], lambda _: corpus, [hypothesis], threads=1)
    return found.measures(0)


def _example(number: str, what: str) -> Reproduction:
    source, annotators, hypotheses = EXAMPLES[number]
    corpus = _one_sentence(source, annotators)
    cells: list[PublishedCell] = []
    for hypothesis, published in hypotheses.items():
        output = Hypotheses("system", (hypothesis,))
        by_m2 = _measured(corpus, output, "m2")
        names = {"P": "precision", "R": "recall", "F0.5": "score"}
        cells += [
            PublishedCell(hypothesis, f"M² {label}", value, _float(by_m2[name]), digits=2)
            for (label, name), value in zip(names.items(), published, strict=True)
        ]
        improved = _float(_measured(corpus, output, "imeasure")["score"])
        cells.append(PublishedCell(hypothesis, "I", None, improved, digits=2))
    return Reproduction(
        f"imeasure-table{number}",
        f"I-measure, Table {number}: {what}",
        tuple(cells),
        ("I is not in the table; the paper gives no value for these examples.",),
    )


def _float(value: object) -> float:
    assert isinstance(value, float)
    return value


def imeasure_table_1(laboratory: Laboratory) -> Reproduction:
    """M² does not mix annotators."""
    return _example("1", "M² cannot mix the corrections of different annotators")


def imeasure_table_2(laboratory: Laboratory) -> Reproduction:
    """M² ignores partial matches."""
    return _example("2", "M² ignores partial matches")


def imeasure_table_3(laboratory: Laboratory) -> Reproduction:
    """M² counts edits, whatever their length."""
    return _example("3", "M² counts edits, whatever their length")


def imeasure_table_5(laboratory: Laboratory) -> Reproduction:
    """Two alignments with the same sum of pairs."""
    cells = [
        PublishedCell(name, "sum of pairs", None, float(_sum_of_pairs(words)), digits=0)
        for name, words in TABLE_5.items()
    ]
    return Reproduction(
        "imeasure-table5",
        "I-measure, Table 5: two equally optimal alignments",
        tuple(cells),
        (
            "The paper prints the alignments and says that they are equally good: both sums are "
            "the same. Hypothesis and reference are the same sentence.",
        ),
    )


def _sum_of_pairs(words: tuple[str, ...]) -> int:
    """Match 0, gap 2, mismatch 3, over the three pairs of sentences."""

    def cost(one: str, other: str) -> int:
        if one == other:
            return 0
        return 3 if one and other else 2

    return sum(
        2 * cost(source, word) + cost(word, word)
        for source, word in zip(_SOURCE, words, strict=True)
    )


def imeasure_table_7(laboratory: Laboratory) -> Reproduction:
    """F of the same two systems on different references."""
    cells = [
        PublishedCell(
            row, "F0.5", f, float(f_score(np.array(precision), np.array(recall), 0.5)), digits=2
        )
        for row, (precision, recall, f) in TABLE_7.items()
    ]
    return Reproduction(
        "imeasure-table7",
        "I-measure, Table 7: F0.5 depends on the chosen references",
        with_causes(
            cells,
            [
                Cause(
                    "P and R are printed with two digits, and the paper has no counts; .80 and "
                    ".05 give .200",
                )
            ],
        ),
        ("F0.5 is computed from the P and R that the table prints.",),
    )


def imeasure_table_8(laboratory: Laboratory) -> Reproduction:
    """All measures from the counts of five systems."""
    cells = []
    for system, (counts, published) in TABLE_8.items():
        found = _measures(counts, IMeasure())
        for (label, name), value in zip(_MEASURES.items(), published, strict=True):
            cells.append(PublishedCell(system, label, value, found[name], digits=2))
    return Reproduction(
        "imeasure-table8",
        "I-measure, Table 8: measures of five systems from their counts",
        tuple(cells),
    )


def _measures(counts: tuple[int, int, int, int], tested: IMeasure) -> dict[str, float]:
    true_positive, false_positive, true_negative, false_negative = counts
    totals = np.array([true_positive, true_negative, false_positive, false_negative, 0, 6, 4])
    found = tested.measures(totals, "corpus")["correction"]
    assert isinstance(found, Mapping)
    return {name: float(value) for name, value in found.items()}


def imeasure_figure_2(laboratory: Laboratory) -> Reproduction:
    """WAcc of the systems of Table 8 by w."""
    weights = [1 + 0.25 * step for step in range(37)]
    series = tuple(
        Series(
            system,
            "line",
            tuple(weights),
            tuple(_measures(counts, IMeasure(w=weight))["wacc"] for weight in weights),
        )
        for system, (counts, _) in TABLE_8.items()
    )
    drawing = Drawing("WAcc by w, for the systems of Table 8", "w", "WAcc", series)
    return Reproduction(
        "imeasure-figure2",
        "I-measure, Figure 2: the effect of w on WAcc",
        (),
        (
            "The paper does not say which counts its figure shows; these are those of Table 8. "
            "As it says: the baseline does not depend on w, and a larger w brings systems above "
            "the baseline closer to 1 and systems below it closer to 0.",
        ),
        (drawing,),
    )


def imeasure_figure_3(laboratory: Laboratory) -> Reproduction:
    """I by the WAcc of a system, for a baseline of 0.6."""
    values = [step / 100 for step in range(101)]
    base = 0.6
    found = improvement(np.array(values), np.array(base)).tolist()
    drawing = Drawing(
        "I by WAcc of the system; WAcc of the baseline is 0.6",
        "WAcc of the system",
        "I",
        (Series("I", "line", tuple(values), tuple(found)),),
    )
    return Reproduction(
        "imeasure-figure3",
        "I-measure, Figure 3: improvement between the bounds",
        (),
        ("The values of the paper's two systems are in a picture that we do not have.",),
        (drawing,),
    )


def imeasure_table_12(laboratory: Laboratory) -> Reproduction:
    """Which of two outputs is better, by F0.5 and by I."""
    cells = []
    for row, (sentence, first, second) in TABLE_12.items():
        for label, specification, published in (("F0.5", "m2", 1), ("I", "imeasure", 2)):
            ours = partial(_better, laboratory, specification, sentence, first, second)
            cells.append(cell(row, f"best by {label}", published, ours, digits=0))
    return Reproduction(
        "imeasure-table12",
        "I-measure, Table 12: which of two outputs is better (1: the first, 2: the second)",
        with_causes(
            cells,
            [
                Cause(
                    "the official gold says the opposite, with alternatives and without: no gold "
                    "edit is in the first output (F 0), one is in the second (F .38), and I is "
                    "-.11 and -.13. The paper's own gold is not published",
                    rows=("first pair",),
                )
            ],
        ),
        ("The outputs were found among the systems of CoNLL-2014; the paper does not name them.",),
    )


def _better(
    laboratory: Laboratory, specification: str, sentence: int, first: str, second: str
) -> int:
    corpus = annotation_with_alternatives(laboratory)[sentence : sentence + 1]
    outputs = laboratory.benchmark("conll14").outputs([first, second])
    one, other = (
        _float(_measured(corpus, system[sentence : sentence + 1], specification)["score"])
        for system in outputs
    )
    return 0 if one == other else 1 if one > other else 2
