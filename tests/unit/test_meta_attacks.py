"""Attacks: their outputs, ranks by hand, the command, and known failures of metrics."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from corrigenda import Corpus, Hypotheses, evaluate, metric
from corrigenda.cli import main
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.formats import read_m2
from corrigenda.meta.attacks import ATTACKS, FIXED, INJECTION, attack_outputs, robustness
from reference_free import KeptWords

SYSTEMS = [system for system in sample_systems() if system.name not in ATTACKS]


def test_outputs():
    corpus = Corpus(("a big dog", "b c", ""), (("x",), ("y z",), ("w",)))
    found = {each.name: each.sentences for each in attack_outputs(corpus, list(ATTACKS))}
    assert found["copy"] == corpus.sources
    assert found["empty"] == ("", "", "")
    assert found["fixed"] == (FIXED,) * 3
    assert sorted(found["other"]) == ["w", "x", "y z"]
    assert all(text != own[0] for text, own in zip(found["other"], corpus.references, strict=True))
    assert found["repeated"][0] == "a a big big dog dog"
    assert found["long"][1] == "b c b c b c b c b c"
    assert found["synonym"][0] == "a large dog"
    assert found["injection"][1] == f"b c {INJECTION}"


@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_ranks_and_flags(level):
    (found,) = robustness([metric("green")], lambda _: sample_corpus(), SYSTEMS, level=level)
    real = [r.score for r in evaluate(sample_corpus(), SYSTEMS, ["green"], level=level)]
    assert list(found.systems.values()) == pytest.approx(real)
    for attack, output in zip(
        found.attacks, attack_outputs(sample_corpus(), list(ATTACKS)), strict=True
    ):
        (result,) = evaluate(sample_corpus(), [output], ["green"], level=level)
        assert attack.score == pytest.approx(result.score)
        assert attack.rank == 1 + sum(score > result.score for score in real)
        assert attack.above_median == (result.score > found.median)


def test_a_metric_that_counts_kept_words_is_fooled():
    """What keeps every word of the source scores 1, whatever is added."""
    (found,) = robustness([KeptWords()], lambda _: sample_corpus(), SYSTEMS)
    assert {"copy", "repeated", "long", "injection"} <= set(found.fooled_by)
    assert "empty" not in found.fooled_by
    assert "fixed" not in found.fooled_by


def test_m2_of_single_sentences_likes_a_copy_where_little_is_wrong():
    """A sentence without errors scores 1 for a copy, and 0 for any edit."""
    corpus = Corpus(("a b", "c d", "e f"), (("a b",), ("c d",), ("e X",)))
    systems = [
        Hypotheses("one", ("a b", "c Y", "e X")),
        Hypotheses("two", ("a Z", "c d", "e X")),
        Hypotheses("three", ("a b", "c Y", "e f")),
    ]
    (found,) = robustness([metric("m2")], lambda _: corpus, systems, level="sentence")
    assert found.fooled_by == []  # 2/3, as good as the best systems
    assert {each.attack: each.rank for each in found.attacks}["copy"] == 1


def test_a_system_may_be_named_as_an_attack_is():
    """The bundled sample has a system `empty`."""
    systems = sample_systems()
    (found,) = robustness([metric("green")], lambda _: sample_corpus(), systems)
    assert list(found.systems) == [system.name for system in systems]
    attacks = {each.attack: each.score for each in found.attacks}
    assert list(attacks) == list(ATTACKS)
    assert attacks["empty"] == found.systems["empty"]
    # What is named so gets no other score: a good output under the name of an attack.
    (strong,) = (system for system in systems if system.name == "strong")
    (renamed,) = robustness(
        [metric("green")], lambda _: sample_corpus(), [replace(strong, name="empty")]
    )
    assert renamed.systems == {"empty": found.systems["strong"]}
    assert {each.attack: each.score for each in renamed.attacks} == attacks


@pytest.mark.slow
def test_command(capsys):
    files = [str(SAMPLE / f"{system.name}.txt") for system in SYSTEMS]
    corpus = ["--gold", str(SAMPLE / "gold.m2"), "--hyps", *files, "--attacks", "-m", "green", "m2"]
    assert main(["meta", *corpus]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ATTACKS)
    assert "median" in out
    assert main(["meta", *corpus, "--level", "both", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [(each["metric"], each["level"]) for each in data["metrics"]] == [
        ("green", "corpus"), ("m2", "corpus"), ("green", "sentence"), ("m2", "sentence"),
    ]  # fmt: skip
    assert main(["meta", *corpus, "-f", "csv"]) == 0
    assert capsys.readouterr().out.startswith("metric,level,attack,score,rank,above_median,median")
    assert main(["meta", *corpus, "--compare"]) == 2
    assert "--attacks and --compare are both given" in capsys.readouterr().err


def test_without_references(capsys, monkeypatch):
    from corrigenda.metrics import REGISTRY

    monkeypatch.setitem(REGISTRY, "kept", "reference_free:KeptWords")
    files = [str(SAMPLE / f"{system.name}.txt") for system in SYSTEMS]
    arguments = ["--source", str(SAMPLE / "source.txt"), "--hyps", *files, "--attacks"]
    assert main(["meta", *arguments, "-m", "kept"]) == 0
    assert "repeated" in capsys.readouterr().out


@pytest.mark.golden
@pytest.mark.slow
def test_m2_likes_the_empty_system_on_conll(conll_folder, conll_systems):
    """A known failure: it is above the median of the 12 submissions. GREEN is not fooled."""
    places = range(0, 1312, 8)
    corpus = read_m2(conll_folder / "official-2014.combined.m2").at(places)
    systems = [
        each.at(places) for name, each in conll_systems.items() if name not in ("INPUT", "NULL")
    ]
    m2, green = robustness([metric("m2"), metric("green")], lambda _: corpus, systems)
    assert {"empty", "fixed", "other"} <= set(m2.fooled_by)
    assert green.fooled_by == []
