"""GLEU's options that follow how people run the authors' program."""

from __future__ import annotations

import sys

import pytest

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.errors import MetricError
from corrigenda.text.units import keep_blanks

LAST_BLANK = "\u3000"
BLANKS = [
    blank for blank in map(chr, range(ord(LAST_BLANK) + 1)) if blank.isspace() and blank != "\n"
]
ASCII = " \t\v\f\r"


@pytest.mark.parametrize("blank", BLANKS)
def test_only_ascii_blanks_separate_words(blank):
    corpus = Corpus((f"a{blank}b c d e",), ((f"a{blank}b c d f",),))
    (official,) = evaluate(corpus, {"ours": [f"a{blank}b c d f"]}, ["gleu:words=ascii"])
    words = f"a{blank}b c d f".encode().split()  # bytes are split as in Python 2
    assert official.counts["hypothesis_length"] == len(words)
    assert (len(words) == 4) == (blank not in ASCII)


def test_these_are_all_blanks():
    assert not any(map(str.isspace, map(chr, range(ord(LAST_BLANK) + 1, sys.maxunicode + 1))))


def test_different_blanks_stay_different():
    changed = {keep_blanks(blank) for blank in BLANKS}
    assert len(changed) == len(BLANKS)


@pytest.mark.parametrize(("words", "unigrams"), [("unicode", "3"), ("ascii", "2")])
def test_the_explanation_counts_the_same_words(words, unigrams):
    corpus, output = Corpus(("a\u00a0b c",), (("a\u00a0b d",),)), "a\u00a0b d"
    (result,) = evaluate(corpus, {"ours": [output]}, [f"gleu:words={words}"])
    table = result.metric.explain(corpus, Hypotheses("ours", (output,)), result)[0]
    size, matched, *_ = (cell.text for cell in table.rows[0])
    assert (size, matched) == ("1", unigrams)


def test_words_are_of_unicode_by_default():
    corpus = Corpus(("a\u00a0b c",), (("a b c",),))
    (result,) = evaluate(corpus, {"ours": ["a\u00a0b c"]}, ["gleu"])
    assert result.counts["hypothesis_length"] == 3


def test_signature_and_wrong_pairs():
    corpus = Corpus(("a b",), (("a b", "a c"),))
    (result,) = evaluate(corpus, {"ours": ["a b"]}, ["gleu:draws_by=python3,words=ascii"])
    assert "draws_by:python3" in result.signature
    assert "words:ascii" in result.signature
    with pytest.raises(MetricError, match="no effect"):
        evaluate(corpus, {"ours": ["a b"]}, ["gleu:unit=char,words=ascii"])


def test_draws_by_python3_differ():
    corpus = Corpus(("a b c d",) * 20, (("a b c d", "a b c e"),) * 20)
    two, three = evaluate(corpus, {"ours": ["a b c d"] * 20}, ["gleu", "gleu:draws_by=python3"])
    assert two.score != three.score
    assert two.score == pytest.approx(three.score, abs=0.02)


def test_other_metrics_have_other_words() -> None:
    """M² numbers words between all blanks; metrics of n-grams take its numbers only for those."""
    corpus = Corpus(("a b\u00a0c d e", "f g"), (("a b c\u00a0d e",), ("f\u00a0g h",)))
    outputs = {"ours": ["a b\u00a0c d\u00a0e", "f g\u00a0h"]}
    metrics = ["m2", "green", "gleu", "gleu:words=ascii", "bleu"]
    together = evaluate(corpus, outputs, metrics)
    for metric, result in zip(metrics, together, strict=True):
        assert evaluate(corpus, outputs, [metric])[0].score == result.score
    assert together[2].score != together[3].score
