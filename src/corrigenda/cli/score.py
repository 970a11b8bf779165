"""`corrigenda score`: systems by metrics, as a leaderboard or as data."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from corrigenda._version import __version__
from corrigenda.cli import findings, inputs, options, passport_file, presets, render
from corrigenda.errors import CorrigendaError, UsageError

if TYPE_CHECKING:
    from corrigenda.analysis.ceiling import Ceiling
    from corrigenda.cli.tables import Records, Table
    from corrigenda.core.evaluate import Block
    from corrigenda.core.metric import Metric
    from corrigenda.core.result import Result

HELP = "score systems by one or more metrics"
EXAMPLES = f"""\
examples:
  corrigenda score --source src.txt --refs ref0.txt ref1.txt --hyps ours.txt theirs.txt
  corrigenda score --gold gold.m2 --hyps ours.txt baseline=out/b.txt --metrics green m2:beta=1
  corrigenda score --gold gold.m2 --hyps ours.txt --metrics green:unit=char,beta=1 --level sentence
  corrigenda score --gold gold.m2 --hyps ours.txt --per-sentence --format json > scores.json
  corrigenda score --gold gold.m2 --hyps ours.txt --metrics errant --by-type 2
  corrigenda score --gold gold.m2 --hyps ours.txt theirs.txt --metrics imeasure --details
  corrigenda score --gold gold.m2 --hyps ours.txt --metrics m2 --passport ours.passport.json
  my-system < src.txt | corrigenda score --source src.txt --refs ref.txt --hyps ours=-

`corrigenda metrics` lists the metrics and their parameters.
CSV has one row per system and metric; with --per-sentence one per sentence, with --by-type one per
type.

