"""Sentences far from their source, in which M² hangs on the listings and the order of arcs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corrigenda import Corpus, Hypotheses
from corrigenda.formats import read_hypotheses, read_m2
from corrigenda.metrics.m2 import M2


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    found = shared / "repro" / "m2"
    if not found.is_dir():
        pytest.skip("no shared sentences in repro/m2")
    return found


def counts(corpus: Corpus, hypotheses: Hypotheses) -> list[dict[str, list[int]]]:
    """The counts of each annotator of each sentence."""
    found = M2().statistics(corpus, hypotheses, threads=1)
    assert corpus.gold is not None
    return [
        {
            str(annotation.annotator): found.counts[row].tolist()
            for row, annotation in enumerate(gold, int(found.offsets[sentence]))
        }
        for sentence, gold in enumerate(corpus.gold)
    ]


def test_eight_sentences(folder: Path) -> None:
    (expected,) = json.loads((folder / "m2-eps.orig.json").read_text()).values()
    found = counts(read_m2(folder / "m2-eps.m2"), read_hypotheses(folder / "m2-eps.txt"))
    assert found == [annotators for _, annotators in expected["sent"]]


def test_one_of_the_references_of_seeda(folder: Path) -> None:
    """It is the last of the eight sentences, too."""
    (expected,) = json.loads((folder / "m2-eps.orig.json").read_text()).values()
    found = counts(read_m2(folder / "m2-reff.m2"), read_hypotheses(folder / "m2-reff.txt"))
    assert found == [expected["sent"][-1][1]]


@pytest.mark.slow
def test_a_line_with_millions_of_arcs(shared: Path) -> None:
    """A list of all its arcs takes gigabytes and gives these counts. So do the arcs of best paths.

    The short form of the rule has 4 of 11 against the first reference.
    """
    folder = shared / "data" / "gmeg" / "dev" / "wiki"
    if not folder.is_dir():
        pytest.skip("no shared GMEG")
    names = ("source", "marian", "ref0", "ref1", "ref2", "ref3")
    source, output, *references = (
        (folder / name).read_text(encoding="utf-8").split("\n")[21] for name in names
    )
    corpus = Corpus.from_lists([source], [references], references_by="sentence")
    found = M2().statistics(corpus, Hypotheses("marian", (output,)), threads=1)
    assert found.counts.tolist() == [[3, 8, 18], [2, 4, 16], [1, 4, 15], [1, 4, 15]]
    assert found.remarks == {}
