"""GLEU on CoNLL-2014 equals the authors' programs and the formula of the later papers."""

from __future__ import annotations

import json

import numpy as np
import pytest

from corrigenda import evaluate, metric

SYSTEMS = ("AMU", "CAMB", "INPUT", "NULL")
PRINTED = 1e-9
SIX_DIGITS = 5.01e-7

# golden name -> metric, level
CORPUS_SCORES = {
    "official_word_corpus_sampled": "gleu",
    "official_word_corpus_best": "gleu:references=best",
    "official_char_corpus_sampled": "gleu:unit=char",
    "official_char_corpus_best": "gleu:unit=char,references=best",
    "paper_word_corpus": "gleu:variant=paper",
    "paper_char_corpus": "gleu:variant=paper,unit=char",
}
SENTENCE_MEANS = {
    "official_mean_sentence_smoothed": "gleu",
    "official_word_mean_sentence_unsmoothed_meanref": "gleu:smooth=false,references=mean",
    "official_word_mean_sentence_unsmoothed_bestref": "gleu:smooth=false,references=best",
    "official_char_mean_sentence_unsmoothed_meanref": "gleu:smooth=false,references=mean,unit=char",
    "official_char_mean_sentence_unsmoothed_bestref": "gleu:smooth=false,references=best,unit=char",
    "paper_word_mean_sentence": "gleu:variant=paper",
    "paper_char_mean_sentence": "gleu:variant=paper,unit=char",
}
# These two numbers of NULL, and no others, are stored as percentages: 0.1143 means 0.001143, which
# is 3 empty references among 2 x 1312.
STORED_AS_PERCENTAGE = {("NULL", "paper_word_mean_sentence"), ("NULL", "paper_char_mean_sentence")}
LAMBDAS = {"lambda_0.0": "gleu:variant=2015", "lambda_0.1": "gleu:variant=2015,lambda=0.1"}


@pytest.fixture(scope="module")
def expected(golden):
    return json.loads((golden / "gleu.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def results(conll, conll_systems):
    systems = [conll_systems[name] for name in SYSTEMS]
    wanted = {
        "corpus": {*CORPUS_SCORES.values(), *LAMBDAS.values()},
        "sentence": {*SENTENCE_MEANS.values(), *LAMBDAS.values()},
    }
    return {
        (result.system, result.metric, level): result
        for level, specifications in wanted.items()
        for result in evaluate(
            conll, systems, [metric(text) for text in sorted(specifications)], level=level
        )
    }


@pytest.mark.parametrize("system", SYSTEMS)
class TestGleu:
    def test_printed_digits(self, results, expected, system):
        """The authors' program prints six digits: all of them."""
        printed = f"{results[system, metric('gleu'), 'corpus'].score:.6f}"
        assert printed == f"{expected[system]['official_corpus']:.6f}"

    @pytest.mark.parametrize("name", CORPUS_SCORES)
    def test_corpus(self, results, expected, system, name):
        result = results[system, metric(CORPUS_SCORES[name]), "corpus"]
        assert result.score == pytest.approx(expected[system][name], abs=PRINTED)

    @pytest.mark.parametrize("name", SENTENCE_MEANS)
    def test_mean_of_sentences(self, results, expected, system, name):
        value = expected[system][name] / (100 if (system, name) in STORED_AS_PERCENTAGE else 1)
        # The smoothed sentence scores were printed with six digits before their mean was taken.
        tolerance = SIX_DIGITS if name == "official_mean_sentence_smoothed" else PRINTED
        result = results[system, metric(SENTENCE_MEANS[name]), "sentence"]
        assert result.score == pytest.approx(value, abs=tolerance)

    def test_smoothed_sentences(self, results, expected, system):
        scores = results[system, metric("gleu"), "sentence"].sentence_scores
        np.testing.assert_allclose(
            scores, expected[system]["official_sentences_smoothed"], rtol=0, atol=SIX_DIGITS
        )

    @pytest.mark.parametrize("name", LAMBDAS)
    def test_2015_corpus(self, results, expected, system, name):
        result = results[system, metric(LAMBDAS[name]), "corpus"]
        assert result.score == pytest.approx(expected[system]["variant_2015"][name], abs=PRINTED)

    @pytest.mark.parametrize("name", LAMBDAS)
    def test_2015_sentences(self, results, expected, system, name):
        scores = results[system, metric(LAMBDAS[name]), "sentence"].sentence_scores
        values = expected[system]["variant_2015_sentences"][name.removeprefix("lambda_")]
        np.testing.assert_allclose(scores, values, rtol=0, atol=SIX_DIGITS)


def test_every_golden_entry_is_compared(expected):
    """Nothing in the file is left out by accident."""
    compared = {
        *CORPUS_SCORES,
        *SENTENCE_MEANS,
        "official_corpus",
        "official_sentences_smoothed",
        "variant_2015",
        "variant_2015_sentences",
    }
    assert set(expected) == set(SYSTEMS)
    for system in SYSTEMS:
        assert set(expected[system]) == compared
        assert set(expected[system]["variant_2015"]) == set(LAMBDAS)


def test_2015_with_a_large_penalty(conll, conll_systems):
    """The penalty cannot touch the n-grams that the reference alone has; λ=1 shows it."""
    (result,) = evaluate(conll, [conll_systems["UMC"]], ["gleu:variant=2015,lambda=1"])
    assert f"{result.score:.5f}" == "0.73774"
