"""GREEN, GLEU and BLEU equal their original programs on the sample, sentence by sentence."""

from __future__ import annotations

import hashlib
import re

import numpy as np
import pytest
from sample_results import FOLDER, SYSTEMS, golden, scored, texts

from corrigenda.data import SAMPLE

REGIONS = {
    "true_keep": "tk",
    "true_delete": "td",
    "true_insert": "ti",
    "over_delete": "od",
    "over_insert": "oi",
    "under_delete": "ud",
    "under_insert": "ui",
}
REFERENCES = ("ref0+ref1", "ref0", "ref1")


@pytest.mark.parametrize("beta", ["0.5", "1.0", "2.0"])
@pytest.mark.parametrize("unit", ["word", "char"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_green(system, unit, beta):
    expected = golden("green.json")[unit][system][beta]
    result = scored(texts(), f"green:unit={unit},beta={beta}")[system]
    assert result.score == pytest.approx(expected["corpus"], abs=1e-13)
    assert result.references.tolist() == expected["reference"]
    assert [
        {name: result.counts[ours][n] for name, ours in REGIONS.items()}
        for n in range(len(expected["regions"]))
    ] == expected["regions"]
    by_sentence = scored(texts(), f"green:unit={unit},beta={beta}", "sentence")[system]
    np.testing.assert_allclose(by_sentence.sentence_scores, expected["sentences"], atol=1e-13)
    assert by_sentence.score == pytest.approx(expected["mean_sentence"], abs=1e-13)


@pytest.mark.parametrize("references", REFERENCES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_gleu(system, references):
    expected = golden("gleu.json")[references][system]
    corpus = texts(references)
    result = scored(corpus, f"gleu:draws={expected['draws']}")[system]
    assert result.score == pytest.approx(expected["corpus"], abs=1e-13)
    assert f"{result.score:.6f}" == expected["corpus_printed"]
    by_sentence = scored(corpus, "gleu", "sentence")[system]
    np.testing.assert_allclose(by_sentence.sentence_scores, expected["sentences"], atol=1e-13)
    assert [f"{score:.6f}" for score in by_sentence.sentence_scores] == expected[
        "sentences_printed"
    ]


@pytest.mark.parametrize("references", REFERENCES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_count_of_gleu(system, references):
    expected = golden("gleu.json")[references][system]
    result = scored(texts(references), "gleu")[system]
    rows = [
        [row["hypothesis_length"], row["reference_length"]]
        + [each for pair in zip(row["numerator"], row["denominator"], strict=True) for each in pair]
        for row in map(result.metric.named_counts, result.chosen.statistics.counts)
    ]
    assert rows == [row for sentence in expected["statistics"] for row in sentence]
    scores = result.metric.score(result.chosen.statistics.counts, "sentence")
    flat = [score for sentence in expected["sentences_by_reference"] for score in sentence]
    np.testing.assert_allclose(scores, flat, atol=1e-13)


@pytest.mark.parametrize("references", ["ref0+ref1", "ref0"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_bleu(system, references):
    expected = golden("bleu.json")[references][system]
    result = scored(texts(references), "bleu")[system]
    assert 100 * result.score == pytest.approx(expected["corpus"], abs=1e-11)
    assert result.counts["matches"] == expected["counts"]
    assert result.counts["ngrams"] == expected["totals"]
    assert result.counts["hypothesis_length"] == expected["sys_len"]
    assert result.counts["reference_length"] == expected["ref_len"]
    by_sentence = scored(texts(references), "bleu", "sentence")[system]
    # "sentences" is with effective order, which ours has too.
    np.testing.assert_allclose(100 * by_sentence.sentence_scores, expected["sentences"], atol=1e-11)


def test_the_sample_is_the_one_that_the_programs_saw():
    """If a file of the sample changes, the results here are stale."""
    listed = re.findall(
        r"^    ([0-9a-f]{64})  (\S+)$", (FOLDER / "README.md").read_text(), re.MULTILINE
    )
    assert len(listed) == 9
    for checksum, name in listed:
        assert hashlib.sha256((SAMPLE / name).read_bytes()).hexdigest() == checksum, name
