"""What follows scoring: a report, and a curve of 501 values of β. There is no peer."""

from __future__ import annotations

import corpora
from corrigenda import Corpus, Hypotheses, evaluate, metric
from corrigenda.meta.plots import default_betas
from corrigenda.meta.scores import score_systems
from corrigenda.meta.sweep import sweep_beta
from corrigenda.report import report
from measuring import Row, best_time


def run(quick: bool) -> list[Row]:
    text = corpora.load(systems=3 if quick else None)
    sentences = 100 if quick else len(text.source)
    corpus = Corpus.from_lists(text.source, text.references, references_by="text")[:sentences]
    systems = [Hypotheses(name, tuple(lines[:sentences])) for name, lines in text.systems.items()]
    where = f"{len(systems)} systems, {sentences} sentences of {text.name}"
    betas = default_betas()[:: 50 if quick else 1]
    return [
        _report(corpus, systems, where),
        *(_sweep(name, corpus, systems, betas, where) for name in ("green", "m2")),
    ]


def _report(corpus: Corpus, systems: list[Hypotheses], where: str) -> Row:
    results = evaluate(corpus, systems, ["green", "gleu", "m2", "bleu"])
    time = best_time(lambda: report(corpus, systems, results), 1)
    return Row(f"report without its scoring: 4 metrics, {where}", time)


def _sweep(
    name: str, corpus: Corpus, systems: list[Hypotheses], betas: list[float], where: str
) -> Row:
    (scored,) = score_systems([metric(name)], lambda _: corpus, systems)
    time = best_time(lambda: sweep_beta(scored, betas, "corpus"), 1)
    return Row(f"{name} with {len(betas)} values of β: {where}", time)
