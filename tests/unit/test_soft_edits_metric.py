"""Soft edits against a slow program that encodes each text alone and counts word by word."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrigenda import Corpus, Hypotheses, evaluate, metric
from corrigenda.analysis.explain import explain
from corrigenda.cli.detail_tables import detail_tables
from corrigenda.edits.common_words import common_words
from corrigenda.errors import MetricError
from examples import examples
from lazily import Lazily
from tiny_models import WORDS, encoder_folder, needs_torch, score_cache  # noqa: F401

torch = Lazily("torch")
transformers = Lazily("transformers")
model_test = pytest.mark.model

SOURCES = ("he go to school every days .", "a b c d", "a b", "he goes", "d e f g a b", "a a b")
REFERENCES = (
    ("he goes to school every day .", "he goes to a school every days ."),
    ("a b d d", "a c d"),
    ("a b",),
    ("he goes to school",),
    ("d e f g a b", "d e g f a b c"),
    ("b a a", ""),
)
OUTPUTS = ("he goes to school on days .", "a b c d", "a c", "he goes to school", "d f g a b", "")
CORPUS = Corpus(SOURCES, REFERENCES)
SYSTEM = Hypotheses("ours", OUTPUTS)
SETTINGS: list[dict[str, Any]] = [
    {},
    {"beta": 1.0, "smallest_weight": 0.0, "same_word": 0.0},
    {"layer": 1, "same_word": 0.999, "no_meaning": -1.0, "full_meaning": 1.0},
    {"layer": 0, "smallest_weight": 0.5, "no_meaning": 0.9, "full_meaning": 0.9},
    {"replacements": "together", "found_gain": 0.25, "smallest_weight": 0.0},
    {"replacements": "together", "meaning_gain": 7.0, "character_gain": 6.0, "beta": 2.0},
]

words_of_few = st.lists(st.sampled_from("abc"), max_size=7)


@given(words_of_few, words_of_few)
@settings(max_examples=examples(60))
def test_common_words_are_a_longest_common_subsequence(one: list[str], other: list[str]) -> None:
    @cache
    def longest(i: int, j: int) -> int:
        if i == len(one) or j == len(other):
            return 0
        if one[i] == other[j]:
            return 1 + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1))

    found = common_words(one, other)
    assert len(found) == longest(0, 0)
    assert all(one[i] == other[j] for i, j in found.tolist())
    assert (np.diff(found, axis=0) > 0).all()


def test_among_equal_subsequences_the_earliest_source_words_are_taken() -> None:
    assert common_words(["a", "b"], ["b", "a"]).tolist() == [[0, 1]]
    assert common_words(["a", "x", "a"], ["a"]).tolist() == [[0, 0]]


@cache
def loaded(folder: str) -> tuple[Any, Any]:
    model = transformers.AutoModel.from_pretrained(folder).eval()
    return model, transformers.AutoTokenizer.from_pretrained(folder)


@cache
def vectors(folder: str, text: str, layer: int) -> np.ndarray:
    """One token per word: the tiny models have whole words."""
    model, tokenizer = loaded(folder)
    with torch.no_grad():
        output = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True)
    states = output.hidden_states[layer][0, 1:-1].double().numpy()
    return states / np.linalg.norm(states, axis=1, keepdims=True)


def share_of_replacement(
    folder: str, word: int, source: str, text: str, reference: str, how: dict[str, Any]
) -> float:
    """How many of the words that the reference has in place of a source word the text inserts."""
    layer = how.get("layer", 2)
    after, there = (vectors(folder, each, layer) for each in (text, reference))
    inserted = set(range(len(after))) - set(common_words(source.split(), text.split())[:, 1])
    common = common_words(source.split(), reference.split()).tolist()
    first = max((j for i, j in common if i < word), default=-1) + 1
    last = min((j for i, j in common if i > word), default=len(there))
    hits = [
        any(
            text.split()[j] == reference.split()[k]
            and after[j] @ there[k] > how.get("same_word", 0.5)
            for j in inserted
        )
        for k in range(first, last)
    ]
    return 1.0 if text == reference or not hits else sum(hits) / len(hits)


def slow_sides(
    folder: str, source: str, text: str, other: str, how: dict[str, Any], *, of_hypothesis: bool
) -> tuple[float, float]:
    """The weight of the text's changes that the other text makes, too; and of all its changes."""
    layer = how.get("layer", 2)
    before, after, there = (vectors(folder, each, layer) for each in (source, text, other))
    common = common_words(source.split(), text.split())
    of_other = common_words(source.split(), other.split())
    right = total = 0.0

    def weight(vector: np.ndarray, others: np.ndarray) -> float:
        value = 1 - max([float(vector @ each) for each in others], default=0.0)
        return 0.0 if value < how.get("smallest_weight", 0.03) else value

    for i in range(len(source.split())):
        if i not in common[:, 0]:
            value = weight(before[i], after)
            total += value
            if how.get("replacements") == "together":
                pair = (text, other) if of_hypothesis else (other, text)
                share = share_of_replacement(folder, i, source, *pair, how)
            else:
                share = 1.0
            right += value * share * (i not in of_other[:, 0])
    for j, word in enumerate(text.split()):
        if j not in common[:, 1]:
            value = weight(after[j], before)
            total += value
            right += value * any(
                k not in of_other[:, 1]
                and word == candidate
                and after[j] @ there[k] > how.get("same_word", 0.5)
                for k, candidate in enumerate(other.split())
            )
    return right, total


