"""A tiny metric that needs no references, and a corpus whose references can be left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corrigenda.core.choice import BestLocal, Choice
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import sample_corpus


@dataclass(frozen=True, repr=False)
class KeptWords(Metric):
    """The share of source words that are also in the output: one row of counts per sentence."""

    name = "kept"
    title = "Kept words"
    citation = "none: for tests"
    needs_references = "none"

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        rows = []
        for source, output in zip(corpus.sources, hypotheses.sentences, strict=True):
            words, kept = source.split(), set(output.split())
            rows.append([sum(word in kept for word in words), len(words)])
        counts = np.array(rows, np.int64).reshape(-1, 2)
        return Statistics(counts, np.arange(len(rows) + 1, dtype=np.int64))

    def policy(self, level: Level) -> Choice:
        return BestLocal(_kept)

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        return Measures(totals[..., 0] / np.maximum(1, totals[..., 1]))

    def named_counts(self, counts: Array) -> NamedCounts:
        return {"kept": int(counts[0]), "words": int(counts[1])}


def _kept(counts: Array) -> list[Array]:
    return [counts[:, 0]]


def without_references(every: int = 1) -> Corpus:
    """The sample without the references of every `every`-th sentence, from the first one on."""
    corpus = sample_corpus()
    gold = corpus.gold or ()
    left_out = [index % every == 0 for index in range(len(corpus))]
    return Corpus(
        corpus.sources,
        tuple(() if out else texts for out, texts in zip(left_out, corpus.references, strict=True)),
        tuple(() if out else found for out, found in zip(left_out, gold, strict=True)),
    )
