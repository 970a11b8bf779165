"""More of the first paper on GLEU (Napoles et al. 2015): Tables 1 and 4, Figure 1, footnote 3."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from corrigenda.corpus import Hypotheses
from corrigenda.formats import judgments as judgments_format
from corrigenda.human.ranking import rank
from corrigenda.judgments import Judgments
from corrigenda.meta import tables_earlier
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient, pearson
from corrigenda.meta.drawing import Drawing, Series
from corrigenda.meta.laboratory import (
    Cause,
    Laboratory,
    NotComputableError,
    Reproduction,
    cell,
    with_causes,
)
from corrigenda.meta.scores import ScoredSystems
from corrigenda.meta.tables_earlier import scored_as_in_2015, scores_of_2015

Floats = npt.NDArray[np.float64]
# Pairs of judges: r and ρ of their rankings.
TABLE_1 = {(0, 1): (0.80, 0.69), (0, 2): (0.73, 0.80), (1, 2): (0.81, 0.71)}
# System: GLEU, M² and the human rank of its output for one sentence (from 0).
TABLE_4_SENTENCE = 755
TABLE_4 = {"UMC": (0.62, 0.00, 1), "AMU": (0.64, 0.39, 2), "NTHU": (0.60, 0.00, 4)}
# Pearson's r over the twelve systems and the source.
FIGURE_1 = {("M²", "I-measure"): -0.694, ("M²", "BLEU"): -0.772, ("I-measure", "BLEU"): 0.949}
# M² of a system that writes X in place of every sentence.
FOOTNOTE_3 = {"P": 0.27, "R": 0.29, "M²": 0.28, "rank": 6}
_RUNS = 20


def gleu_table_1(laboratory: Laboratory) -> Reproduction:
    """How far the judges agree: correlations of their own rankings of the systems."""
    symbols: dict[str, Coefficient] = {"r": "pearson", "ρ": "spearman"}
    cells = [
        cell(
            f"{first + 1} and {second + 1}",
            symbol,
            value,
            partial(_agreement, laboratory, first, second, coefficient),
            digits=2,
        )
        for (first, second), values in TABLE_1.items()
        for (symbol, coefficient), value in zip(symbols.items(), values, strict=True)
    ]
    return Reproduction(
        "gleu-table1",
        "GLEU 2015, Table 1: correlations among judges, without the reference",
        with_causes(
            cells,
            [
                Cause(
                    "the file has all 28,146 pairs of the paper, but no setting that we tried "
                    "(five seeds, with and without the reference, Expected Wins) gives more than "
                    "r .57 and ρ .60",
                    rows=("2 and 3",),
                ),
                Cause(
                    "TrueSkill is random, and the paper does not give its settings. With five "
                    "seeds, r of 1 and 2 is .74 to .78 and ρ .69 to .76; of 1 and 3, r is .67 to "
                    ".73 and ρ .70 to .81"
                ),
            ],
        ),
        ("Each judge's systems are ranked by TrueSkill over that judge's own pairs.",),
    )


def _judged(laboratory: Laboratory) -> Judgments:
    def compute() -> Judgments:
        found = judgments_format.read(laboratory.folder("napoles15") / "all_judgments.csv")
        return found.of_systems([name for name in found.systems if name != "refmix1"])

    return laboratory.once("judgments napoles15", compute)


def _of_judge(laboratory: Laboratory, number: int) -> Floats:
    def compute() -> Floats:
        judgments = _judged(laboratory)
        if number >= len(judgments.judges):
            raise NotComputableError("the judgments have fewer judges")
        laboratory.working_on(f"TrueSkill of judge {number + 1}")
        own = judgments.of_judge(sorted(judgments.judges)[number])
        scores = rank(own, "trueskill", resamples=0, runs=_RUNS).scores()
        return np.array([scores.get(name, np.nan) for name in judgments.systems])

    return laboratory.once(("judge of napoles15", number), compute)


def _agreement(laboratory: Laboratory, first: int, second: int, coefficient: Coefficient) -> float:
    one, other = _of_judge(laboratory, first), _of_judge(laboratory, second)
    return float(COEFFICIENTS[coefficient](one, other))


def gleu_table_4(laboratory: Laboratory) -> Reproduction:
    """One sentence with the scores of three outputs."""
    cells = []
    for system, (gleu, m2, human) in TABLE_4.items():
        cells += [
            cell(system, "GLEU", gleu, partial(_sentence, laboratory, "GLEU 0", system), digits=2),
            cell(system, "M²", m2, partial(_sentence, laboratory, "M²", system), digits=2),
            cell(system, "human rank", human, partial(_best_rank, laboratory, system), digits=0),
        ]
    cells += [
        cell(system, label, None, partial(_sentence, laboratory, name, system), digits=2)
        for system in TABLE_4
        for label, name in (("I-measure", "I-measure"), ("BLEU", "BLEU"), ("GREEN", "GREEN"))
    ]
    return Reproduction(
        "gleu-table4",
        "GLEU 2015, Table 4: one sentence, its outputs and their scores",
        with_causes(
            cells,
            [
                Cause(
                    "the paper does not say how it smooths the score of a single sentence, nor "
                    "with which λ; ours is equation 1 as printed, λ = 0, without smoothing",
                    columns=("GLEU",),
                ),
                Cause(
                    "the gold edits of the paper's M² are not given; ours are those of "
                    "CoNLL-2014 with alternatives",
                    columns=("M²",),
                ),
            ],
        ),
        (
            "Two judges ranked outputs of this sentence. The paper's ranks are the better ones: "
            "one judge ranks UMC fourth, the other ranks it first.",
        ),
    )


def _sentence(laboratory: Laboratory, name: str, system: str) -> float:
    specification = tables_earlier.SPECIFICATIONS.get(name, "green")
    scored = scored_as_in_2015(laboratory, specification)
    return float(scored.sentences[scored.systems.index(system), TABLE_4_SENTENCE])


def _best_rank(laboratory: Laboratory, system: str) -> int:
    """The best rank that a judge gave to the output; judgments number sentences from 1."""
    return min(
        output.rank
        for ranking in _judged(laboratory).rankings
        if ranking.sentence == str(TABLE_4_SENTENCE + 1)
        for output in ranking.outputs
        if system in output.systems
    )


def gleu_footnote_3(laboratory: Laboratory) -> Reproduction:
    """M² of a system whose every output is the character X, and its rank among the others."""
    measures = {"P": "precision", "R": "recall", "M²": "score"}
    cells = [
        cell("X", label, FOOTNOTE_3[label], partial(_of_one_letter, laboratory, name), digits=2)
        for label, name in measures.items()
    ]
    compute = partial(_rank_of_one_letter, laboratory)
    cells.append(cell("X", "rank of 13", FOOTNOTE_3["rank"], compute, digits=0))
    return Reproduction(
        "gleu-footnote3",
        "GLEU 2015, footnote 3: M² of a system that always writes X",
        tuple(cells),
        ("The printed P and R are cut off after two digits, not rounded.",),
    )


def _one_letter(laboratory: Laboratory) -> ScoredSystems:
    bench = laboratory.benchmark("conll14")
    wanted = laboratory.metric("m2")
    corpus = bench.corpus_for(wanted)
    outputs = [Hypotheses("X", ("X",) * len(corpus))]
    return laboratory.scored_outputs("X", "m2", lambda: corpus, lambda: outputs)


def _of_one_letter(laboratory: Laboratory, name: str) -> float:
    value = _one_letter(laboratory).measures(0)[name]
    assert isinstance(value, float)
    return value


def _rank_of_one_letter(laboratory: Laboratory) -> int:
    """Among the twelve systems; the source has no rank in the shared task."""
    scored = laboratory.scored("conll14", "m2")
    better = scored.corpus > _one_letter(laboratory).corpus[0]
    return 1 + int(better[[name != "INPUT" for name in scored.systems]].sum())


def gleu_figure_1(laboratory: Laboratory) -> Reproduction:
    """M², I-measure and BLEU against each other, over the twelve systems and the source."""
    cells = [
        cell(f"{one} and {other}", "Pearson r", value, partial(_between, laboratory, one, other))
        for (one, other), value in FIGURE_1.items()
    ]
    try:
        drawings = tuple(_plot(laboratory, one, other) for one, other in combinations(_METRICS, 2))
    except NotComputableError:
        drawings = ()
    return Reproduction(
        "gleu-figure1",
        "GLEU 2015, Figure 1: M², I-measure and BLEU against each other",
        with_causes(
            cells,
            [Cause("the printed I of the first paper on the I-measure has two digits")],
        ),
        (
            "The paper does not say how it got these numbers. They are those of M² with the "
            "alternatives of the teams, of BLEU in lower case with both references, and of the I "
            "of the first paper on the I-measure (711 sentences), over 13 systems, the source "
            "included.",
        ),
        drawings,
    )


_METRICS = ("M²", "I-measure", "BLEU")


def _between(laboratory: Laboratory, one: str, other: str) -> float:
    return float(pearson(scores_of_2015(laboratory, one), scores_of_2015(laboratory, other)))


def _plot(laboratory: Laboratory, one: str, other: str) -> Drawing:
    first, second = scores_of_2015(laboratory, one), scores_of_2015(laboratory, other)
    names = laboratory.benchmark("conll14").subset(["base"])
    points = Series(
        "systems", "points", tuple((100 * first).tolist()), tuple((100 * second).tolist()), names
    )
    return Drawing(f"{other} over {one}", f"{one} × 100", f"{other} × 100", (points,))
