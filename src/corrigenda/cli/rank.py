"""`corrigenda rank`: systems by human judgments."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, Literal

from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from corrigenda.human.agreement import AgreementReport
    from corrigenda.human.ranking import SystemRanking
    from corrigenda.judgments import Judgments

HELP = "rank systems by human judgments"
EXAMPLES = """\
examples:
  corrigenda rank sample                                # the bundled, invented judgments
  corrigenda rank judgments.xml
  corrigenda rank judgments.xml --bootstrap 1000 --head-to-head
  corrigenda rank judgments.csv --method trueskill --runs 200
  corrigenda rank judgments.jsonl --by-judge --format json

formats: Appraise XML, WMT CSV (segmentId,judgeID,system1Id,system1rank,…), and JSON lines:
  {"sentence": "12", "judge": "anna", "ranks": {"A": 1, "B C": 2}}      B and C gave the same output
"""
KINDS: tuple[Literal["between", "within"], ...] = ("between", "within")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "judgments", metavar="FILE", help="judgments; 'sample' for the bundled ones, '-' for stdin"
    )
    parser.add_argument(
        "--input-format", choices=("xml", "csv", "jsonl"), help="(default: from the file's name)"
    )
    parser.add_argument(
        "--exclude-judge", nargs="+", default=[], metavar="JUDGE", help="leave out some judges"
    )
    parser.add_argument("--systems", nargs="+", metavar="NAME", help="only these systems")
    group = parser.add_argument_group("the ranking")
    group.add_argument("--method", choices=("expected-wins", "trueskill"), default="expected-wins")
    group.add_argument(
        "--bootstrap",
        type=int,
        default=0,
        metavar="N",
        help="intervals and clusters from N resamples",
    )
    group.add_argument(
        "--resample",
        choices=("rankings", "pairs"),
        default="rankings",
        help="what is drawn: whole rankings, or single pairs as in WMT (default: rankings)",
    )
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="C", help="(default: 0.95)"
    )
    group.add_argument(
        "--runs", type=int, default=100, metavar="N", help="repetitions of TrueSkill (default: 100)"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    group = parser.add_argument_group("what to print")
    group.add_argument(
        "--by-judge", action="store_true", help="also the ranking by each judge alone"
    )
    group.add_argument(
        "--head-to-head", action="store_true", help="also who won how often against whom"
    )
    group.add_argument(
        "--format", "-f", choices=("table", "json"), default="table", help="(default: table)"
    )


def run(args: argparse.Namespace) -> None:
    """Read the judgments, rank, print."""
    from corrigenda.human.agreement import agreement

    _check(args)
    judgments = _read(args)
    ranking = _rank(judgments, args)
    by_judge = (
        {judge: _rank(judgments.of_judge(judge), args) for judge in judgments.judges}
        if args.by_judge
        else {}
    )
    report = agreement(judgments)
    if args.format == "json":
        _print_json(judgments, ranking, by_judge, report)
    else:
        _print_tables(judgments, ranking, by_judge, report, args)


def _check(args: argparse.Namespace) -> None:
    if args.bootstrap < 0 or args.runs < 1 or args.seed < 0:
        raise UsageError("--bootstrap and --seed take numbers from 0, --runs from 1")
    if not 0 < args.confidence < 1:
        raise UsageError(
            f"--confidence is {args.confidence}",
            remedy="It takes a number between 0 and 1, e.g. 0.95.",
        )


def _read(args: argparse.Namespace) -> Judgments:
    from corrigenda.data import SAMPLE
    from corrigenda.formats import judgments as judgments_format

    path = SAMPLE / "judgments.xml" if args.judgments == "sample" else args.judgments
    judgments = judgments_format.read(path, style=args.input_format).without_judges(
        args.exclude_judge
    )
    return judgments.of_systems(args.systems) if args.systems else judgments


def _rank(judgments: Judgments, args: argparse.Namespace) -> SystemRanking:
    from corrigenda.human.ranking import rank

    return rank(
        judgments,
        args.method,
        resamples=args.bootstrap,
        unit=args.resample,
        confidence=args.confidence,
        runs=args.runs,
        seed=args.seed,
    )


def _print_json(
    judgments: Judgments,
    ranking: SystemRanking,
    by_judge: dict[str, SystemRanking],
    report: AgreementReport,
) -> None:
    data: dict[str, Any] = {
        "rankings": len(judgments),
        "skipped": judgments.skipped,
        "sentences": len(judgments.sentences),
        "judges": list(judgments.judges),
        **ranking.to_dict(),
        "by_judge": {judge: of_judge.to_dict() for judge, of_judge in by_judge.items()},
        "agreement": {
            kind: {
                "kappa": report.mean(kind),
                "weighted_kappa": report.mean(kind, weighted=True),
                "judges": [vars(entry) for entry in getattr(report, kind)],
            }
            for kind in KINDS
        },
    }
    json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
    print()


def _print_tables(
    judgments: Judgments,
    ranking: SystemRanking,
    by_judge: dict[str, SystemRanking],
    report: AgreementReport,
    args: argparse.Namespace,
) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
    _print_ranking(console, ranking)
    decided = len(ranking.pairs) - ranking.pairs.ties
    skipped = f" ({judgments.skipped} items without ranks left out)" if judgments.skipped else ""
    console.print(
        f"{len(judgments):,} rankings of {len(judgments.sentences):,} sentences by {len(judgments.judges)} judges"
        f"{skipped}: {len(ranking.pairs):,} pairs of systems, {decided:,} decided, {ranking.pairs.ties:,} tied"
    )
    for first, second in ranking.undecided:
        console.print(f"never decided, counted 0: {first} and {second}", style="yellow")
    if args.method == "trueskill":
        console.print(f"score: mean μ of {args.runs} runs, seed {args.seed}", style="dim")
    if args.bootstrap:
        console.print(
            f"{100 * args.confidence:g}% intervals from {args.bootstrap} resamples of {args.resample}, seed {args.seed};"
            " clusters: systems whose intervals of ranks are linked by overlaps",
            style="dim",
        )
    _print_agreement(console, report)
    if args.head_to_head:
        _print_head_to_head(console, ranking)
    if by_judge:
        _print_by_judge(console, ranking, by_judge)


def _print_ranking(console: Console, ranking: SystemRanking) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("system")
    table.add_column(
        "expected wins" if ranking.method == "expected-wins" else "TrueSkill μ", justify="right"
    )
    with_intervals = ranking.systems[0].interval is not None
    for header in ("interval", "ranks", "cluster") if with_intervals else ():
        table.add_column(header, justify="right")
    for place, system in enumerate(ranking.systems):
        cells: list[str | Text] = [str(system.rank), Text(system.name), f"{system.score:.3f}"]
        if system.interval and system.rank_interval:
            cells += [
                "{:.3f} … {:.3f}".format(*system.interval),
                "{}–{}".format(*system.rank_interval),
            ]
            cells.append(str(system.cluster))
        following = ranking.systems[place + 1 : place + 2]
        table.add_row(
            *cells, end_section=any(later.cluster != system.cluster for later in following)
        )
    console.print(table)


def _print_agreement(console: Console, report: AgreementReport) -> None:
    for kind in KINDS:
        plain, weighted = report.mean(kind), report.mean(kind, weighted=True)
        if plain is None or weighted is None:
            console.print(f"agreement {kind} judges: too few comparisons of the same outputs")
        else:
            shared = sum(entry.comparisons for entry in getattr(report, kind))
            console.print(
                f"agreement {kind} judges: κ {plain:.3f}, weighted κ {weighted:.3f} ({shared:,} comparisons)"
            )


def _print_head_to_head(console: Console, ranking: SystemRanking) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    names = [system.name for system in ranking.systems]
    places = [ranking.pairs.systems.index(name) for name in names]
    wins = ranking.pairs.wins()
    table = Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        title="won against (row against column), of decided pairs",
        title_justify="left",
    )
    table.add_column("")
    for name in names:
        table.add_column(Text(name), justify="right")
    for name, row in zip(names, places, strict=True):
        cells = []
        for column in places:
            decided = wins[row, column] + wins[column, row]
            cells.append(
                "" if row == column else f"{wins[row, column] / decided:.2f}" if decided else "–"
            )
        table.add_row(Text(name), *cells)
    console.print(table)


def _print_by_judge(
    console: Console, ranking: SystemRanking, by_judge: dict[str, SystemRanking]
) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="by judge", title_justify="left")
    table.add_column("system")
    for judge in by_judge:
        table.add_column(Text(judge), justify="right")
    scores = {judge: of_judge.scores() for judge, of_judge in by_judge.items()}
    for system in ranking.systems:
        values = (of_judge.get(system.name) for of_judge in scores.values())
        table.add_row(
            Text(system.name), *("–" if value is None else f"{value:.3f}" for value in values)
        )
    counts = (f"{len(of_judge.pairs):,}" for of_judge in by_judge.values())
    table.add_row(Text("pairs", "dim"), *counts)
    console.print(table)
