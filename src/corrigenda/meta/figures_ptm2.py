"""More of the paper on PT-M² (Gong et al. 2022): Tables 3, 4, 7 and 8, Figures 2 and 3.

Its models are BERT and BART. Where they are not installed, a smaller model is shown beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from corrigenda.core.metric import Level
from corrigenda.meta import tables_ptm2
from corrigenda.meta.correlation import COEFFICIENTS, Coefficient, pearson
from corrigenda.meta.drawing import Drawing, Series
from corrigenda.meta.laboratory import (
    Cause,
    Laboratory,
    NotComputableError,
    PublishedCell,
    Reproduction,
    cell,
    with_causes,
)
from corrigenda.meta.tables_ptm2 import (
    PTM2_TABLE_3,
    PTM2_TABLE_3_SENTENCE,
    PTM2_TABLE_4,
    PTM2_TABLE_7,
    PTM2_TABLE_8,
    PTM2_TABLE_8_SENTENCE,
    TABLE_5_CAUSES,
)

_COLUMNS: tuple[tuple[str, str, Coefficient], ...] = (
    ("EW r", "expected-wins", "pearson"),
    ("EW ρ", "expected-wins", "spearman"),
    ("TS r", "trueskill", "pearson"),
    ("TS ρ", "trueskill", "spearman"),
)
_MODELS = {
    "BART small": "pt-m2:scorer=bartscore,model=sshleifer/distilbart-cnn-6-6",
    "BART base": tables_ptm2.SPECIFICATIONS["PT-M² (BART)"],
    "BART large": "pt-m2:scorer=bartscore,model=facebook/bart-large",
    "BERT small": "pt-m2:model=distilbert-base-uncased,idf=true",
    "BERT base": tables_ptm2.SPECIFICATIONS["PT-M² (BERT)"],
    "BERT large": "pt-m2:model=bert-large-uncased,idf=true",
}
_OTHER_MODEL = Cause("another model, version or layer than the paper's")


def _correlations(
    laboratory: Laboratory,
    row: str,
    specification: str,
    level: Level,
    values: tuple[float | None, ...],
) -> Iterator[PublishedCell]:
    for (label, human, coefficient), value in zip(_COLUMNS, values, strict=True):
        compute = partial(_one, laboratory, specification, level, human, coefficient)
        yield cell(row, label, value, compute)


def _one(
    laboratory: Laboratory, specification: str, level: Level, human: str, coefficient: Coefficient
) -> float:
    scored = laboratory.scored("conll14", specification)
    return float(COEFFICIENTS[coefficient](scored.level(level), laboratory.human("conll14", human)))


def ptm2_table_4(laboratory: Laboratory) -> Reproduction:
    """Correlations of metrics without weights, and of pretrained metrics."""
    cells: list[PublishedCell] = []
    for row, (name, level, values) in PTM2_TABLE_4.items():
        cells += _correlations(laboratory, row, tables_ptm2.SPECIFICATIONS[name], level, values)
    if laboratory.stand_in is not None:
        row = f"BERTScore ({laboratory.stand_in.label})"
        text = laboratory.stand_in.specification("bertscore")
        cells += _correlations(laboratory, row, text, "sentence", (None,) * 4)
    return Reproduction(
        "ptm2-table4",
        "PT-M², Table 4: correlation of earlier metrics with human scores",
        with_causes(cells, TABLE_5_CAUSES),
    )


def ptm2_table_7(laboratory: Laboratory) -> Reproduction:
    """Sentence-level PT-M² by models of three sizes."""
    cells: list[PublishedCell] = []
    for row, values in PTM2_TABLE_7.items():
        cells += _correlations(laboratory, row, _MODELS[row], "sentence", values)
    if laboratory.stand_in is not None:
        text = laboratory.stand_in.specification("pt-m2")
        cells += _correlations(laboratory, laboratory.stand_in.label, text, "sentence", (None,) * 4)
    return Reproduction(
        "ptm2-table7",
        "PT-M², Table 7: models of different sizes",
        with_causes(cells, [_OTHER_MODEL]),
        ("The paper does not name its small BART; ours is a distilled one.",),
    )


def ptm2_table_3(laboratory: Laboratory) -> Reproduction:
    """BERTScore of two outputs for one sentence."""
    cells = []
    for row, value in PTM2_TABLE_3.items():
        compute = partial(
            _sentence,
            laboratory,
            tables_ptm2.SPECIFICATIONS["BERTScore"],
            row,
            PTM2_TABLE_3_SENTENCE,
        )
        cells.append(cell(row, "BERTScore", value, compute, digits=2))
        if laboratory.stand_in is not None:
            text = laboratory.stand_in.specification("bertscore")
            beside = partial(_sentence, laboratory, text, row, PTM2_TABLE_3_SENTENCE)
            label = f"BERTScore ({laboratory.stand_in.label})"
            cells.append(cell(row, label, None, beside, digits=2))
    return Reproduction(
        "ptm2-table3",
        "PT-M², Table 3: BERTScore prefers the output without the correction",
        with_causes(cells, [_OTHER_MODEL]),
    )


def ptm2_table_8(laboratory: Laboratory) -> Reproduction:
    """M² and PT-M² of two outputs for one sentence."""
    cells = []
    for row, (m2, pt) in PTM2_TABLE_8.items():
        by_name = {"M²": ("m2", m2), "PT-M²": (tables_ptm2.SPECIFICATIONS["PT-M² (BERT)"], pt)}
        for label, (text, value) in by_name.items():
            compute = partial(_sentence, laboratory, text, row, PTM2_TABLE_8_SENTENCE)
            cells.append(cell(row, label, value, compute, digits=2))
        if laboratory.stand_in is not None:
            text = laboratory.stand_in.specification("pt-m2")
            compute = partial(_sentence, laboratory, text, row, PTM2_TABLE_8_SENTENCE)
            label = f"PT-M² ({laboratory.stand_in.label})"
            cells.append(cell(row, label, None, compute, digits=2))
    return Reproduction(
        "ptm2-table8",
        "PT-M², Table 8: M² and PT-M² of one sentence",
        with_causes(cells, [_OTHER_MODEL]),
    )


def _sentence(laboratory: Laboratory, specification: str, system: str, sentence: int) -> float:
    scored = laboratory.scored("conll14", specification)
    return float(scored.sentences[scored.systems.index(system), sentence])


def ptm2_figure_2(laboratory: Laboratory) -> Reproduction:
    """Pearson r over the best K systems by Expected Wins."""
    wanted: dict[str, tuple[str, Level]] = {
        "M²": ("m2", "corpus"),
        "SentM²": ("m2", "sentence"),
        "PT-M²": (tables_ptm2.SPECIFICATIONS["PT-M² (BERT)"], "sentence"),
    }
    if laboratory.stand_in is not None:
        label = f"PT-M² ({laboratory.stand_in.label})"
        wanted[label] = (laboratory.stand_in.specification("pt-m2"), "sentence")
    cells: list[PublishedCell] = []
    series = []
    for row, (text, level) in wanted.items():
        for count in (4, 6, 13):
            compute = partial(_best, laboratory, text, level, count)
            cells.append(cell(row, f"r of the best {count}", None, compute))
        try:
            values = [_best(laboratory, text, level, count) for count in range(4, 14)]
        except NotComputableError:
            continue
        series.append(Series(row, "line", tuple(map(float, range(4, 14))), tuple(values)))
    return Reproduction(
        "ptm2-figure2",
        "PT-M², Figure 2: Pearson r over the best K systems",
        tuple(cells),
        ("The paper prints no numbers. It says that r of M² and SentM² drops sharply below 6.",),
        (Drawing("Pearson r of the best K systems", "K", "Pearson r", tuple(series)),)
        if series
        else (),
    )


def _best(laboratory: Laboratory, specification: str, level: Level, count: int) -> float:
    human = laboratory.human("conll14", "expected-wins")
    scores = laboratory.scored("conll14", specification).level(level)
    kept = np.argsort(-human, kind="stable")[:count]
    return float(pearson(scores[kept], human[kept]))


def ptm2_figure_3(laboratory: Laboratory) -> Reproduction:
    """What inverse weights do to the correlations with Expected Wins."""
    wanted = {"SentM²": "m2", "PT-M²": tables_ptm2.SPECIFICATIONS["PT-M² (BERT)"]}
    wanted["PT-M² (inverse)"] = f"{wanted['PT-M²']},inverse=true"
    if laboratory.stand_in is not None:
        text, label = laboratory.stand_in.specification("pt-m2"), laboratory.stand_in.label
        wanted[f"PT-M² ({label})"] = text
        wanted[f"PT-M² (inverse, {label})"] = f"{text},inverse=true"
    cells = [
        cell(row, label, None, partial(_one, laboratory, text, "sentence", human, coefficient))
        for row, text in wanted.items()
        for label, human, coefficient in _COLUMNS[:2]
    ]
    return Reproduction(
        "ptm2-figure3",
        "PT-M², Figure 3: inverse weights",
        tuple(cells),
        (
            "The paper prints no numbers. It says that with inverse weights both correlations are "
            "lower than those of SentM² by a large amount.",
            "The paper does not say what it does with edits of weight 0. Here such an edit keeps "
            "the weight 0.",
        ),
    )
