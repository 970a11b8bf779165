"""A small metric that needs no references, and a corpus whose references can be left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from corrigenda.core.choice import Pooled
from corrigenda.core.explanation import ExplainedCell, Explanation
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.result import Result
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.data import sample_corpus

COUNTS = ("kept", "words")


@dataclass(frozen=True, repr=False)
class KeptWords(Metric):
    """The share of the source's words that the output keeps. Statistics [sentences, 2]."""

    name = "kept"
    title = "Kept: the share of the source's words in the output"
    citation = "Nobody (2000). A metric for tests."
    needs_references = "none"
    offers = frozenset({"explain"})

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        counts = [
            ((Counter(source.split()) & Counter(output.split())).total(), len(source.split()))
            for source, output in zip(corpus.sources, hypotheses.sentences, strict=True)
        ]
        offsets = np.arange(len(counts) + 1, dtype=np.int64)
        return Statistics(np.array(counts, np.int64).reshape(-1, 2), offsets)

    def policy(self, level: Level) -> Pooled:
        return Pooled()

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        return Measures(ratio(totals[..., 0], totals[..., 1], undefined=1.0))

    def named_counts(self, counts: Array) -> NamedCounts:
        return dict(zip(COUNTS, counts.tolist(), strict=True))

    def explain(self, corpus: Corpus, hypotheses: Hypotheses, result: Result) -> list[Explanation]:
        output = set(hypotheses.sentences[0].split())
        rows = tuple(
            (ExplainedCell(word, "plain" if word in output else "missed"),)
            for word in corpus.sources[0].split()
        )
        return [Explanation("words of the source", ("word",), rows)]


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
