"""`corrigenda bulk`: a score for every row of tables of any size, by many processes."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from corrigenda.arguments import MOST_WORKERS
from corrigenda.cli import findings, inputs, last_net, options, outputs, render
from corrigenda.cli.display import printable, say
from corrigenda.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from corrigenda.bulk import Bulk, Columns
    from corrigenda.bulk.partitions import Shard

HELP = "score millions of rows of Parquet, JSON lines or text in parallel"
EXAMPLES = """\
examples:
  corrigenda bulk pairs.parquet --output scores --metrics green m2
  corrigenda bulk 'shards/*.jsonl.gz' --output scores --metrics green \\
      --columns source=src,hypothesis=hyp,references=ref0+ref1 --key id
  corrigenda bulk --source src.txt --hyps out.txt --refs ref0.txt ref1.txt --output scores \\
      --metrics gleu
  corrigenda bulk data/shard-00 data/shard-01 --input-format text --output scores --metrics green \\
      --columns source=src,hypothesis=hyp,references=ref    # data/shard-00.src, data/shard-00.hyp …
  corrigenda bulk s3://bucket/pairs/*.parquet --output s3://bucket/scores --metrics green \\
      --scheduler tcp://head:8786

The folder of --output holds: scores/*.parquet, one row per row of the inputs, in their order;
totals.json, the scores of all rows together, with their signatures; rejected.jsonl, the rows that
could not be scored. If a run is stopped, the same command continues it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    _add_inputs(parser)
    _add_results(parser.add_argument_group("what to compute and write"))
    group = parser.add_argument_group("who computes")
    options.add_whole_number(
        group,
        "--workers",
        "processes on this machine (default: one per core; 0: only this process)",
        least=0,
        most=MOST_WORKERS,
    )
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask cluster, e.g. tcp://head:8786, or its scheduler file",
    )
    group.add_argument(
        "--dashboard",
        action="store_true",
        help="show Dask's dashboard of the processes, on 127.0.0.1 only",
    )
    options.add_whole_number(
        group,
        "--partition-rows",
        "rows that a worker takes at a time (default: 50000)",
        least=1,
    )
    options.add_models(parser)


def _add_results(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--output", "-o", required=True, metavar="DIR", help="folder for the results, or a URL"
    )
    group.add_argument(
        "--metrics", "-m", nargs="+", required=True, metavar="METRIC", help="e.g. green m2:beta=1"
    )
    inputs.add_tokenise(group)
    group.add_argument("--counts", action="store_true", help="also write the counts of every row")
    options.add_whole_number(
        group,
        "--max-errors",
        "stop when more than N rows are rejected (default: a million)",
        least=0,
    )
    group.add_argument(
        "--restart", action="store_true", help="delete what an earlier run left in the folder"
    )
    options.add_no_cache(group)
    findings.add_arguments(group)


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the rows (by path, pattern, folder or URL)")
    group.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="Parquet or JSON lines; or the common beginnings of text files",
    )
    group.add_argument(
        "--columns",
        default="",
        metavar="ROLE=NAME,…",
        help="source=NAME,hypothesis=NAME,references=NAME+NAME (default: each has the name of its "
        "role); references= reads no references",
    )
    group.add_argument("--key", metavar="NAME", help="a column to write beside the scores")
    group.add_argument(
        "--input-format", choices=("parquet", "jsonl", "text"), help="(default: by the file's name)"
    )
    group.add_argument(
        "--source",
        "-s",
        metavar="FILE",
        help="parallel text instead of INPUT: source sentences, one sentence per line",
    )
    group.add_argument("--hyps", metavar="FILE", help="with --source: the output of a system")
    group.add_argument(
        "--refs", "-r", nargs="+", metavar="FILE", default=[], help="with --source: reference texts"
    )


def run(args: argparse.Namespace) -> None:
    """Score, then say what came of it."""
    _check(args)
    try:
        from corrigenda.bulk import Columns
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("corrigenda"):
            raise
        raise MissingExtraError(
            f"bulk needs the module {error.name}", remedy="pip install 'corrigenda[bulk]'."
        ) from error
    columns = Columns.from_text(args.columns, key=args.key)
    shards = _shards(columns, args)
    _check_output(shards, args.output)
    begin = time.perf_counter()
    done = _scored(shards, columns, args)
    if done.rows_by_this_run:
        speed = done.rows_by_this_run / (time.perf_counter() - begin)
        say(f"corrigenda: {done.rows_by_this_run:,} rows, {speed:,.0f} per second", file=sys.stderr)
    _print(done, args)


def _check(args: argparse.Namespace) -> None:
    if bool(args.inputs) == bool(args.source):
        raise UsageError(
            "give the rows in exactly one way",
            remedy="INPUT…, or --source FILE --hyps FILE --refs FILE…",
        )
    if args.source and not args.hyps:
        raise UsageError("--hyps is missing", remedy="--source needs --hyps FILE.")
    if args.source and (args.columns or args.key or args.input_format):
        raise UsageError(
            "--columns, --key and --input-format describe INPUT",
            remedy="Leave them out with --source.",
        )
    if args.dashboard and (args.scheduler or args.workers == 0):
        raise UsageError(
            "--dashboard shows worker processes on this machine, but there are none",
            remedy="Leave --dashboard out. A cluster has a dashboard of its own.",
        )
    if args.workers is not None and args.scheduler:
        raise UsageError(
            "--workers does not go with --scheduler",
            remedy="Leave --workers out: a cluster has its own workers.",
        )


def _shards(columns: Columns, args: argparse.Namespace) -> list[Shard]:
    from corrigenda.bulk.inputs import find_shards, parallel_shard

    if args.source:
        return [parallel_shard(args.source, args.hyps, args.refs)]
    return find_shards(args.inputs, columns, args.input_format)


def _check_output(shards: list[Shard], output: str) -> None:
    """Refuse to write over an input: `bulk out/scores --output out` would."""
    from corrigenda.bulk.manifest import MANIFEST, REJECTED, TOTALS
    from corrigenda.bulk.records import RECORDS, SCORES, STATISTICS

    name = output.removeprefix("file://")
    if "://" in name:
        return
    folder = Path(name)
    inside = (path for name in (RECORDS, SCORES, STATISTICS) for path in (folder / name).rglob("*"))
    files = [str(path.relative_to(folder)) for path in inside if path.is_file()]
    given = [
        outputs.GivenFile("INPUT", file.removeprefix("file://"))
        for shard in shards
        for file in shard.files
    ]
    outputs.check_folder("--output", name, [MANIFEST, REJECTED, TOTALS, *files], given)


def _scored(shards: list[Shard], columns: Columns, args: argparse.Namespace) -> Bulk:
    from corrigenda.bulk import ModelOptions, bulk

    with options.working(args):
        return bulk(
            shards,
            args.output,
            args.metrics,
            columns=columns,
            input_format=args.input_format,
            tokenise=None if args.tokenise == "none" else args.tokenise,
            counts=args.counts,
            workers=args.workers,
            scheduler=args.scheduler,
            dashboard=args.dashboard,
            partition_rows=args.partition_rows,
            max_errors=args.max_errors,
            restart=args.restart,
            cache=not args.no_cache,
            health=not args.no_health,
            models=ModelOptions(args.device, args.dtype, args.batch_tokens),
        )


def _print(done: Bulk, args: argparse.Namespace) -> None:
    from corrigenda.cli.leaderboard import leaderboard

    output = args.output.rstrip("/")
    by_level = [
        [result for result in done.results if result.level == level]
        for level in ("corpus", "sentence")
    ]
    render.print_tables([leaderboard(results) for results in by_level], "table")
    findings.show_tokenisation(done.tokenisation)
    for finding in done.health:
        line = f"{finding['text']}: {finding['code']}: {finding['message']} {finding['remedy']}"
        last_net.tell(f"health: {printable(line)}")
    say(f"{done.rows - len(done.rejected):,} rows scored; their scores are in {output}/scores")
    if done.rejected:
        count = "1 row" if len(done.rejected) == 1 else f"{len(done.rejected):,} rows"
        say(f"{count} rejected; which and why: {output}/rejected.jsonl")
        for file, row, reason in done.rejected[:3]:
            say(printable(f"  {file}, row {row:,}: {reason}"))
    if args.strict:
        findings.refuse(len(done.health))
