"""PT-M² and PT-ERRANT with real weights (MiniLM) are what the original code gave on CoNLL-2014.

A part of the sentences is always checked. All sentences and the correlation with people take
several minutes on two cores; they are checked with CORRIGENDA_FULL=1. Scores of pairs are computed
once for all tests here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Result
from corrigenda.formats import read_m2
from corrigenda.meta.laboratory import Laboratory, Reproduction
from corrigenda.meta.reproduce import reproduce
from corrigenda.meta.stand_in import installed
from corrigenda.metrics.pt_errant import PtErrant
from corrigenda.metrics.pt_m2 import PtM2
from errant_model import find_model
from errant_model import model as spacy_model  # noqa: F401
from public_data import full
from tiny_models import minilm_folder

SYSTEMS = ("AMU", "CAMB", "INPUT", "NULL")
PART = slice(30, 45)
LARGER_PART = slice(0, 80)
NAMES: dict[tuple[str, Level], str] = {
    ("pt-m2", "corpus"): "m2",
    ("pt-m2", "sentence"): "sentm2",
    ("pt-errant", "corpus"): "errant",
    ("pt-errant", "sentence"): "senterrant",
}


@pytest.fixture(scope="module", autouse=True)
def shared_scores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache for this module, so that tests can use what earlier tests computed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRIGENDA_CACHE", str(tmp_path_factory.mktemp("scores")))
        yield


@pytest.fixture(scope="module")
def annotated(conll_folder: Path) -> Corpus:
    return read_m2(conll_folder / "official-2014.combined.m2")


@pytest.fixture(params=["pt-m2", "pt-errant"])
def tested(
    request: pytest.FixtureRequest, conll: Corpus, annotated: Corpus
) -> tuple[Metric, Corpus]:
    """A metric, and the gold that the original was run with."""
    folder = str(minilm_folder())
    if request.param == "pt-m2":
        return PtM2(model=folder, layer=6), annotated
    spacy = request.getfixturevalue("spacy_model")
    return PtErrant(model=folder, layer=6, spacy_model=spacy), conll


def check_sentences(result: Result, expected: list[float]) -> None:
    """All scores of both metrics: M²'s ties are decided as in the original."""
    np.testing.assert_allclose(result.sentence_scores, expected, rtol=0, atol=1e-4)


def test_a_part_of_the_sentences(
    tested: tuple[PtM2 | PtErrant, Corpus], conll_systems: dict[str, Hypotheses], golden: Path
) -> None:
    metric, corpus = tested
    expected = json.loads((golden / "pt-minilm-l6.json").read_text())
    part = corpus[PART]
    systems = [conll_systems[name][PART] for name in ("AMU", "INPUT", "NULL")]
    for result in evaluate(part, systems, [metric], level="sentence", threads=1):
        scores = expected[result.system][NAMES[metric.name, "sentence"]]["sent_f"][PART]
        check_sentences(result, scores)


@full
def test_a_larger_part_of_the_system_with_most_edits(
    tested: tuple[PtM2 | PtErrant, Corpus], conll_systems: dict[str, Hypotheses], golden: Path
) -> None:
    metric, corpus = tested
    expected = json.loads((golden / "pt-minilm-l6.json").read_text())["CAMB"][
        NAMES[metric.name, "sentence"]
    ]
    system = conll_systems["CAMB"][LARGER_PART]
    (result,) = evaluate(corpus[LARGER_PART], [system], [metric], level="sentence")
    check_sentences(result, expected["sent_f"][LARGER_PART])


@full
def test_all_sentences_and_systems(
    tested: tuple[PtM2 | PtErrant, Corpus], conll_systems: dict[str, Hypotheses], golden: Path
) -> None:
    metric, corpus = tested
    expected = json.loads((golden / "pt-minilm-l6.json").read_text())
    systems = [conll_systems[name] for name in SYSTEMS]
    tolerance = 1e-4
    for level in ("corpus", "sentence"):
        for system, result in zip(
            systems, evaluate(corpus, systems, [metric], level=level), strict=True
        ):
            golden_result = expected[system.name][NAMES[metric.name, level]]
            assert result.score == pytest.approx(golden_result["score"], abs=tolerance)
            if level == "sentence":
                check_sentences(result, golden_result["sent_f"])


@pytest.fixture(scope="module")
def table(shared: Path) -> Reproduction:
    """Table 5 of the paper, with MiniLM beside its own models."""
    minilm_folder()
    pytest.importorskip("scipy")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRIGENDA_DATA", str(shared / "data"))
        patch.setenv("CORRIGENDA_SPACY_MODEL", find_model())
        patch.setenv("HF_HUB_OFFLINE", "1")
        return reproduce("ptm2-table5", Laboratory(stand_in=installed()))


# Expected Wins over the 12 submissions and INPUT, by the original code with the same model.
@full
@pytest.mark.parametrize(
    ("row", "level", "pearson", "spearman"),
    [
        ("PT-M² (MiniLM)", "sentence", 0.9495, 0.9066),
        ("PT-M² (MiniLM)", "corpus", 0.690, 0.742),
        ("PT-ERRANT (MiniLM)", "sentence", 0.926, 0.852),
        ("PT-ERRANT (MiniLM)", "corpus", 0.694, 0.742),
    ],
)
def test_correlation_with_people(
    table: Reproduction, row: str, level: Level, pearson: float, spearman: float
) -> None:
    found = {(cell.row, cell.column): cell.ours for cell in table.cells}
    assert found[row, f"{level} EW r"] == pytest.approx(pearson, abs=0.001)
    assert found[row, f"{level} EW ρ"] == pytest.approx(spearman, abs=0.001)


@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_weights_of_one_are_the_golden_m2(
    level: Level, system: str, annotated: Corpus, conll_systems: dict[str, Hypotheses], golden: Path
) -> None:
    expected = json.loads((golden / "sentence-level-self.json").read_text())[system][
        NAMES["pt-m2", level]
    ]
    weighed, plain = evaluate(
        annotated, [conll_systems[system]], [PtM2(scorer="self"), "m2"], level=level, threads=1
    )
    assert weighed.score == plain.score
    assert weighed.sentence_scores.tolist() == plain.sentence_scores.tolist()
    assert weighed.score == pytest.approx(expected["score"], abs=1e-12)
