"""`corrigenda meta --attacks`: what metrics give to outputs that they should not like."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, options, render, tables
from corrigenda.cli.labels import labels
from corrigenda.cli.tables import Cell, Column, Mark, Records, Row, Table
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.core.metric import Level, Metric
    from corrigenda.corpus import Corpus, Hypotheses
    from corrigenda.meta.attacks import Robustness
    from corrigenda.meta.benchmark import Benchmark

_ANALYSES = {
    "compare": "--compare", "top_k": "--top-k", "window": "--window", "beta_sweep": "--beta-sweep",
    "plots": "--plots", "ranks": "--ranks", "table": "--table", "aggregate": "--aggregate",
    "attacks": "--attacks", "edit_labels": "--edit-labels",
}  # fmt: skip


def refuse_other_analyses(args: argparse.Namespace, flag: str) -> None:
    """`flag` asks for a table of its own, which does not go with other analyses."""
    for name, option in _ANALYSES.items():
        if option != flag and getattr(args, name, None):
            raise UsageError(
                f"{flag} and {option} are both given", remedy="Ask for one after the other."
            )


def run(args: argparse.Namespace, benchmark: Benchmark | None) -> None:
    """Score the attacks beside the systems of a benchmark, or of a corpus of one's own.

    Attacks need no judgments.
    """
    from corrigenda.meta.attacks import robustness

    levels: tuple[Level, ...] = ("corpus", "sentence") if args.level == "both" else (args.level,)
    metrics = options.metrics_of(args)
    corpus_for, systems = _parts(args, benchmark)
    with options.working(args):
        found = [
            each
            for level in levels
            for each in robustness(
                metrics, corpus_for, systems, level=level, seed=args.seed, threads=args.threads
            )
        ]
    render.output(
        args,
        data=lambda: {"attacks": _described(), "metrics": [each.to_dict() for each in found]},
        records={"attacks": lambda: _records(found)},
        tables=lambda: _tables(found),
    )


def _parts(
    args: argparse.Namespace, benchmark: Benchmark | None
) -> tuple[Callable[[Metric], Corpus], Sequence[Hypotheses]]:
    if benchmark is not None:
        return benchmark.corpus_for, benchmark.outputs(benchmark.subset(args.systems))
    inputs.check_corpus_arguments(args)
    inputs.require_systems(args)
    corpus, systems = inputs.read_corpus(args)
    return lambda _: corpus, systems


def _described() -> dict[str, str]:
    from corrigenda.meta.attacks import ATTACKS

    return {name: description for name, (description, _) in ATTACKS.items()}


def _records(found: Sequence[Robustness]) -> Records:
    rows = [
        (str(each.metric), each.level, attack.attack, attack.score, attack.rank,
         attack.above_median, each.median)
        for each in found
        for attack in each.attacks
    ]  # fmt: skip
    header = ("metric", "level", "attack", "score", "rank", "above_median", "median")
    return Records(header, rows)


def _tables(found: Sequence[Robustness]) -> Iterator[Table]:
    names = labels([each.metric for each in found])
    several = len({each.level for each in found}) > 1
    headings = [
        f"{names[str(each.metric)]}{f', {each.level}' if several else ''}" for each in found
    ]
    described = _described()
    count = len(found[0].systems)
    rows = [
        Row(
            (
                tables.text(name),
                *(_cell(each, place) for each in found),
                tables.text(description, "faint"),
            )
        )
        for place, (name, description) in enumerate(described.items())
    ]
    rows.append(
        Row(
            (
                tables.text("median"),
                *(Cell(f"{100 * each.median:.2f}") for each in found),
                tables.text(f"the median of the {count} real systems", "faint"),
            )
        )
    )
    columns = (
        tables.key_column("attack"),
        *(Column(heading) for heading in headings),
        Column("output", left=True, wraps=True),
    )
    fooled = [
        f"{heading}: {', '.join(each.fooled_by)}"
        for heading, each in zip(headings, found, strict=True)
        if each.fooled_by
    ]
    notes = [f"scores × 100; in brackets, the rank that the attack has among {count} systems"]
    if fooled:
        notes.append(f"ranked above the median system: {'; '.join(fooled)}")
    else:
        notes.append("no attack is ranked above the median system")
    yield Table(
        columns,
        tuple(rows),
        "Attacks: outputs that no metric should like",
        tuple(notes),
        mark=Mark("above the median system", "!"),
    )


def _cell(each: Robustness, place: int) -> Cell:
    attack = each.attacks[place]
    text = f"{100 * attack.score:.2f} ({attack.rank})"
    return Cell(
        text, significant=attack.above_median, tone="bad" if attack.above_median else "plain"
    )
