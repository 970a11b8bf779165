"""Slices of a report: scores of all systems, and tests of every pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corrigenda.analysis.slices import TYPE, Slice, restricted, slice_scores
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus
from corrigenda.edits.comparison import ComparedSentence
from corrigenda.report.resampling import Resampled, corrected

if TYPE_CHECKING:
    from corrigenda.report.build import ReportOptions


@dataclass(frozen=True)
class Slicing:
    """All slices by one thing."""

    by: str
    slices: Sequence[Slice]


def slicing_data(
    corpus: Corpus,
    slicings: Sequence[Slicing],
    by_metric: Sequence[Sequence[Result]],
    compared: Sequence[Sequence[ComparedSentence]],
    options: ReportOptions,
) -> list[dict[str, Any]]:
    """For each slicing its slices, their scores [metric][slice][system] and, of each pair of systems, p-values.

    The p-values are of the first metric, [slice][pair], None where a slice is too small to be tested; those
    of one pair are corrected over all slices of all slicings.
    """
    slices = [part for slicing in slicings for part in slicing.slices]
    tested = _tests(slices, by_metric[0], options)
    scores = np.array([slice_scores(results, slices).T for results in by_metric])
    data = []
    begin = 0
    for slicing in slicings:
        part = slice(begin, begin + len(slicing.slices))
        begin = part.stop
        data.append(
            {
                "by": slicing.by,
                "labels": [item.label for item in slicing.slices],
                "counts": [len(item) for item in slicing.slices],
                "scores": np.round(scores[:, part], 5).tolist(),
                "p": tested[part],
                "recall": _type_recall(slicing.slices, compared) if slicing.by == TYPE else None,
            }
        )
    return data


def _tests(
    slices: Sequence[Slice], results: Sequence[Result], options: ReportOptions
) -> list[list[float] | None]:
    if len(results) < 2:
        return [None] * len(slices)
    large = [place for place, part in enumerate(slices) if len(part) >= options.min_sentences]
    p_values = [
        Resampled(
            [restricted(result, slices[place].sentences) for result in results],
            options.resamples,
            options.seed,
        ).p_values()
        for place in large
    ]
    # A column is a pair of systems: its slices are what is tested together.
    columns = [corrected(column, options.correction) for column in zip(*p_values, strict=True)]
    by_place = dict(zip(large, (list(row) for row in zip(*columns, strict=True)), strict=True))
    return [by_place.get(place) for place in range(len(slices))]


def _type_recall(
    slices: Sequence[Slice], compared: Sequence[Sequence[ComparedSentence]]
) -> dict[str, Any]:
    """Of the gold edits of each type, against the annotators that count: how many there are, and were made."""
    places = {part.label: place for place, part in enumerate(slices)}
    gold = np.zeros((len(slices), len(compared)), np.int64)
    made = np.zeros_like(gold)
    for system, sentences in enumerate(compared):
        for sentence in sentences:
            comparison = sentence.comparisons[sentence.chosen]
            missed = set(comparison.missed)
            for place, edit in enumerate(comparison.gold):
                row = places.get(edit.type)
                if row is not None:
                    gold[row, system] += 1
                    made[row, system] += place not in missed
    return {"gold": gold.tolist(), "made": made.tolist()}
