"""What Python prints of large objects is short, however much they hold."""

from __future__ import annotations

import pytest

import corrigenda
from corrigenda.data import SAMPLE, sample_corpus, sample_systems
from corrigenda.formats import judgments


@pytest.mark.slow
def test_large_objects_are_printed_in_a_line() -> None:
    corpus, systems = sample_corpus(), sample_systems()[:3]
    meta = corrigenda.meta("sample", ["green"])
    rankings = judgments.read(SAMPLE / "judgments.xml")
    results = corrigenda.evaluate(corpus, systems, ["green", "m2"])
    made = [
        corpus, systems[0], results, meta, meta.benchmark, meta.metrics[0], meta.scored[0], rankings,
        rankings.pairs, corrigenda.rank(SAMPLE / "judgments.xml"), corrigenda.check(corpus, systems),
        corrigenda.compare(corpus, systems, ["green"]), corrigenda.slices(corpus, systems, ["green"]),
        corrigenda.explain(corpus, systems, ["green"]), corrigenda.reward("green"),
    ]  # fmt: skip
    for each in made:
        assert len(repr(each)) < 250, type(each)
        assert "\n" not in repr(each)


def test_a_metric_in_a_meta_evaluation_shows_its_correlations() -> None:
    assert "pearson 0." in repr(corrigenda.meta("sample", ["green"]).metrics[0])
