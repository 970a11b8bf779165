"""Tables 2 and 3 of the first paper on GLEU (Napoles et al. 2015)."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import judgments as judgments_format
from corrigenda.formats import read_m2
from corrigenda.human.bootstrap import ranks_of_samples
from corrigenda.human.ranking import rank
from corrigenda.meta.correlation import pearson, spearman
from corrigenda.meta.laboratory import (
    Cause,
    Laboratory,
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

# Felice & Briscoe (2015), Towards a standard evaluation method, NAACL, Table 11. On 711 sentences.
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

_WHICH_SCORES = (
    "BLEU is computed in lower case, with both references: this gives the paper's ρ with people "
    "and its correlations with M² and the I-measure. The I-measure is the I of its first paper "
    "(Felice & Briscoe 2015, Table 11).",
)


def gleu_table_2(laboratory: Laboratory) -> Reproduction:
    """The ranks of the systems by humans and by metrics."""
    cells = with_causes(
        rank_cells(GLEU_TABLE_2, partial(_rank, laboratory)),
        [
            Cause("the paper does not give the settings of its TrueSkill", columns=("Human",)),
            Cause("the paper puts the source last", columns=("GLEU 0.1",)),
            Cause(
                "the printed ranks are not those of the BLEU of Table 3 and Figure 1, which is "
                "BLEU in lower case: they give ρ -.187, not -.225 as printed",
                columns=("BLEU",),
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
            *_WHICH_SCORES,
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
                    "the paper puts the source last, which alone moves ρ from .588 to .412",
                    rows=("GLEU 0.1",),
                    columns=("ρ",),
                ),
                Cause(
                    "r needs human scores, and the paper prints only their ranks; ours are "
                    "TrueSkill scores of its judgments, whose settings it does not give",
                    columns=("r",),
                ),
            ],
        ),
        (
            "ρ is computed with the paper's own human ranking (its Table 2). r is computed with "
            "our TrueSkill scores of its judgments, because the paper prints no scores.",
            *_WHICH_SCORES,
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


def scores_of_2015(laboratory: Laboratory, row: str) -> Floats:
    """The scores of a metric as the paper has them, in the order of the systems of CoNLL-2014."""
    if row == "I-measure":
        return np.array([IMEASURE_TABLE_11[name][-1] / 100 for name in _systems(laboratory)])
    if row == "BLEU":
        return _bleu_in_lower_case(laboratory)
    return scored_as_in_2015(laboratory, SPECIFICATIONS[row]).corpus


def _bleu_in_lower_case(laboratory: Laboratory) -> Floats:
    bench = laboratory.benchmark("conll14")
    wanted = laboratory.metric(SPECIFICATIONS["BLEU"])

    def corpus() -> Corpus:
        made = bench.corpus_for(wanted)
        references = tuple(tuple(text.lower() for text in sentence) for sentence in made.references)
        return Corpus(tuple(text.lower() for text in made.sources), references)

    def outputs() -> list[Hypotheses]:
        return [
            Hypotheses(system.name, tuple(text.lower() for text in system.sentences))
            for system in bench.outputs(_systems(laboratory))
        ]

    return laboratory.scored_outputs(
        "conll14 in lower case", SPECIFICATIONS["BLEU"], corpus, outputs
    ).corpus


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
    scores = _human(laboratory) if column == "Human" else scores_of_2015(laboratory, column)
    return int(ranks_of_samples(scores)[_systems(laboratory).index(system)])


def _r(laboratory: Laboratory, row: str) -> float:
    return float(pearson(scores_of_2015(laboratory, row), _human(laboratory)))


def _rho(laboratory: Laboratory, row: str) -> float:
    order = GLEU_TABLE_2["Human"].split()
    human = np.array([-order.index(name) for name in _systems(laboratory)])
    return float(spearman(scores_of_2015(laboratory, row), human))
