"""`corrigenda meta`: metrics against human judgments."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from corrigenda.cli import inputs
from corrigenda.cli.model_options import add_model_arguments, model_settings
from corrigenda.cli.progress_bar import bars
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.meta.analysis import MetaReport, MetaSettings
    from corrigenda.meta.benchmark import Benchmark
    from corrigenda.meta.scores import Aggregation

HELP = "measure metrics against human judgments"
EXAMPLES = """\
examples:
  corrigenda meta --data sample                                   # bundled and invented: try it at once
  corrigenda meta --data conll14 --metrics green gleu:variant=paper m2 --level both
  corrigenda meta --data seeda-s --systems +INPUT --human expected-wins --compare
  corrigenda meta --data conll14 --metrics green m2 --beta-sweep 0:5:0.01 --plots figures/
  corrigenda meta --gold gold.m2 --hyps a.txt b.txt c.txt --judgments mine.jsonl

`corrigenda data` says where conll14 and seeda come from.
"""
DEFAULT_METRICS = ("green", "green:unit=char", "gleu", "m2", "bleu")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    group = parser.add_argument_group("the benchmark")
    group.add_argument(
        "--data", choices=("sample", "conll14", "seeda-s", "seeda-e"), help="a known benchmark"
    )
    group.add_argument(
        "--judgments", metavar="FILE", help="judgments of your own systems; instead of --data"
    )
    group.add_argument(
        "--first-sentence",
        type=int,
        choices=(0, 1),
        default=0,
        help="from where judgments count sentences (default: 0)",
    )
    group.add_argument(
        "--systems", nargs="+", default=["base"], metavar="NAME",
        help="systems, or subsets: base, all; SEEDA: +INPUT, +fluency; CoNLL-2014: submissions (default: base)",
    )  # fmt: skip
    group.add_argument(
        "--human",
        choices=("published", "published-trueskill", "expected-wins", "trueskill"),
        help="human scores (default: the published ones where there are any, else expected-wins)",
    )
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
    group.add_argument(
        "--format", "-f", choices=("table", "json"), default="table", help="(default: table)"
    )
    add_model_arguments(parser)


def _add_analysis_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--metrics", "-m", nargs="+", metavar="METRIC", default=list(DEFAULT_METRICS),
        help=f"(default: {' '.join(DEFAULT_METRICS)})",
    )  # fmt: skip
    group.add_argument(
        "--level",
        choices=("corpus", "sentence", "both"),
        default="corpus",
        help="(default: corpus)",
    )
    group.add_argument(
        "--aggregate",
        nargs="+",
        choices=("corpus", "mean", "expected-wins", "trueskill"),
        help="how a system's score is made, instead of --level; the last two as human judgments are aggregated",
    )
    group.add_argument(
        "--bootstrap",
        type=int,
        default=1000,
        metavar="N",
        help="resamples of systems (default: 1000)",
    )
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="C", help="(default: 0.95)"
    )
    group.add_argument(
        "--compare", action="store_true", help="test each two metrics (needs corrigenda[meta])"
    )
    group.add_argument("--top-k", action="store_true", help="correlations over the K best systems")
    group.add_argument(
        "--window",
        type=int,
        metavar="N",
        help="correlations over N neighbours in the human ranking",
    )
    group.add_argument(
        "--beta-sweep",
        metavar="FROM:TO:STEP",
        help="Pearson r for many β, e.g. 0:5:0.01, of metrics that have one",
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    group.add_argument(
        "--threads", type=int, metavar="N", help="threads of the kernels (default: all cores)"
    )


def run(args: argparse.Namespace) -> None:
    """Load, compute, print, draw."""
    from corrigenda.meta.analysis import analyse, compare_metrics
    from corrigenda.metrics import metric

    _check(args)
    betas = _betas(args.beta_sweep) if args.beta_sweep else None
    metrics = [metric(text) for text in dict.fromkeys(args.metrics)]
    benchmark = _benchmark(args)
    systems = benchmark.subset(args.systems)
    settings = _settings(args)
    with bars(), model_settings(args):
        report = analyse(benchmark, metrics, systems, settings, threads=args.threads)
    comparisons = (
        {how: compare_metrics(report, how) for how in settings.aggregations} if args.compare else {}
    )
    curves = _curves(report, betas) if betas else {}
    if args.format == "json":
        data = report.to_dict()
        data["comparisons"] = _comparison_rows(comparisons)
        data["beta_sweep"] = {"betas": betas or [], "pearson": curves}
        json.dump(_without_nan(data), sys.stdout, ensure_ascii=False, indent=2)
        print()
    else:
        from corrigenda.cli import meta_tables

        meta_tables.print_report(report, args)
        meta_tables.print_comparisons(comparisons)
        if betas:
            meta_tables.print_curves(betas, curves)
    if args.plots:
        from corrigenda.meta import plots

        for path in plots.write_all(
            report, args.plots, args.plot_format, betas or plots.default_betas()
        ):
            print(f"wrote {path}", file=sys.stderr)


def _check(args: argparse.Namespace) -> None:
    if (args.data is None) == (args.judgments is None):
        raise UsageError("give --data NAME, or --judgments FILE with a corpus and --hyps")
    if args.data and (args.source or args.refs or args.gold or args.jsonl or args.hyps):
        raise UsageError(
            "--data brings its own corpus and systems",
            remedy="Use --judgments FILE for your own data.",
        )
    if args.bootstrap < 0 or args.seed < 0 or not 0 < args.confidence < 1:
        raise UsageError(
            "--bootstrap and --seed take numbers from 0, --confidence one between 0 and 1"
        )
    if args.window is not None and args.window < 2:
        raise UsageError(f"--window is {args.window}", remedy="It takes a whole number from 2 on.")


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
            f"--beta-sweep is {text!r}", remedy="β goes from 0 upwards, in steps above 0."
        )
    return [round(first + index * step, 10) for index in range(count + 1)]


def _benchmark(args: argparse.Namespace) -> Benchmark:
    from corrigenda.meta import benchmark

    if args.data:
        return benchmark.load(args.data)
    from corrigenda.formats import judgments

    inputs.require_systems(args)
    corpus, systems = inputs.read_corpus(args)
    return benchmark.from_parts(
        corpus, systems, judgments.read(args.judgments), first_sentence=args.first_sentence
    )


def _settings(args: argparse.Namespace) -> MetaSettings:
    from corrigenda.meta.analysis import MetaSettings

    levels: dict[str, tuple[Aggregation, ...]] = {
        "corpus": ("corpus",), "sentence": ("mean",), "both": ("corpus", "mean"),
    }  # fmt: skip
    return MetaSettings(
        aggregations=tuple(dict.fromkeys(args.aggregate)) if args.aggregate else levels[args.level],
        human=args.human,
        resamples=args.bootstrap,
        confidence=args.confidence,
        window=args.window or MetaSettings.window,
        seed=args.seed,
    )


def _curves(report: MetaReport, betas: list[float]) -> dict[str, list[float]]:
    """Pearson r for each β, of every metric with a β, at every level that was asked for."""
    from corrigenda.meta.curves import beta_curves

    return {label: values.tolist() for label, values in beta_curves(report, betas).items()}


def _comparison_rows(
    comparisons: dict[Aggregation, dict[tuple[str, str], Any]],
) -> list[dict[str, Any]]:
    return [
        {"aggregation": how, "metrics": list(pair), **vars(found), "difference": found.difference}
        for how, of_level in comparisons.items()
        for pair, found in of_level.items()
    ]


def _without_nan(value: Any) -> Any:
    """JSON has no NaN: a correlation that is not defined is null."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and value != value else value
