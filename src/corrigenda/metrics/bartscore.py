"""BARTScore: how likely a pretrained model finds the hypothesis, given the reference (Yuan et al. 2021)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from corrigenda.core.choice import BestLocal, Choice
from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.neural.pair_scores import pair_scores
from corrigenda.neural.scorers import DEFAULT_TRANSLATOR, bart_scorer
from corrigenda.neural.types import Pair, Scores, pair


@dataclass(frozen=True, repr=False)
class BartScore(Metric):
    """The mean over sentences of the mean log-likelihood of the hypothesis' tokens; 0 would be certainty.

    Statistics [rows, 2]: the log-likelihood, and 1 for the sentence.
    """

    name = "bartscore"
    title = "BARTScore: log-likelihood of the hypothesis given the reference"
    citation = "Yuan, Neubig, Liu (2021). BARTScore: Evaluating Generated Text as Text Generation. NeurIPS."
    extra = "neural"
    modules = ("torch", "transformers")
    needs_model = True

    model: str = parameter(
        "", "sequence-to-sequence model, by name or folder", shown=DEFAULT_TRANSLATOR
    )

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Score all systems against all references at once."""
        self._scores(
            corpus, list(chain.from_iterable(_pairs(corpus, system) for system in systems)), threads
        )

    def _scores(self, corpus: Corpus, pairs: Sequence[Pair], threads: int) -> dict[Pair, Scores]:
        return pair_scores(corpus, bart_scorer(self.model), pairs, threads=threads)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The log-likelihood given each reference."""
        pairs = _pairs(corpus, hypotheses)
        known = self._scores(corpus, pairs, threads)
        values = np.array([(known[each][0], 1.0) for each in pairs], np.float64).reshape(-1, 2)
        return Statistics(values, np.cumsum([0, *map(len, corpus.references)], dtype=np.int64))

    def policy(self, level: Level) -> Choice:
        """Per sentence the reference that makes the hypothesis likeliest."""
        return BestLocal(lambda counts: [self.measures(counts, level).score])

    def measures(self, totals: Array, level: Level) -> Measures[Array]:
        """The mean log-likelihood."""
        totals = np.asarray(totals)
        return Measures(ratio(totals[..., 0], totals[..., 1], undefined=0.0))

    def named_counts(self, counts: Array) -> NamedCounts:
        """The sum of the log-likelihoods, and the number of sentences."""
        return dict(zip(("log_likelihood", "sentences"), counts.tolist(), strict=True))

    def signature_fields(
        self, corpus: Corpus, hypotheses: Hypotheses | None = None
    ) -> dict[str, object]:
        """The model with its revision."""
        return bart_scorer(self.model).source.signature_fields()


def _pairs(corpus: Corpus, hypotheses: Hypotheses) -> list[Pair]:
    """What is given, and what is scored."""
    return [
        pair(reference, hypothesis)
        for hypothesis, references in zip(hypotheses.sentences, corpus.references, strict=True)
        for reference in references
    ]
