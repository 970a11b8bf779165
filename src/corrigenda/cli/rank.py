"""`corrigenda rank`: systems by human judgments."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from corrigenda.cli import options, render
from corrigenda.human.methods import METHODS

if TYPE_CHECKING:
    from corrigenda.human.agreement import AgreementReport
    from corrigenda.human.ranking import SystemRanking
    from corrigenda.judgments import Judgments

HELP = "rank systems by human judgments"
EXAMPLES = f"""\
examples:
  corrigenda rank sample                                # the bundled, invented judgments
  corrigenda rank judgments.xml
  corrigenda rank judgments.xml --resample judges+sentences --head-to-head
  corrigenda rank judgments.xml --method bradley-terry
  corrigenda rank judgments.csv --method trueskill --runs 200
  corrigenda rank judgments.jsonl --by-judge --format json
  corrigenda rank campaign.db                           # a campaign of `corrigenda judge`
  corrigenda rank ratings.csv --ratings                 # z per judge, Wilcoxon's test

formats: Appraise XML, WMT CSV (segmentId,judgeID,system1Id,system1rank,…), and JSON lines:
  {{"sentence": "12", "judge": "anna", "ranks": {{"A": 1, "B C": 2}}}}     # B and C are equal

Lines separate clusters: groups of systems whose ranges of ranks do not overlap.
CSV has one row per system; --table chooses another table.

{options.WIDTH_HELP}
"""
KINDS: tuple[Literal["between", "within"], ...] = ("between", "within")
_MOST_RUNS = 100_000
TABLES = ("ranking", "head-to-head", "by-judge", "agreement", "power")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "judgments", metavar="FILE", help="judgments; 'sample' for the bundled ones, '-' for stdin"
    )
    parser.add_argument(
        "--input-format", choices=("xml", "csv", "jsonl"), help="(default: from the file's name)"
    )
    parser.add_argument(
        "--exclude-judge", nargs="+", default=[], metavar="JUDGE", help="leave out these judges"
    )
    parser.add_argument("--systems", nargs="+", metavar="NAME", help="rank only these systems")
    parser.add_argument(
        "--ratings",
        action="store_true",
        help="the file has ratings (direct assessment): CSV with sentence,judge,system,score",
    )
    _add_ranking_arguments(parser.add_argument_group("the ranking"))
    group = parser.add_argument_group("what to print")
    group.add_argument(
        "--by-judge", action="store_true", help="also the ranking by each judge alone"
    )
    group.add_argument(
        "--head-to-head",
        action="store_true",
        help="also how often each system won against each other",
    )
    group.add_argument(
        "--power",
        action="store_true",
        help="also how many judged sentences it takes to tell neighbours apart",
    )
    options.add_format(group, tables=TABLES)


def _add_ranking_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--method",
        choices=tuple(METHODS),
        default="expected-wins",
        help="(default: expected-wins)",
    )
    options.add_bootstrap(
        group,
        "intervals and clusters from N resamples (default: 1000, by TrueSkill 100; 0: none)",
        default=None,
    )
    group.add_argument(
        "--resample",
        choices=("sentences", "judges+sentences", "rankings", "pairs"),
        default="sentences",
        help="what is drawn: sentences with all their rankings; sentences and judges; single "
        "rankings; or single pairs as in WMT (default: sentences)",
    )
    options.add_confidence(group)
    options.add_whole_number(
        group,
        "--runs",
        "repetitions of TrueSkill (default: 100)",
        least=1,
        most=_MOST_RUNS,
        default=100,
    )
    options.add_seed(group)


@dataclass(frozen=True)
class Ranked:
    """Judgments, and everything that was made of them."""

    judgments: Judgments
    ranking: SystemRanking
    by_judge: Mapping[str, SystemRanking]
    agreement: AgreementReport

    @property
    def agreement_of_methods(self) -> float:
        """Pearson's r of the scores and the Expected Wins; NaN where all are equal."""
        import numpy as np

        from corrigenda.human.expected_wins import expected_wins
        from corrigenda.meta.correlation import pearson

        scores = self.ranking.scores()
        pairs = self.ranking.pairs
        wins = expected_wins(pairs.wins())
        return float(pearson(np.array([scores[name] for name in pairs.systems]), wins))


def run(args: argparse.Namespace) -> None:
    """Read the judgments, rank, print."""
    from corrigenda.cli import rank_tables
    from corrigenda.human.agreement import agreement

    if args.ratings:
        from corrigenda.cli import rank_ratings

        rank_ratings.run(args)
        return
    judgments = _read(args)
    with options.working(args):
        found = Ranked(
            judgments,
            _rank(judgments, args, resamples=args.bootstrap),
            {
                judge: _rank(own, args, resamples=args.bootstrap or 0)
                for judge, own in judgments.by_judge().items()
            }
            if args.by_judge or args.table == "by-judge"
            else {},
            agreement(judgments),
        )
    render.output(
        args,
        data=lambda: _data(found),
        records={
            "ranking": lambda: rank_tables.ranking_records(found.ranking),
            "head-to-head": lambda: rank_tables.head_to_head_records(found.ranking),
            "by-judge": lambda: rank_tables.judge_records(found.by_judge),
            "agreement": lambda: rank_tables.agreement_records(found.agreement),
            "power": lambda: rank_tables.power_records(found.ranking.neighbours),
        },
        tables=lambda: rank_tables.tables(found, args),
    )


def _read(args: argparse.Namespace) -> Judgments:
    from corrigenda.data import SAMPLE
    from corrigenda.formats import judgments as judgments_format

    path = SAMPLE / "judgments.xml" if args.judgments == "sample" else args.judgments
    judgments = judgments_format.read(path, style=args.input_format).without_judges(
        args.exclude_judge
    )
    return judgments.of_systems(args.systems) if args.systems else judgments


def _rank(
    judgments: Judgments, args: argparse.Namespace, *, resamples: int | None
) -> SystemRanking:
    from corrigenda.human.ranking import rank

    return rank(
        judgments,
        args.method,
        resamples=resamples,
        unit=args.resample,
        confidence=args.confidence,
        runs=args.runs,
        seed=args.seed,
    )


def _data(found: Ranked) -> object:
    report = found.agreement
    return {
        "rankings": len(found.judgments),
        "skipped": found.judgments.skipped,
        "sentences": len(found.judgments.sentences),
        "judges": list(found.judgments.judges),
        **found.ranking.to_dict(),
        "by_judge": {judge: of_judge.to_dict() for judge, of_judge in found.by_judge.items()},
        "agreement": {
            kind: {
                "kappa": report.mean(kind),
                "weighted_kappa": report.mean(kind, weighted=True),
                "judges": [vars(entry) for entry in getattr(report, kind)],
            }
            for kind in KINDS
        },
    }
