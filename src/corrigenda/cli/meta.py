"""`corrigenda meta`: metrics against human judgments."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, options, outputs, render
from corrigenda.cli.display import say
from corrigenda.errors import UsageError, in_one_line
from corrigenda.meta.choices import AGGREGATIONS, BENCHMARKS, HUMAN_SCORES, INTERVALS

if TYPE_CHECKING:
    from corrigenda.meta.analysis import MetaReport
    from corrigenda.meta.benchmark import Benchmark
    from corrigenda.meta.comparison import MetricComparisons
    from corrigenda.meta.settings import MetaSettings

HELP = "measure metrics against human judgments"
EXAMPLES = f"""\
examples:
  corrigenda meta --data sample                                   # bundled and invented: try it
  corrigenda meta --data conll14 --metrics green gleu:variant=paper m2 --level both
  corrigenda meta --data seeda-s --systems +INPUT --human expected-wins --compare
  corrigenda meta --data conll14 --metrics green m2 --beta-sweep 0:5:0.01 --plots figures/
  corrigenda meta --gold gold.m2 --hyps a.txt b.txt c.txt --judgments mine.jsonl
  corrigenda meta --gold gold.m2 --hyps a.txt b.txt c.txt --attacks --metrics green m2
  corrigenda meta --data seeda-e --edit-labels labels/annotator* --metrics green m2

`corrigenda data` says where conll14 and seeda come from. Correlations whose interval excludes 0 are
marked, and in the tables of --compare differences that the permutation test finds significant.
CSV has one row per metric; --table chooses another table.

