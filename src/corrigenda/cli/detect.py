"""`corrigenda detect`: which settings give a published number?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from corrigenda.cli import inputs, options, render
from corrigenda.errors import CorrigendaError

if TYPE_CHECKING:
    from corrigenda.analysis.detective import Investigation, Suspect
    from corrigenda.cli.tables import Records, Table
    from corrigenda.core.metric import Metric

HELP = "find the settings that give a published number"
_SHOWN = 10
EXAMPLES = f"""\
examples:
  corrigenda detect 35.01 --gold gold.m2 --hyps AMU.txt
  corrigenda detect 91.48 --source src.txt --refs ref0.txt ref1.txt --hyps AMU.txt --metrics green
  corrigenda detect 58.08 --gold gold.m2 --hyps AMU.txt --seconds 120 --format json

The program tries the settings of all metrics: their choices and switches, n, β, both levels,
annotated and extracted gold, single references. It lists those that give the number to its digits,
the usual settings first. `changes` says how far a setting is from the published defaults: each
other parameter counts 1. If no setting gives the number, the closest usual ones are shown: another
version of a model or of the data can be the reason.

A number such as 35.01 is a score × 100; .3501 is a fraction. The exit code is 0 if a setting was
found, else 1.

{options.WIDTH_HELP}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("number", metavar="NUMBER", help="the number as it was published")
    inputs.add_corpus_arguments(parser)
    inputs.add_system_arguments(parser)
    group = parser.add_argument_group("where to search")
    group.add_argument(
        "--metrics",
        "-m",
        nargs="+",
        metavar="METRIC",
        help="only these; parameters that you give stay as they are "
        "(default: all that need no pretrained encoder)",
    )
    group.add_argument(
        "--seconds",
        type=options.number_of("--seconds", least=1),
        default=30.0,
        metavar="S",
        help="begin no new setting after this time (default: 30)",
    )
    options.add_format(group)
    options.add_threads(group)
    options.add_no_cache(group)
    options.add_models(parser)


class NotFoundError(CorrigendaError):
    """No setting gives the number."""


def run(args: argparse.Namespace) -> None:
    """Search, print, and fail if nothing was found."""
    import warnings

    from corrigenda.analysis.detective import PublishedNumber, investigate

    number = PublishedNumber.read(args.number)
    inputs.check_corpus_arguments(args)
    inputs.require_systems(args)
    metrics = options.metrics_of(args) if args.metrics else _searched()
    corpus, systems = inputs.read_corpus(args)
    if not systems:
        raise inputs.no_system()
    with options.working(args), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # each setting would say the same about the data again
        found = investigate(
            number, corpus, systems, metrics, seconds=args.seconds, threads=args.threads
        )
    render.output(
        args,
        data=lambda: asdict(found),
        records={"settings": lambda: _records(found.found)},
        tables=lambda: [_table(found)],
    )
    if not found.found:
        raise NotFoundError(
            f"no setting that was tried gives {args.number}",
            remedy="The table shows the closest usual settings. Try more time (--seconds), other "
            "files of the same data, or other metrics (--metrics).",
        )


def _searched() -> list[Metric]:
    """The metrics that can be searched without a pretrained encoder, a service or other systems."""
    from corrigenda.metrics import REGISTRY, default_metrics, metric_class

    annotated = [
        each
        for each in map(metric_class, REGISTRY)
        if each.extra == "errant" and not each.needs_service and not each.needs_all_systems
    ]
    return [*default_metrics(), *(each() for each in annotated)]


def _records(suspects: Sequence[Suspect]) -> Records:
    from corrigenda.cli.tables import Records

    return Records(
        ("system", "metric", "level", "gold", "measure", "value", "distance"),
        [(s.system, s.metric, s.level, s.gold, s.measure, s.value, s.distance) for s in suspects],
    )


def _table(found: Investigation) -> Table:
    from corrigenda.cli.tables import Column, Row, Table, key_column, number, text

    shown = (found.found or found.closest)[:_SHOWN]
    return Table(
        (
            key_column("metric"),
            Column("level", left=True),
            Column("measure", left=True),
            Column("gold", left=True, wraps=True),
            Column("system", left=True),
            Column("× 100"),
            Column("changes"),
        ),
        tuple(
            Row(
                (
                    text(each.metric),
                    text(each.level),
                    text(each.measure),
                    text(each.gold),
                    text(each.system),
                    number(100 * each.value, 4),
                    text(f"{each.distance:g}"),
                )
            )
            for each in shown
        ),
        title="" if found.found else f"nothing gives {found.number.text}; the closest are:",
        notes=tuple(_notes(found, len(shown))),
    )


def _notes(found: Investigation, shown: int) -> list[str]:
    more = len(found.found) - shown
    notes = [f"{found.tried} values compared with {found.number.text}"]
    if found.found:
        notes.append(
            f"{len(found.found)} equal it; by chance about {found.by_chance:.1f} would"
            + (f"; {more} more in --format json" if more > 0 else "")
        )
    if found.left:
        notes.append(f"{found.left} settings were not tried: the time was over (--seconds)")
    return [*notes, *(f"not searched: {each}" for each in found.skipped)]
