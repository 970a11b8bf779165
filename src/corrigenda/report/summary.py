"""All of a report but its sentences: scores, intervals, tests, human scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corrigenda._version import __version__
from corrigenda.analysis.significance import clusters, rank_ranges
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus
from corrigenda.corpus.gold import gold_origin
from corrigenda.edits.comparison import ComparedSentence
from corrigenda.errors import CorrigendaError
from corrigenda.report.human import HumanScores
from corrigenda.report.resampling import DRAWS, Resampled, corrected, rounded, square

if TYPE_CHECKING:
    from corrigenda.report.build import ReportOptions


def summary_data(
    corpus: Corpus,
    by_metric: Sequence[Sequence[Result]],
    compared: Sequence[Sequence[ComparedSentence]],
    options: ReportOptions,
    human: HumanScores | None,
) -> dict[str, Any]:
    """What the page shows at once; scores are fractions, to six decimals."""
    names = [result.system for result in by_metric[0]]
    return {
        "version": __version__,
        "title": options.title,
        "sentences": len(corpus),
        "references": list(corpus.reference_range),
        "gold": gold_origin(corpus),
        "level": by_metric[0][0].level,
        "extractor": options.extractor,
        "systems": names,
        "metrics": [_metric_data(results, options) for results in by_metric],
        "edits": [_edit_totals(sentences) for sentences in compared],
        "resampling": {
            "resamples": options.resamples,
            "seed": options.seed,
            "confidence": options.confidence,
            "correction": options.correction,
            "draws": DRAWS,
            "min_sentences": options.min_sentences,
        },
        "human": _human_data(names, human),
    }


def _metric_data(results: Sequence[Result], options: ReportOptions) -> dict[str, Any]:
    metric = results[0].metric
    resampled = Resampled(results, options.resamples, options.seed)
    low, high = resampled.bounds(options.confidence)
    p_values = corrected(resampled.p_values(), options.correction)
    ranges = rank_ranges(
        resampled.plain.tolist(), square(p_values, len(results), 1.0), alpha=1 - options.confidence
    )
    return {
        "name": str(metric),
        "title": metric.title,
        "signature": results[0].signature,
        "scores": [short(result.score) for result in results],
        "low": [short(value) for value in low],
        "high": [short(value) for value in high],
        "precision": [short(result.precision) for result in results],
        "recall": [short(result.recall) for result in results],
        "p": p_values,
        "ranks": [list(bounds) for bounds in ranges],
        "clusters": clusters(ranges),
        "thinned": any(
            result.chosen is not None and result.chosen.draws > DRAWS for result in results
        ),
    }


def short(value: float | None) -> float | None:
    """A number for the page; what is no number is nothing."""
    return None if value is None or not math.isfinite(value) else round(float(value), 6)


def _edit_totals(sentences: Sequence[ComparedSentence]) -> dict[str, int]:
    """Edits against the annotators that the corpus score counts."""
    counts = [sentence.comparisons[sentence.chosen].counts for sentence in sentences]
    correct = sum(count["correct"] for count in counts)
    return {
        "correct": correct,
        "wrong": sum(count["proposed"] for count in counts) - correct,
        "missed": sum(count["gold"] for count in counts) - correct,
    }


def _human_data(names: Sequence[str], human: HumanScores | None) -> dict[str, Any] | None:
    if human is None:
        return None
    if not set(names) & set(human.scores):
        raise CorrigendaError(
            "no system has a human score",
            remedy=f"The systems are {', '.join(names)}; the judged ones {', '.join(human.scores)}.",
        )
    found = [human.scores.get(name) for name in names]
    return {
        "name": human.name,
        "scores": [None if value is None else rounded(value) for value in found],
    }
