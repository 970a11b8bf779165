"""`corrigenda rank --ratings`: systems by ratings of their outputs."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from corrigenda.analysis.resolution import DEFAULT_CORRECTION, DEFAULT_RESAMPLES
from corrigenda.cli import options, render
from corrigenda.cli.tables import (
    Column,
    Records,
    Row,
    Table,
    how_many,
    key_column,
    number,
    rank_range,
    text,
)

if TYPE_CHECKING:
    from corrigenda.human.ratings import RatedSystems


def run(args: argparse.Namespace) -> None:
    """Read the ratings, rank, print."""
    from corrigenda.formats.ratings import read_ratings
    from corrigenda.human.ratings import rank_ratings

    ratings = [
        rating
        for rating in read_ratings(args.judgments)
        if rating.judge not in args.exclude_judge
        and (not args.systems or rating.system in args.systems)
    ]
    with options.working(args):
        found = rank_ratings(
            ratings,
            resamples=DEFAULT_RESAMPLES if args.bootstrap is None else max(1, args.bootstrap),
            seed=args.seed,
            confidence=args.confidence,
        )
    render.output(
        args,
        data=lambda: {
            "systems": [asdict(system) for system in found.systems],
            "p_values": [
                {"system": one, "other": other, "p_value": value}
                for (one, other), value in found.p_values.items()
            ],
            "sentences": found.sentences,
            "judges": found.judges,
            "ratings": found.ratings,
        },
        records={"ranking": lambda: _records(found)},
        tables=lambda: [_table(found, args)],
    )


def _records(found: RatedSystems) -> Records:
    return Records(
        ("system", "score", "raw", "low", "high", "best_rank", "worst_rank", "cluster"),
        [
            (
                system.name, system.score, system.raw, *system.interval, *system.ranks,
                system.cluster,
            )
            for system in found.systems
        ],
    )  # fmt: skip


def _table(found: RatedSystems, args: argparse.Namespace) -> Table:
    rows = []
    for place, system in enumerate(found.systems):
        following = found.systems[place + 1 : place + 2]
        low, high = system.interval
        rows.append(
            Row(
                (
                    text(system.name),
                    number(system.score),
                    text(f"[{low:.3f}, {high:.3f}]"),
                    number(system.raw, 2),
                    rank_range(*system.ranks),
                    text(str(system.cluster)),
                ),
                ends_section=any(after.cluster != system.cluster for after in following),
            )
        )
    headings = ("z", "interval", "rating", "ranks", "cluster")
    return Table(
        (key_column("system"), *map(Column, headings)),
        tuple(rows),
        notes=(
            f"{how_many(found.ratings, 'rating')} of {how_many(found.sentences, 'sentence')} by "
            f"{how_many(found.judges, 'judge')}; z: ratings normalised per judge",
            f"{100 * args.confidence:g} % intervals from resamples of sentences, seed {args.seed}; "
            "ranks and clusters: Wilcoxon's signed-rank test of every pair, corrected "
            f"({DEFAULT_CORRECTION})",
        ),
    )
