"""PT-GREEN: exactly GREEN with weights of 1; else against sums of weights, n-gram by n-gram."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate, metric
from corrigenda.analysis.explain import explain
from corrigenda.core.scored import Scored
from corrigenda.errors import MetricError
from corrigenda.kernels import Ragged
from corrigenda.metrics.green import REGIONS
from corrigenda.metrics.weighted_ngrams import WeightedText, weighted_regions
from corrigenda.metrics.word_weights import edited_rows, word_places
from examples import examples
from tiny_models import encoder_folder, needs_torch, score_cache  # noqa: F401

letters = st.lists(st.sampled_from(["a", "b", "é", "e\u0301", " ", "  "]), max_size=9)
sentences = st.lists(letters.map("".join), min_size=3, max_size=3)
options = st.tuples(
    st.sampled_from(["word", "char", "grapheme"]),
    st.sampled_from(["normalise", "raw"]),
    st.sampled_from(["published", "available"]),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5]),
)


@given(st.lists(sentences, min_size=1, max_size=4), options)
@settings(max_examples=examples(80), deadline=None)
def test_weights_of_one_are_green(rows: list[list[str]], how: tuple[Any, ...]) -> None:
    corpus = Corpus(
        tuple(row[0] for row in rows), tuple((row[1], row[1] + " a", row[0]) for row in rows)
    )
    system = Hypotheses("ours", tuple(row[2] for row in rows))
    named = "unit={},whitespace={},short={},n={},beta={}".format(*how)
    plain, weighed = metric(f"green:{named}"), metric(f"pt-green:weights=one,{named}")
    counts = [each.statistics(corpus, system, threads=1) for each in (plain, weighed)]
    assert np.array_equal(counts[0].counts, counts[1].counts)
    assert np.array_equal(counts[0].offsets, counts[1].offsets)
    ours, theirs = Scored(weighed, counts[1]), Scored(plain, counts[0])
    assert ours.corpus == theirs.corpus
    assert np.array_equal(ours.sentences, theirs.sentences)


units = st.lists(st.integers(0, 2), max_size=6)
tenths = st.integers(0, 10).map(lambda number: number / 10)


@st.composite
def weighted(draw: Any) -> tuple[list[int], list[float], list[float]]:
    ids = draw(units)
    values = st.lists(tenths, min_size=len(ids), max_size=len(ids))
    return ids, draw(values), draw(values)


def slow_regions(texts: list[Any], n: int, *, soft: bool) -> list[float]:
    """The sums of weights of the seven regions, from the definition."""
    weights: list[dict[Any, list[float]]] = []
    shares: list[dict[Any, list[float]]] = []
    for ids, values, matched in texts:
        found: list[dict[Any, list[float]]] = [{}, {}]
        for start in range(len(ids) - n + 1):
            span = slice(start, start + n)
            for kept, numbers in zip(found, (values, matched), strict=True):
                kept.setdefault(tuple(ids[span]), []).append(sum(numbers[span]) / n)
        weights.append(found[0])
        shares.append(found[1])
    sums: Counter[str] = Counter()
    ours = kept_share = inserted_share = 0.0
    for gram in {gram for text in weights for gram in text}:
        s, r, c = (len(text.get(gram, ())) for text in weights)
        listed = weights[0].get(gram, []) + weights[1].get(gram, [])
        weight = float(np.mean(listed or weights[2][gram]))
        regions = {
            "tk": min(s, r, c), "td": max(0, s - max(r, c)), "ti": max(0, min(r, c) - s),
            "od": max(0, min(s, r) - c), "oi": max(0, c - max(s, r)),
            "ud": max(0, min(s, c) - r), "ui": max(0, r - max(s, c)),
        }  # fmt: skip
        for name, count in regions.items():
            sums[name] += count * weight  # type: ignore[assignment]
        if soft:
            mine, other = (float(np.mean(shares[side].get(gram, [0.0]))) for side in (2, 1))
            ours += (
                regions["oi"] * weight * mine
                if listed
                else float(np.dot(weights[2][gram], shares[2][gram]))
            )
            kept_share += regions["od"] * weight * other
            inserted_share += regions["ui"] * weight * other
    if soft and kept_share + inserted_share > 0:
        moved = min(ours, kept_share + inserted_share) / (kept_share + inserted_share)
        for gain, loss, share in (("tk", "od", kept_share), ("ti", "ui", inserted_share)):
            sums[gain] += moved * share  # type: ignore[assignment]
            sums[loss] -= moved * share  # type: ignore[assignment]
            sums["oi"] -= moved * share  # type: ignore[assignment]
    return [sums[name] for name in REGIONS]


@given(st.lists(st.tuples(weighted(), weighted(), weighted()), min_size=1, max_size=3),
       st.integers(1, 4), st.booleans())  # fmt: skip
@settings(max_examples=examples(80), deadline=None)
def test_regions_are_sums_of_weights(rows: list[Any], order: int, soft: bool) -> None:
    texts = []
    for side in range(3):
        lengths = [len(row[side][0]) for row in rows]
        ids, values, matched = (
            [each for row in rows for each in row[side][part]] for part in range(3)
        )
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        made = Ragged(np.array(ids, np.int32), offsets)
        texts.append(WeightedText(made, np.array(values, float), np.array(matched, float)))
    found = weighted_regions(texts[0], texts[1], texts[2], order, soft=soft)
    for place, row in enumerate(rows):
        for n in range(1, order + 1):
            expected = slow_regions(list(row), n, soft=soft)
            assert found[place, n - 1] == pytest.approx(expected, abs=1e-9)


def test_a_blank_belongs_to_the_next_word() -> None:
    assert word_places("ab c", "word", "raw").tolist() == [0, 1]
    assert word_places("ab  c ", "char", "normalise").tolist() == [0, 0, 1, 1]
    assert word_places(" ab  c ", "char", "raw").tolist() == [0, 0, 0, 1, 1, 1, 1]
    assert word_places("  ", "char", "raw").tolist() == [-1, -1]
    assert word_places("e\u0301 b", "grapheme", "raw").tolist() == [0, 1, 1]


SOURCES = ("he go to school every days .", "a b c d e", "a b")
REFERENCES = (("he goes to school every day .", "he goes ."), ("a b d d e",), ("a b c",))
OUTPUTS = ("he goes to a school every days .", "a b c d e f", "")
CORPUS, SYSTEM = Corpus(SOURCES, REFERENCES), Hypotheses("ours", OUTPUTS)


@needs_torch
@pytest.mark.model
@pytest.mark.slow
@pytest.mark.usefixtures("score_cache")
def test_weights_of_edits_change_the_similarity(encoder_folder: Any) -> None:  # noqa: F811
    """The weight of a word is that of PT-M²'s formula for the edit that covers it."""
    chosen = metric(f"pt-green:weights=edits,floor=0,model={encoder_folder}")
    assert hasattr(chosen, "weighted")
    (source, reference, hypothesis), _ = chosen.weighted(CORPUS, SYSTEM, threads=1)
    row = edited_rows(CORPUS, SYSTEM)[0]
    assert [edit.correction for edit in row.to_reference] == ["goes", "day"]
    texts = ["he go to school every days .", "he goes to school every days ."]
    single = Corpus((SOURCES[0],) * 2, ((REFERENCES[0][0],),) * 2)
    (result,) = evaluate(
        single, {"ours": texts}, [f"bertscore:model={encoder_folder}"], level="sentence"
    )
    before, after = result.sentence_scores
    weights = source.weights[:7]
    assert weights[1] == pytest.approx(abs(after - before), abs=1e-6)
    assert weights[[0, 2, 3, 4, 6]].tolist() == [0.0] * 5
    assert reference.weights[1] == weights[1]
    assert hypothesis.weights[1] == weights[1]
    assert hypothesis.weights[3] > 0
    assert hypothesis.weights[[0, 2, 4, 5, 6, 7]].tolist() == [0.0] * 6


