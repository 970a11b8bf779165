"""What `corrigenda meta` writes as CSV: one of several tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corrigenda.cli.tables import Records, Value

if TYPE_CHECKING:
    from corrigenda.cli.meta import Found
    from corrigenda.meta.analysis import MetaReport


_SUFFIXES = (
    "", "_low", "_high", "_interval_method", "_least_without_one", "_most_without_one",
)  # fmt: skip


def records(found: Found, table: str) -> Records:
    """The records of a table; values that are not defined are empty."""
    made = {
        "correlations": lambda: _correlations(found.report),
        "ranks": lambda: _ranks(found.report),
        "top-k": lambda: _parts(found.report, "top"),
        "windows": lambda: _parts(found.report, "windows"),
        "comparisons": lambda: _comparisons(found),
        "beta": lambda: _betas(found),
    }[table]()
    return Records(made.header, [[_defined(value) for value in row] for row in made.rows])


def _defined(value: Value) -> Value:
    return None if isinstance(value, float) and math.isnan(value) else value


def _correlations(report: MetaReport) -> Records:
    """One record per metric and aggregation."""
    names = report.settings.coefficients
    coefficients = [f"{name}{suffix}" for name in names for suffix in _SUFFIXES]
    rows: list[list[Value]] = []
    for entry in report.metrics:
        values: list[Value] = []
        for name in names:
            found = entry.correlations[name]
            values += [
                found.value,
                *(found.interval or (None, None)),
                found.interval_method,
                *found.leave_one_out,
            ]
        pairs, systems = report.sentences[str(entry.metric)], entry.pairwise
        calibrated = pairs.calibrated
        front: list[Value] = [str(entry.metric), entry.aggregation]
        rows.append(
            [
                *front, *values, report.rank_difference(entry), pairs.accuracy, pairs.tau,
                systems.accuracy, systems.soft,
                *((calibrated.accuracy, calibrated.epsilon) if calibrated else (None, None)),
            ]
        )  # fmt: skip
    return Records(
        (
            "metric", "aggregation", *coefficients, "rank_difference", "accuracy", "pair_tau",
            "pairwise_accuracy", "soft_pairwise_accuracy", "acc_eq", "epsilon",
        ),
        rows,
    )  # fmt: skip


def _ranks(report: MetaReport) -> Records:
    """One record per system, metric and aggregation, and one per system for humans."""
    return Records(
        ("metric", "aggregation", "system", "score", "rank", "human_rank"),
        list(_rank_rows(report)),
    )


def _rank_rows(report: MetaReport) -> Iterator[list[Value]]:
    human = report.human_ranks().tolist()
    for entry in report.metrics:
        places = entry.ranks().tolist()
        for index, system in enumerate(report.systems):
            score = float(entry.scores[index])
            yield [
                str(entry.metric), entry.aggregation, system, score, places[index], human[index],
            ]  # fmt: skip


def _parts(report: MetaReport, kind: str) -> Records:
    """One record per metric, aggregation, coefficient and range of human ranks."""
    return Records(
        ("metric", "aggregation", "coefficient", "first_rank", "last_rank", "value"),
        [
            (str(entry.metric), entry.aggregation, name, part.first, part.last, part.value)
            for entry in report.metrics
            for name, parts in getattr(entry, kind).items()
            for part in parts
        ],
    )


def _comparisons(found: Found) -> Records:
    """One record per pair of metrics and aggregation."""
    names = (
        "first", "second", "difference", "williams_t", "williams_p", "permutation_p",
        "corrected_williams_p", "corrected_permutation_p", "decided_by", "simulated_p",
        "corrected_simulated_p",
    )  # fmt: skip
    return Records(
        ("aggregation", "first_metric", "second_metric", *names),
        [
            (pair.aggregation, *pair.metrics, *(getattr(pair, name) for name in names))
            for pair in found.comparisons
        ],
    )


def _betas(found: Found) -> Records:
    """One record per curve and β."""
    return Records(
        ("metric", "beta", "pearson"),
        [
            (label, beta, value)
            for label, values in found.curves.items()
            for beta, value in zip(found.betas, values, strict=True)
        ],
    )
