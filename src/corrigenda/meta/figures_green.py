"""Figures 4 to 7 of the GREEN paper (Koyama et al. 2024): metrics over Expected Wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from corrigenda.core.metric import Level
from corrigenda.meta.correlation import pearson
from corrigenda.meta.drawing import Drawing, Series
from corrigenda.meta.laboratory import (
    Laboratory,
    NotComputableError,
    Reproduction,
    cell,
    with_causes,
)
from corrigenda.meta.tables_green import (
    GREEN_TABLE_2,
    SPELLING_OF_ERRANT,
    specification,
)

Floats = npt.NDArray[np.float64]
_FLUENT = ("GPT-3.5", "REF-F")


@dataclass(frozen=True)
class Panel:
    """One plot: a metric at a level. `published` is Pearson's r, where Table 2 has it."""

    title: str
    specification: str
    level: Level
    published: float | None
    data: str = "conll14"


def _panels(laboratory: Laboratory, panels: Sequence[Panel], name: str, what: str) -> Reproduction:
    cells, drawings, notes = [], [], []
    for panel in panels:
        cells.append(
            cell(panel.title, "Pearson r", panel.published, partial(_r, laboratory, panel))
        )
        try:
            drawings.append(_scatter(laboratory, panel))
        except NotComputableError:
            notes.append(f"{panel.title} is not drawn: the reason is given with its number.")
    notes.append("The paper prints no coordinates; Pearson r of the points is in its Table 2.")
    return Reproduction(
        name,
        f"GREEN, {what}",
        with_causes(cells, [SPELLING_OF_ERRANT]),
        tuple(notes),
        tuple(drawings),
    )


def _r(laboratory: Laboratory, panel: Panel) -> float:
    scored = laboratory.scored(panel.data, panel.specification)
    return float(pearson(scored.level(panel.level), laboratory.human(panel.data)))


def _scatter(laboratory: Laboratory, panel: Panel) -> Drawing:
    scored = laboratory.scored(panel.data, panel.specification)
    human = laboratory.human(panel.data)
    scores = 100 * scored.level(panel.level)
    return Drawing(
        panel.title,
        "Expected Wins",
        "score × 100",
        (Series("systems", "points", _plain(human), _plain(scores), scored.systems),),
    )


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())


def green_figure_4(laboratory: Laboratory) -> Reproduction:
    """Corpus-level charGREEN with β = 1 and β = 2."""
    char = specification("charGREEN", "conll14")
    return _panels(
        laboratory,
        [
            Panel("charGREEN, β = 1", f"{char},beta=1", "corpus", None),
            Panel("charGREEN, β = 2", char, "corpus", GREEN_TABLE_2["charGREEN"][0]),
        ],
        "green-figure4",
        "Figure 4: corpus-level charGREEN with β = 1 and β = 2 on CoNLL-2014",
    )


def green_figure_5(laboratory: Laboratory) -> Reproduction:
    """Corpus-level M² and PT-M²."""
    panels = [
        Panel("M²", "m2", "corpus", GREEN_TABLE_2["M²"][0]),
        Panel("PT-M²", specification("PT-M²", "conll14"), "corpus", GREEN_TABLE_2["PT-M²"][0]),
    ]
    if laboratory.stand_in is not None:
        text = laboratory.stand_in.specification("pt-m2")
        panels.append(Panel(f"PT-M² ({laboratory.stand_in.label})", text, "corpus", None))
    return _panels(
        laboratory,
        panels,
        "green-figure5",
        "Figure 5: corpus-level M² and PT-M² on CoNLL-2014",
    )


def green_figure_6(laboratory: Laboratory) -> Reproduction:
    """Sentence-level charGREEN and M²."""
    char = specification("charGREEN", "conll14")
    return _panels(
        laboratory,
        [
            Panel("charGREEN", char, "sentence", GREEN_TABLE_2["charGREEN"][6]),
            Panel("M²", "m2", "sentence", GREEN_TABLE_2["M²"][6]),
        ],
        "green-figure6",
        "Figure 6: sentence-level charGREEN and M² on CoNLL-2014",
    )


def green_figure_7(laboratory: Laboratory) -> Reproduction:
    """Corpus-level wordGREEN on SEEDA-S, with the two fluency systems and the source."""
    panel = Panel(
        "wordGREEN on SEEDA-S", "green", "corpus", GREEN_TABLE_2["wordGREEN"][2], "seeda-s"
    )
    cells = [
        cell("12 systems", "Pearson r", panel.published, partial(_r, laboratory, panel)),
        cell(
            "with the source, GPT-3.5 and REF-F",
            "Pearson r",
            None,
            partial(_r_of_all, laboratory),
        ),
    ]
    try:
        drawings: tuple[Drawing, ...] = (_all_of_seeda(laboratory),)
    except NotComputableError:
        drawings = ()
    return Reproduction(
        "green-figure7",
        "GREEN, Figure 7: corpus-level wordGREEN on SEEDA-S",
        tuple(cells),
        ("As the paper says, the two fluency systems stand apart from the others.",),
        drawings,
    )


def _r_of_all(laboratory: Laboratory) -> float:
    human, scores, _ = _everything(laboratory)
    return float(pearson(scores, human))


def _everything(laboratory: Laboratory) -> tuple[Floats, Floats, tuple[str, ...]]:
    bench = laboratory.benchmark("seeda-s")
    names = bench.subset(["all"])
    scored = laboratory.scored("seeda-s", "green", names)

    def human() -> Floats:
        return bench.human(names, None)

    return laboratory.once("human seeda-s all", human), 100 * scored.corpus, names


def _all_of_seeda(laboratory: Laboratory) -> Drawing:
    human, scores, names = _everything(laboratory)
    groups = {
        "systems": [name for name in names if name not in (*_FLUENT, "INPUT")],
        "fluency systems": [name for name in names if name in _FLUENT],
        "INPUT": [name for name in names if name == "INPUT"],
    }
    series = []
    for group, members in groups.items():
        places = [names.index(name) for name in members]
        series.append(
            Series(group, "points", _plain(human[places]), _plain(scores[places]), tuple(members))
        )
    return Drawing("wordGREEN on SEEDA-S", "Expected Wins", "score × 100", tuple(series))
