"""ERRANT on CoNLL-2014 gives the edits, types and counts of the errant package, in every mode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corrigenda import Hypotheses, evaluate
from corrigenda.annotation.edit_source import EditSource
from corrigenda.core.types import TypeScore
from corrigenda.formats import m2, read_hypotheses, read_m2, read_m2_hypotheses, read_text
from errant_model import cache, errant_ready, model  # noqa: F401
from public_data import full

SYSTEMS = ("AMU", "CAMB", "INPUT", "NULL")
GOLDS = ("ref_auto", "official_auto", "official_gold")
MODES = {
    "span_correction": "correction",
    "span_correction_type": "correction-type",
    "span_detection": "detection",
    "token_detection": "token-detection",
}
TIERS = {"1": "operation", "2": "type", "3": "both"}


@pytest.fixture(scope="module")
def folder(golden: Path) -> Path:
    return golden / "errant"


@pytest.fixture(scope="module")
def compared(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "compare.json").read_text())


@pytest.fixture(scope="module")
def given_systems(folder: Path) -> list[Hypotheses]:
    return [read_m2_hypotheses(folder / f"hyp_{name}.m2", name=name) for name in SYSTEMS]


@pytest.mark.parametrize("gold", GOLDS)
@pytest.mark.parametrize("golden_mode", MODES)
def test_counts_of_every_mode_and_category(folder, compared, given_systems, gold, golden_mode):
    corpus = read_m2(folder / f"{gold}.m2")
    for result in evaluate(corpus, given_systems, [f"errant:mode={MODES[golden_mode]}"]):
        expected = compared[gold][result.system][golden_mode]
        assert result.counts == {name: expected[name] for name in ("tp", "fp", "fn")}
        measured = {"p": result.precision, "r": result.recall, "f0.5": result.score}
        assert {name: round(value, 4) for name, value in measured.items()} == {
            name: expected[name] for name in measured
        }
        for number, tier in TIERS.items():
            categories = compared[gold][result.system].get("cat", {}).get(golden_mode, {})
            if expected_types := categories.get(number):
                found = {kind: as_golden(entry) for kind, entry in result.types[tier].items()}
                assert found == expected_types


def as_golden(entry: TypeScore) -> dict[str, Any]:
    measured = {"p": entry.precision, "r": entry.recall, "f0.5": entry.score}
    return {**entry.counts, **{name: round(value, 4) for name, value in measured.items()}}


def test_sentence_level(golden, folder, given_systems):
    expected = json.loads((golden / "sentence-level-self.json").read_text())
    corpus = read_m2(folder / "ref_auto.m2")
    for result in evaluate(corpus, given_systems, ["errant"], level="sentence"):
        original = expected[result.system]["senterrant"]
        assert result.sentence_scores.tolist() == pytest.approx(original["sent_f"], abs=1e-12)
        assert result.score == pytest.approx(original["score"], abs=1e-12)
        assert result.precision == pytest.approx(original["mean_p"], abs=1e-12)
        assert result.recall == pytest.approx(original["mean_r"], abs=1e-12)


def check_edits(conll_folder, folder, part: slice) -> None:
    """System output, references and the official gold, sentence by sentence."""
    texts = read_text(
        conll_folder / "source.txt", [conll_folder / "ref0.txt", conll_folder / "ref1.txt"]
    )[part]
    official = read_m2(conll_folder / "official-2014.combined.m2")[part]
    outputs = [
        read_hypotheses(conll_folder / "systems" / f"{name}.txt")[part] for name in SYSTEMS[:3]
    ]
    outputs.append(Hypotheses("NULL", ("",) * len(texts)))
    source = EditSource("extracted")
    source.prepare(texts, outputs, threads=2)
    for system in outputs:
        found = source.system_edits(texts, system, threads=1)
        assert found == tuple(
            edits for (edits,) in golden_edits(folder, f"hyp_{system.name}", part)
        )
    assert source.gold_edits(texts, threads=2) == golden_edits(folder, "ref_auto", part)
    assert source.gold_edits(official, threads=2) == golden_edits(folder, "official_auto", part)
    assert EditSource("retyped").gold_edits(official, threads=2) == golden_edits(
        folder, "official_gold", part
    )


def golden_edits(folder: Path, name: str, part: slice):
    sentences = m2.read(folder / f"{name}.m2")[part]
    return tuple(
        tuple(annotation.edits for annotation in sentence.annotations) for sentence in sentences
    )


def test_edits_and_types_of_every_twelfth_sentence(conll_folder, folder, errant_ready):  # noqa: F811
    check_edits(conll_folder, folder, slice(None, None, 12))


@full
def test_edits_and_types_of_all_sentences(conll_folder, folder, errant_ready):  # noqa: F811
    check_edits(conll_folder, folder, slice(None))
