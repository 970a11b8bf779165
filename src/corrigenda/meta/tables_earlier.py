"""The tables of the first papers on GLEU (Napoles et al. 2015) and on the I-measure.

The latter is Felice & Briscoe (2015).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Corpus
from corrigenda.formats import judgments as judgments_format
from corrigenda.formats import read_m2
from corrigenda.human.bootstrap import ranks_of_samples
from corrigenda.human.ranking import rank
from corrigenda.meta.correlation import pearson, spearman
from corrigenda.meta.laboratory import (
    Cause,
    Laboratory,
    PublishedCell,
    Reproduction,
    cell,
    rank_cells,
    with_causes,
)
from corrigenda.meta.scores import ScoredSystems

# Napoles et al. (2015), Ground Truth for Grammatical Error Correction Metrics, ACL.
# The systems, best first.
GLEU_TABLE_2 = {
    "Human": "CAMB AMU RAC CUUI INPUT POST UFC SJTU IITB PKU UMC NTHU IPN",
    "BLEU": "UFC INPUT IITB SJTU UMC CUUI PKU AMU IPN NTHU CAMB RAC POST",
    "I-measure": "UFC INPUT IITB SJTU CUUI PKU AMU UMC IPN POST RAC CAMB NTHU",
    "M²": "CUUI CAMB AMU POST UMC NTHU PKU RAC SJTU UFC IPN IITB INPUT",
    "GLEU 0": "CUUI AMU UFC CAMB INPUT IITB SJTU PKU UMC NTHU POST RAC IPN",
    "GLEU 0.1": "CUUI AMU CAMB UFC IITB SJTU PKU UMC NTHU POST RAC IPN INPUT",
}
GLEU_TABLE_3 = {
    "GLEU 0": (0.542, 0.555),
    "M²": (0.358, 0.429),
    "GLEU 0.1": (0.200, 0.412),
    "I-measure": (-0.051, -0.005),
    "BLEU": (-0.125, -0.225),
}

# Felice & Briscoe (2015), Towards a standard evaluation method, NAACL. On 711 sentences.
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
# P, R, F0.5, Acc, WAcc, WAcc of the source, I.
IMEASURE_TABLE_11 = {
    "UFC": (73.08, 2.78, 12.06, 95.13, 95.09, 95.03, 1.35),
    "INPUT": (100.00, 0.00, 0.00, 95.11, 95.11, 95.11, 0.00),
    "IITB": (29.73, 1.62, 6.65, 94.98, 94.82, 95.06, -0.25),
    "SJTU": (32.14, 7.68, 19.64, 94.51, 93.79, 94.89, -1.16),
    "CUUI": (46.25, 34.40, 43.27, 93.82, 91.86, 93.91, -2.18),
    "PKU": (31.14, 17.00, 26.70, 93.89, 92.28, 94.53, -2.38),
    "AMU": (40.48, 28.26, 37.26, 93.94, 92.06, 94.39, -2.47),
    "UMC": (36.31, 22.89, 32.50, 93.56, 91.67, 94.35, -2.84),
    "IPN": (9.06, 3.55, 6.91, 93.53, 92.00, 94.88, -3.04),
    "POST": (33.72, 28.70, 32.58, 92.88, 90.23, 94.17, -4.18),
    "RAC": (25.65, 19.09, 24.00, 92.79, 90.28, 94.45, -4.41),
    "CAMB": (37.59, 43.47, 38.63, 92.31, 88.77, 93.59, -5.15),
    "NTHU": (27.34, 25.42, 26.93, 92.48, 89.44, 94.44, -5.29),
}

Floats = npt.NDArray[np.float64]
# GLEU 0 is equation 1 as printed, without a brevity penalty. M² uses the annotation that has the
# alternatives of the teams.
SPECIFICATIONS = {
    "BLEU": "bleu",
    "I-measure": "imeasure",
    "M²": "m2",
    "GLEU 0": "gleu:variant=2015,denominator=paper,brevity=none",
    "GLEU 0.1": "gleu:variant=2015,denominator=paper,brevity=none,lambda=0.1",
}
_NO_SUBSET = (
    "The paper leaves out sentences that could not be clustered without human knowledge, and does "
    "not say which. Its numbers are for 711 sentences, ours are for all 1312 (the same annotation "
    "with alternatives)."
)


def gleu_table_2(laboratory: Laboratory) -> Reproduction:
    """The ranks of the systems by humans and by metrics."""
    cells = with_causes(
        rank_cells(GLEU_TABLE_2, partial(_rank, laboratory)),
        [
            Cause("the paper does not give the settings of its TrueSkill", columns=("Human",)),
            Cause("the paper puts the source last", columns=("GLEU 0.1",)),
            Cause(
                "the paper does not describe the tokenisation and the references of its BLEU",
                columns=("BLEU",),
            ),
            Cause(
                "the paper takes the ranks from the first paper on the I-measure: 711 sentences "
                "that are not known",
                columns=("I-measure",),
            ),
            Cause(
                "the paper does not describe the version of its equation that it used; neither "
                "its text nor its script gives all its ranks",
                columns=("GLEU 0",),
            ),
            Cause(
                "the gold edits of the paper's M² are not given; ours have the alternatives of "
                "the teams",
                columns=("M²",),
            ),
        ],
    )
    return Reproduction(
        "gleu-table2",
        "GLEU 2015, Table 2: ranks of the systems (INPUT is the source)",
        cells,
        (
            "Human is TrueSkill over the 28,146 published pairs of the three native judges, "
            "without the reference. The paper does not give its settings. With one system for each "
            "group of equal outputs, ρ with the paper's order is .96.",
            "GLEU 0.1 has the same order, except that the paper puts the source last.",
            "BLEU and the I-measure: the paper does not describe tokenisation, references and its "
            "subset of sentences.",
        ),
    )


def gleu_table_3(laboratory: Laboratory) -> Reproduction:
    """Correlations with the human ranking."""
    cells = []
    for row, (r, rho) in GLEU_TABLE_3.items():
        cells.append(cell(row, "r", r, partial(_r, laboratory, row)))
        cells.append(cell(row, "ρ", rho, partial(_rho, laboratory, row)))
    return Reproduction(
        "gleu-table3",
        "GLEU 2015, Table 3: correlation with the human ranking",
        with_causes(
            cells,
            [
                Cause(
                    "the paper's own two columns of ranks give -.187, not -.225",
                    rows=("BLEU",),
                    columns=("ρ",),
                ),
                Cause("the ranks differ: see the causes at Table 2", columns=("ρ",)),
                Cause(
                    "the paper prints no human scores (ours are TrueSkill of its judgments), and "
                    "the scores of the metrics differ: see the causes at Table 2",
                    columns=("r",),
                ),
            ],
        ),
        (
            "ρ is computed with the paper's own human ranking (its Table 2). r is computed with "
            "our TrueSkill scores of its judgments, because the paper prints no scores.",
            "BLEU: the paper's own two columns of ranks give ρ -.187, not -.225 as printed.",
        ),
    )


def _human(laboratory: Laboratory) -> Floats:
    """TrueSkill scores of the judgments of 2015, in the order of the systems of CoNLL-2014."""

    def compute() -> Floats:
        judgments = judgments_format.read(laboratory.folder("napoles15") / "all_judgments.csv")
        kept = judgments.of_systems([name for name in judgments.systems if name != "refmix1"])
        laboratory.working_on("TrueSkill on napoles15")
        scores = rank(kept, "trueskill", resamples=0, runs=40).scores()
        return np.array(
            [scores["src" if name == "INPUT" else name] for name in _systems(laboratory)]
        )

    return laboratory.once("human napoles15", compute)


def _systems(laboratory: Laboratory) -> tuple[str, ...]:
    return laboratory.benchmark("conll14").subset(["base"])


def _scores(laboratory: Laboratory, row: str) -> Floats:
    return scored_as_in_2015(laboratory, SPECIFICATIONS[row]).corpus


def scored_as_in_2015(laboratory: Laboratory, specification: str) -> ScoredSystems:
    """The scores; metrics of annotated edits use the annotation with alternatives."""
    bench = laboratory.benchmark("conll14")
    wanted = laboratory.metric(specification)
    if wanted.needs_references != "edits":
        return laboratory.scored("conll14", specification)
    return laboratory.scored_outputs(
        "conll14 with alternatives",
        specification,
        lambda: annotation_with_alternatives(laboratory),
        lambda: bench.outputs(_systems(laboratory)),
    )


def annotation_with_alternatives(laboratory: Laboratory) -> Corpus:
    """The annotation of CoNLL-2014 that has the alternatives of the teams."""

    def compute() -> Corpus:
        return read_m2(laboratory.folder("conll14") / "official-2014.combined-withalt.m2")

    return laboratory.once("alternatives", compute)


def _rank(laboratory: Laboratory, column: str, system: str) -> int:
    scores = _human(laboratory) if column == "Human" else _scores(laboratory, column)
    return int(ranks_of_samples(scores)[_systems(laboratory).index(system)])


def _r(laboratory: Laboratory, row: str) -> float:
    return float(pearson(_scores(laboratory, row), _human(laboratory)))


def _rho(laboratory: Laboratory, row: str) -> float:
    order = GLEU_TABLE_2["Human"].split()
    human = np.array([-order.index(name) for name in _systems(laboratory)])
    return float(spearman(_scores(laboratory, row), human))


def imeasure_table_10(laboratory: Laboratory) -> Reproduction:
    """M² on the paper's sentences, with the original annotation and with mixed corrections."""
    cells = []
    measures = {"P": "precision", "R": "recall", "F0.5": "score"}
    for system, values in IMEASURE_TABLE_10.items():
        for (label, name), value in zip(measures.items(), values, strict=True):
            ours = partial(_m2_measure, laboratory, system, name)
            cells.append(cell(system, f"original {label}", value, ours, digits=2))
    reason = "the mixed corrections were made for the paper and are not published"
    for system, values in IMEASURE_TABLE_10_MIXED.items():
        cells += [
            PublishedCell(system, f"mixed {label}", value, reason=reason, digits=2)
            for label, value in zip(measures, values, strict=True)
        ]
    return Reproduction(
        "imeasure-table10",
        "I-measure, Table 10: M² × 100 (INPUT is BASELINE)",
        with_causes(cells, [Cause(_NO_SUBSET)]),
    )


