"""The scores of a block of rows by every metric, and what the block adds to each total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corrigenda.bulk.rows import RowBlock
from corrigenda.core.evaluate import prepare_metrics
from corrigenda.core.metric import Metric
from corrigenda.core.scored import Scored, parts_add_up
from corrigenda.core.signature import signature_fields
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.core.survey import Survey, add_up, give
from corrigenda.core.tally import Tally
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import FormatError, SentenceError

_REFUSALS = (SentenceError, FormatError)
"""The errors by which a metric refuses a sentence."""


@dataclass(frozen=True)
class MetricBlock:
    """The scores of some rows of a block by one metric."""

    scores: npt.NDArray[np.float64]
    statistics: Statistics
    chosen: Chosen
    fields: dict[str, str]
    sentence: Tally
    corpus: Tally | None
    """None if the choice of references needs the whole corpus. Then the statistics are kept."""

    @property
    def row_counts(self) -> Array:
        """The counts [rows, K] of the reference that is best for each row by itself."""
        return self.chosen.sentence_counts()


@dataclass(frozen=True)
class BlockScores:
    """The places of the rows that were scored, and their scores by each metric."""

    places: list[int]
    by_metric: dict[str, MetricBlock]


def score_block(
    block: RowBlock, metrics: Sequence[Metric], surveys: Mapping[str, Survey]
) -> list[BlockScores]:
    """The scores of all usable rows. Rows that a metric refuses are rejected."""
    usable = block.usable
    if not usable:
        return []
    scored = _score_or_split(block, usable, metrics, surveys)
    if not scored:
        # If no row at all can be scored, the rows are probably not the cause: show the error.
        _score(block, usable[:1], metrics, surveys)
    return scored


def _score_or_split(
    block: RowBlock,
    places: list[int],
    metrics: Sequence[Metric],
    surveys: Mapping[str, Survey],
) -> list[BlockScores]:
    """The scores of these rows; after an error those of each half, until the bad row is found."""
    try:
        return [_score(block, places, metrics, surveys)]
    except _REFUSALS as error:
        if len(places) == 1:
            block.rejected[places[0]] = error.problem
            return []
    return [
        scores
        for half in _halves(places)
        for scores in _score_or_split(block, half, metrics, surveys)
    ]


def _halves(places: list[int]) -> tuple[list[int], list[int]]:
    middle = len(places) // 2
    return places[:middle], places[middle:]


def _score(
    block: RowBlock,
    places: list[int],
    metrics: Sequence[Metric],
    surveys: Mapping[str, Survey],
) -> BlockScores:
    corpus, hypotheses = block.as_corpus(places)
    prepare_metrics(metrics, corpus, [hypotheses], threads=1)
    for metric in metrics:
        if (survey := surveys.get(str(metric))) is not None:
            give(metric, corpus, hypotheses, survey)
    return BlockScores(
        places, {str(metric): _by_metric(metric, corpus, hypotheses) for metric in metrics}
    )


def survey_block(block: RowBlock, metric: Metric) -> Survey:
    """The metric's survey of all usable rows, without the rows that it refuses."""
    return _survey(block, block.usable, metric) if block.usable else {}


def _survey(block: RowBlock, places: list[int], metric: Metric) -> Survey:
    corpus, hypotheses = block.as_corpus(places)
    try:
        prepare_metrics([metric], corpus, [hypotheses], threads=1)
        return metric.survey(corpus, hypotheses, threads=1)
    except _REFUSALS:
        if len(places) == 1:
            return {}
    total: Survey = {}
    for half in _halves(places):
        add_up(total, _survey(block, half, metric))
    return total


def _by_metric(metric: Metric, corpus: Corpus, hypotheses: Hypotheses) -> MetricBlock:
    scored = Scored(metric, metric.statistics(corpus, hypotheses, threads=1))
    sentence = scored.at("sentence")
    return MetricBlock(
        sentence.sentence_measures.score,  # the tally needs the other measures, too
        scored.statistics,
        sentence.chosen,
        signature_fields(metric, corpus, hypotheses),
        sentence.tally(corpus.reference_range),
        scored.at("corpus").tally(corpus.reference_range) if parts_add_up(metric) else None,
    )
