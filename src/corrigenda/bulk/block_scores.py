"""The scores of a block of rows by every metric, and what the block adds to each total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corrigenda.bulk.rows import RowBlock
from corrigenda.core.evaluate import prepare
from corrigenda.core.metric import Metric
from corrigenda.core.scored import Scored
from corrigenda.core.signature import signature_fields
from corrigenda.core.statistics import Array, Chosen, Statistics
from corrigenda.core.survey import Survey, give
from corrigenda.core.tally import Tally
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.errors import FormatError, MetricError

SYSTEM = "hypothesis"


@dataclass(frozen=True)
class BlockOfMetric:
    """One metric's view of the rows of a block."""

    scores: npt.NDArray[np.float64]
    statistics: Statistics
    chosen: Chosen
    fields: dict[str, str]
    sentence: Tally
    corpus: Tally | None
    """None where the choice of references needs the whole corpus: then the statistics are kept."""


@dataclass(frozen=True)
class BlockScores:
    """The places of the rows that were scored, and what each metric says of them."""

    places: list[int]
    of_metric: dict[str, BlockOfMetric]


def score_block(
    block: RowBlock, metrics: Sequence[Metric], surveys: Mapping[str, Survey]
) -> list[BlockScores]:
    """Scores of all usable rows. Rows that a metric refuses are rejected, and the others scored without them."""
    usable = block.usable
    if not usable:
        return []
    scored = _score_or_split(block, usable, metrics, surveys)
    if not scored:
        # Nothing at all could be scored: that is not the rows' fault, and the error says whose it is.
        _score(block, usable[:1], metrics, surveys)
    return scored


def _score_or_split(
    block: RowBlock,
    places: list[int],
    metrics: Sequence[Metric],
    surveys: Mapping[str, Survey],
) -> list[BlockScores]:
    try:
        return [_score(block, places, metrics, surveys)]
    except (MetricError, FormatError) as error:
        if len(places) == 1:
            block.rejected[places[0]] = error.problem
            return []
    half = len(places) // 2
    first, second = (
        _score_or_split(block, part, metrics, surveys) for part in (places[:half], places[half:])
    )
    return first + second


def _score(
    block: RowBlock,
    places: list[int],
    metrics: Sequence[Metric],
    surveys: Mapping[str, Survey],
) -> BlockScores:
    corpus, hypotheses = as_corpus(block, places)
    prepare(metrics, corpus, [hypotheses], threads=1)
    for metric in metrics:
        if (survey := surveys.get(str(metric))) is not None:
            give(metric, corpus, hypotheses, survey)
    return BlockScores(
        places, {str(metric): _by_metric(metric, corpus, hypotheses) for metric in metrics}
    )


def as_corpus(block: RowBlock, places: list[int]) -> tuple[Corpus, Hypotheses]:
    """Some rows of a block as a corpus."""
    corpus = Corpus(
        tuple(block.sources[place] or "" for place in places),
        tuple(block.references[place] for place in places),
    )
    return corpus, Hypotheses(SYSTEM, tuple(block.hypotheses[place] or "" for place in places))


def _by_metric(metric: Metric, corpus: Corpus, hypotheses: Hypotheses) -> BlockOfMetric:
    scored = Scored(metric, metric.statistics(corpus, hypotheses, threads=1))
    sentence = scored.at("sentence")
    return BlockOfMetric(
        sentence.sentence_scores,
        scored.statistics,
        sentence.chosen,
        signature_fields(metric, corpus, hypotheses),
        sentence.tally(corpus.reference_range),
        scored.at("corpus").tally(corpus.reference_range) if adds_up(metric) else None,
    )


def adds_up(metric: Metric) -> bool:
    """Whether the corpus totals of parts add up, because no sentence's reference depends on others."""
    return metric.policy("corpus").reach == "sentence"


def row_counts(scores: BlockOfMetric) -> Array:
    """The counts [rows, K] of the reference that is best for each row by itself."""
    return scores.chosen.sentence_counts()
