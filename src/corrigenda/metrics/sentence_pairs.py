"""What BERTScore and BARTScore share: a pretrained model scores pairs of sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from corrigenda.core.choice import BestLocal, Choice
from corrigenda.core.metric import Level
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.corpus.packed import reference_offsets
from corrigenda.metrics.plain_text import ReadsPlainText
from corrigenda.neural import truncation
from corrigenda.neural.pair_scores import PairScorer, pair_scores
from corrigenda.neural.types import Pair, Scores

IDF_REMEDY = "The token frequencies of idf come from all references: leave idf out."


@dataclass(frozen=True, repr=False)
class PairMetric(ReadsPlainText):
    """A metric that scores each hypothesis with each of its references by a pretrained model."""

    extra = "neural"
    modules = ("torch", "transformers")
    needs_model = True

    @abstractmethod
    def scorer(self, corpus: Corpus) -> PairScorer:
        """What scores the pairs."""

    @abstractmethod
    def pair(self, hypothesis: str, reference: str) -> Pair:
        """The two sentences in the order in which the scorer takes them."""

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Score all systems against all references at once."""
        corpus = self.read_corpus(corpus)
        pairs = chain.from_iterable(self._pairs(corpus, system) for system in systems)
        pair_scores(corpus, self.scorer(corpus), pairs, threads=threads)

    def model_scores(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> list[Scores]:
        """The model's scores of every sentence with each of its references."""
        corpus = self.read_corpus(corpus)
        pairs = self._pairs(corpus, hypotheses)
        known = pair_scores(corpus, self.scorer(corpus), pairs, threads=threads)
        return [known[each] for each in pairs]

    def _pairs(self, corpus: Corpus, hypotheses: Hypotheses) -> list[Pair]:
        hypotheses = self.read_output(hypotheses)
        return [
            self.pair(hypothesis, reference)
            for hypothesis, references in zip(hypotheses.sentences, corpus.references, strict=True)
            for reference in references
        ]

    def remarks(
        self, corpus: Corpus, hypotheses: Hypotheses, scores: Sequence[Scores]
    ) -> Mapping[str, int]:
        """The number of sentences that are longer than the model reads."""
        bounds = pairwise(reference_offsets(corpus).tolist())
        sentences = (scores[begin:end] for begin, end in bounds)
        return truncation.remarks(self.name, hypotheses.name, sentences)

    def policy(self, level: Level) -> Choice:
        """The reference with the best score of each sentence."""
        return BestLocal(lambda counts: [self.score(counts, level)])
