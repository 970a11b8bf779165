"""What `corrigenda rank` prints: tables for people, records for CSV."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corrigenda.analysis.resolution import alpha_of
from corrigenda.cli.tables import (
    MISSING,
    Cell,
    Column,
    Records,
    Row,
    Table,
    Value,
    how_many,
    key_column,
    number,
    rank_range,
    text,
)
from corrigenda.human.methods import method_named

if TYPE_CHECKING:
    from corrigenda.cli.rank import Ranked
    from corrigenda.human.agreement import AgreementReport
    from corrigenda.human.ranking import NeighbourPower, RankedSystem, SystemRanking

_FEW_SENTENCES = 20
_MOST_UNDECIDED = 10
NO_INTERVALS = "no intervals: that needs judgments of two sentences or more"


def tables(found: Ranked, args: argparse.Namespace) -> Iterator[Table]:
    """The ranking, and the other tables that were asked for."""
    yield _ranking_table(found, args)
    if args.power:
        per_sentence = len(found.judgments) / max(1, len(found.judgments.sentences))
        yield power_table(found.ranking.neighbours, per_sentence, "rankings")
    if args.head_to_head:
        yield _head_to_head_table(found.ranking)
    if found.by_judge:
        yield _judge_table(found.ranking, found.by_judge)


def _ranking_table(found: Ranked, args: argparse.Namespace) -> Table:
    ranking = found.ranking
    with_intervals = ranking.systems[0].interval is not None
    extra = ("ranks", "cluster") if with_intervals else ()
    score = method_named(ranking.method).heading
    rows = []
    for place, system in enumerate(ranking.systems):
        following = ranking.systems[place + 1 : place + 2]
        ends = any(after.cluster != system.cluster for after in following)
        rows.append(Row(_ranking_cells(system), ends_section=ends))
    return Table(
        (
            Column("rank", key=True),
            key_column("system"),
            Column(score),
            *((Column("interval"),) if with_intervals else ()),
            *map(Column, extra),
        ),
        tuple(rows),
        notes=tuple(_notes(found, args)),
    )


def _ranking_cells(system: RankedSystem) -> tuple[Cell, ...]:
    cells = (text(str(system.rank)), text(system.name), number(system.score))
    if system.interval is None or system.rank_interval is None:
        return cells
    best, worst = system.rank_interval
    return (
        *cells,
        text(interval_text(system.interval)),
        rank_range(best, worst),
        text(str(system.cluster)),
    )


def interval_text(interval: tuple[float, float]) -> str:
    """An interval as tables show it."""
    low, high = interval
    return f"[{low:.3f}, {high:.3f}]"


def _notes(found: Ranked, args: argparse.Namespace) -> Iterator[str]:
    """How much was judged, how the scores were made, and how far judges agree."""
    judgments, ranking = found.judgments, found.ranking
    pairs = ranking.pairs
    skipped = f" ({judgments.skipped} items without ranks left out)" if judgments.skipped else ""
    yield (
        f"{how_many(len(judgments), 'ranking')} of "
        f"{how_many(len(judgments.sentences), 'sentence')} by "
        f"{how_many(len(judgments.judges), 'judge')}{skipped}: "
        f"{how_many(len(pairs), 'pair')} of systems, "
        f"{len(pairs) - pairs.ties:,} decided, {pairs.ties:,} tied"
    )
    yield from _undecided(ranking)
    if method_named(ranking.method).repeats:
        yield f"score: mean of {args.runs} runs, seed {args.seed}"
    if ranking.resampling is not None:
        drawn = ranking.resampling.unit.replace("+", " and ")
        yield (
            f"{100 * args.confidence:g} % intervals from {ranking.resampling.resamples} resamples "
            f"of {drawn}, seed {args.seed}; systems of different clusters have ranges of "
            "ranks that do not overlap"
        )
    yield from _cautions(found, args)
    if ranking.method != "expected-wins" and len(ranking.systems) > 2:
        of_methods = found.agreement_of_methods
        if not math.isnan(of_methods):
            yield f"Pearson r with Expected Wins: {of_methods:.3f}"
    yield from _agreement_notes(found.agreement)


def _undecided(ranking: SystemRanking) -> Iterator[str]:
    """The first pairs of systems that were never decided, and how many more there are."""
    counted = ", counted as 0" if ranking.method == "expected-wins" else ""
    for first, second in ranking.undecided[:_MOST_UNDECIDED]:
        yield f"never decided{counted}: {first} and {second}"
    if (more := len(ranking.undecided) - _MOST_UNDECIDED) > 0:
        yield f"never decided{counted}: {how_many(more, 'more pair')} of systems (--format json)"


def _cautions(found: Ranked, args: argparse.Namespace) -> Iterator[str]:
    """When not to trust the scores and the intervals."""
    ranking = found.ranking
    if len(ranking.connected) > 1:
        yield (
            f"caution: no judgments connect {_groups(ranking.connected)}: scores of different "
            "groups do not compare"
        )
    if ranking.method == "bradley-terry":
        for group in ranking.connected:
            ordered = [part for part in ranking.ordered if part[0] in group]
            if len(ordered) > 1:
                yield (
                    f"caution: no win is against the order {_groups(ordered)}: how far apart the "
                    "strengths of these groups are is not known"
                )
    sentences = len(found.judgments.sentences)
    if found.ranking.resampling is None:
        if args.bootstrap != 0:
            yield NO_INTERVALS
        return
    yield from few_sentences(sentences)
    # If none of n sentences does something, a share of -ln(α)/n of all may do it (rule of three).
    otherwise = min(1.0, -math.log(alpha_of(args.confidence)) / sentences)
    if any(
        system.interval and f"{system.interval[0]:.3f}" == f"{system.interval[1]:.3f}"
        for system in found.ranking.systems
    ):
        yield (
            "an interval without width: no judged sentence says otherwise, which is not certainty "
            f"(up to {100 * otherwise:.0f} % of all sentences may)"
        )


def _groups(groups: Sequence[Sequence[str]]) -> str:
    return " / ".join(" ".join(group) for group in groups)


def few_sentences(sentences: int) -> Iterator[str]:
    """A caution about intervals from few sentences."""
    if sentences < _FEW_SENTENCES:
        yield (
            f"caution: {how_many(sentences, 'sentence')} are few; intervals from so few resampled "
            "sentences are too narrow"
        )


def _agreement_notes(report: AgreementReport) -> Iterator[str]:
    for kind, entries in (("between", report.between), ("within", report.within)):
        plain = report.mean("between" if kind == "between" else "within")
        weighted = report.mean("between" if kind == "between" else "within", weighted=True)
        if plain is None or weighted is None:
            yield f"agreement {kind} judges: too few comparisons of the same outputs"
        else:
            shared = sum(entry.comparisons for entry in entries)
            yield (
                f"agreement {kind} judges: κ {plain:.3f}, weighted κ {weighted:.3f} "
                f"({shared:,} comparisons)"
            )


def _head_to_head_table(ranking: SystemRanking) -> Table:
    names = [system.name for system in ranking.systems]
    places = [ranking.pairs.systems.index(name) for name in names]
    wins = ranking.pairs.wins()

    def share(row: int, column: int) -> Cell:
        decided = wins[row, column] + wins[column, row]
        if row == column:
            return Cell("")
        return Cell(f"{wins[row, column] / decided:.2f}" if decided else MISSING)

    return Table(
        (key_column(""), *map(Column, names)),
        tuple(
            Row((text(name), *(share(row, column) for column in places)))
            for name, row in zip(names, places, strict=True)
        ),
        title="won against (row against column), of decided pairs",
    )


def _judge_table(ranking: SystemRanking, by_judge: Mapping[str, SystemRanking]) -> Table:
    scores = {judge: of_judge.scores() for judge, of_judge in by_judge.items()}
    rows = [
        Row((text(name), *(number(of_judge.get(name)) for of_judge in scores.values())))
        for name in (system.name for system in ranking.systems)
    ]
    counts = (text(f"{len(of_judge.pairs):,}") for of_judge in by_judge.values())
    return Table(
        (key_column("system"), *map(Column, by_judge)),
        (*rows, Row((text("pairs", "faint"), *counts))),
        title="by judge",
    )


def power_table(neighbours: Sequence[NeighbourPower], per_sentence: float, judgments: str) -> Table:
    """How sure the order of every two neighbours is, and how many sentences it takes."""
    from corrigenda.analysis.power import WANTED_POWER
    from corrigenda.errors import UsageError

    if not neighbours:
        raise UsageError(
            "--power needs resamples of two judged sentences or more",
            remedy="Leave --bootstrap 0 out, or judge more sentences.",
        )
    rows = []
    for entry in neighbours:
        power = entry.power
        more = power.more
        rows.append(
            Row(
                (
                    text(f"{entry.better} – {entry.worse}"),
                    number(power.difference),
                    number(power.spread),
                    number(power.power, 2),
                    text("" if power.needed is None else f"{power.needed:,}"),
                    text("" if more is None else f"{round(more * per_sentence):,}"),
                )
            )
        )
    headings = ("difference", "standard error", "power", "sentences", f"more {judgments}")
    return Table(
        (key_column("neighbours"), *map(Column, headings)),
        tuple(rows),
        title="power: to tell neighbours apart",
        notes=(
            "power: the chance to find a true difference of this size with the judged sentences; "
            f"sentences: how many find it with power {WANTED_POWER:g}, judged as often as now",
        ),
    )


def power_records(neighbours: Sequence[NeighbourPower]) -> Records:
    """One record per two neighbours."""
    names = ("difference", "spread", "units", "power", "smallest_difference", "needed")
    return Records(
        ("better", "worse", *names),
        [
            (entry.better, entry.worse, *(getattr(entry.power, name) for name in names))
            for entry in neighbours
        ],
    )


def ranking_records(ranking: SystemRanking) -> Records:
    """One record per system; intervals are empty with --bootstrap 0."""
    return Records(
        ("rank", "system", "score", "low", "high", "best_rank", "worst_rank", "cluster", "method"),
        [
            (
                system.rank,
                system.name,
                system.score,
                *(system.interval or (None, None)),
                *(system.rank_interval or (None, None)),
                system.cluster,
                ranking.method,
            )
            for system in ranking.systems
        ],
    )


def head_to_head_records(ranking: SystemRanking) -> Records:
    """One record per ordered pair of systems."""
    names = ranking.pairs.systems
    wins, ties = ranking.pairs.wins(), ranking.pairs.tied()
    return Records(
        ("system", "other", "wins", "losses", "ties"),
        [
            (name, other, int(wins[i, j]), int(wins[j, i]), int(ties[i, j]))
            for i, name in enumerate(names)
            for j, other in enumerate(names)
            if i != j
        ],
    )


def judge_records(by_judge: Mapping[str, SystemRanking]) -> Records:
    """One record per judge and system."""
    return Records(
        ("judge", "rank", "system", "score"),
        [
            (judge, system.rank, system.name, system.score)
            for judge, ranking in by_judge.items()
            for system in ranking.systems
        ],
    )


def agreement_records(report: AgreementReport) -> Records:
    """One record per pair of judges, and per judge with itself."""
    rows: list[list[Value]] = [
        [kind, entry.first, entry.second, entry.comparisons, entry.kappa, entry.weighted_kappa]
        for kind, entries in (("between", report.between), ("within", report.within))
        for entry in entries
    ]
    return Records(("kind", "first", "second", "comparisons", "kappa", "weighted_kappa"), rows)
