"""`corrigenda bulk`: a score for every row of tables of any size, by many processes."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from corrigenda.cli.model_options import add_model_arguments
from corrigenda.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from corrigenda.bulk import Bulk
    from corrigenda.bulk.progress import Progress

HELP = "score millions of rows (Parquet, JSON lines, parallel text) with many processes"
EXAMPLES = """\
examples:
  corrigenda bulk pairs.parquet --output scores --metrics green m2
  corrigenda bulk 'shards/*.jsonl.gz' --output scores --metrics green \\
      --columns source=src,hypothesis=hyp,references=ref0+ref1 --key id
  corrigenda bulk --source src.txt --hyps out.txt --refs ref0.txt ref1.txt --output scores --metrics gleu
  corrigenda bulk data/shard-00 data/shard-01 --input-format text --output scores --metrics green \\
      --columns source=src,hypothesis=hyp,references=ref        reads data/shard-00.src, data/shard-00.hyp, …
  corrigenda bulk s3://bucket/pairs/*.parquet --output s3://bucket/scores --metrics green \\
      --scheduler tcp://head:8786

In the folder of --output: scores/*.parquet, a row for each row of the inputs, in their order; totals.json, the scores of the
whole with their signatures; rejected.jsonl, the rows that could not be scored. The same command again goes on
where a run was stopped.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    _add_inputs(parser)
    group = parser.add_argument_group("what to compute and write")
    group.add_argument(
        "--output", "-o", required=True, metavar="DIR", help="folder for the results, or a URL"
    )
    group.add_argument(
        "--metrics", "-m", nargs="+", required=True, metavar="METRIC", help="e.g. green m2:beta=1"
    )
    group.add_argument("--counts", action="store_true", help="also write the counts of every row")
    group.add_argument(
        "--max-errors",
        type=int,
        metavar="N",
        help="stop when more than N rows are rejected (default: never)",
    )
    group.add_argument(
        "--restart", action="store_true", help="throw away what an earlier run left in the folder"
    )
    group.add_argument(
        "--no-cache", action="store_true", help="neither read nor keep annotations on disk"
    )
    group = parser.add_argument_group("who computes")
    group.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes here (default: all cores; 0: none but this)",
    )
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask cluster's, e.g. tcp://head:8786, or its scheduler file",
    )
    group.add_argument(
        "--partition-rows",
        type=int,
        metavar="N",
        help="rows that a worker takes at a time (default: 50000)",
    )
    add_model_arguments(parser)


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the rows (by path, pattern, folder or URL)")
    group.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="Parquet or JSON lines; or beginnings of text files",
    )
    group.add_argument(
        "--columns",
        default="",
        metavar="ROLE=NAME,…",
        help="source=NAME,hypothesis=NAME,references=NAME+NAME; by default each is called by its role",
    )
    group.add_argument("--key", metavar="NAME", help="a column to write beside the scores")
    group.add_argument(
        "--input-format", choices=("parquet", "jsonl", "text"), help="(default: by the file's name)"
    )
    group.add_argument(
        "--source", "-s", metavar="FILE", help="parallel text instead: source sentences, one a line"
    )
    group.add_argument("--hyps", metavar="FILE", help="with --source: the output of a system")
    group.add_argument(
        "--refs", "-r", nargs="+", metavar="FILE", default=[], help="with --source: reference texts"
    )


def run(args: argparse.Namespace) -> None:
    """Score, then say what came of it."""
    _check(args)
    try:
        from corrigenda.bulk import Columns, bulk
        from corrigenda.bulk.inputs import parallel_shard
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"bulk needs the module {error.name}", remedy="pip install 'corrigenda[bulk]'."
        ) from error
    inputs: list[Any] = list(args.inputs)
    if args.source:
        inputs = [parallel_shard(args.source, args.hyps, args.refs)]
    models = {"device": args.device, "dtype": args.dtype, "batch_tokens": args.batch_tokens}
    begin = time.perf_counter()
    with _progress() as progress:
        done = bulk(
            inputs,
            args.output,
            args.metrics,
            columns=Columns.from_text(args.columns, key=args.key),
            input_format=args.input_format,
            counts=args.counts,
            workers=args.workers,
            scheduler=args.scheduler,
            partition_rows=args.partition_rows,
            max_errors=args.max_errors,
            restart=args.restart,
            cache=not args.no_cache,
            models={name: value for name, value in models.items() if value is not None},
            progress=progress,
        )
    if done.rows_by_this_run:
        speed = done.rows_by_this_run / (time.perf_counter() - begin)
        print(f"corrigenda: {done.rows_by_this_run:,} rows, {speed:,.0f} a second", file=sys.stderr)
    _print(done, args.output.rstrip("/"))


def _check(args: argparse.Namespace) -> None:
    if bool(args.inputs) == bool(args.source):
        raise UsageError(
            "give the rows in exactly one way",
            remedy="INPUT…, or --source FILE --hyps FILE --refs FILE…",
        )
    if args.source and not (args.hyps and args.refs):
        missing = "--hyps" if not args.hyps else "--refs"
        raise UsageError(f"{missing} is missing", remedy="--source, --hyps and --refs go together.")
    if args.source and (args.columns or args.key or args.input_format):
        raise UsageError(
            "--columns, --key and --input-format are of INPUT",
            remedy="Leave them out with --source.",
        )
    if args.workers is not None and args.scheduler:
        raise UsageError(
            "--workers and --scheduler exclude each other", remedy="A cluster has its own workers."
        )
    for option, least in (("workers", 0), ("partition_rows", 1), ("max_errors", 0)):
        value = getattr(args, option)
        if value is not None and value < least:
            name = option.replace("_", "-")
            raise UsageError(
                f"--{name} is {value}", remedy=f"It takes a whole number from {least} on."
            )


def _print(done: Bulk, output: str) -> None:
    from corrigenda.cli import render

    for level in ("corpus", "sentence"):
        render.results(
            [result for result in done.results if result.level == level], done.rows, 0, "table"
        )
    print(
        f"{done.rows - len(done.rejected):,} rows scored; a score for each of them in {output}/scores"
    )
    if done.rejected:
        print(f"{len(done.rejected):,} rows rejected; which and why: {output}/rejected.jsonl")
        for file, row, reason in done.rejected[:3]:
            print(f"  {file}, row {row:,}: {reason}")


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar on a terminal; else a line now and then."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(
            "{task.completed:,.0f} rows, {task.fields[speed]} a second{task.fields[rejected]}"
        ),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=Console(stderr=True), transient=True, speed_estimate_period=300
    ) as bar:
        yield _Bar(bar)


class _Rate:
    """Rows a second since a stage began."""

    def __init__(self) -> None:
        self.rows = self.rejected = 0
        self.began = time.monotonic()

    @property
    def speed(self) -> float:
        return self.rows / max(1e-9, time.monotonic() - self.began)

    def add(self, rows: int, rejected: int) -> None:
        self.rows += rows
        self.rejected += rejected


class _Bar:
    """Draws a bar for every stage."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task: Any = None
        self._rate = _Rate()

    def begin(self, what: str, rows: int | None, done: int) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._rate = _Rate()
        self._task = self._bar.add_task(what, total=rows, completed=done, speed="…", rejected="")

    def advance(self, rows: int, rejected: int) -> None:
        self._rate.add(rows, rejected)
        shown = f", {self._rate.rejected:,} rejected" if self._rate.rejected else ""
        self._bar.update(self._task, advance=rows, speed=f"{self._rate.speed:,.0f}", rejected=shown)

    def note(self, text: str) -> None:
        self._bar.console.print(f"corrigenda: note: {text}", markup=False, highlight=False)


class _Lines:
    """For logs: a line when a stage begins, and then at most every half a minute."""

    EVERY = 30.0

    def __init__(self) -> None:
        self._rate = _Rate()
        self._told = time.monotonic()
        self._total: int | None = None
        self._done = 0

    def begin(self, what: str, rows: int | None, done: int) -> None:
        self._rate, self._total, self._done = _Rate(), rows, done
        known = "" if rows is None else f" {rows:,} rows"
        self._say(f"{what}{known}{f', {done:,} of them done before' if done else ''}")

    def advance(self, rows: int, rejected: int) -> None:
        self._rate.add(rows, rejected)
        if time.monotonic() - self._told < self.EVERY:
            return
        done = self._done + self._rate.rows
        left = ""
        if self._total is not None and self._rate.speed:
            left = f", {(self._total - done) / self._rate.speed:,.0f} s left"
        shown = f", {self._rate.rejected:,} rejected" if self._rate.rejected else ""
        self._say(f"{done:,} rows, {self._rate.speed:,.0f} a second{left}{shown}")

    def note(self, text: str) -> None:
        self._say(f"note: {text}")

    def _say(self, text: str) -> None:
        self._told = time.monotonic()
        print(f"corrigenda: {text}", file=sys.stderr, flush=True)
