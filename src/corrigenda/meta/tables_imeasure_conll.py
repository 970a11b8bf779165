"""The results on CoNLL-2014 of the paper on the I-measure (Felice & Briscoe 2015).

Its 711 sentences are not known. So the tables are checked in two ways: measures are computed from
the counts that the paper prints, and the metrics are run on all 1312 sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import numpy.typing as npt

from corrigenda.core.f_scores import f_score
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient
from corrigenda.meta.laboratory import (
    Cause,
    Laboratory,
    PublishedCell,
    Reproduction,
    cell,
    with_causes,
)
from corrigenda.meta.tables_earlier import IMEASURE_TABLE_11, scored_as_in_2015
from corrigenda.metrics.imeasure import IMeasure, improvement
from corrigenda.metrics.m2 import edit_measures

Floats = npt.NDArray[np.float64]

# P, R and F0.5 of M², by the original annotations and by mixed ones. On 711 sentences.
IMEASURE_TABLE_10 = {
    "CUUI": (47.66, 33.87, 44.07), "AMU": (44.68, 29.44, 40.48), "CAMB": (39.22, 41.65, 39.69),
    "POST": (36.39, 29.13, 34.67), "NTHU": (33.56, 28.10, 32.31), "UMC": (34.86, 20.86, 30.73),
    "RAC": (33.67, 19.08, 29.21), "PKU": (32.17, 19.60, 28.51), "SJTU": (28.00, 7.08, 17.60),
    "UFC": (73.08, 3.26, 13.83), "IPN": (9.16, 3.87, 7.20), "IITB": (30.30, 1.74, 7.07),
    "INPUT": (100.00, 0.00, 0.00),
}  # fmt: skip
IMEASURE_TABLE_10_MIXED = {
    "CUUI": (47.57, 39.60, 45.73), "AMU": (44.56, 33.49, 41.80), "CAMB": (39.04, 48.72, 40.66),
    "POST": (36.39, 33.79, 35.84), "NTHU": (33.62, 31.52, 33.18), "UMC": (34.86, 23.31, 31.71),
    "RAC": (33.67, 21.59, 30.28), "PKU": (32.42, 21.63, 29.48), "SJTU": (28.00, 7.46, 18.06),
    "UFC": (73.08, 3.39, 14.31), "IPN": (9.16, 4.09, 7.34), "IITB": (30.30, 1.81, 7.31),
    "INPUT": (100.00, 0.00, 0.00),
}  # fmt: skip
# TP, TN, FP, FN and FPN for correction, beside the measures of IMEASURE_TABLE_11.
IMEASURE_COUNTS = {
    "UFC": (19, 13062, 7, 665, 2), "INPUT": (0, 13078, 0, 673, 0),
    "IITB": (11, 13057, 26, 668, 4), "SJTU": (54, 12947, 114, 649, 8),
    "CUUI": (290, 12697, 337, 553, 34), "PKU": (128, 12800, 283, 625, 66),
    "AMU": (219, 12761, 322, 556, 41), "UMC": (179, 12761, 314, 603, 26),
    "IPN": (25, 12848, 251, 680, 40), "POST": (231, 12588, 454, 574, 46),
    "RAC": (147, 12723, 426, 623, 49), "CAMB": (386, 12402, 641, 502, 78),
    "NTHU": (196, 12620, 521, 575, 54),
}  # fmt: skip
# What the text says about the columns of both tables.
IMEASURE_CORRELATIONS: dict[str, tuple[Coefficient, str, str, float]] = {
    "ρ of F0.5 and M²": ("spearman", "F0.5", "M²", 0.9835),
    "ρ of M² and I": ("spearman", "M²", "I", -0.5330),
    "r of F0.5 and I": ("pearson", "F0.5", "I", -0.5942),
}
_COUNTS = ("TP", "TN", "FP", "FN", "FPN")
_MEASURES = {
    "P": "precision",
    "R": "recall",
    "F0.5": "f",
    "Acc": "acc",
    "WAcc": "wacc",
    "WAcc base": "wacc_base",
    "I": "i",
}
_OF_M2 = {"P": "precision", "R": "recall", "F0.5": "score"}
_ALL = "all 1312"
_UNKNOWN = (
    "the paper leaves out sentences that could not be clustered without human knowledge, and does "
    "not say which 711 remain"
)
_MIXED = f"{_UNKNOWN}; its mixed annotations are not published"


def measures_from_counts(
    counts: tuple[int, int, int, int, int], base: tuple[int, int]
) -> dict[str, float]:
    """The measures of TP, TN, FP, FN and FPN; `base` are TN and FN of the source."""
    right, unchanged, wrong, missed, both = counts
    totals = np.array([right, unchanged, wrong - both, missed - both, both, *base])
    found = IMeasure().measures(totals, "corpus")["correction"]
    assert isinstance(found, Mapping)
    return {name: float(value) for name, value in found.items()}


def imeasure_table_10(laboratory: Laboratory) -> Reproduction:
    """M² on the paper's sentences, with the original annotation and with mixed corrections."""
    cells = [
        *_of_m2("original", IMEASURE_TABLE_10, _UNKNOWN),
        *_of_m2("mixed", IMEASURE_TABLE_10_MIXED, _MIXED),
    ]
    for system in IMEASURE_TABLE_10:
        for label, name in _OF_M2.items():
            ours = partial(_m2_measure, laboratory, system, name)
            cells.append(cell(system, f"{_ALL}: {label}", None, ours, digits=2))
    return Reproduction(
        "imeasure-table10",
        "I-measure, Table 10: M² × 100 (INPUT is BASELINE)",
        with_causes(cells, [Cause("P and R are printed with two digits")]),
        (
            "F0.5 is computed from the P and R that the table prints. INPUT proposes nothing, so "
            "its numbers do not depend on the sentences.",
            f"{_ALL}: ours on all sentences, with the annotation that has alternatives.",
        ),
    )


