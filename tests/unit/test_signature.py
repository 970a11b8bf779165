"""The signature has all that is needed to get the same number."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from test_spec import metrics

from corrigenda import Corpus, __version__, evaluate, metric
from corrigenda.core import spec
from corrigenda.data import sample_corpus, sample_systems
from corrigenda.metrics import REGISTRY, metric_class
from examples import examples


def signature_of(text: str, references: list[list[str]], level: str = "corpus") -> str:
    corpus = Corpus.from_lists(["a b"] * len(references), references, references_by="sentence")
    return evaluate(corpus, {"x": ["a b"] * len(references)}, [text], level=level)[0].signature


def test_the_example_of_the_architecture():
    assert (
        signature_of("green", [["a", "b"]])
        == f"green|n:4|beta:2|unit:word|refs:2|level:corpus|v:{__version__}"
    )


def test_level_and_version():
    fields = signature_of("bleu", [["a"]], level="sentence").split("|")
    assert fields[0] == "bleu"
    assert fields[-3:] == ["refs:1", "level:sentence", f"v:{__version__}"]


def test_ragged_references_are_a_range():
    assert "|refs:1-3|" in signature_of("green", [["a", "b"], ["a"], ["a", "b", "c"]])


@pytest.mark.parametrize(
    ("text", "present", "absent"),
    [
        ("green:unit=char", ["n:6", "whitespace:normalise"], []),
        ("green", [], ["whitespace"]),
        (
            "gleu",
            ["variant:official", "references:sampled", "draws:500"],
            ["lambda", "denominator"],
        ),
        ("gleu:references=best", ["references:best"], ["draws"]),
        (
            "gleu:variant=2015,lambda=0.1",
            ["lambda:0.1", "denominator:corrected", "brevity:exchanged"],
            ["draws"],
        ),
    ],
)
def test_what_matters_is_in_it_and_nothing_else(text, present, absent):
    fields = signature_of(text, [["a", "b"]]).split("|")
    assert set(present) <= set(fields)
    assert not any(field.partition(":")[0] in absent for field in fields)


def test_an_experimental_metric_says_so():
    assert "|experimental:true|n:4|" in signature_of("pt-green:weights=one", [["a", "b"]])
    assert "experimental" not in signature_of("green", [["a", "b"]])
    assert metric("pt-green:weights=one").full_title().endswith("n-grams (experimental)")
    assert {name for name in REGISTRY if metric_class(name).experimental} == {
        "soft-edits", "pt-green",
    }  # fmt: skip


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(metrics())
def test_a_metric_made_from_the_signature_gives_the_same_score(made):
    """Whatever the parameters: those in the signature are enough."""
    corpus, systems = sample_corpus()[:12], sample_systems()[:1]
    systems = {system.name: system.sentences[:12] for system in systems}
    (result,) = evaluate(corpus, systems, [made])
    name, *fields = result.signature.split("|")
    known = {spec.public_name(key) for key in spec.parameters(made)}
    pairs = dict(field.split(":", 1) for field in fields)
    told = ",".join(f"{key}={value}" for key, value in pairs.items() if key in known)
    again = metric(f"{name}:{told}")
    (repeated,) = evaluate(sample_corpus()[:12], systems, [again])
    assert repeated.score == pytest.approx(result.score, nan_ok=False, abs=1e-12)
    assert repeated.signature == result.signature
