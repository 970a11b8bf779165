"""`corrigenda metrics`: every metric with its parameters, defaults and citation."""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import typing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from corrigenda.cli import options, render

if TYPE_CHECKING:
    from corrigenda.core.metric import Metric

HELP = "list the metrics with their parameters, defaults and citations"
EXAMPLES = """\
examples:
  corrigenda metrics
  corrigenda metrics gleu
  corrigenda metrics --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("names", nargs="*", metavar="METRIC", help="only these (default: all)")
    options.add_text_format(parser)


def run(args: argparse.Namespace) -> None:
    """Print the list."""
    from corrigenda.metrics import REGISTRY, metric_class

    described = [describe(metric_class(name)) for name in args.names or REGISTRY]
    if args.format == "json":
        render.print_json([asdict(entry) for entry in described])
        return
    for entry in described:
        _print(entry)


@dataclass(frozen=True)
class DescribedParameter:
    """A parameter of a metric; the fields are the keys of the JSON."""

    name: str
    default: str
    choices: list[str]
    explanation: str


@dataclass(frozen=True)
class DescribedMetric:
    """A metric; the fields are the keys of the JSON."""

    name: str
    title: str
    citation: str
    extra: str | None
    installed: bool
    parameters: list[DescribedParameter]


def describe(metric: type[Metric]) -> DescribedMetric:
    """A metric as plain values."""
    return DescribedMetric(
        name=metric.name,
        title=metric.full_title(),
        citation=metric.citation,
        extra=metric.extra,
        installed=is_installed(metric),
        parameters=_parameters(metric),
    )


def is_installed(metric: type[Metric]) -> bool:
    """Whether everything that the metric needs is there."""
    return all(importlib.util.find_spec(module) is not None for module in metric.modules)


def _parameters(metric: type[Metric]) -> list[DescribedParameter]:
    from corrigenda.core import spec

    kinds = typing.get_type_hints(metric)
    return [
        DescribedParameter(
            name=spec.public_name(field.name),
            default=field.metadata.get("shown") or spec.text(field.default),
            choices=list(spec.choices(kinds[field.name])),
            explanation=field.metadata.get("explanation", ""),
        )
        for field in dataclasses.fields(metric)
    ]


def _print(entry: DescribedMetric) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from corrigenda.cli.rich_console import console

    out = console()
    state = ""
    if entry.extra is not None:
        installed = "installed" if entry.installed else "not installed"
        state = f"  [needs corrigenda[{entry.extra}]: {installed}]"
    out.print(Text.assemble((entry.name, "bold green"), f"  {entry.title}", (state, "yellow")))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for parameter in entry.parameters:
        choices = f" ({' | '.join(parameter.choices)})" if parameter.choices else ""
        table.add_row(
            Text(parameter.name, "cyan"),
            Text(parameter.default),
            Text(parameter.explanation + choices),
        )
    out.print(Padding(table, (0, 0, 0, 4)))
    out.print(Padding(Text(entry.citation, "dim"), (0, 0, 1, 4)))
