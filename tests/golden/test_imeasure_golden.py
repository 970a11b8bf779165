"""The I-measure equals the original tool on 150 sentences of CoNLL-2014 and the paper's example."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corrigenda import Corpus, Hypotheses, Result, evaluate
from corrigenda.corpus.gold import gold_sentences
from corrigenda.edits.gold_errors import references_of
from corrigenda.formats import ixml, read_ixml, read_m2
from public_data import full

MODES = {
    "default": "imeasure",
    "nomix": "imeasure:mix=false",
    "opt_corpus": "imeasure:optimise=corpus",
}
PRINTED = {
    "P": "precision",
    "R": "recall",
    "F": "f",
    "Acc": "acc",
    "WAcc": "wacc",
    "WAcc_b": "wacc_base",
    "I": "i",
}

LISTING_1 = """<scripts><script id="1"><sentence id="1" numann="2"><text>
This machines is designed for help
people .</text><error-list>
<error id="1" req="yes" type="SVA"><alt ann="0"><c start="0" end="1">These</c><c start="2" end="3">are</c></alt>
<alt ann="1"><c start="1" end="2">machine</c></alt></error>
<error id="2" req="yes" type="Vform"><alt ann="0"><c start="5" end="6">helping</c></alt>
<alt ann="1"><c start="4" end="5">to</c></alt></error>
</error-list></sentence></script></scripts>"""


@pytest.fixture(scope="module")
def listing_1(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    path = tmp_path_factory.mktemp("listing") / "listing1.xml"
    path.write_text(LISTING_1)
    return read_ixml(path)


@pytest.fixture(scope="module")
def from_xml(golden: Path) -> Corpus:
    return read_ixml(golden / "imeasure" / "withalt_sub150.xml")


@pytest.fixture(scope="module")
def indices(golden: Path) -> list[int]:
    found: list[int] = json.loads((golden / "imeasure" / "sub150-indices.json").read_text())
    return found


@pytest.fixture(scope="module")
def from_m2(conll_folder: Path, indices: list[int]) -> Corpus:
    whole = read_m2(conll_folder / "official-2014.combined-withalt.m2")
    assert whole.gold is not None
    return Corpus(
        tuple(whole.sources[index] for index in indices),
        tuple(whole.references[index] for index in indices),
        tuple(whole.gold[index] for index in indices),
    )


def differences(
    counts: dict[str, Any], measures: dict[str, Any], theirs: dict[str, dict[str, float]]
) -> list[str]:
    """Where counts differ, or measures by more than the last printed digit."""
    found = []
    for name, values in theirs.items():
        aspect = "correction" if name.startswith("Cor") else "detection"
        found += [
            f"{name} {key}"
            for key in ("TP", "TN", "FP", "FN", "FPN")
            if counts[aspect][key.lower()] != values[key]
        ]
        found += [
            f"{name} {key}: {100 * measures[aspect][ours]} {values[key]}"
            for key, ours in PRINTED.items()
            if abs(100 * measures[aspect][ours] - values[key]) > 0.00501
        ]
    return found


def check(result: Result, golden: dict[str, Any]) -> None:
    assert result.chosen is not None
    rows = result.chosen.sentence_counts()
    theirs = [golden["per_sentence"][key] for key in sorted(golden["per_sentence"], key=int)]
    assert len(rows) == len(theirs)
    for number, (row, expected) in enumerate(zip(rows, theirs, strict=True), 1):
        counts, measures = result.metric.named_counts(row), result.metric.measures(row, "sentence")
        assert not differences(counts, measures, expected), f"sentence {number}"
    assert not differences(result.counts, result.measures, golden["overall"])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("system", ["AMU", "INPUT"])
@pytest.mark.parametrize("gold", ["from_xml", "from_m2"])
def test_every_sentence(
    system: str,
    mode: str,
    gold: str,
    golden: Path,
    indices: list[int],
    conll_systems: dict[str, Hypotheses],
    request: pytest.FixtureRequest,
) -> None:
    corpus: Corpus = request.getfixturevalue(gold)
    output = conll_systems[system].sentences
    hypotheses = Hypotheses(system, tuple(output[index] for index in indices))
    expected = json.loads((golden / "imeasure" / "sub150.json").read_text())[system][mode]
    check(evaluate(corpus, [hypotheses], [MODES[mode]])[0], expected)


def test_clustering_gives_the_errors_of_the_xml(from_xml: Corpus, from_m2: Corpus) -> None:
    """Errors, alternatives and `required` are the same; the order in an alternative may differ."""
    assert from_xml.errors is not None
    for number, (theirs, ours) in enumerate(
        zip(from_xml.errors, gold_sentences(from_m2), strict=True)
    ):
        assert theirs.words == ours.words
        assert [error.required for error in theirs.errors] == [
            error.required for error in ours.errors
        ], number
        for a, b in zip(theirs.errors, ours.errors, strict=True):
            alternatives = [
                [(each.annotator, frozenset(each.corrections)) for each in error.alternatives]
                for error in (a, b)
            ]
            assert alternatives[0] == alternatives[1], number
            assert set(a.type.split("/")) == set(b.type.split("/")), number
        # A sentence without annotation has numann 0 in the XML. Here it has one annotator, who
        # changed nothing.
        assert max(1, theirs.annotators) == ours.annotators, number


def test_listing_1_gives_its_four_references(listing_1: Corpus) -> None:
    (sentence,) = gold_sentences(listing_1)
    assert [" ".join(words) for words in references_of(sentence).texts()] == [
        "These machines are designed for helping people .",
        "These machines are designed to help people .",
        "This machine is designed for helping people .",
        "This machine is designed to help people .",
    ]


@pytest.mark.parametrize("mode", ["default", "nomix", "opt_corpus", "b0.5"])
def test_the_example_of_the_golden(listing_1: Corpus, golden: Path, mode: str) -> None:
    """This hypothesis gives the golden numbers. It was found among all sentences of these words."""
    expected = json.loads((golden / "imeasure" / "sub150.json").read_text())["example"][mode]
    parameters = {
        "default": "beta=1",
        "nomix": "beta=1,mix=false",
        "opt_corpus": "beta=1,optimise=corpus",
    }
    specification = f"imeasure:{parameters[mode]}" if mode in parameters else "imeasure"
    result = evaluate(
        listing_1, {"s": ["These machines is designed to help people ."]}, [specification]
    )[0]
    check(result, expected)


def test_the_golden_xml_survives_a_round_trip(golden: Path, tmp_path: Path) -> None:
    sentences = ixml.read(golden / "imeasure" / "withalt_sub150.xml")
    with (tmp_path / "again.xml").open("w", encoding="utf-8") as file:
        ixml.write(sentences, file)
    assert ixml.read(tmp_path / "again.xml") == sentences


@full
def test_the_whole_of_conll_with_alternatives(
    conll_folder: Path, conll_systems: dict[str, Hypotheses]
) -> None:
    """As in the paper's Table 11, only UFC is above the baseline, and INPUT is the baseline."""
    corpus = read_m2(conll_folder / "official-2014.combined-withalt.m2")
    systems = [system for name, system in conll_systems.items() if name != "NULL"]
    with pytest.warns(UserWarning, match="3 of 1312 sentences"):
        results = evaluate(corpus, systems, ["imeasure"], keep_statistics=False)
    scores = {result.system: result.score for result in results}
    assert scores["INPUT"] == 0
    assert [name for name, score in scores.items() if score > 0] == ["UFC"]
    assert all(result.remarks == {"sentences_not_mixed": 3} for result in results)
