"""What `corrigenda judge status` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from corrigenda.cli import render
from corrigenda.cli.display import say
from corrigenda.cli.tables import (
    Column,
    Row,
    Table,
    count,
    key_column,
    number,
    rank_range,
    text,
)

if TYPE_CHECKING:
    from corrigenda.judge.overview import Overview


def print_overview(found: Overview) -> None:
    """Facts, then tables."""
    say(f"{found.title} ({found.mode})")
    say(
        f"  {found.judgments} judgments, {found.taken} of {found.places} places taken, "
        f"{found.skipped} skipped, {found.open_leases} open"
    )
    agreed = found.sentences.get("agreed", 0)
    if agreed:
        say(
            f"  {agreed} sentences on which all agree: "
            f"{found.tied_pairs_without_judging} tied pairs without judging"
        )
    say(f"  agreement κ: {_kappa(found.kappa_between)} between judges, ", end="")
    say(f"{_kappa(found.kappa_within)} within judges")
    if found.stop != "none":
        rule = "all neighbours apart" if found.stop == "apart" else f"{found.stop} judgments"
        say(f"  stop rule ({rule}): {'reached' if found.stop_reached else 'not reached yet'}")
    for table in _tables(found):
        say()
        render.print_tables([table], "table")


def _kappa(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _tables(found: Overview) -> Iterator[Table]:
    if found.bradley_terry:
        yield _ranking_table(found)
    if found.judges:
        yield _judge_table(found)


def _ranking_table(found: Overview) -> Table:
    wins = {system.name: system.score for system in found.expected_wins}
    apart = {each.better: each.apart for each in found.neighbours}
    rows = []
    for place, system in enumerate(found.bradley_terry):
        following = found.bradley_terry[place + 1 : place + 2]
        assert system.rank_interval is not None
        rows.append(
            Row(
                (
                    text(str(system.rank)),
                    text(system.name),
                    number(system.score, 2, interval=system.interval),
                    rank_range(*system.rank_interval),
                    number(wins[system.name]),
                    text({True: "yes", False: "not yet", None: ""}[apart.get(system.name)]),
                ),
                ends_section=any(after.cluster != system.cluster for after in following),
            )
        )
    return Table(
        (
            Column("rank", key=True),
            key_column("system"),
            Column("strength"),
            Column("ranks"),
            Column("expected wins"),
            Column("apart from the next"),
        ),
        tuple(rows),
        notes=("Bradley-Terry strengths with 95 % intervals over sentences; lines: clusters",),
    )


def _judge_table(found: Overview) -> Table:
    rows = [
        Row(
            (
                text(each.name),
                count(each.answers),
                count(each.skipped),
                number(each.median_seconds, 1),
                number(each.kappa_within, 2),
                text(f"{each.failed_controls} of {each.controls}"),
            )
        )
        for each in found.judges
    ]
    return Table(
        (
            key_column("judge"),
            Column("answers"),
            Column("skipped"),
            Column("median s"),
            Column("κ within"),
            Column("controls failed"),
        ),
        tuple(rows),
    )
