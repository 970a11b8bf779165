"""The slices of a report: scores of all systems, and tests of every pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corrigenda.analysis.families import family_p_values
from corrigenda.analysis.permutation import PermutationTests
from corrigenda.analysis.slices import (
    EDITS,
    LENGTH,
    TYPE,
    Slice,
    slice_scores,
    slices_by,
)
from corrigenda.core.result import Result
from corrigenda.core.statistics import Array
from corrigenda.corpus import Corpus
from corrigenda.edits import UNKNOWN_TYPE
from corrigenda.edits.comparison import AnnotatorComparison
from corrigenda.report.compared import ComparedSystem, counted_comparison, judged_comparisons
from corrigenda.report.numbers import short
from corrigenda.report.options import ReportOptions
from corrigenda.report.resampling import all_pairs, rounded
from corrigenda.report.schema import SlicingData, TypeCounts

_DECIMALS = 5


@dataclass(frozen=True)
class Slicing:
    """All slices by one property; `of_gold` if the property is the gold edits of a sentence."""

    by: str
    slices: Sequence[Slice]
    of_gold: bool


def slicings_of(
    corpus: Corpus, columns: Mapping[str, Sequence[object]], compared: ComparedSystem
) -> list[Slicing]:
    """By length, by gold edits and their types if there are references, and by every column.

    A column has precedence over a property of the same name.
    """
    gold = [[found.gold for found in judged_comparisons(sentence)] for sentence in compared]
    by_gold = (EDITS, TYPE) if any(gold) else ()
    return [
        Slicing(by, slices_by(corpus, by, columns, gold=gold), by in by_gold and by not in columns)
        for by in dict.fromkeys((LENGTH, *by_gold, *columns))
    ]


def slicing_data(
    slicings: Sequence[Slicing],
    by_metric: Sequence[Sequence[Result]],
    compared: Sequence[ComparedSystem],
    options: ReportOptions,
) -> list[SlicingData]:
    """The slices with their scores, and p-values of each pair of systems by the first metric.

    The p-values of one pair are corrected over all slices of all slicings.
    """
    slices = [part for slicing in slicings for part in slicing.slices]
    tested = _tests(slices, by_metric[0], options)
    scores = [slice_scores(results, slices).T for results in by_metric]
    data = []
    begin = 0
    for slicing in slicings:
        part = slice(begin, begin + len(slicing.slices))
        begin = part.stop
        by_type = slicing.of_gold and slicing.by == TYPE
        data.append(
            SlicingData(
                by=slicing.by,
                labels=[item.label for item in slicing.slices],
                counts=[len(item) for item in slicing.slices],
                scores=[_shortened(rows[part]) for rows in scores],
                p=tested[part],
                edits=_type_counts(slicing.slices, compared) if by_type else None,
            )
        )
    return data


def _shortened(rows: Array) -> list[list[float | None]]:
    return [[short(value, _DECIMALS) for value in row] for row in rows.tolist()]


def _tests(
    slices: Sequence[Slice], results: Sequence[Result], options: ReportOptions
) -> list[list[float] | None]:
    if len(results) < 2:
        return [None] * len(slices)
    large = [number for number, part in enumerate(slices) if len(part) >= options.min_sentences]
    pairs = all_pairs(len(results))
    tests = [
        PermutationTests(
            [result.selection.restricted(slices[number].sentences) for result in results],
            pairs,
            options.seed,
        )
        for number in large
    ]
    # The slices of one pair of systems are corrected together.
    found = family_p_values(
        tests,
        resamples=options.resamples,
        correction=options.correction,
        confidence=options.confidence,
        each_pair_alone=True,
    )
    corrected = [rounded(value) for _, value in found]
    rows = {
        number: corrected[place * len(pairs) : (place + 1) * len(pairs)]
        for place, number in enumerate(large)
    }
    return [rows.get(number) for number in range(len(slices))]


def _type_counts(slices: Sequence[Slice], compared: Sequence[ComparedSystem]) -> TypeCounts:
    """How many gold edits of each type were made, and how many edits of the type are wrong.

    The references are those that count. As in ERRANT, an edit that is right has the gold type.
    """
    row_of = {part.label: number for number, part in enumerate(slices)}
    gold = np.zeros((len(slices), len(compared)), np.int64)
    made, wrong = np.zeros_like(gold), np.zeros_like(gold)
    has_types = True
    for system, sentences in enumerate(compared):
        for comparison in filter(None, map(counted_comparison, sentences)):
            missed = set(comparison.missed)
            for index, edit in enumerate(comparison.gold):
                row = row_of.get(edit.type)
                if row is not None:
                    gold[row, system] += 1
                    made[row, system] += index not in missed
            for kind in _wrong_types(comparison):
                has_types &= kind != UNKNOWN_TYPE
                row = row_of.get(kind)
                if row is not None:
                    wrong[row, system] += 1
    return TypeCounts(gold.tolist(), made.tolist(), wrong.tolist() if has_types else None)


def _wrong_types(comparison: AnnotatorComparison) -> Iterator[str]:
    return (matched.edit.type for matched in comparison.edits if matched.gold is None)
