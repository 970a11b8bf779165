"""`corrigenda meta --edit-labels`: metrics against what judges said of single edits."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from corrigenda import progress
from corrigenda.cli import inputs, options, render, tables
from corrigenda.cli.labels import labels
from corrigenda.cli.meta_attacks import refuse_other_analyses
from corrigenda.cli.tables import Column, Mark, Records, Row, Table
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.core.metric import Metric
    from corrigenda.corpus import Corpus
    from corrigenda.formats.edit_labels import EditLabels
    from corrigenda.meta.benchmark import Benchmark
    from corrigenda.meta.edit_level import EditAgreement


def check(args: argparse.Namespace) -> None:
    """Edits alone need neither systems nor rankings, and do not go with other analyses."""
    refuse_other_analyses(args, "--edit-labels")
    for given, option in ((args.hyps, "--hyps"), (args.judgments, "--judgments")):
        if given:
            raise UsageError(
                f"--edit-labels and {option} are both given",
                remedy="Labelled edits are put into the sources. No outputs are needed.",
            )


def run(args: argparse.Namespace, benchmark: Benchmark | None) -> None:
    """Score each labelled edit alone, and compare with the majority of the judges."""
    from corrigenda.formats.edit_labels import read_edit_labels
    from corrigenda.meta.edit_attribution import edits_alone
    from corrigenda.meta.edit_level import edit_agreement

    metrics = options.metrics_of(args)
    own = None if benchmark is not None else _own_corpus(args)
    found = {}
    with options.working(args):
        given = read_edit_labels(args.edit_labels)
        if given.problems:
            progress.note(
                f"outputs with marks that cannot be read are left out: {len(given.problems)}; "
                f"the first: {given.problems[0]}"
            )
        majority = given.majority()
        for metric in progress.each("metrics", metrics, str):
            corpus = own or benchmark.corpus_for(metric)  # type: ignore[union-attr]
            found[metric] = edit_agreement(
                edits_alone(corpus, metric, majority, threads=args.threads),
                majority,
                resamples=args.bootstrap,
                seed=args.seed,
                confidence=args.confidence,
            )
    render.output(
        args,
        data=lambda: _data(found, given),
        records={"edits": lambda: _records(found)},
        tables=lambda: _tables(found, given),
    )


def _own_corpus(args: argparse.Namespace) -> Corpus:
    inputs.check_corpus_arguments(args)
    return inputs.read_corpus(args)[0]


def _data(found: Mapping[Metric, EditAgreement], given: EditLabels) -> object:
    return {
        "judges": sorted({label.judge for label in given.labels}),
        "left_out": [str(problem) for problem in given.problems],
        "metrics": [
            {"metric": str(metric), **agreement.to_dict()} for metric, agreement in found.items()
        ],
    }


def _records(found: Mapping[Metric, EditAgreement]) -> Records:
    rows = [
        (str(metric), each.edits, each.right, each.unscored, each.auc, *each.auc_interval,
         each.accuracy, each.accuracy_chance)
        for metric, each in found.items()
    ]  # fmt: skip
    header = ("metric", "edits", "right", "unscored", "auc", "auc_low", "auc_high", "accuracy",
              "accuracy_chance")  # fmt: skip
    return Records(header, rows)


def _tables(found: Mapping[Metric, EditAgreement], given: EditLabels) -> Iterator[Table]:
    names = labels(list(found))
    rows = [
        Row(
            (
                tables.text(names[str(metric)]),
                tables.number(each.auc, interval=each.auc_interval, significant=each.beats_chance),
                tables.number(each.accuracy),
                tables.count(each.edits),
            )
        )
        for metric, each in found.items()
    ]
    first = next(iter(found.values()))
    chance = (tables.number(0.5), tables.number(first.accuracy_chance), tables.text(""))
    rows.append(Row((tables.text("chance", "faint"), *chance)))
    judges = len({label.judge for label in given.labels})
    notes = [
        f"each edit alone in its source; the majority of {judges} judges calls "
        f"{first.right} of {first.edits} edits right",
        "AUC: the chance that a right edit gains more than a wrong one; "
        "intervals by resampled sentences",
        "accuracy: an edit that raises the score is called right; "
        "chance calls every edit what most are",
    ]
    if first.unscored:
        notes.append(f"{first.unscored} labelled edits are of sentences that are not in the corpus")
    columns = (tables.key_column("metric"), Column("AUC"), Column("accuracy"), Column("edits"))
    yield Table(
        columns,
        tuple(rows),
        "Single edits: metrics against judges",
        tuple(notes),
        mark=Mark("the interval excludes chance", "*"),
    )