def slow_similarity(folder: str, text: str, reference: str, how: dict[str, Any]) -> float:
    sums = [vectors(folder, each, how.get("layer", 2)).sum(axis=0) for each in (text, reference)]
    size = float(np.linalg.norm(sums[0]) * np.linalg.norm(sums[1]))
    found = max(float(sums[0] @ sums[1]) / size if size else 0.0, 0.0)
    return 1.0 if text == reference else found


def slow_green(source: str, text: str, reference: str, beta: float) -> float:
    (result,) = evaluate(
        Corpus((source,), ((reference,),)), {"x": (text,)}, [f"green:unit=char,beta={beta}"]
    )
    return result.score


def slow_score(folder: str, source: str, text: str, reference: str, how: dict[str, Any]) -> float:
    right, proposed = slow_sides(folder, source, text, reference, how, of_hypothesis=True)
    found, gold = slow_sides(folder, source, reference, text, how, of_hypothesis=False)
    precision, recall = right / proposed if proposed else 1, found / gold if gold else 1
    meaning = slow_similarity(folder, text, reference, how)
    if text == reference:
        precision = recall = 1.0
        found = gold
    low, high = how.get("no_meaning", 0.5), how.get("full_meaning", 0.8)
    share = (meaning - low) / (high - low) if high > low else float(meaning >= low)
    beta = how.get("beta", 3.0)
    below = beta**2 * precision + recall
    score = (1 + beta**2) * precision * recall / below if below else 0.0
    score *= meaning * min(max(share, 0.0), 1.0)
    score += how.get("found_gain", 0.0) * found
    if weight := how.get("meaning_gain"):
        score += weight * (meaning - slow_similarity(folder, source, reference, how))
    if weight := how.get("character_gain"):
        ours, before = (slow_green(source, each, reference, beta) for each in (text, source))
        score += weight * (ours - before)
    return float(score)


@needs_torch
@model_test
@pytest.mark.slow
@pytest.mark.usefixtures("score_cache")
@pytest.mark.parametrize("how", SETTINGS)
def test_scores_of_sentences(encoder_folder: Any, how: dict[str, Any]) -> None:  # noqa: F811
    options = "".join(f",{name}={value}" for name, value in how.items())
    (result,) = evaluate(
        CORPUS,
        {"ours": OUTPUTS},
        [f"soft-edits:model={encoder_folder}{options}"],
        level="sentence",
    )
    expected = [
        max(slow_score(str(encoder_folder), source, text, each, how) for each in references)
        for source, text, references in zip(SOURCES, OUTPUTS, REFERENCES, strict=True)
    ]
    assert result.sentence_scores == pytest.approx(expected, abs=2e-5)
    assert result.score == pytest.approx(float(np.mean(expected)), abs=2e-5)


