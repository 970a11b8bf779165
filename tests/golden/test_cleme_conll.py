"""CLEME on the golden edits of CoNLL-2014 equals its first public version.

The empty system is the only exception.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corrigenda import Corpus, Hypotheses, evaluate
from corrigenda.formats import read_m2, read_m2_hypotheses

SYSTEMS = ("AMU", "CAMB", "INPUT")
CORPUS_WEIGHTS = "alpha=2," + ",".join(
    f"{kind}_min=0.75,{kind}_max=1.25" for kind in ("tp", "fp", "fn")
)
RUNS = {
    "corpus_dependent_lw": ("cleme", "corpus"),
    "corpus_dependent_unweighted": ("cleme:weighting=none", "corpus"),
    "corpus_independent_lw": ("cleme:assumption=independent", "corpus"),
    "corpus_independent_unweighted": ("cleme:assumption=independent,weighting=none", "corpus"),
    "sentence_dependent_lw_corpusparams": (f"cleme:{CORPUS_WEIGHTS}", "sentence"),
    "sentence_dependent_paper": ("cleme", "sentence"),
    "sentence_dependent_unweighted": ("cleme:weighting=none", "sentence"),
    "sentence_independent_lw_corpusparams": (
        f"cleme:assumption=independent,{CORPUS_WEIGHTS}",
        "sentence",
    ),
    "sentence_independent_paper": ("cleme:assumption=independent", "sentence"),
    "sentence_independent_unweighted": ("cleme:assumption=independent,weighting=none", "sentence"),
}


@pytest.fixture(scope="module")
def corpus(golden: Path) -> Corpus:
    return read_m2(golden / "errant" / "ref_auto.m2")


@pytest.fixture(scope="module")
def systems(golden: Path) -> list[Hypotheses]:
    return [read_m2_hypotheses(golden / "errant" / f"hyp_{name}.m2", name=name) for name in SYSTEMS]


@pytest.mark.parametrize("run", RUNS)
def test_golden(golden, corpus, systems, run):
    expected = json.loads((golden / "cleme.json").read_text())
    specification, level = RUNS[run]
    for result in evaluate(corpus, systems, [specification], level=level):
        original = expected[result.system][run]
        assert round(result.score, 4) == original["F"]
        assert round(result.precision, 4) == original["P"]
        assert round(result.recall, 4) == original["R"]
        # The original rounds the accuracy of each sentence before it takes the mean.
        assert result.measures["accuracy"] == pytest.approx(original["Acc"], abs=6e-5)
        for name in ("tp", "fp", "fn", "tn"):
            if name in original:
                assert round(result.counts[name], 2) == original[name]


def test_the_empty_system_is_scored_as_it_is(golden, corpus):
    """The original scores the first reference in its place, at F .33."""
    empty = read_m2_hypotheses(golden / "errant" / "hyp_NULL.m2", name="NULL")
    (result,) = evaluate(corpus, [empty], ["cleme:weighting=none"])
    assert (
        json.loads((golden / "cleme.json").read_text())["NULL"]["corpus_dependent_unweighted"]["F"]
        == 0.372
    )
    assert result.score == 0.0
    assert result.counts["fp"] == len(corpus)