@needs_torch
@pytest.mark.model
@pytest.mark.slow
@pytest.mark.usefixtures("score_cache")
@pytest.mark.parametrize("unit", ["word", "char"])
def test_weights_of_words_and_a_floor(encoder_folder: Any, unit: str) -> None:  # noqa: F811
    chosen = metric(f"pt-green:model={encoder_folder},floor=0.2,unit={unit}")
    texts, _ = chosen.weighted(CORPUS, SYSTEM, threads=1)  # type: ignore[attr-defined]
    assert all((text.weights >= 0.2).all() and len(text.weights) for text in texts)
    # With a floor of 2 every weight is the floor, and F does not depend on a common factor.
    (flat,) = evaluate(
        CORPUS, {"ours": OUTPUTS}, [f"pt-green:model={encoder_folder},floor=2,unit={unit}"]
    )
    (plain,) = evaluate(CORPUS, {"ours": OUTPUTS}, [f"green:unit={unit}"])
    assert flat.score == pytest.approx(plain.score, abs=1e-12)


@needs_torch
@pytest.mark.model
@pytest.mark.usefixtures("score_cache")
def test_explain_shows_weights(encoder_folder: Any) -> None:  # noqa: F811
    corpus = Corpus(SOURCES[:1], REFERENCES[:1])
    (result,) = evaluate(
        corpus, {"ours": OUTPUTS[:1]}, [f"pt-green:model={encoder_folder},match=soft"]
    )
    words, regions = explain(corpus, Hypotheses("ours", OUTPUTS[:1]), result)
    assert [row[0].text for row in words.rows][::2] == ["source", "hypothesis"]
    assert words.rows[2][1].text.count(" · ") == 7
    assert regions.rows[0][0].text == "true keep"
    assert float(regions.rows[0][1].text) == pytest.approx(result.counts["tk"][0], abs=1e-3)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ("weights=one,floor=0.1", "floor has no effect"),
        ("weights=one,layer=3", "takes no model"),
        ("floor=-1", "floor"),
    ],
)
def test_parameters_that_do_not_go_together(wrong: str, problem: str) -> None:
    with pytest.raises(MetricError, match=problem):
        metric(f"pt-green:{wrong}")
