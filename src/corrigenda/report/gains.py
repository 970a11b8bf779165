"""What each edit did to the score of its sentence, for the bars under the edits."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda import progress
from corrigenda.analysis.attribution import attribute_edits
from corrigenda.core.metric import Metric
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.report.compared import ComparedSystem

GAIN_UNITS = 1000  # a gain is a whole number of thousandths


def edit_gains(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    compared: Sequence[ComparedSystem],
    metric: Metric,
    *,
    seed: int,
    threads: int,
) -> list[list[list[int]]]:
    """The Shapley value of each edit that the report shows first: [sentence][system][edit]."""
    columns = []
    for number in progress.each("systems", range(len(systems)), lambda i: systems[i].name):
        edits = [
            tuple(matched.edit for matched in sentence.comparisons[sentence.chosen].edits)
            for sentence in compared[number]
        ]
        found = attribute_edits(corpus, systems[number], edits, metric, seed=seed, threads=threads)
        columns.append(
            [[round(GAIN_UNITS * each.value) for each in sentence.edits] for sentence in found]
        )
    return [list(row) for row in zip(*columns, strict=True)]
