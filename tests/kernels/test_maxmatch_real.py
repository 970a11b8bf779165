"""The M² kernel against its oracle on sentences of real systems, for cases without golden files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracle_m2 import GoldEdit, count

from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import read_m2
from corrigenda.metrics.m2 import M2

EVERY = slice(None, None, 41)
LONGEST = 30  # the oracle writes down every arc


@pytest.fixture(scope="module")
def corpus(conll_folder: Path) -> Corpus:
    return read_m2(conll_folder / "official-2014.combined-withalt.m2")[EVERY]


@pytest.mark.slow
@pytest.mark.parametrize("max_unchanged_words", [0, 1, 2, 3])
@pytest.mark.parametrize("system", ["CAMB", "RAC"])
def test_counts_with_alternatives(
    system: str, max_unchanged_words: int, corpus: Corpus, conll_systems: dict[str, Hypotheses]
) -> None:
    hypotheses = Hypotheses(system, conll_systems[system].sentences[EVERY])
    found = M2(max_unchanged_words=max_unchanged_words).statistics(corpus, hypotheses, threads=2)
    assert corpus.gold is not None
    short = [len(source.split()) <= LONGEST for source in corpus.sources]
    kept = np.repeat(short, found.references)
    expected = [
        count(
            tuple(source.split()),
            tuple(hypothesis.split()),
            [
                GoldEdit(
                    edit.start,
                    edit.end,
                    tuple(tuple(option.split()) for option in edit.corrections),
                )
                for edit in annotation.edits
            ],
            max_unchanged_words,
        )
        for source, hypothesis, gold, is_short in zip(
            corpus.sources, hypotheses.sentences, corpus.gold, short, strict=True
        )
        if is_short
        for annotation in gold
    ]
    assert found.counts[kept].tolist() == [list(counts) for counts in expected]
