"""The detective finds the settings behind a number; settings that share counts give equal scores."""

from __future__ import annotations

import dataclasses
import json
import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from corrigenda import evaluate, progress, read_hypotheses, read_m2
from corrigenda.analysis import detective
from corrigenda.analysis.detective import (
    PublishedNumber,
    gold_handlings,
    investigate,
    search,
)
from corrigenda.analysis.detective.search import LANE
from corrigenda.core import spec
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import SAMPLE
from corrigenda.errors import CorrigendaError, MetricError
from corrigenda.metrics import default_metrics, metric
from errant_model import cache, errant_ready, model  # noqa: F401
from public_data import full


@pytest.fixture(scope="module")
def sample() -> tuple[Corpus, Hypotheses]:
    corpus, output = read_m2(SAMPLE / "gold.m2"), read_hypotheses(SAMPLE / "eager.txt")
    return corpus[:20], output[:20]


@pytest.mark.parametrize(
    ("text", "score", "equal"),
    [
        ("35.01", 0.3501, True),
        ("35.01", 0.350149, True),
        ("35.01", 0.35016, False),
        ("35.0", 0.3504, True),
        ("35", 0.3549, True),
        (".35", 0.3512, True),
        ("0.3512", 0.3512, True),
        ("0.35", 0.0035, True),
        ("-2.47", -0.02468, True),
        ("35.01 %", 0.3501, True),
    ],
)
def test_numbers_are_compared_to_their_digits(text: str, score: float, equal: bool) -> None:
    assert PublishedNumber.read(text).equals(score) is equal


@pytest.mark.parametrize("text", ["", "F", "nan", "inf", "1e3", "35,01"])
def test_what_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(CorrigendaError, match="not a published number"):
        PublishedNumber.read(text)


HELD_BACK = [
    ("green:beta=0.5,n=3", "corpus"),
    ("green:unit=char,n=5", "sentence"),
    ("gleu:variant=2015,lambda=0.4", "corpus"),
    ("m2:beta=2,max_unchanged_words=1", "corpus"),
    ("imeasure:mix=false,maximise=detection.f", "corpus"),
    ("bleu:n=2", "corpus"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "level"), HELD_BACK)
def test_a_setting_is_found_again(sample, text: str, level) -> None:
    corpus, output = sample
    hidden = metric(text)
    score = evaluate(corpus, [output], [hidden], level=level)[0].score
    found = investigate(
        PublishedNumber.read(f"{100 * score:.4f}"), corpus, [output], [type(hidden)()],
        seconds=60, most_changes=2,
    )  # fmt: skip
    assert (text, level) in [(each.metric, each.level) for each in found.found] or (
        str(hidden), level
    ) in [(each.metric, each.level) for each in found.found]  # fmt: skip
    distances = [each.distance for each in found.found]
    assert distances == sorted(distances)


@pytest.mark.slow
def test_every_value_is_what_the_program_gives(sample) -> None:
    """The search shares counts between settings. Each of its values must be the usual one."""
    corpus, output = sample
    number = PublishedNumber.read("50")  # wide: many settings round to it
    for name in ("green", "gleu", "m2", "bleu", "imeasure"):
        found = investigate(number, corpus, [output], [metric(name)], seconds=60, most_changes=1)
        golds = {each.name: each.corpus for each in gold_handlings(corpus)}
        for each in found.found[:12]:
            (result,) = evaluate(golds[each.gold], [output], [each.metric], level=each.level)
            values = result.measures.leaves()
            assert values[tuple(each.measure.split("."))] == pytest.approx(each.value, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in default_metrics()])
def test_scoring_parameters_do_not_change_counts(sample, name: str) -> None:
    corpus, output = sample
    usual = metric(name)
    counts = usual.statistics(corpus, output, threads=1)
    tried = 0
    for each in dataclasses.fields(usual):
        if each.name not in usual.scoring_parameters:
            continue
        values = detective.LISTED_VALUES.get(each.name) or spec.finite_values(
            type(usual), each.name
        )
        for value in values or (7,):
            try:
                other = spec.replaced(usual, **{each.name: value})
            except MetricError:
                continue
            found = other.statistics(corpus, output, threads=1)
            np.testing.assert_array_equal(found.counts, counts.counts)
            np.testing.assert_array_equal(found.offsets, counts.offsets)
            tried += 1
    assert tried


@pytest.mark.slow
def test_time_is_limited_and_what_is_left_is_said(sample) -> None:
    corpus, output = sample
    found = investigate(
        PublishedNumber.read("12.3456"), corpus, [output], [metric("gleu")], seconds=0.05
    )
    assert found.left > 0
    assert not found.found


