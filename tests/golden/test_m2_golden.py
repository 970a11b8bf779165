"""M² on CoNLL-2014 is what the official scorer gave, sentence by sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corrigenda.core.metric import Level
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import read_m2
from corrigenda.scoring import evaluate

SYSTEMS = ("AMU", "CAMB", "INPUT", "NULL")
GOLDS = {"combined": "official-2014.combined.m2", "withalt": "official-2014.combined-withalt.m2"}
OPTIONS = {
    "": "m2",
    "--beta 1.0": "m2:beta=1",
    "--beta 2.0": "m2:beta=2",
    "--max_unchanged_words 0": "m2:max_unchanged_words=0",
    "--max_unchanged_words 1": "m2:max_unchanged_words=1",
    "--max_unchanged_words 3": "m2:max_unchanged_words=3",
    "--ignore_whitespace_casing": "m2:ignore_case_whitespace=true",
}


@pytest.fixture(scope="module")
def corpora(conll_folder: Path) -> dict[str, Corpus]:
    return {name: read_m2(conll_folder / file) for name, file in GOLDS.items()}


def result(corpus: Corpus, system: Hypotheses, metric: str, level: Level = "corpus") -> Result:
    return evaluate(corpus, [system], [metric], level=level)[0]


def check_totals(found: Result, total: dict[str, Any]) -> None:
    assert found.counts == {name: total[name] for name in ("correct", "proposed", "gold")}
    assert found.score == pytest.approx(total["F"], abs=1e-12)
    assert found.precision == pytest.approx(total["P"], abs=1e-12)
    assert found.recall == pytest.approx(total["R"], abs=1e-12)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("gold", GOLDS)
def test_every_sentence_and_annotator(
    gold: str,
    system: str,
    corpora: dict[str, Corpus],
    conll_systems: dict[str, Hypotheses],
    golden: Path,
) -> None:
    expected = json.loads((golden / f"m2-{gold}.json").read_text())[system]
    corpus = corpora[gold]
    found = result(corpus, conll_systems[system], "m2")
    check_totals(found, expected["total"])
    assert [[who, counts] for who, counts in annotators(corpus, found)] == expected["sentences"]


def annotators(corpus: Corpus, found: Result) -> Iterator[tuple[int, dict[str, list[int]]]]:
    """The chosen annotator of each sentence and the counts of each, in the golden file's form."""
    assert corpus.gold is not None
    assert found.chosen is not None
    assert found.references is not None
    statistics = found.chosen.statistics
    for sentence, gold in enumerate(corpus.gold):
        rows = statistics.counts[
            statistics.offsets[sentence] : statistics.offsets[sentence + 1]
        ].tolist()
        numbers = [annotation.annotator for annotation in gold]
        yield (
            numbers[found.references[sentence]],
            {str(n): row for n, row in zip(numbers, rows, strict=True)},
        )


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("gold", GOLDS)
def test_counts_of_a_sentence_are_those_of_its_annotator(
    gold: str,
    system: str,
    corpora: dict[str, Corpus],
    conll_systems: dict[str, Hypotheses],
    golden: Path,
) -> None:
    expected = json.loads((golden / f"m2-{gold}.json").read_text())[system]["sentences"]
    sentences = result(corpora[gold], conll_systems[system], "m2").sentences()
    chosen = [
        dict(zip(("correct", "proposed", "gold"), counts[str(who)], strict=True))
        for who, counts in expected
    ]
    assert [sentence["counts"] for sentence in sentences] == chosen


@pytest.mark.parametrize(
    ("system", "option"),
    [
        *((system, option) for system in ("AMU", "CAMB") for option in OPTIONS),
        # The empty system leaves no word unchanged.
        *(("NULL", option) for option in OPTIONS if "unchanged" not in option),
    ],
)
def test_options(
    system: str,
    option: str,
    corpora: dict[str, Corpus],
    conll_systems: dict[str, Hypotheses],
    golden: Path,
) -> None:
    expected = json.loads((golden / "m2-options.json").read_text())[f"{system} {option}"]
    check_totals(result(corpora["combined"], conll_systems[system], OPTIONS[option]), expected)


@pytest.mark.parametrize("system", ["IITB", "INPUT", "NTHU", "PKU"])
def test_files_as_shipped(
    system: str, corpora: dict[str, Corpus], conll_systems: dict[str, Hypotheses], golden: Path
) -> None:
    """With CRLF, trailing blanks and doubled blanks."""
    expected = json.loads((golden / "m2-options.json").read_text())[f"raw file {system}"]
    check_totals(result(corpora["combined"], conll_systems[system], "m2"), expected)


@pytest.mark.parametrize("system", SYSTEMS)
def test_sentence_level(
    system: str, corpora: dict[str, Corpus], conll_systems: dict[str, Hypotheses], golden: Path
) -> None:
    expected = json.loads((golden / "sentence-level-self.json").read_text())[system]["sentm2"]
    found = result(corpora["combined"], conll_systems[system], "m2", "sentence")
    assert found.sentence_scores.tolist() == pytest.approx(expected["sent_f"], abs=1e-12)
    assert found.score == pytest.approx(expected["score"], abs=1e-12)
    assert found.precision == pytest.approx(expected["mean_p"], abs=1e-12)
    assert found.recall == pytest.approx(expected["mean_r"], abs=1e-12)


@pytest.mark.parametrize("system", SYSTEMS)
def test_mean_of_sentences_with_alternatives(
    system: str, corpora: dict[str, Corpus], conll_systems: dict[str, Hypotheses], golden: Path
) -> None:
    expected = json.loads((golden / "m2-withalt.json").read_text())[system]["total"]
    found = result(corpora["withalt"], conll_systems[system], "m2", "sentence")
    assert found.score == pytest.approx(expected["mean_sentence_F0.5"], abs=1e-12)


def test_empty_system(corpora: dict[str, Corpus], conll_systems: dict[str, Hypotheses]) -> None:
    found = result(corpora["combined"], conll_systems["NULL"], "m2")
    assert [round(value or 0, 4) for value in (found.precision, found.recall, found.score)] == [
        0.2766,
        0.2954,
        0.2801,
    ]