{options.WIDTH_HELP}
"""
DEFAULT_METRICS = ("green", "green:unit=char", "gleu", "m2", "bleu")
TABLES = ("correlations", "ranks", "top-k", "windows", "comparisons", "beta")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    _add_benchmark_arguments(parser.add_argument_group("the benchmark"))
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    _add_analysis_arguments(parser.add_argument_group("what to compute"))
    group = parser.add_argument_group("what to print")
    group.add_argument(
        "--ranks", action="store_true", help="also every system's rank by humans and by metrics"
    )
    group.add_argument(
        "--plots", metavar="DIR", help="write figures into this folder (needs corrigenda[plots])"
    )
    group.add_argument(
        "--plot-format", choices=("png", "svg"), default="png", help="(default: png)"
    )
    options.add_format(group, tables=TABLES)
    options.add_models(parser)


def _add_benchmark_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--data",
        choices=BENCHMARKS,
        metavar="NAME",
        help=f"a known benchmark: {', '.join(BENCHMARKS)}",
    )
    group.add_argument(
        "--judgments", metavar="FILE", help="judgments of your own systems, instead of --data"
    )
    group.add_argument(
        "--first-sentence",
        type=int,
        choices=(0, 1),
        default=0,
        help="the number of the first sentence in the judgments (default: 0)",
    )
    group.add_argument(
        "--systems",
        nargs="+",
        default=["base"],
        metavar="NAME",
        help="systems, or subsets: base, all; SEEDA: +INPUT, +fluency; CoNLL-2014: submissions "
        "(default: base)",
    )
    group.add_argument(
        "--human",
        choices=HUMAN_SCORES,
        metavar="NAME",
        help=f"human scores: {', '.join(HUMAN_SCORES)} (default: the published ones where there "
        "are any, else expected-wins)",
    )


def _add_analysis_arguments(group: argparse._ArgumentGroup) -> None:
    options.add_metrics(group, DEFAULT_METRICS)
    group.add_argument(
        "--level",
        choices=("corpus", "sentence", "both"),
        default="corpus",
        help="corpus scores, means of sentence scores, or both (default: corpus)",
    )
    group.add_argument(
        "--aggregate",
        nargs="+",
        choices=AGGREGATIONS,
        metavar="NAME",
        help=f"how the score of a system is made, instead of --level: {', '.join(AGGREGATIONS)}; "
        "all but the first two rank systems by their sentence scores, as judgments are ranked",
    )
    options.add_bootstrap(
        group, "resamples for intervals (default: 1000; 0: no intervals)", default=1000
    )
    group.add_argument(
        "--interval",
        choices=INTERVALS,
        default="both",
        help="what varies in the intervals of correlations: sentences and systems, sentences "
        "(inputs, by BOOT-INPUT), or systems; boot-both is BOOT-BOTH as published, which is too "
        "wide (default: both)",
    )
    group.add_argument(
        "--pairs-of",
        choices=("outputs", "systems"),
        default="outputs",
        help="what sentence scores are compared on: pairs of outputs, or of systems, also where "
        "several gave the same output (default: outputs)",
    )
    group.add_argument(
        "--metric-ties",
        choices=("undecided", "first-loses"),
        default="undecided",
        help="what equal scores of a metric say about a pair: nothing, or that the first system is "
        "worse, as in gec-metrics and SEEDA's script (default: undecided)",
    )
    options.add_confidence(group)
    options.add_correction(group)
    group.add_argument("--compare", action="store_true", help="test every two metrics")
    group.add_argument(
        "--attacks",
        action="store_true",
        help="instead: the scores of attacks, e.g. empty outputs, copies, other sentences; "
        "needs no judgments",
    )
    group.add_argument(
        "--edit-labels",
        nargs="+",
        metavar="FOLDER",
        help="instead: whether metrics tell right edits from wrong ones; one folder per judge, as "
        "in SEEDA's first step",
    )
    group.add_argument("--top-k", action="store_true", help="correlations over the K best systems")
    options.add_whole_number(
        group,
        "--window",
        "correlations over every N neighbours in the human ranking",
        least=2,
    )
    group.add_argument(
        "--beta-sweep",
        metavar="FROM:TO:STEP",
        help="Pearson r for many β, e.g. 0:5:0.01, for metrics with a β",
    )
    options.add_seed(group)
    options.add_threads(group)
    options.add_no_cache(group)


@dataclass(frozen=True)
class MetricComparison:
    """Two metrics, and whether one correlates better; the fields are the keys of the JSON."""

    aggregation: str
    metrics: tuple[str, str]
    first: float
    second: float
    williams_t: float
    williams_p: float
    permutation_p: float | None
    corrected_williams_p: float | None
    corrected_permutation_p: float | None
    decided_by: str
    simulated_p: float | None
    corrected_simulated_p: float | None
    difference: float
    deciding_p: float | None


@dataclass(frozen=True)
class Found:
    """Everything that the command computes."""

    report: MetaReport
    comparisons: list[MetricComparison]
    compared: Mapping[str, MetricComparisons]
    """By aggregation, the metrics that were compared, and their clusters."""
    betas: list[float]
    curves: Mapping[str, list[float]]
    """By metric and level, Pearson r for each β."""


def run(args: argparse.Namespace) -> None:
    """Load, compute, print, draw."""
    from corrigenda.cli import meta_attacks, meta_edits, meta_records, meta_tables

    if args.attacks:
        meta_attacks.refuse_other_analyses(args, "--attacks")
        meta_attacks.run(args, _benchmark(args) if args.data else None)
        return
    if args.edit_labels:
        meta_edits.check(args)
        meta_edits.run(args, _benchmark(args) if args.data else None)
        return
    _check(args)
    betas = _betas(args.beta_sweep) if args.beta_sweep else []
    benchmark = _benchmark(args)
    if args.plots:
        _check_plots(benchmark, args)
    found = _found(benchmark, betas, args)
    render.output(
        args,
        data=lambda: _data(found),
        records={name: partial(meta_records.records, found, name) for name in TABLES},
        tables=lambda: meta_tables.tables(found, args),
    )
    if args.plots:
        _draw(found, args)


def _check(args: argparse.Namespace) -> None:
    if (args.data is None) == (args.judgments is None):
        raise UsageError(
            "give --data NAME, or --judgments FILE with a corpus and --hyps",
            remedy="`corrigenda meta --data sample` shows what the command does.",
        )
    if args.data and (args.source or args.hyps):
        raise UsageError(
            "--data brings its own corpus and systems",
            remedy="Use --judgments FILE for your own data, or give only --refs FILE or --gold "
            "FILE: other references for the same sources.",
        )
    if args.table == "beta" and not args.beta_sweep:
        raise UsageError("--table beta needs values of β", remedy="Add --beta-sweep FROM:TO:STEP.")


def _betas(text: str) -> list[float]:
    try:
        first, last, step = (float(part) for part in text.split(":"))
        count = round((last - first) / step)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise UsageError(
            f"--beta-sweep is {text!r}", remedy="It takes FROM:TO:STEP, e.g. 0:5:0.01."
        ) from None
    if first < 0 or count < 0 or step <= 0 or count > 100_000:
        raise UsageError(
            f"--beta-sweep is {text!r}",
            remedy="β is 0 or more, and the step is above 0; at most 100,000 steps.",
        )
    return [round(first + index * step, 10) for index in range(count + 1)]


def _benchmark(args: argparse.Namespace) -> Benchmark:
    from corrigenda.meta import benchmark

    if args.data:
        return _with_other_references(benchmark.load(args.data), args)
    from corrigenda.formats import judgments

    inputs.require_systems(args)
    corpus, systems = inputs.read_corpus(args)
    return benchmark.from_parts(
        corpus, systems, judgments.read(args.judgments), first_sentence=args.first_sentence
    )


def _with_other_references(benchmark: Benchmark, args: argparse.Namespace) -> Benchmark:
    """The benchmark with the references of --refs or --gold, if there are any."""
    if not inputs.has_corpus(args):
        return benchmark
    if args.refs:
        from corrigenda.corpus import Corpus
        from corrigenda.formats import text

        texts = [text.read(path) for path in args.refs]
        sources = benchmark.corpus.sources
        for path, lines in zip(args.refs, texts, strict=True):
            if len(lines) != len(sources):
                raise UsageError(
                    f"{path} has {len(lines)} lines, but {benchmark.name} has {len(sources)} "
                    "sentences",
                    remedy="Give references for the same sources, in the same order.",
                )
        return benchmark.with_references(
            Corpus(sources, tuple(zip(*(tuple(lines) for lines in texts), strict=True)))
        )
    corpus, _ = inputs.read_corpus(args)
    return benchmark.with_references(corpus)


def _check_plots(benchmark: Benchmark, args: argparse.Namespace) -> None:
    """The names of the figures begin with the benchmark's name."""
    folder = Path(args.plots)
    names = [path.name for path in folder.glob(f"{benchmark.name}-*.{args.plot_format}")]
    given = inputs.given_files(args, "judgments")
    outputs.check_folder("--plots", folder, names, given)


