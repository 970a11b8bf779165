"""`corrigenda compare --pairs`: every pair of systems, and the groups that the tests leave."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from corrigenda.analysis.resolution import is_significant
from corrigenda.cli import findings, options, render
from corrigenda.cli.compare import signature_of_test, significance_mark
from corrigenda.cli.labels import labels
from corrigenda.cli.tables import (
    Cell,
    Column,
    Records,
    Row,
    Table,
    key_column,
    percent,
    probability,
    rank_range,
    text,
)

if TYPE_CHECKING:
    from corrigenda.core.result import Result


@dataclass(frozen=True)
class TestedSystem:
    """A system with its best and worst rank, and the cluster that it belongs to."""

    system: str
    score: float
    ranks: tuple[int, int]
    cluster: int


@dataclass(frozen=True)
class PairedSystems:
    """All systems by one metric, best first, with the corrected p-values of every pair."""

    metric: str
    level: str
    systems: list[TestedSystem]
    p_values: list[list[float]]
    signature: str


def run(by_metric: list[list[Result]], args: argparse.Namespace) -> None:
    """Test and print, one metric after another."""
    with options.working(args):
        groups = [_paired(results, args) for results in by_metric]
    headings = labels([results[0].metric for results in by_metric])
    render.output(
        args,
        data=lambda: {
            "health": findings.data(each for results in by_metric for each in results),
            "pairs": [asdict(group) for group in groups],
        },
        records={"systems": lambda: _systems(groups), "p-values": lambda: _p_values(groups)},
        tables=lambda: [_table(group, headings[group.metric], args) for group in groups],
    )


def _paired(results: list[Result], args: argparse.Namespace) -> PairedSystems:
    import numpy as np

    from corrigenda.analysis.all_pairs import clusters, pair_p_values, rank_ranges
    from corrigenda.analysis.resolution import alpha_of, enough_resamples
    from corrigenda.analysis.significance import adjusted

    ordered = sorted(results, key=lambda result: -result.score)
    names = ("test", "resamples", "seed", "confidence", "correction")
    pairs = list(combinations(range(len(ordered)), 2))
    p_values, hypotheses = pair_p_values(
        ordered, pairs, **{name: getattr(args, name) for name in names}
    )
    corrected = adjusted(p_values, args.correction, hypotheses)
    matrix = np.ones((len(ordered), len(ordered)))
    for (i, j), p_value in zip(pairs, corrected, strict=True):
        matrix[i, j] = matrix[j, i] = p_value
    ranges = rank_ranges([result.score for result in ordered], matrix, alpha_of(args.confidence))
    return PairedSystems(
        metric=str(ordered[0].metric),
        level=args.level,
        systems=[
            TestedSystem(result.system, result.score, ranks, cluster)
            for result, ranks, cluster in zip(ordered, ranges, clusters(ranges), strict=True)
        ],
        p_values=np.round(matrix, 12).tolist(),
        signature=signature_of_test(
            ordered[0],
            enough_resamples(args.resamples, len(pairs), args.correction, args.confidence),
            args,
        ),
    )


def _systems(groups: Sequence[PairedSystems]) -> Records:
    return Records(
        ("metric", "level", "system", "score", "best_rank", "worst_rank", "cluster", "signature"),
        [
            (
                group.metric,
                group.level,
                system.system,
                system.score,
                *system.ranks,
                system.cluster,
                group.signature,
            )
            for group in groups
            for system in group.systems
        ],
    )


def _p_values(groups: Sequence[PairedSystems]) -> Records:
    return Records(
        ("metric", "level", "system", "other", "p_value", "signature"),
        [
            (
                group.metric,
                group.level,
                one.system,
                other.system,
                group.p_values[i][j],
                group.signature,
            )
            for group in groups
            for (i, one), (j, other) in combinations(enumerate(group.systems), 2)
        ],
    )


def _table(group: PairedSystems, heading: str, args: argparse.Namespace) -> Table:
    front = "" if heading == group.metric else f"{heading}: "
    return Table(
        (
            Column("", key=True),
            key_column("system"),
            Column(heading),
            Column("ranks"),
            Column("cluster"),
            *(Column(str(place + 1)) for place in range(len(group.systems))),
        ),
        tuple(_row(group, index, args.confidence) for index in range(len(group.systems))),
        notes=("columns 1, 2, …: p-values against the system of that number",),
        signatures=(f"{front}{group.signature}",),
        mark=significance_mark("the two systems differ", args),
    )


def _row(group: PairedSystems, index: int, confidence: float) -> Row:
    system = group.systems[index]
    following = group.systems[index + 1 : index + 2]
    p_values = [
        Cell("")
        if other == index
        else probability(p_value, 3, significant=is_significant(p_value, confidence))
        for other, p_value in enumerate(group.p_values[index])
    ]
    return Row(
        (
            text(str(index + 1)),
            text(system.system),
            percent(system.score),
            rank_range(*system.ranks),
            text(str(system.cluster)),
            *p_values,
        ),
        ends_section=any(after.cluster != system.cluster for after in following),
    )
