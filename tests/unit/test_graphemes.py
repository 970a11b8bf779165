"""Graphemes by UAX 29, against two other programs; metrics that count them."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from pyuegc import EGC

from corrigenda import Corpus, evaluate, reward
from corrigenda.errors import CorrigendaError
from corrigenda.text import graphemes as module
from corrigenda.text.graphemes import STAND_INS, StandIns, graphemes
from examples import examples

FAMILY = "👨‍👩‍👧‍👦"
# Letters, accents, flags, emoji and what joins them, Hangul, Devanagari, Thai, Hebrew, Arabic,
# directional marks, blanks, controls, private use.
PLAIN = st.sampled_from(
    "ab é\u0301\u0308\u0323\u200d\ufe0f\u20e3👨👩👧🏽🔥❤©®🇩🇪🇨🇿각가ᄀ\u1161\u11a8กำ\u0e31"
    "שלְام\u0651\u0600\u202e\u200f\u3000\u00ad\u200b\r\t中の\u3099\U000f0001\U0010fffd"
)
INDIC = st.sampled_from("कषर\u094d\u093f\u0902\u200d\u200cবক\u09cd a")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("abc", ["a", "b", "c"]),
        ("e\u0301a", ["e\u0301", "a"]),
        (FAMILY + "x", [FAMILY, "x"]),
        ("🇩🇪🇨🇿", ["🇩🇪", "🇨🇿"]),
        ("क्षि", ["क्षि"]),
        ("각", ["각"]),
        ("ק\u05b0ר", ["ק\u05b0", "ר"]),
        ("❤\ufe0f\u200d🔥", ["❤\ufe0f\u200d🔥"]),
        ("©\ufe0f", ["©\ufe0f"]),
    ],
)
def test_examples(text, expected):
    assert graphemes(text) == expected


@settings(max_examples=examples(150))
@given(st.text(PLAIN, max_size=10))
def test_the_same_as_regex(text):
    assert graphemes(text) == regex.findall(r"\X", text)


@settings(max_examples=examples(150))
@given(st.text(st.one_of(PLAIN, INDIC), max_size=10))
def test_the_same_as_pyuegc(text):
    """The package regex does not join the consonants of a conjunct (rule GB9c)."""
    assert graphemes(text) == EGC(text)


def test_the_time_is_linear():
    for text in ("\u0915" + "\u094d" * 50_000, "\u0600" * 50_000, "❤" + "\u0301" * 50_000):
        assert "".join(graphemes(text)) == text


@settings(max_examples=examples(100))
@given(st.text(st.one_of(PLAIN, INDIC), max_size=10), st.text(PLAIN, max_size=10))
def test_stand_ins_are_one_character_per_grapheme(first, second):
    replaced = [STAND_INS.replace(text) for text in (first, second)]
    assert [len(text) for text in replaced] == [len(graphemes(text)) for text in (first, second)]
    for i, one in enumerate(graphemes(first)):
        for j, other in enumerate(graphemes(second)):
            assert (replaced[0][i] == replaced[1][j]) == (one == other)


def test_too_many_graphemes_are_an_error(monkeypatch):
    monkeypatch.setattr(module, "_LAST_STAND_IN", module._FIRST_STAND_IN + 1)
    few = StandIns()
    assert len(few.replace("e\u0301a\u0301")) == 2
    with pytest.raises(CorrigendaError, match="too many different graphemes"):
        few.replace("o\u0301")


@pytest.mark.parametrize("metric", ["green:unit=grapheme,n=1", "gleu:unit=grapheme,n=1"])
def test_a_grapheme_counts_once(metric):
    corpus = Corpus.from_lists([f"ab{FAMILY}"], [[f"ac{FAMILY}"]])
    (result,) = evaluate(corpus, {"system": [f"ac{FAMILY}"]}, [metric])
    assert result.score == 1
    assert "|unit:grapheme|" in result.signature
    (half,) = evaluate(corpus, {"system": [f"ab{FAMILY}"]}, [metric])
    by_points = evaluate(corpus, {"system": [f"ab{FAMILY}"]}, [metric.replace("grapheme", "char")])
    # One of three graphemes is wrong, but one of nine code points.
    assert half.score < by_points[0].score


def test_english_counts_as_many_graphemes_as_code_points():
    corpus = Corpus.from_lists(["This are naïve .", "b"], [["This is naïve .", "b"]])
    outputs = {"system": ["This is naive .", "b"]}
    points, clusters = evaluate(corpus, outputs, ["green:unit=char", "green:unit=grapheme"])
    assert points.counts == clusters.counts


def test_rewards_count_graphemes():
    scorer = reward("green:unit=grapheme,n=1")
    source, reference = f"ab{FAMILY}", f"ac{FAMILY}"
    (value,) = scorer([source], [reference], [[reference]])
    corpus = Corpus.from_lists([source], [[reference]])
    (result,) = evaluate(corpus, {"x": [reference]}, ["green:unit=grapheme,n=1"], level="sentence")
    assert value == result.score
