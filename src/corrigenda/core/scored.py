"""The only place where statistics, choice, sum and score meet.

    statistics = metric.statistics(corpus, hypotheses, threads=2)
    scored = Scored(metric, statistics)
    scored.corpus, scored.mean, scored.sentences

Every number of Corrigenda comes from here, so a score has the same bits in every command.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from corrigenda.core.choice import Blocks
from corrigenda.core.exact_sum import ExactSum
from corrigenda.core.measures import Measures, NamedCounts
from corrigenda.core.metric import Level, Metric
from corrigenda.core.statistics import Array, Chosen, Statistics, concatenate
from corrigenda.core.tally import Outcome, Tally, mean_of_draws


@dataclass(frozen=True)
class Scored:
    """One metric's statistics of one system, and every number that follows from them."""

    metric: Metric
    statistics: Statistics

    def at(self, level: Level) -> Selection:
        """The references chosen at a level, and the numbers that follow."""
        return self._corpus if level == "corpus" else self._sentence

    @cached_property
    def _corpus(self) -> Selection:
        policy = self.metric.policy("corpus")
        if policy == self.metric.policy("sentence"):
            return Selection(self.metric, "corpus", self._sentence.chosen)
        return Selection(self.metric, "corpus", policy.choose(self.statistics))

    @cached_property
    def _sentence(self) -> Selection:
        chosen = self.metric.policy("sentence").choose(self.statistics)
        return Selection(self.metric, "sentence", chosen)

    @property
    def corpus(self) -> float:
        """The corpus score."""
        return self._corpus.score

    @property
    def sentences(self) -> Array:
        """The score of each sentence alone."""
        return self._sentence.sentence_scores

    @property
    def mean(self) -> float:
        """The mean of the sentence scores."""
        return self._sentence.score

    @property
    def references(self) -> npt.NDArray[np.int64] | None:
        """The place of the reference that counts for each sentence; None without a single one."""
        return self._corpus.chosen.references

    def measures(self, level: Level = "corpus") -> Measures[float]:
        """The score and what the metric reports beside it."""
        return self.at(level).measures

    def resampled(self, weights: Array, level: Level = "corpus") -> Array:
        """The score under each row of weights [B, sentences]."""
        return self.at(level).resampled(weights)


