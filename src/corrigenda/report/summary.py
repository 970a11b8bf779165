"""All data of a report except its sentences: scores, intervals, tests, human scores."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda._version import __version__
from corrigenda.analysis.significance import clusters, rank_ranges
from corrigenda.core.metric import Metric
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus
from corrigenda.corpus.gold import gold_origin
from corrigenda.errors import CorrigendaError
from corrigenda.report.compared import ComparedSystem, counted_comparison
from corrigenda.report.human import HumanScores
from corrigenda.report.numbers import short
from corrigenda.report.options import ReportOptions
from corrigenda.report.resampling import DRAWS, Resampled, corrected, square
from corrigenda.report.schema import (
    EditTotals,
    HumanSummary,
    MetricSummary,
    ReportSummary,
    ResamplingSummary,
    SlicingData,
)


def summary_data(
    corpus: Corpus,
    by_metric: Sequence[Sequence[Result]],
    compared: Sequence[ComparedSystem],
    slicings: list[SlicingData],
    options: ReportOptions,
    human: HumanScores | None,
) -> ReportSummary:
    """The data that the page shows at once; scores are fractions with six decimals."""
    names = [result.system for result in by_metric[0]]
    has_references = corpus.reference_range[1] > 0
    return ReportSummary(
        version=__version__,
        title=options.title,
        sentences=len(corpus),
        references=corpus.reference_range,
        gold=gold_origin(corpus) if has_references else None,
        level=by_metric[0][0].level,
        extractor=options.extractor,
        systems=names,
        metrics=[_metric_summary(results, options) for results in by_metric],
        edits=[_edit_totals(sentences) for sentences in compared] if has_references else None,
        resampling=ResamplingSummary(
            resamples=options.resamples,
            seed=options.seed,
            confidence=options.confidence,
            correction=options.correction,
            draws=DRAWS,
            min_sentences=options.min_sentences,
        ),
        human=_human_summary(names, human),
        slicings=slicings,
    )


def _metric_summary(results: Sequence[Result], options: ReportOptions) -> MetricSummary:
    metric = results[0].metric
    resampled = Resampled(results, options.resamples, options.seed)
    low, high = resampled.bounds(options.confidence)
    p_values = corrected(resampled.p_values(), options.correction)
    ranges = rank_ranges(
        resampled.plain.tolist(), square(p_values, len(results), 1.0), alpha=1 - options.confidence
    )
    return MetricSummary(
        name=str(metric),
        title=metric.title,
        signature=results[0].signature,
        scores=[short(result.score) for result in results],
        low=[short(value) for value in low],
        high=[short(value) for value in high],
        precision=_shown(metric, [result.precision for result in results]),
        recall=_shown(metric, [result.recall for result in results]),
        p=p_values,
        ranks=ranges,
        clusters=clusters(ranges),
        thinned=any(
            result.chosen is not None and result.chosen.draws > DRAWS for result in results
        ),
    )


def _shown(metric: Metric, values: Sequence[float | None]) -> list[float | None] | None:
    return [short(value) for value in values] if metric.shows_precision_recall else None


def _edit_totals(sentences: ComparedSystem) -> EditTotals:
    """The edits against the references that the corpus score counts."""
    correct = proposed = gold = 0
    for comparison in filter(None, map(counted_comparison, sentences)):
        correct += sum(matched.gold is not None for matched in comparison.edits)
        proposed += len(comparison.edits)
        gold += len(comparison.gold)
    return EditTotals(correct, wrong=proposed - correct, missed=gold - correct)


def _human_summary(names: Sequence[str], human: HumanScores | None) -> HumanSummary | None:
    if human is None:
        return None
    if not set(names) & set(human.scores):
        raise CorrigendaError(
            "no system has a human score",
            remedy=f"The systems are {', '.join(names)}; "
            f"the human scores are for {', '.join(human.scores)}.",
        )
    found = [human.scores.get(name) for name in names]
    return HumanSummary(human.name, [short(value, 4) for value in found])
