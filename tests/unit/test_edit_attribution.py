"""Attributions of labelled edits: which edits are found, and their mean over systems."""

from __future__ import annotations

import pytest

from corrigenda import Corpus, Hypotheses, metric
from corrigenda.analysis.attribution import attribute
from corrigenda.formats.edit_labels import EditKey
from corrigenda.meta.edit_attribution import attributed_edits, edits_alone
from corrigenda.meta.edit_level import edit_agreement

SOURCE = "a b c d e f"
CORPUS = Corpus((SOURCE, "g h"), (("a X c d Y f",), ("g h",)))
SYSTEMS = [
    Hypotheses("one", ("a X c W e f", "g Z")),
    Hypotheses("two", ("a X c d e f", "g h")),
]
RIGHT, WRONG = EditKey(SOURCE, 1, 2, "X"), EditKey(SOURCE, 3, 4, "W")
NEVER_MADE = EditKey(SOURCE, 4, 5, "Y")
LABELS = {RIGHT: True, WRONG: False, NEVER_MADE: True}


def test_the_mean_over_the_systems_that_made_the_edit():
    found = attributed_edits(CORPUS, SYSTEMS, metric("m2"), LABELS, extractor="m2")
    first, second = (attribute(CORPUS[:1], each[:1], metric("m2"))[0] for each in SYSTEMS)
    assert found == {
        RIGHT: pytest.approx((first.edits[0].value + second.edits[0].value) / 2),
        WRONG: pytest.approx(first.edits[1].value),
    }
    agreement = edit_agreement(found, LABELS)
    assert (agreement.edits, agreement.auc, agreement.unscored) == (2, 1.0, 1)


def test_alone():
    found = edits_alone(CORPUS, metric("m2"), LABELS | {EditKey("x", 0, 1, "y"): True})
    assert found.keys() == LABELS.keys()
    assert found[RIGHT] == found[NEVER_MADE] > 0
    assert found[WRONG] == 0
