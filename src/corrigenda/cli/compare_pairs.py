"""`corrigenda compare --pairs`: every pair of systems, and the groups that significant differences leave."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corrigenda.core.result import Result


def run(by_metric: list[list[Result]], args: argparse.Namespace) -> None:
    """Test and print, one metric after another."""
    groups = [_grouped(results, args) for results in by_metric]
    if args.format == "json":
        json.dump({"pairs": groups}, sys.stdout, ensure_ascii=False, indent=2)
        print()
    else:
        for group in groups:
            _print(group)


def _grouped(results: list[Result], args: argparse.Namespace) -> dict[str, Any]:
    """The systems, best first, with their ranges of ranks, clusters, and corrected p-values of all pairs."""
    import numpy as np

    from corrigenda.analysis.significance import adjusted, clusters, p_value_matrix, rank_ranges

    ordered = sorted(results, key=lambda result: -result.score)
    matrix = p_value_matrix(ordered, test=args.test, resamples=args.resamples, seed=args.seed)
    pairs = list(combinations(range(len(ordered)), 2))
    for (i, j), p_value in zip(
        pairs, adjusted([matrix[i, j] for i, j in pairs], args.correction), strict=True
    ):
        matrix[i, j] = matrix[j, i] = p_value
    ranges = rank_ranges([result.score for result in ordered], matrix, alpha=1 - args.confidence)
    how = f"test:{args.test}|resamples:{args.resamples}|seed:{args.seed}|choice:frozen|correction:{args.correction}"
    return {
        "metric": str(ordered[0].metric),
        "level": args.level,
        "systems": [
            {
                "system": result.system,
                "score": result.score,
                "ranks": list(rank),
                "cluster": cluster,
            }
            for result, rank, cluster in zip(ordered, ranges, clusters(ranges), strict=True)
        ],
        "p_values": np.round(matrix, 12).tolist(),
        "signature": f"{ordered[0].signature}|{how}",
    }


def _print(group: dict[str, Any]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from corrigenda.cli.leaderboard import percent

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("system", overflow="fold")
    for header in (group["metric"], "ranks", "cluster"):
        table.add_column(Text(header), justify="right")
    for number in range(1, len(group["systems"]) + 1):
        table.add_column(str(number), justify="right")
    clusters = [system["cluster"] for system in group["systems"]]
    for index, system in enumerate(group["systems"]):
        first, last = system["ranks"]
        p_values = [
            "" if other == index else f"{p:.3f}" for other, p in enumerate(group["p_values"][index])
        ]
        table.add_row(
            str(index + 1),
            Text(system["system"]),
            percent(system["score"]),
            str(first) if first == last else f"{first}–{last}",
            str(system["cluster"]),
            *p_values,
            end_section=clusters[index : index + 1] != clusters[index + 1 : index + 2],
        )
    console = Console(width=None if sys.stdout.isatty() else 1000, highlight=False)
    console.print(table)
    console.print(Text(group["signature"]), style="dim", soft_wrap=True)