def _m2_measure(laboratory: Laboratory, system: str, name: str) -> float:
    scored = scored_as_in_2015(laboratory, "m2")
    place = scored.systems.index(system)
    value = scored.measures(place)[name]
    assert isinstance(value, float)
    return 100 * value


def imeasure_table_11(laboratory: Laboratory) -> Reproduction:
    """The I-measure's own numbers for correction."""
    columns = {
        "P": "precision",
        "R": "recall",
        "F0.5": "f",
        "Acc": "acc",
        "WAcc": "wacc",
        "WAcc base": "wacc_base",
        "I": "i",
    }
    cells = [
        cell(
            system,
            label,
            value,
            partial(_i_measure, laboratory, system, name),
            digits=2,
        )
        for system, values in IMEASURE_TABLE_11.items()
        for (label, name), value in zip(columns.items(), values, strict=True)
    ]
    return Reproduction(
        "imeasure-table11",
        "I-measure, Table 11: correction × 100 (INPUT is BASELINE)",
        with_causes(cells, [Cause(_NO_SUBSET)]),
    )


def _i_measure(laboratory: Laboratory, system: str, name: str) -> float:
    scored = scored_as_in_2015(laboratory, "imeasure")
    correction = scored.measures(scored.systems.index(system))["correction"]
    assert isinstance(correction, Mapping)
    return 100 * correction[name]
