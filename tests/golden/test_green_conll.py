"""GREEN on CoNLL-2014 equals the authors' program: sentences, regions and chosen references."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from corrigenda import evaluate, metric
from corrigenda.metrics.green import REGIONS

SYSTEMS = ("AMU", "CAMB", "INPUT", "NULL")
BETAS = ("0.5", "1.0", "2.0")
# The golden numbers have ten digits; sentence scores have all.
PRINTED = 1e-9
EXACT = 1e-12


def load(folder: Path, name: str) -> dict:
    return json.loads((folder / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def results(conll, conll_systems):
    """Corpus level and sentence level of everything, system by system so that counts are shared."""
    metrics = [
        metric(f"green:unit={unit},beta={beta},whitespace={whitespace}")
        for unit in ("word", "char")
        for beta in BETAS
        for whitespace in ("normalise", "raw")
    ]
    systems = [conll_systems[name] for name in SYSTEMS]
    return {
        (result.system, result.metric, level): result
        for level in ("corpus", "sentence")
        for result in evaluate(conll, systems, metrics, level=level)
    }


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("unit", ["word", "char"])
class TestNormalised:
    def expected(self, golden: Path, unit: str, system: str, beta: str) -> dict:
        return load(golden, f"green-{unit}.json")[system][beta]

    def test_corpus(self, results, golden, unit, system, beta):
        expected = self.expected(golden, unit, system, beta)
        result = results[system, metric(f"green:unit={unit},beta={beta}"), "corpus"]
        assert result.score == pytest.approx(expected["corpus"], abs=PRINTED)
        for region in REGIONS:
            assert result.counts[region] == [of_n[region] for of_n in expected["regions"]]

    def test_sentences(self, results, golden, unit, system, beta):
        expected = self.expected(golden, unit, system, beta)
        result = results[system, metric(f"green:unit={unit},beta={beta}"), "sentence"]
        assert result.score == pytest.approx(expected["mean_sentence"], abs=PRINTED)
        if "sentences" in expected:
            np.testing.assert_allclose(
                result.sentence_scores, expected["sentences"], rtol=0, atol=EXACT
            )
            assert "".join(map(str, result.references)) == expected["reference"]
        else:
            assert system == "CAMB"
            assert beta != "2.0"

    def test_both_levels_choose_the_same_references(self, results, unit, system, beta):
        chosen = metric(f"green:unit={unit},beta={beta}")
        at_corpus_level, at_sentence_level = (
            results[system, chosen, level] for level in ("corpus", "sentence")
        )
        np.testing.assert_array_equal(at_corpus_level.references, at_sentence_level.references)


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("unit", ["word", "char"])
def test_raw_files(results, golden, unit, system, beta):
    """The files as shipped: trailing and doubled blanks count among the characters."""
    expected = load(golden, f"green-{unit}-raw-files.json")[system][beta]
    chosen = metric(f"green:unit={unit},beta={beta},whitespace=raw")
    assert results[system, chosen, "corpus"].score == pytest.approx(expected["corpus"], abs=PRINTED)
    assert results[system, chosen, "sentence"].score == pytest.approx(
        expected["mean_sentence"], abs=PRINTED
    )


def test_blanks_matter_to_characters_only(results, conll_systems):
    """INPUT has trailing blanks, so its raw character score differs."""
    assert any(line != " ".join(line.split()) for line in conll_systems["INPUT"].sentences)
    for unit, differs in (("word", False), ("char", True)):
        raw, normalised = (
            results["INPUT", metric(f"green:unit={unit},whitespace={blanks}"), "corpus"].score
            for blanks in ("raw", "normalise")
        )
        assert (raw != normalised) == differs