class _Heard:
    """A listener that keeps what it hears."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def report(self, what: str, done: int, total: int | None, detail: str) -> None:
        """Nothing is kept of reports."""

    def note(self, text: str) -> None:
        self.notes.append(text)


def test_a_long_search_tells_what_it_finds_at_once(sample, monkeypatch) -> None:
    corpus, output = sample
    (result,) = evaluate(corpus, [output], ["green"])
    monkeypatch.setattr(search, "_SECONDS_BEFORE_NOTES", 0.0)
    heard = _Heard()
    with progress.listening(heard):
        found = investigate(
            PublishedNumber.read(f"{100 * result.score:.4f}"), corpus, [output], [metric("green")],
            most_changes=1,
        )  # fmt: skip
    assert heard.notes[0] == f"found {found.found[0]}"
    assert heard.notes[0].startswith("found green, corpus level, score, gold as given, eager: ")


class _WaitingMetric(type(metric("green"))):
    """GREEN with a model that is never ready; it waits as worker processes are waited for."""

    needs_model = True

    def prepare(self, corpus, systems, *, threads) -> None:
        while True:
            time.sleep(0.01)
            progress.waiting()


def test_a_model_that_is_not_ready_neither_delays_the_others_nor_the_end(sample) -> None:
    corpus, output = sample
    began = time.monotonic()
    found = investigate(
        PublishedNumber.read("12.3456"), corpus, [output], [metric("green"), _WaitingMetric()],
        seconds=0.5, most_changes=1,
    )  # fmt: skip
    assert time.monotonic() - began < 10
    assert found.tried > 0
    assert found.skipped == ["green: no time for it"]
    assert not [each for each in threading.enumerate() if each.daemon and each.name == LANE]


class _BrokenMetric(_WaitingMetric):
    def prepare(self, corpus, systems, *, threads) -> None:
        raise ZeroDivisionError


def test_an_error_beside_the_search_is_not_lost(sample) -> None:
    corpus, output = sample
    with pytest.raises(ZeroDivisionError):
        investigate(PublishedNumber.read("1"), corpus, [output], [_BrokenMetric()], seconds=5)


def test_given_parameters_stay(sample) -> None:
    corpus, output = sample
    found = investigate(
        PublishedNumber.read("12.3456"), corpus, [output], [metric("green:n=1,beta=1")], seconds=1
    )
    assert all("beta=1" in each.metric and "n=1" in each.metric for each in found.closest)
    assert found.closest


def test_gold_that_lacks_an_annotator() -> None:
    corpus = Corpus(("a b", "c"), (("a", "b"), ("d",)))
    filled = {each.name: each.corpus.references for each in gold_handlings(corpus)}
    assert filled["a missing annotator left the source alone"] == (("a", "b"), ("d", "c"))
    assert filled["reference 2 alone"] == (("b",), ("c",))


PUBLISHED = [
    ("35.01", "AMU", ["m2", "green"], "m2", "as given"),
    pytest.param(
        "31.06",
        "AMU",
        ["m2", "green"],
        "m2",
        "edits extracted from the reference texts",
        marks=full,
    ),
    pytest.param("58.08", "AMU", ["gleu", "bleu"], "gleu:variant=paper", "as given", marks=full),
    pytest.param(
        "81.68",
        "AMU",
        ["gleu:variant=paper"],
        "gleu:variant=paper,unit=char",
        "as given",
        marks=full,
    ),
    ("91.48", "AMU", ["green", "bleu"], "green:unit=char", "as given"),
]
"""The GREEN paper's Table 4, and M² with extracted gold."""


@pytest.mark.slow
@pytest.mark.golden
@pytest.mark.parametrize(("number", "system", "searched", "text", "gold"), PUBLISHED)
def test_published_numbers(conll_folder: Path, number, system, searched, text, gold) -> None:
    """The setting that the paper used is named first."""
    corpus = read_m2(conll_folder / "official-2014.combined.m2")
    output = read_hypotheses(conll_folder / "systems" / f"{system}.txt")
    metrics = [metric(each) for each in searched]
    found = investigate(
        PublishedNumber.read(number), corpus, [output], metrics, seconds=30, most_changes=1
    )
    first = found.found[0]
    assert (first.metric, first.gold) == (text, gold)
    assert (first.level, first.measure) == ("corpus", "score")


@pytest.mark.slow
@pytest.mark.golden
def test_raw_characters(conll, conll_folder: Path, golden: Path) -> None:
    """INPUT has blanks at the ends of lines: only `whitespace=raw` gives the number."""
    scores = json.loads((golden / "green-char-raw-files.json").read_text(encoding="utf-8"))
    number = PublishedNumber.read(f"{100 * scores['INPUT']['2.0']['corpus']:.2f}")
    output = read_hypotheses(conll_folder / "systems" / "INPUT.txt")
    found = investigate(number, conll, [output], [metric("green")], most_changes=2)
    assert found.found[0].metric == "green:unit=char,whitespace=raw"


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.golden
@pytest.mark.skipif("CORRIGENDA_FULL" not in os.environ, reason="parses a corpus: CORRIGENDA_FULL")
def test_errant(conll, conll_folder: Path, errant_ready) -> None:  # noqa: F811
    """5.95 for IPN in the GREEN paper."""
    output = read_hypotheses(conll_folder / "systems" / "IPN.txt")
    found = investigate(
        PublishedNumber.read("5.95"), conll, [output], [metric("errant")], seconds=20
    )
    assert found.found[0].metric == "errant"