def _found(benchmark: Benchmark, betas: list[float], args: argparse.Namespace) -> Found:
    from corrigenda.meta.analysis import analyse
    from corrigenda.meta.curves import beta_curves

    systems = benchmark.subset(args.systems)
    settings = _settings(args)
    metrics = options.metrics_of(args)
    with options.working(args):
        report = analyse(benchmark, metrics, systems, settings, threads=args.threads)
        compares = args.compare or args.table == "comparisons"
        compared = _compared(report, settings) if compares else {}
        curves = beta_curves(report, betas) if betas else {}
    return Found(
        report,
        [
            MetricComparison(
                how,
                pair,
                **vars(found),
                difference=found.difference,
                deciding_p=found.deciding_p,
            )
            for how, of_level in compared.items()
            for pair, found in of_level.pairs.items()
        ],
        compared,
        betas,
        {label: values.tolist() for label, values in curves.items()},
    )


def _settings(args: argparse.Namespace) -> MetaSettings:
    from corrigenda.meta.settings import MetaSettings

    levels: dict[str, tuple[str, ...]] = {
        "corpus": ("corpus",), "sentence": ("mean",), "both": ("corpus", "mean"),
    }  # fmt: skip
    return MetaSettings(
        aggregations=tuple(dict.fromkeys(args.aggregate)) if args.aggregate else levels[args.level],
        human=args.human,
        resamples=args.bootstrap,
        confidence=args.confidence,
        interval=args.interval,
        pairs_of=args.pairs_of,
        metric_ties=args.metric_ties,
        correction=args.correction,
        window=args.window or MetaSettings.window,
        seed=args.seed,
    )


def _compared(report: MetaReport, settings: MetaSettings) -> dict[str, MetricComparisons]:
    from corrigenda.meta.comparison import compare_metrics

    return {how: compare_metrics(report, how) for how in settings.aggregations}


def _data(found: Found) -> object:
    return _without_nan(
        {
            **found.report.to_dict(),
            "comparisons": [asdict(comparison) for comparison in found.comparisons],
            "clusters": {
                how: {"clusters": of_level.clusters, "same_scores": of_level.same}
                for how, of_level in found.compared.items()
            },
            "beta_sweep": {"betas": found.betas, "pearson": dict(found.curves)},
        }
    )


def _without_nan(value: object) -> object:
    """JSON has no NaN: a correlation that is not defined is null."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _draw(found: Found, args: argparse.Namespace) -> None:
    from corrigenda.meta import plots

    betas = found.betas or plots.default_betas()
    for path in plots.write_all(found.report, args.plots, args.plot_format, betas):
        say(f"wrote {in_one_line(str(path))}", file=sys.stderr)
