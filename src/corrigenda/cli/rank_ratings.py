"""`corrigenda rank --ratings`: systems by ratings of their outputs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from corrigenda.analysis.resolution import DEFAULT_CORRECTION, DEFAULT_RESAMPLES
from corrigenda.cli import options, render
from corrigenda.cli.rank_tables import (
    NO_INTERVALS,
    few_sentences,
    interval_text,
    power_records,
    power_table,
)
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
from corrigenda.errors import CorrigendaError, UsageError

if TYPE_CHECKING:
    from corrigenda.formats.ratings import Rating
    from corrigenda.human.ratings import RatedSystems


def run(args: argparse.Namespace) -> None:
    """Read the ratings, rank, print."""
    from corrigenda.formats.ratings import read_ratings
    from corrigenda.human.ratings import rank_ratings

    _check(args)
    ratings = _kept(read_ratings(args.judgments), args)
    with options.working(args):
        found = rank_ratings(
            ratings,
            resamples=DEFAULT_RESAMPLES if args.bootstrap is None else args.bootstrap,
            seed=args.seed,
            confidence=args.confidence,
        )
    render.output(
        args,
        data=lambda: {
            "systems": [asdict(system) for system in found.systems],
            "neighbours": [entry.to_dict() for entry in found.neighbours],
            "p_values": [
                {"system": one, "other": other, "p_value": value}
                for (one, other), value in found.p_values.items()
            ],
            "sentences": found.sentences,
            "judges": found.judges,
            "ratings": found.ratings,
        },
        records={
            "ranking": lambda: _records(found),
            "power": lambda: power_records(found.neighbours),
        },
        tables=lambda: _tables(found, args),
    )


def _check(args: argparse.Namespace) -> None:
    """Ratings are no rankings: what is about rankings is refused."""
    given = {
        "--method": args.method != "expected-wins",
        "--resample": args.resample != "sentences",
        "--by-judge": args.by_judge or args.table == "by-judge",
        "--head-to-head": args.head_to_head or args.table == "head-to-head",
        "--table agreement": args.table == "agreement",
    }
    if wrong := [option for option, found in given.items() if found]:
        raise UsageError(
            f"{wrong[0]} is about rankings, and --ratings reads ratings",
            remedy="Leave one of them out.",
        )


def _kept(ratings: Sequence[Rating], args: argparse.Namespace) -> list[Rating]:
    """The ratings of the chosen systems by the chosen judges; each of them must exist."""
    known = {"judge": {each.judge for each in ratings}, "system": {each.system for each in ratings}}
    for kind, names in (("judge", args.exclude_judge), ("system", args.systems or [])):
        if unknown := sorted(set(names) - known[kind]):
            raise CorrigendaError(
                f"there are no ratings of {unknown[0]!r}"
                if kind == "system"
                else f"there is no judge {unknown[0]!r}",
                remedy=f"The {kind}s are: {', '.join(sorted(known[kind]))}.",
            )
    return [
        each
        for each in ratings
        if each.judge not in args.exclude_judge
        and (not args.systems or each.system in args.systems)
    ]


def _tables(found: RatedSystems, args: argparse.Namespace) -> Iterator[Table]:
    yield _table(found, args)
    if args.power:
        yield power_table(found.neighbours, found.ratings / found.sentences, "ratings")


def _records(found: RatedSystems) -> Records:
    return Records(
        ("system", "score", "raw", "low", "high", "best_rank", "worst_rank", "cluster"),
        [
            (
                system.name, system.score, system.raw, *(system.interval or (None, None)),
                *system.ranks, system.cluster,
            )
            for system in found.systems
        ],
    )  # fmt: skip


def _table(found: RatedSystems, args: argparse.Namespace) -> Table:
    rows = []
    for place, system in enumerate(found.systems):
        following = found.systems[place + 1 : place + 2]
        interval = system.interval
        rows.append(
            Row(
                (
                    text(system.name),
                    number(system.score),
                    *(() if interval is None else (text(interval_text(interval)),)),
                    number(system.raw, 2),
                    rank_range(*system.ranks),
                    text(str(system.cluster)),
                ),
                ends_section=any(after.cluster != system.cluster for after in following),
            )
        )
    with_intervals = found.systems[0].interval is not None
    headings = ("z", *(("interval",) if with_intervals else ()), "rating", "ranks", "cluster")
    return Table(
        (key_column("system"), *map(Column, headings)),
        tuple(rows),
        notes=tuple(_notes(found, args, with_intervals=with_intervals)),
    )


def _notes(found: RatedSystems, args: argparse.Namespace, *, with_intervals: bool) -> Iterator[str]:
    """How much was rated, how the columns were made, and when not to trust them."""
    yield (
        f"{how_many(found.ratings, 'rating')} of {how_many(found.sentences, 'sentence')} by "
        f"{how_many(found.judges, 'judge')}; z: ratings normalised per judge"
    )
    if found.without_z:
        yield (
            f"caution: {how_many(found.without_z, 'judge')} gave one rating, or equal ratings; "
            "their z is 0"
        )
    if with_intervals:
        yield f"{100 * args.confidence:g} % intervals from resamples of sentences, seed {args.seed}"
        yield from few_sentences(found.sentences)
    elif args.bootstrap != 0:
        yield NO_INTERVALS
    yield (
        "ranks and clusters: Wilcoxon's signed-rank test of every pair, corrected "
        f"({DEFAULT_CORRECTION})"
    )
