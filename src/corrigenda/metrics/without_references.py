"""What metrics share that rate a sentence by pretrained models and need no references."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corrigenda.core.choice import Pooled
from corrigenda.core.f_scores import ratio
from corrigenda.core.metric import Level
from corrigenda.core.statistics import Array, Statistics
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.metrics.plain_text import ReadsPlainText
from corrigenda.neural import truncation
from corrigenda.neural.pair_scores import PairScorer, pair_scores
from corrigenda.neural.types import Pair, Scores


class Question(NamedTuple):
    """What a metric asks a model about each sentence.

    `pair` takes a source and a hypothesis. It gives None if there is nothing to ask.
    """

    scorer: PairScorer
    pair: Callable[[str, str], Pair | None]


Answers = tuple[Scores | None, ...]
"""The scores of a sentence, one entry per question."""


@dataclass(frozen=True, repr=False)
class RatedByModels(ReadsPlainText):
    """A metric that asks pretrained models about source and hypothesis."""

    needs_references = "none"
    extra = "neural"
    modules = ("torch", "transformers")
    needs_model = True
    offers = frozenset({"explain"})

    @abstractmethod
    def questions(self) -> Sequence[Question]:
        """What the models are asked."""

    @abstractmethod
    def row(self, source: str, hypothesis: str, answers: Answers) -> Sequence[float]:
        """The counts of a sentence."""

    def prepare(self, corpus: Corpus, systems: Sequence[Hypotheses], *, threads: int) -> None:
        """Ask about all systems at once."""
        corpus = self.read_corpus(corpus)
        outputs = [self.read_output(system) for system in systems]
        for question in self.questions():
            wanted = (
                pair
                for output in outputs
                for pair in _pairs(question, corpus, output)
                if pair is not None
            )
            pair_scores(corpus, question.scorer, wanted, threads=threads)

    def answers(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> list[Answers]:
        """The answers for each sentence; `corpus` and `hypotheses` are as the models read them."""
        columns = []
        for question in self.questions():
            pairs = _pairs(question, corpus, hypotheses)
            asked = (pair for pair in pairs if pair is not None)
            known = pair_scores(corpus, question.scorer, asked, threads=threads)
            columns.append([None if pair is None else known[pair] for pair in pairs])
        return list(zip(*columns, strict=True))

    def statistics(self, corpus: Corpus, hypotheses: Hypotheses, *, threads: int) -> Statistics:
        """One row per sentence."""
        corpus, hypotheses = self.read_corpus(corpus), self.read_output(hypotheses)
        answers = self.answers(corpus, hypotheses, threads=threads)
        rows = list(map(self.row, corpus.sources, hypotheses.sentences, answers))
        return Statistics(
            np.array(rows, np.float64).reshape(len(corpus), -1),
            np.arange(len(corpus) + 1, dtype=np.int64),
            self._remarks(hypotheses, answers),
        )

    def _remarks(self, hypotheses: Hypotheses, answers: Sequence[Answers]) -> Mapping[str, int]:
        given = ([each for each in of_sentence if each] for of_sentence in answers)
        return truncation.remarks(self.name, hypotheses.name, given)

    def policy(self, level: Level) -> Pooled:
        """There are no references to choose from."""
        return Pooled()


def _pairs(question: Question, corpus: Corpus, hypotheses: Hypotheses) -> list[Pair | None]:
    return list(map(question.pair, corpus.sources, hypotheses.sentences))


def mean_of(totals: Array, place: int) -> Array:
    """The mean of a count over sentences; the last count is the number of sentences."""
    totals = np.asarray(totals)
    return ratio(totals[..., place], totals[..., -1], undefined=0.0)
