"""The human ceiling in a report."""

from __future__ import annotations

from collections.abc import Sequence

from corrigenda.analysis.ceiling import ceilings
from corrigenda.core.result import Result
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.report.numbers import short
from corrigenda.report.schema import CeilingOfMetric, CeilingSummary


def ceiling_data(
    corpus: Corpus,
    systems: Sequence[Hypotheses],
    by_metric: Sequence[Sequence[Result]],
    threads: int,
) -> CeilingSummary:
    """The ceiling by each metric that needs references; nothing to show for the others."""
    metrics = [results[0].metric for results in by_metric]
    level = by_metric[0][0].level
    asked = [metric for metric in metrics if metric.needs_references != "none"]
    found = ceilings(corpus, systems, asked, level=level, threads=threads)
    by_name = {each.metric: each for each in found}
    shown = [by_name.get(str(metric)) for metric in metrics]
    return CeilingSummary(
        [
            CeilingOfMetric(None, [None] * len(systems))
            if each is None
            else CeilingOfMetric(
                short(each.human), [short(each.systems[system.name]) for system in systems]
            )
            for each in shown
        ],
        subsets=len(found[0].by_reference) if found else 0,
        sentences=found[0].sentences if found else 0,
    )
