"""The metrics equal their definitions on text of every script.

The text has combining marks, emoji sequences, ideographic and other blanks, and directional marks.
"""

from __future__ import annotations

import math

import oracle_imeasure
import oracle_m2
import oracle_minimal_edits
import oracle_scores
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyuegc import EGC

from corrigenda import Corpus, Hypotheses, Metric, Scored, metric
from corrigenda.core.scored import Selection
from corrigenda.corpus.gold import gold_sentences
from corrigenda.edits.gold_errors import references_of
from corrigenda.metrics.gleu import Gleu
from corrigenda.metrics.green import Green
from examples import examples

BLANKS = st.sampled_from([" ", "\u3000", "\u00a0", "\u2028", "\u2003", "\t", "  "])
SCRIPTS = {
    "latin": ["a", "é", "e\u0301", "ǆ", "ß", "ﬁ", "a\u0323\u0301"],
    "cyrillic": ["и", "й", "и\u0306", "ї", "ʼ"],
    "arabic": ["ا", "أ", "ا\u0654", "\u064e", "\u200f", "\u202bب", "ـ"],
    "hebrew": ["ש", "ש\u05c1", "שׁ", "\u200e", "\u202e"],
    "devanagari": ["क", "क\u094dष", "क\u094d\u200dष", "\u093f", "।"],
    "thai": ["ก", "กำ", "ก\u0e31", "\u0e33"],
    "hangul": ["가", "\u1100\u1161", "각", "ㄱ"],
    "japanese": ["が", "か\u3099", "ｶﾞ", "。", "漢"],
    "chinese": ["汉", "漢", "\U00020000", "，", "葛\U000e0100"],
    "emoji": ["👩", "👩\u200d👧", "👍🏽", "🇩🇪", "🇩", "❤\ufe0f", "1\ufe0f\u20e3"],
}


@st.composite
def sentences(draw: st.DrawFn, letters: list[str]) -> str:
    """A few words of a few letters, with any blanks around them."""
    words = draw(
        st.lists(st.text(st.sampled_from("ab"), max_size=1) | st.lists(
            st.sampled_from(letters), min_size=1, max_size=2
        ).map("".join), max_size=5)
    )  # fmt: skip
    return "".join(part for word in words for part in (word, draw(BLANKS)))


def triples(script: str) -> st.SearchStrategy[list[tuple[str, str, str]]]:
    """Sources, references and outputs in one script."""
    text = sentences(SCRIPTS[script])
    return st.lists(st.tuples(text, text, text), min_size=1, max_size=3)


in_each_script = pytest.mark.parametrize("script", SCRIPTS)


def units(text: str, unit: str) -> list[str]:
    if unit == "word":
        return text.split()
    joined = " ".join(text.split())
    return EGC(joined) if unit == "grapheme" else list(joined)


def selected(rows: list[tuple[str, str, str]], asked: Metric) -> Selection:
    source, references, outputs = zip(*rows, strict=True)
    corpus = Corpus(source, tuple((reference,) for reference in references))
    statistics = asked.statistics(corpus, Hypotheses("system", outputs), threads=1)
    return Scored(asked, statistics).at("corpus")


UNITS = st.sampled_from(["word", "char", "grapheme"])


@in_each_script
@settings(max_examples=examples(8))
@given(st.data(), UNITS)
def test_green_and_gleu(script, data, unit):
    rows = data.draw(triples(script))
    in_units = [[units(text, unit) for text in row] for row in rows]
    regions = [
        oracle_scores.regions(source, reference, output, 3)
        for source, reference, output in in_units
    ]
    totals = [sum((each[n] for each in regions), oracle_scores.Counter()) for n in range(3)]
    found = selected(rows, Green(n=3, unit=unit))
    assert found.score == pytest.approx(oracle_scores.green(totals, 2.0), abs=1e-12)
    counted = [
        [oracle_scores.gleu_counts(source, reference, output, 3, "official")]
        for source, reference, output in in_units
    ]
    expected = oracle_scores.gleu_sampled(counted, 1)
    found = selected(rows, Gleu(n=3, unit=unit, draws=1))
    assert found.score == pytest.approx(expected, abs=1e-12)


@in_each_script
@settings(max_examples=examples(6))
@given(st.data())
def test_m2(script, data):
    rows = data.draw(triples(script))
    total = oracle_m2.Counts(0, 0, 0)
    for source, reference, output in ([tuple(text.split()) for text in row] for row in rows):
        gold = [
            oracle_m2.GoldEdit(start, end, (reference[begin:finish],))
            for start, end, begin, finish in oracle_minimal_edits.changed_spans(source, reference)
        ]
        total = oracle_m2.add(total, oracle_m2.count(source, output, gold))
    assert selected(rows, metric("m2")).counts == total._asdict()


@in_each_script
@settings(max_examples=examples(6))
@given(st.data())
def test_imeasure(script, data):
    rows = data.draw(triples(script))
    source, references, outputs = zip(*rows, strict=True)
    corpus = Corpus(source, tuple((reference,) for reference in references))
    picked, total = oracle_imeasure.evaluate(
        [
            [
                oracle_imeasure.statistics(sentence.words, tuple(output.split()), reference)
                for reference in references_of(sentence, True, 20_000).texts()
            ]
            for sentence, output in zip(gold_sentences(corpus), outputs, strict=True)
        ]
    )
    expected = oracle_imeasure.measure(total.correction, total.baseline).improvement
    assert len(picked) == len(rows)
    assert selected(rows, metric("imeasure")).score == pytest.approx(expected, abs=1e-12)
    assert not math.isnan(expected)