def _of_m2(
    annotations: str, table: Mapping[str, tuple[float, float, float]], reason: str
) -> Iterator[PublishedCell]:
    found = edit_measures(np.array([0, 0, 1]), 0.5)  # nothing proposed, as by the source
    assert found.precision is not None
    assert found.recall is not None
    of_source = {"P": 100 * float(found.precision), "R": 100 * float(found.recall)}
    for system, (precision, recall, f) in table.items():
        is_source = system == "INPUT"
        for label, value in (("P", precision), ("R", recall)):
            ours = of_source[label] if is_source else None
            why = None if is_source else reason
            yield PublishedCell(system, f"{annotations} {label}", value, ours, why, digits=2)
        made = 100 * float(f_score(np.array(precision / 100), np.array(recall / 100), 0.5))
        yield PublishedCell(system, f"{annotations} F0.5", f, made, digits=2)


def _m2_measure(laboratory: Laboratory, system: str, name: str) -> float:
    scored = scored_as_in_2015(laboratory, "m2")
    value = scored.measures(scored.systems.index(system))[name]
    assert isinstance(value, float)
    return 100 * value


def imeasure_table_11(laboratory: Laboratory) -> Reproduction:
    """The I-measure's own numbers for correction, and what the text says about them."""
    cells = [each for system in IMEASURE_TABLE_11 for each in _row(system)]
    for system in IMEASURE_TABLE_11:
        for label, name in _MEASURES.items():
            ours = partial(_i_measure, laboratory, system, name)
            cells.append(cell(system, f"{_ALL}: {label}", None, ours, digits=2))
    for label, (coefficient, one, other, value) in IMEASURE_CORRELATIONS.items():
        printed = COEFFICIENTS[coefficient](_printed(one), _printed(other))
        cells.append(PublishedCell("the systems", label, value, float(printed), digits=4))
        ours = partial(_between, laboratory, coefficient, one, other)
        cells.append(cell("the systems", f"{_ALL}: {label}", None, ours, digits=4))
    return Reproduction(
        "imeasure-table11",
        "I-measure, Table 11: correction × 100 (INPUT is BASELINE)",
        with_causes(
            cells,
            [
                Cause(
                    "the printed WAcc base, from which I is computed, has two digits: between "
                    "95.025 and 95.035, I of UFC is 1.17 to 1.37",
                    rows=("UFC",),
                    columns=("I",),
                )
            ],
        ),
        (
            "P, R, F0.5, Acc and WAcc are computed from the counts that the table prints, and I "
            "from this WAcc and the printed WAcc base.",
            "The correlations are those of the paper's text, computed from the printed columns of "
            "Tables 10 and 11.",
            f"{_ALL}: ours on all sentences, with the annotation that has alternatives.",
        ),
    )


def _row(system: str) -> Iterator[PublishedCell]:
    counts, published = IMEASURE_COUNTS[system], IMEASURE_TABLE_11[system]
    for label, value in zip(_COUNTS, counts, strict=True):
        yield PublishedCell(system, label, value, reason=_UNKNOWN, digits=0)
    by_label = dict(zip(_MEASURES, published, strict=True))
    is_source = system == "INPUT"
    found = measures_from_counts(counts, (counts[1], counts[3]))
    for label in ("P", "R", "F0.5", "Acc", "WAcc"):
        yield PublishedCell(system, label, by_label[label], 100 * found[_MEASURES[label]], digits=2)
    base = found["wacc"] if is_source else by_label["WAcc base"] / 100
    yield PublishedCell(
        system,
        "WAcc base",
        by_label["WAcc base"],
        100 * base if is_source else None,
        None if is_source else _UNKNOWN,
        digits=2,
    )
    better = 100 * float(improvement(np.array(found["wacc"]), np.array(base)))
    yield PublishedCell(system, "I", by_label["I"], better, digits=2)


def _printed(column: str) -> Floats:
    if column == "M²":
        return np.array([IMEASURE_TABLE_10[system][2] for system in IMEASURE_TABLE_11])
    place = list(_MEASURES).index(column)
    return np.array([values[place] for values in IMEASURE_TABLE_11.values()])


def _i_measure(laboratory: Laboratory, system: str, name: str) -> float:
    scored = scored_as_in_2015(laboratory, "imeasure")
    correction = scored.measures(scored.systems.index(system))["correction"]
    assert isinstance(correction, Mapping)
    return 100 * correction[name]


def _between(laboratory: Laboratory, coefficient: Coefficient, one: str, other: str) -> float:
    def column(name: str) -> Floats:
        if name == "M²":
            found = [_m2_measure(laboratory, system, "score") for system in IMEASURE_TABLE_11]
        else:
            label = _MEASURES[name]
            found = [_i_measure(laboratory, system, label) for system in IMEASURE_TABLE_11]
        return np.array(found)

    return float(COEFFICIENTS[coefficient](column(one), column(other)))