@needs_torch
@model_test
@pytest.mark.usefixtures("score_cache")
def test_explain_lists_changed_words_with_weights(encoder_folder: Any) -> None:  # noqa: F811
    corpus = Corpus(SOURCES[:1], REFERENCES[:1])
    (result,) = evaluate(
        corpus, {"ours": OUTPUTS[:1]}, [f"soft-edits:model={encoder_folder}"], level="sentence"
    )
    words, factors = explain(corpus, Hypotheses("ours", OUTPUTS[:1]), result)
    shown = [[cell.text for cell in row] for row in words.rows]
    assert ["hypothesis", "deletes", "go", "matched"] in [row[:4] for row in shown]
    assert ["hypothesis", "inserts", "on", "wrong"] in [row[:4] for row in shown]
    ours = [row for row in shown if row[0] == "hypothesis"]
    right = sum(float(row[4]) for row in ours if row[3] == "matched")
    assert right == pytest.approx(result.counts["right"], abs=1e-3)
    assert sum(float(row[4]) for row in ours) == pytest.approx(result.counts["proposed"], abs=1e-3)
    assert [row[0].text for row in factors.rows][2] == "F3 of changes"


@needs_torch
@model_test
@pytest.mark.usefixtures("score_cache")
def test_explain_shows_gains_and_shares(encoder_folder: Any) -> None:  # noqa: F811
    corpus = Corpus(("he go to school every days .",), (("he goes often to school .",),))
    output = ("he goes to school .",)
    (result,) = evaluate(
        corpus,
        {"ours": output},
        [f"soft-edits:model={encoder_folder},replacements=together,found_gain=0.5,meaning_gain=2,"
         "character_gain=3"],
        level="sentence",
    )  # fmt: skip
    words, factors = explain(corpus, Hypotheses("ours", output), result)
    shown = [[cell.text for cell in row] for row in words.rows]
    # The reference has two words in the place of "go", and the output one of them.
    assert ["hypothesis", "deletes", "go", "50% matched"] in [row[:4] for row in shown]
    assert ["hypothesis", "deletes", "every", "matched"] in [row[:4] for row in shown]
    numbers = {row[0].text: row[1].text for row in factors.rows}
    gains = result.measures.more["gain"]
    assert numbers["weight of found changes"] == f"{gains['found']:+.4f} × 0.5"
    assert numbers["gain in similarity to the reference"] == f"{gains['similarity']:+.4f} × 2"
    assert numbers["gain in GREEN on characters"] == f"{gains['characters']:+.4f} × 3"
    more = result.measures.more
    assert result.score == pytest.approx(
        more["edits"] * more["meaning"]
        + 0.5 * gains["found"] + 2 * gains["similarity"] + 3 * gains["characters"]
    )  # fmt: skip


@needs_torch
@model_test
@pytest.mark.usefixtures("score_cache")
def test_a_source_gains_nothing(encoder_folder: Any) -> None:  # noqa: F811
    text = "soft-edits:model={},meaning_gain={},character_gain={}"
    scores = [
        evaluate(CORPUS, {"ours": SOURCES}, [text.format(encoder_folder, *gains)],
                 level="sentence")[0].sentence_scores
        for gains in ((0, 0), (9, 9))
    ]  # fmt: skip
    assert scores[1] == pytest.approx(scores[0], abs=1e-6)


def changed(rng: random.Random, text: str) -> str:
    """The text with up to three words deleted, inserted or replaced."""
    words = text.split()
    for _ in range(rng.randint(0, 3)):
        place = rng.randint(0, len(words))
        words[place : place + rng.randint(0, 1)] = rng.sample(WORDS, rng.randint(0, 1))
    return " ".join(words)