@dataclass(frozen=True)
class Selection:
    """The references that count at one level, and every number that follows from them."""

    metric: Metric
    level: Level
    chosen: Chosen
    documents: tuple[str, ...] | None = None
    """The document of each sentence, if documents are known: then documents are resampled."""

    def __len__(self) -> int:
        return self.chosen.statistics.sentences

    @property
    def units(self) -> int:
        """How many units are resampled: documents if they are known, else sentences."""
        return len(self) if self.documents is None else len(set(self.documents))

    def by_sentence(self, weights: Array) -> Array:
        """Weights [B, units] as weights [B, sentences]: a sentence has that of its document."""
        return weights if self.documents is None else weights[:, self._document_numbers]

    @cached_property
    def _document_numbers(self) -> npt.NDArray[np.int64]:
        """The number of each sentence's document, in the order in which documents appear."""
        numbers = {each: number for number, each in enumerate(dict.fromkeys(self.documents or ()))}
        return np.array([numbers[each] for each in self.documents or ()], np.int64)

    def tally(self, references: tuple[int, int] = (0, 0)) -> Tally:
        """The sums over the sentences. `references`: the fewest and the most of a sentence."""
        tally = Tally(self.metric, self.level, len(self), references, self.chosen.exact_totals())
        if self.level == "sentence":
            tally.measures = self.sentence_measures.map(_exact_column)
        tally.remarks.update(self.chosen.statistics.remarks)
        return tally

    @cached_property
    def _outcome(self) -> Outcome:
        return self.tally().outcome()

    @cached_property
    def score(self) -> float:
        """The score at this level, without the measures beside it."""
        if self.level == "sentence":
            return exact_mean(self.sentence_scores)
        return mean_of_draws(self.metric.score(self.chosen.exact_totals().value()))

    @property
    def measures(self) -> Measures[float]:
        """The score and what the metric reports beside it."""
        return self._outcome.measures

    @property
    def counts(self) -> NamedCounts:
        """The totals by name."""
        return self._outcome.counts

    @cached_property
    def sentence_scores(self) -> Array:
        """The score of each sentence, with the references that count at this level."""
        return self.chosen.per_sentence(self._sentence_score)

    def _sentence_score(self, counts: Array) -> Array:
        return self.metric.score(counts, "sentence")

    @cached_property
    def sentence_measures(self) -> Measures[Array]:
        """The score and the measures of each sentence."""
        if self.chosen.is_single:
            return self.metric.measures(self.chosen.values(0), "sentence")
        statistics = self.chosen.statistics
        return self.metric.measures(statistics.counts, "sentence").map(
            statistics.mean_over_references
        )

    def resampled(self, weights: Array) -> Array:
        """The score under each row of weights [B, sentences]; the references stay the same."""
        if self.level == "sentence":
            return np.asarray(
                weights @ self.sentence_scores / weights.sum(axis=1, dtype=np.float64)
            )
        return self._of_totals(self.chosen.totals(weights))

    def _of_totals(self, totals: Array) -> Array:
        """The corpus scores [B] of totals [B, draws, K]."""
        return np.asarray(self.metric.score(totals).mean(axis=1))

    def sums(self, weights: Array | None = None) -> Array:
        """What `scores_of_sums` needs: sums [B, draws, K] under each row of weights [B, sentences].

        Sums of sentences add up. Without weights they are the sums over all sentences, B = 1.
        """
        if self.level == "corpus":
            return self.chosen.totals(weights)
        scores = self.sentence_scores
        summed = scores.sum(keepdims=True) if weights is None else weights @ scores
        return np.asarray(summed)[:, np.newaxis, np.newaxis]

    def scores_of_sums(self, sums: Array) -> Array:
        """The scores [B] of sums over as many sentences as there are here."""
        if self.level == "corpus":
            return self._of_totals(sums)
        return np.asarray(sums[:, 0, 0] / len(self))

    def leave_one_out(self) -> Array:
        """The score without each unit in turn: a document if documents are known."""
        if self.documents is not None:
            return self.resampled(self.by_sentence(1.0 - np.eye(self.units)))
        if self.level == "sentence":
            rest = self.sentence_scores.sum() - self.sentence_scores
            return np.asarray(rest / max(1, len(self) - 1))
        scores = np.zeros(len(self))
        for draw, totals in enumerate(self.chosen.totals()[0]):
            rest = totals - self.chosen.values(draw)
            scores += self.metric.score(rest)
        return scores / self.chosen.draws

    def restricted(self, sentences: npt.NDArray[np.int64]) -> Selection:
        """The same choice for some of the sentences."""
        documents = None if self.documents is None else tuple(np.array(self.documents)[sentences])
        return Selection(self.metric, self.level, self.chosen.restricted(sentences), documents)

    def of_draws(self, draws: npt.NDArray[np.int64]) -> Selection:
        """The same choice with some of its draws."""
        return Selection(self.metric, self.level, self.chosen.of_draws(draws), self.documents)

    @classmethod
    def joined(cls, parts: Sequence[Selection]) -> Selection:
        """The selections of consecutive blocks as one of all their sentences."""
        first = parts[0]
        documents = [part.documents for part in parts if part.documents is not None]
        return cls(
            first.metric,
            first.level,
            concatenate([part.chosen for part in parts]),
            tuple(chain.from_iterable(documents)) if len(documents) == len(parts) else None,
        )


def selector(metric: Metric, level: Level) -> Callable[[Statistics], Selection]:
    """The streaming form of `Scored.at`: call it with each block, in the order of the corpus."""
    choose = metric.policy(level).start()
    return lambda statistics: Selection(metric, level, choose(statistics))


def selections(metric: Metric, level: Level, blocks: Blocks) -> Iterator[Selection]:
    """The selection of each block. A choice that needs the whole corpus reads the blocks again."""
    for chosen in metric.policy(level).stream(blocks):
        yield Selection(metric, level, chosen)


def parts_add_up(metric: Metric) -> bool:
    """Whether corpus totals of parts add up, because each sentence chooses its own reference."""
    return metric.policy("corpus").reach == "sentence"


def scores_of_variants(
    variants: Sequence[Metric], level: Level, systems: Sequence[Statistics]
) -> Array:
    """Scores [variants, systems] by metrics that differ in β, from the same counts."""
    if not variants:
        return np.zeros((0, len(systems)))
    choices = [variant.policy(level) for variant in variants]
    chosen = type(choices[0]).choose_all(choices, systems)
    return np.stack([_scores_by_draw(variants, level, each) for each in chosen], axis=1)


def _scores_by_draw(metrics: Sequence[Metric], level: Level, chosen: Chosen) -> Array:
    """The score of each draw by its own metric."""
    if level == "corpus" and chosen.draws == len(metrics):
        totals = chosen.exact_totals().value()
        return np.array(
            [
                mean_of_draws(metric.score(totals[draw : draw + 1]))
                for draw, metric in enumerate(metrics)
            ]
        )
    return np.array(
        [Selection(metric, level, chosen.draw(draw)).score for draw, metric in enumerate(metrics)]
    )


def exact_mean(values: Array) -> float:
    """The mean; its sum is rounded only once."""
    if np.isfinite(values).all():
        return math.fsum(values.tolist()) / len(values)
    return float(_exact_column(values).value()[0]) / len(values)


def _exact_column(values: Array) -> ExactSum:
    return ExactSum.of_rows(np.asarray(values, np.float64)[:, np.newaxis])
