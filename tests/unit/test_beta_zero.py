"""β = 0: only precision counts. References differ, and nothing that was proposed is right."""

from __future__ import annotations

import pytest

from corrigenda import Annotation, Corpus, Edit, Hypotheses, evaluate
from corrigenda.core.metric import LEVELS

EDITS = {"b": Edit(0, 1, ("b",), "R:NOUN"), "c": Edit(1, 2, ("c",), "R:VERB")}
CORPUS = Corpus(
    ("a a a",) * 2,
    (("b a a", "b c a"),) * 2,
    ((Annotation(0, (EDITS["b"],)), Annotation(1, (EDITS["b"], EDITS["c"]))),) * 2,
)
WRONG = Hypotheses("wrong", ("a a d",) * 2, ((Edit(2, 3, ("d",), "R:ADJ"),),) * 2)
SILENT = Hypotheses("silent", CORPUS.sources, ((), ()))
RIGHT = Hypotheses("right", ("b a a",) * 2, ((EDITS["b"],),) * 2)
EDIT_METRICS = [
    "errant",
    "errant:choice=optimal",
    "cleme",
    "cleme:assumption=independent",
    "pt-errant:scorer=self",
    "pt-m2:scorer=self",
    "m2",
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", EDIT_METRICS)
def test_beta_zero(name, level):
    specification = f"{name}{',' if ':' in name else ':'}beta=0"
    wrong, silent, right = evaluate(CORPUS, [WRONG, SILENT, RIGHT], [specification], level=level)
    assert wrong.score == silent.score == 0
    assert right.score == 1