@needs_torch
@model_test
@pytest.mark.slow
@pytest.mark.usefixtures("score_cache")
@pytest.mark.parametrize("replacements", ["apart", "together"])
def test_bounds(encoder_folder: Any, replacements: str) -> None:  # noqa: F811
    """Without gains from 0 to 1; with them nothing is above the reference, if there is one."""
    rng = random.Random(5)
    sources = [" ".join(rng.choices(WORDS, k=rng.randint(0, 9))) for _ in range(200)]
    references = [changed(rng, text) for text in sources]
    corpus = Corpus(tuple(sources), tuple((text,) for text in references))
    outputs = {
        "reference": references,
        "source": sources,
        "ours": [changed(rng, text) for text in sources],
        "empty": [""] * len(sources),
    }
    made = f"soft-edits:model={encoder_folder},replacements={replacements}"
    unchanged = np.array(sources) == np.array(references)
    assert 10 < unchanged.sum() < 190
    for gains in ("", ",character_gain=6,meaning_gain=7", ",found_gain=0.3,meaning_gain=4"):
        scores = {
            result.system: np.array(result.sentence_scores)
            for result in evaluate(corpus, outputs, [made + gains], level="sentence", health="off")
        }
        assert scores["source"][unchanged] == pytest.approx(1, abs=1e-9)
        assert all((each <= scores["reference"] + 1e-9).all() for each in scores.values())
        if not gains:
            assert scores["reference"] == pytest.approx(1, abs=1e-9)
            assert all((each >= 0).all() for each in scores.values())


@needs_torch
@model_test
@pytest.mark.usefixtures("score_cache")
def test_the_reference_itself_always_means_the_same(encoder_folder: Any) -> None:  # noqa: F811
    made = f"soft-edits:model={encoder_folder},no_meaning=1,full_meaning=1"
    outputs = {"reference": ["he goes to school"], "ours": ["he goes to d"]}
    corpus = Corpus(("he go to school",), (("he goes to school",),))
    scores = {each.system: each.score for each in evaluate(corpus, outputs, [made])}
    assert scores == {"reference": 1.0, "ours": 0.0}


@needs_torch
@model_test
@pytest.mark.usefixtures("score_cache")
def test_words_that_the_model_does_not_read_are_like_no_others(
    encoder_folder: Any,  # noqa: F811
) -> None:
    corpus = Corpus(("a " * 90 + "b",), (("a " * 90 + "c",),))
    with pytest.warns(UserWarning, match="1 sentence is longer .* its words are like no others"):
        (result,) = evaluate(
            corpus, {"ours": ["a " * 90 + "d"]}, [f"soft-edits:model={encoder_folder}"],
            level="sentence",
        )  # fmt: skip
    # Each of b, c and d weighs 1; the deletion of b is right.
    assert result.counts["proposed"] == result.counts["gold"] == 2
    assert result.counts["right"] == result.counts["found"] == 1


@needs_torch
@model_test
@pytest.mark.usefixtures("score_cache")
def test_details_show_gains_and_call_the_score_a_score(encoder_folder: Any) -> None:  # noqa: F811
    made = f"soft-edits:model={encoder_folder},meaning_gain=2,character_gain=3"
    results = evaluate(CORPUS, {"ours": OUTPUTS}, [made], level="sentence")
    (table,) = detail_tables(results)
    shown = [column.heading for column in table.columns]
    assert shown[-3:] == ["gain: similarity", "gain: characters", "score"]
    assert "F3" not in shown


def test_parameters_that_do_not_go_together() -> None:
    with pytest.raises(MetricError, match=r"full_meaning=0\.2 is below no_meaning=0\.5"):
        metric("soft-edits:full_meaning=0.2")
    with pytest.raises(MetricError, match="smallest_weight"):
        metric("soft-edits:smallest_weight=-1")
    with pytest.raises(MetricError, match="character_gain"):
        metric("soft-edits:character_gain=-1")
