"""Shapley values of every edit of a system."""

from __future__ import annotations

import corpora
from corrigenda import Corpus, Hypotheses, metric
from corrigenda.analysis.attribution import attribute
from measuring import Row, best_time

QUICK_SENTENCES = 200
METRICS = ("green", "m2")


def run(quick: bool) -> list[Row]:
    text = corpora.load(systems=1)
    count = QUICK_SENTENCES if quick else len(text.source)
    corpus = Corpus.from_lists(text.source, text.references)[:count]
    system = Hypotheses("system", tuple(text.first_system[:count]))
    rows = []
    for name in METRICS:
        edits = sum(len(each.edits) for each in attribute(corpus, system, metric(name)))
        time = best_time(lambda name=name: attribute(corpus, system, metric(name)), 1)
        what = f"Shapley values by {name}, {count} sentences"
        rows.append(Row(what, time, note=f"{edits} edits, all partly corrected sentences"))
    return rows