{options.WIDTH_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("what to compute and print")
    presets.add_arguments(group)
    options.add_metrics(group)
    options.add_level(group)
    group.add_argument(
        "--per-sentence", action="store_true", help="also the scores and counts of each sentence"
    )
    group.add_argument(
        "--by-type",
        choices=("1", "2", "3"),
        help="also by error type (errant): 1 operation, 2 type, 3 both; JSON always has all three",
    )
    group.add_argument(
        "--details",
        action="store_true",
        help="also tables of all counts and measures; JSON always has them",
    )
    options.add_format(group)
    passport_file.add_passport(group)
    options.add_sort(group, "by the first metric")
    options.add_bootstrap(group, "confidence intervals from N resamples", least=1, default=None)
    group.add_argument(
        "--ceiling",
        action="store_true",
        help="also the human ceiling: each reference against the others, and the systems against "
        "the same subsets of references",
    )
    group.add_argument(
        "--interval",
        choices=("percentile", "bca"),
        default="percentile",
        help="how intervals are made (default: percentile)",
    )
    options.add_confidence(group)
    options.add_seed(group)
    options.add_threads(group)
    options.add_no_cache(group)
    findings.add_arguments(group)
    options.add_models(parser)


def run(args: argparse.Namespace) -> None:
    """Score, then print."""
    _check(args)
    presets.apply(args)
    metrics = options.metrics_of(args)
    passport_file.check_passport(args, metrics)
    sort = options.sort_key(args, metrics)
    seen = _Seen(inputs.read_blocks(args))
    if args.passport:
        seen.passport = passport_file.PassportInputs(with_text=args.with_text)
    if args.by_type:
        metrics = seen.with_known_types(metrics)
    results = _scored(seen, metrics, args)
    findings.show(results, args)
    if args.by_type and not any(result.types for result in results):
        raise UsageError(
            "--by-type needs a metric that knows error types", remedy="Add --metrics errant."
        )
    if seen.passport is not None:
        given = inputs.given_files(args)
        seen.passport.write(args.passport, results, given, findings.data(results))
    args.ceilings = _ceilings(metrics, args) if args.ceiling else []
    if args.format == "json":
        # Sentences are many: their JSON is not indented.
        render.print_json(_data(seen, results, args), indent=None if args.per_sentence else 2)
    elif args.format == "csv":
        render.print_csv(_records(results, args), raw=args.csv_raw)
    else:
        render.print_tables(_tables(results, sort, args), args.format)


def _check(args: argparse.Namespace) -> None:
    """Options that do not fit together are refused before the work."""
    inputs.check_corpus_arguments(args)
    inputs.require_systems(args)
    if args.per_sentence and args.format not in ("json", "csv"):
        raise UsageError(
            "--per-sentence needs a format that holds it",
            remedy="Add --format json or --format csv.",
        )
    if args.details and args.format == "csv":
        raise UsageError(
            "--details prints several tables, but a CSV file holds one",
            remedy="Add --format json, which always has all of it.",
        )
    if args.by_type and args.per_sentence and args.format == "csv":
        raise UsageError(
            "--by-type and --per-sentence are two tables, but a CSV file holds one",
            remedy="Ask for one of them, or add --format json.",
        )


def _scored(seen: _Seen, metrics: Sequence[Metric], args: argparse.Namespace) -> list[Result]:
    """The results, with intervals where they are wanted."""
    from corrigenda.core.evaluate import evaluate_blocks

    with options.working(args):
        results = evaluate_blocks(
            seen.blocks(),
            metrics,
            level=args.level,
            threads=args.threads,
            keep_statistics=args.per_sentence or args.bootstrap is not None or bool(args.passport),
            health=not args.no_health,
        )
        if not seen.sentences:
            raise CorrigendaError(
                "there are no sentences to score", remedy="The files are empty; check their paths."
            )
        if not results:
            raise inputs.no_system()
        return _with_intervals(results, args) if args.bootstrap is not None else results


def _with_intervals(results: Sequence[Result], args: argparse.Namespace) -> list[Result]:
    from corrigenda import progress
    from corrigenda.analysis.significance import with_interval
    from corrigenda.cli.leaderboard import described

    return [
        with_interval(
            result,
            method=args.interval,
            resamples=args.bootstrap,
            seed=args.seed,
            confidence=args.confidence,
        )
        for result in progress.each("intervals", results, described)
    ]


def _data(seen: _Seen, results: Sequence[Result], args: argparse.Namespace) -> object:
    tokenised = findings.tokenisation(args)
    return {
        "version": __version__,
        "corpus": {"sentences": seen.sentences, "references": seen.references},
        "health": findings.data(results),
        **({} if tokenised is None else {"tokenisation": tokenised}),
        "results": [result.to_dict(per_sentence=args.per_sentence) for result in results],
        **({"ceiling": [asdict(each) for each in args.ceilings]} if args.ceilings else {}),
        **({"runs": _runs(results, args)} if getattr(args, "runs", None) else {}),
    }


def _runs(results: Sequence[Result], args: argparse.Namespace) -> list[object]:
    """Mean and spread over the runs of each system, by each metric."""
    from corrigenda.analysis.runs import run_scores

    found: list[object] = []
    for system, names in args.runs.items():
        for metric in dict.fromkeys(result.metric for result in results):
            of_runs = [each for each in results if each.metric == metric and each.system in names]
            made = run_scores(system, of_runs)
            found.append({**asdict(made), "mean": made.mean, "spread": made.spread})
    return found


def _ceilings(metrics: Sequence[Metric], args: argparse.Namespace) -> list[Ceiling]:
    from corrigenda.analysis.ceiling import ceilings

    corpus, systems = inputs.read_corpus(args)
    with options.working(args):
        return ceilings(corpus, systems, metrics, level=args.level, threads=args.threads)


def _tables(
    results: Sequence[Result], sort: str | None, args: argparse.Namespace
) -> Iterator[Table]:
    from corrigenda.cli.leaderboard import leaderboard

    yield leaderboard(results, sort)
    if getattr(args, "runs", None):
        from corrigenda.cli.run_tables import runs_table

        yield runs_table(results, args.runs)
    if args.ceilings:
        from corrigenda.cli.run_tables import ceiling_table

        yield ceiling_table(args.ceilings)
    if args.details:
        from corrigenda.cli.detail_tables import detail_tables

        yield from detail_tables(results)
    if args.by_type:
        from corrigenda.cli.type_tables import type_tables

        yield from type_tables(results, args.by_type)


def _records(results: Sequence[Result], args: argparse.Namespace) -> Records:
    from corrigenda.cli import result_records
    from corrigenda.cli.type_tables import type_records

    if args.by_type:
        return type_records(results, args.by_type)
    return (
        result_records.of_sentences(results)
        if args.per_sentence
        else result_records.of_results(results)
    )


class _Seen:
    """Passes blocks on and remembers how much there was."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self.sentences = 0
        self.references = 0
        self.passport: passport_file.PassportInputs | None = None

    def with_known_types(self, metrics: Sequence[Metric]) -> list[Metric]:
        """The metrics; those that know types give foreign gold edits their own types."""
        from itertools import chain

        from corrigenda.analysis.foreign_types import foreign_types, with_types
        from corrigenda.cli.last_net import tell

        first = next(self._blocks, None)
        if first is None:
            return list(metrics)
        self._blocks = chain([first], self._blocks)
        foreign = foreign_types(first.corpus)
        found = [with_types(metric) if foreign else metric for metric in metrics]
        if found != list(metrics):
            tell(
                f"note: the gold has error types that are not ERRANT's (e.g. {foreign[0]}), so its "
                "edits are typed anew (gold=retyped)"
            )
        return found

    def blocks(self) -> Iterator[Block]:
        for block in self._blocks:
            self.sentences += len(block.corpus)
            self.references = max(self.references, block.corpus.reference_range[1])
            if self.passport is not None:
                self.passport.add(block)
            yield block
