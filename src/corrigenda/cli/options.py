"""The options that several commands share, each with its check in one place."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from corrigenda.analysis.resolution import (
    CORRECTIONS,
    DEFAULT_CONFIDENCE,
    DEFAULT_CORRECTION,
    DEFAULT_RESAMPLES,
)
from corrigenda.arguments import LARGEST, MOST_RESAMPLES, MOST_THREADS
from corrigenda.cli.outputs import GivenFile
from corrigenda.cli.render import FORMATS
from corrigenda.errors import UsageError, brief
from corrigenda.text.numerals import is_plain

if TYPE_CHECKING:
    from corrigenda.core.metric import Metric

Number = TypeVar("Number", int, float)
Group = argparse._ArgumentGroup | argparse.ArgumentParser
_QUOTES = "'\""
WIDTH_HELP = (
    "Tables are as wide as the environment variable COLUMNS says, else as the terminal, else (in\n"
    "a pipe) 80 columns. A table that is wider is printed in several blocks."
)


def add_whole_number(
    group: Group,
    flag: str,
    text: str,
    *,
    least: int,
    most: int = LARGEST,
    default: int | None = None,
    example: int | None = None,
) -> None:
    """A whole number from `least` to `most`."""
    reader = whole_number(flag, least=least, most=most, example=example)
    group.add_argument(flag, type=reader, default=default, metavar="N", help=text)


def whole_number(
    flag: str, *, least: int, most: int = LARGEST, example: int | None = None
) -> Callable[[str], int]:
    """The reader of a whole number from `least` to `most`."""
    upper = "" if most == LARGEST else f", at most {most:,}"
    expected = f"It takes a whole number of {least} or more{upper}"
    remedy = f"{expected}, e.g. {example}." if example is not None else f"{expected}."
    return partial(_read, flag, int, lambda value: least <= value <= most, remedy)


def number_of(flag: str, *, least: float) -> Callable[[str], float]:
    """The reader of a number of `least` or more."""
    remedy = f"It takes a number of {least:g} or more."
    return partial(_read, flag, float, lambda value: least <= value <= LARGEST, remedy)


def fraction(flag: str) -> Callable[[str], float]:
    """The reader of a number between 0 and 1."""
    remedy = "It takes a number between 0 and 1, e.g. 0.95."
    return partial(_read, flag, float, lambda value: 0 < value < 1, remedy)


def _read(
    flag: str,
    kind: Callable[[str], Number],
    fits: Callable[[Number], bool],
    remedy: str,
    given: str,
) -> Number:
    try:
        if not is_plain(given):
            raise ValueError(given)
        value = kind(given)
    except ValueError:
        raise UsageError(f"{flag} is {brief(given)}", remedy=remedy) from None
    if not fits(value):
        raise UsageError(f"{flag} is {brief(given).strip(_QUOTES)}", remedy=remedy)
    return value


def add_resamples(group: Group, *, least: int = 1, without: str = "") -> None:
    """How often sentences are resampled or exchanged."""
    add_whole_number(
        group,
        "--resamples",
        "at least this many resamples; more are drawn if many tests need them "
        f"(default: {DEFAULT_RESAMPLES}{without})",
        least=least,
        most=MOST_RESAMPLES,
        default=DEFAULT_RESAMPLES,
        example=1000,
    )


def add_bootstrap(group: Group, help_text: str, *, least: int = 0, default: int | None = 0) -> None:
    """How many resamples intervals are made of."""
    add_whole_number(
        group,
        "--bootstrap",
        help_text,
        least=least,
        most=MOST_RESAMPLES,
        default=default,
        example=1000,
    )


def add_seed(group: Group) -> None:
    """Where random numbers begin."""
    add_whole_number(group, "--seed", "for random numbers (default: 0)", least=0, default=0)


def add_confidence(group: Group) -> None:
    """How sure intervals and tests are."""
    group.add_argument(
        "--confidence",
        type=fraction("--confidence"),
        default=DEFAULT_CONFIDENCE,
        metavar="C",
        help=f"of intervals and tests, between 0 and 1 (default: {DEFAULT_CONFIDENCE})",
    )


def add_test(group: Group) -> None:
    """How two systems are compared."""
    group.add_argument(
        "--test",
        choices=("permutation", "bootstrap"),
        default="permutation",
        help="exchange the outputs of two systems at random, or resample sentences "
        "(default: permutation)",
    )


def add_correction(group: Group) -> None:
    """How p-values account for many comparisons."""
    group.add_argument(
        "--correction",
        choices=CORRECTIONS,
        default=DEFAULT_CORRECTION,
        help="for many comparisons: Benjamini-Hochberg, Holm, or none "
        f"(default: {DEFAULT_CORRECTION})",
    )


def add_min_sentences(group: Group) -> None:
    """Which slices are too small to be tested."""
    add_whole_number(
        group,
        "--min-sentences",
        "do not test slices with fewer sentences (default: 10)",
        least=1,
        default=10,
    )


def add_metrics(group: Group, default: Sequence[str] = ()) -> None:
    """Which metrics; without `default` all that need no extra."""
    usual = " ".join(default) if default else "all that need no extra"
    group.add_argument(
        "--metrics",
        "-m",
        nargs="+",
        metavar="METRIC",
        default=list(default) or None,
        help=f"e.g. green gleu:variant=paper m2:beta=1 (default: {usual})",
    )


def metrics_of(args: argparse.Namespace) -> list[Metric]:
    """The metrics of --metrics, each once; else the default ones."""
    from corrigenda.metrics import default_metrics, metric

    if not args.metrics:
        return default_metrics()
    for text in args.metrics:
        if "," in text and ":" not in text:
            remedy = f"Separate metrics by blanks: --metrics {' '.join(text.split(','))}."
            raise UsageError(f"--metrics {text} is not one metric", remedy=remedy)
    return list(dict.fromkeys(metric(text) for text in args.metrics))


def files_of(metrics: Sequence[Metric]) -> list[GivenFile]:
    """The files and folders that parameters name: models and baselines."""
    from corrigenda.core import spec

    return [
        GivenFile("--metrics", value)
        for each in metrics
        for key, value in spec.split(str(each))[1].items()
        if key.endswith(("model", "baseline"))
    ]


def add_level(group: Group) -> None:
    """Whether counts are summed or scores are averaged."""
    group.add_argument(
        "--level",
        choices=("corpus", "sentence"),
        default="corpus",
        help="sum the counts over the corpus, or average the scores of its sentences "
        "(default: corpus)",
    )


def add_threads(group: Group) -> None:
    """How many threads the compiled code uses."""
    add_whole_number(
        group,
        "--threads",
        "threads of the compiled code (default: all cores)",
        least=1,
        most=MOST_THREADS,
    )
    add_whole_number(
        group,
        "--max-memory",
        "megabytes that one sentence may take, per thread (default: 256)",
        least=1,
        most=1_000_000,
        example=1000,
    )


def add_no_cache(group: Group) -> None:
    """Whether the cache is used."""
    group.add_argument(
        "--no-cache", action="store_true", help="do not read or write the cache on disk"
    )


def add_models(parser: argparse.ArgumentParser) -> None:
    """How pretrained models are run."""
    group = parser.add_argument_group("how pretrained models are run (metrics of the extra neural)")
    group.add_argument(
        "--device", metavar="NAME", help="cpu, cuda, cuda:1, mps (default: a GPU if there is one)"
    )
    group.add_argument(
        "--dtype",
        choices=("float32", "bfloat16", "float16"),
        help="type of numbers (default: float32)",
    )
    add_whole_number(
        group,
        "--batch-tokens",
        "tokens per batch (default: 1024 on a CPU, else 4096)",
        least=1,
    )


def add_format(group: Group, tables: Sequence[str] = ()) -> None:
    """The five formats, and which of several tables CSV holds; the first is the main one."""
    group.add_argument("--format", "-f", choices=FORMATS, default="table", help="(default: table)")
    group.add_argument(
        "--csv-raw",
        action="store_true",
        help="with --format csv: do not put a ' before texts that a spreadsheet takes for formulas",
    )
    if tables:
        group.add_argument(
            "--table",
            choices=tables,
            metavar="NAME",
            help=f"the table that --format csv writes: {', '.join(tables)} (default: {tables[0]})",
        )


def add_text_format(group: Group) -> None:
    """Text for people, or JSON."""
    group.add_argument(
        "--format", "-f", choices=("text", "json"), default="text", help="(default: text)"
    )


def add_sort(group: Group, default: str) -> None:
    """The order of systems in tables."""
    group.add_argument(
        "--sort",
        metavar="METRIC|system|given",
        help="order of the systems in tables: by a metric, best first; by name; or as given "
        f"(default: {default})",
    )


def sort_key(args: argparse.Namespace, metrics: Sequence[Metric]) -> str | None:
    """The printed form of the metric that --sort names, or `system` or `given`, or None."""
    if args.sort is None or args.sort in ("system", "given"):
        return args.sort  # type: ignore[no-any-return]
    from corrigenda.errors import CorrigendaError
    from corrigenda.metrics import metric

    printed = [str(each) for each in metrics]
    try:
        wanted = str(metric(args.sort))
    except CorrigendaError:
        wanted = ""
    if wanted not in printed:
        raise UsageError(
            f"--sort is {args.sort!r}", remedy=f"It takes {', '.join(printed)}, system or given."
        )
    return wanted


@contextmanager
def working(args: argparse.Namespace) -> Iterator[None]:
    """Long work: progress is shown, and models and the cache are used as the options say.

    Print afterwards: what is printed inside would land among the bars.
    """
    from corrigenda.cache import folder as cache_folder
    from corrigenda.cli.progress_bar import showing_progress

    with (
        showing_progress(),
        _model_settings(args),
        cache_folder.disabled(getattr(args, "no_cache", False)),
    ):
        yield


@contextmanager
def _model_settings(args: argparse.Namespace) -> Iterator[None]:
    names = ("device", "dtype", "batch_tokens")
    given = {name: getattr(args, name, None) for name in names}
    if not any(value is not None for value in given.values()):
        yield
        return
    from corrigenda.neural import settings

    with settings.using(**given):
        yield
