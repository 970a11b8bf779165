"""BARTScore: how likely the hypothesis is, given the reference (Yuan et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corrigenda.core.f_scores import ratio
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level
from corrigenda.core.spec import parameter
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import reference_offsets
from corrigenda.metrics.sentence_pairs import PairMetric
from corrigenda.neural.pair_scores import PairScorer
from corrigenda.neural.scorers import DEFAULT_TRANSLATOR, bart_scorer
from corrigenda.neural.types import Pair, pair


@dataclass(frozen=True, repr=False)
class BartScore(PairMetric):
    """The mean log-likelihood per token of a hypothesis, then the mean over sentences.

    A model that is certain gives 0. Statistics [rows, 2]: the log-likelihood, and 1 for the
    sentence.
    """

    name = "bartscore"
    title = "BARTScore: log-likelihood of the hypothesis given the reference"
    citation = (
        "Yuan, Neubig, Liu (2021). BARTScore: Evaluating Generated Text as Text Generation. "
        "NeurIPS."
    )

    model: str = parameter(
        "", "sequence-to-sequence model, by name or folder", shown=DEFAULT_TRANSLATOR
    )

    def scorer(self, corpus: Corpus) -> PairScorer:
        """The model."""
        return bart_scorer(self.model)

    def pair(self, hypothesis: str, reference: str) -> Pair:
        """The model reads the reference and scores the hypothesis."""
        return pair(reference, hypothesis)

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """The log-likelihood given each reference."""
        scores = self.model_scores(corpus, hypotheses, threads=threads)
        values = np.array([(each[0], 1.0) for each in scores], np.float64).reshape(-1, 2)
        remarks = self.remarks(corpus, hypotheses, scores)
        return Statistics(values, reference_offsets(corpus), remarks)

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
        return {**bart_scorer(self.model).source.signature_fields(), **self.text_fields()}
