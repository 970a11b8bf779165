"""UOT-ERRANT against a slow program: each text encoded alone, transport by POT itself."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

from corrigenda import Annotation, Corpus, Hypotheses, evaluate, metric
from corrigenda.analysis.explain import explain
from corrigenda.edits import Edit, apply_edits, extract_edits
from corrigenda.errors import MetricError
from lazily import Lazily
from tiny_models import encoder_folder, needs_torch, score_cache  # noqa: F401

torch = Lazily("torch")
transformers = Lazily("transformers")
pytestmark = [needs_torch, pytest.mark.model, pytest.mark.usefixtures("score_cache")]

SOURCES = ("he go to school every days .", "a b c d", "a b", "he goes", "d e f g a b")
REFERENCES = (
    ("he goes to school every day .", "he goes to a school every days ."),
    ("a b d d", "a c d"),
    ("a b",),
    ("he goes to school",),
    ("d e f g a b", "d e g f a b c"),
)
OUTPUTS = ("he goes to school on days .", "a b c d", "a c", "he goes to school", "d f g a b")


def edits_of(source: str, text: str) -> tuple[Edit, ...]:
    return extract_edits(source.split(), text.split())


GOLD = tuple(
    tuple(Annotation(i, edits_of(source, text)) for i, text in enumerate(texts))
    for source, texts in zip(SOURCES, REFERENCES, strict=True)
)
CORPUS = Corpus(SOURCES, REFERENCES, GOLD)
SYSTEM = Hypotheses("ours", OUTPUTS, tuple(map(edits_of, SOURCES, OUTPUTS)))


@cache
def loaded(folder: str) -> tuple[Any, Any]:
    model = transformers.AutoModel.from_pretrained(folder).eval()
    return model, transformers.AutoTokenizer.from_pretrained(folder)


@cache
def vector(folder: str, text: str) -> np.ndarray:
    model, tokenizer = loaded(folder)
    with torch.no_grad():
        states = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
    return states.double().mean(0).numpy()


def slow_vectors(folder: str, source: str, edits: tuple[Edit, ...], how: str) -> np.ndarray:
    words = source.split()

    def text(chosen: list[Edit]) -> str:
        return " ".join(apply_edits(words, chosen))

    found = []
    for edit in edits:
        if how == "src-add":
            before, after = text([]), text([edit])
        else:
            before, after = text([other for other in edits if other is not edit]), text([*edits])
        found.append(vector(folder, after) - vector(folder, before))
    return np.array(found).reshape(len(edits), vector(folder, source).size)


def slow_row(folder: str, source: str, system: tuple, gold: tuple, **how: Any) -> list[float]:
    import ot

    ours, theirs = (
        slow_vectors(folder, source, edits, how["vectorize"]) for edits in (system, gold)
    )
    masses = [
        np.linalg.norm(each, axis=1)
        if how["mass"] == "norm"
        else np.full(len(each), 1 / len(each))
        if len(each)
        else np.zeros(0)
        for each in (ours, theirs)
    ]
    plan = np.zeros((len(ours), len(theirs)))
    if len(ours) and len(theirs):
        costs = ot.dist(ours, theirs, metric=how["cost"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plan = ot.unbalanced.sinkhorn_stabilized_unbalanced(*masses, costs, 0.1, 0.1)
    left, missing = masses[0] - plan.sum(1), masses[1] - plan.sum(0)
    if how["clip"]:
        left, missing = np.maximum(left, 0), np.maximum(missing, 0)
    return [plan.sum(), left.sum(), missing.sum()]


SETTINGS = [
    {},
    {"vectorize": "src-add"},
    {"mass": "uniform"},
    {"cost": "cosine"},
    {"clip": True},
    {"vectorize": "src-add", "mass": "uniform", "cost": "cosine"},
]


@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_it_is_the_slow_program(encoder_folder, given):  # noqa: F811
    how = {"vectorize": "ref-remove", "mass": "norm", "cost": "euclidean", "clip": False} | given
    shown = ",".join(f"{name}={str(value).lower()}" for name, value in how.items())
    tested = metric(f"uot-errant:model={encoder_folder},{shown}")
    found = tested.statistics(CORPUS, SYSTEM, threads=1).counts
    expected = [
        slow_row(encoder_folder, source, system, gold.edits, **how)
        for source, system, of_sentence in zip(SOURCES, SYSTEM.edits, GOLD, strict=True)
        for gold in of_sentence
    ]
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert (np.abs(found).max(axis=0) > 1e-3).all()


def test_the_score_is_that_of_errant_on_masses(encoder_folder):  # noqa: F811
    tested = metric(f"uot-errant:model={encoder_folder}")
    (result,) = evaluate(CORPUS, [SYSTEM], [tested], level="sentence")
    counts = tested.statistics(CORPUS, SYSTEM, threads=1).counts
    first = []
    for tp, fp, fn in counts[:2]:
        p, r = tp / (tp + fp), tp / (tp + fn)
        first.append(1.25 * p * r / (0.25 * p + r))
    assert result.sentence_scores[0] == pytest.approx(max(first))
    assert result.sentence_scores[2] == 0  # a needless edit: nothing moves
    assert result.types["operation"]["R"].counts["fp"] > 0
    assert "|pot:" in result.signature


def test_the_types_add_up_to_the_whole(encoder_folder):  # noqa: F811
    (result,) = evaluate(CORPUS, [SYSTEM], [f"uot-errant:model={encoder_folder}"])
    for name, total in result.counts.items():
        of_types = sum(each.counts[name] for each in result.types["both"].values())
        assert of_types == pytest.approx(total, abs=1e-9)


def test_explanation(encoder_folder):  # noqa: F811
    corpus, system = CORPUS[:1], SYSTEM[:1]
    (result,) = evaluate(corpus, [system], [f"uot-errant:model={encoder_folder}"], level="sentence")
    (table,) = explain(corpus, system, result)
    assert {row[0].text for row in table.rows} == {"system", "gold"}


def test_parameters_that_make_no_sense():
    for specification in ("uot-errant:reg=0", "uot-errant:reg_m=0", "uot-errant:mass=x"):
        with pytest.raises(MetricError):
            metric(specification)
