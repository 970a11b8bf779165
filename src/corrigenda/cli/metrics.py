"""`corrigenda metrics`: every metric with its parameters, defaults and citation."""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import json
import sys
import typing
from typing import TYPE_CHECKING, Any

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
    parser.add_argument(
        "--format", "-f", choices=("text", "json"), default="text", help="(default: text)"
    )


def run(args: argparse.Namespace) -> None:
    """Print the list."""
    from corrigenda.metrics import REGISTRY, metric_class

    described = [describe(metric_class(name)) for name in args.names or REGISTRY]
    if args.format == "json":
        json.dump(described, sys.stdout, ensure_ascii=False, indent=2)
        print()
    else:
        for entry in described:
            _print(entry)


def describe(metric: type[Metric]) -> dict[str, Any]:
    """A metric as plain values."""
    return {
        "name": metric.name,
        "title": metric.title,
        "citation": metric.citation,
        "extra": metric.extra,
        "installed": is_installed(metric),
        "parameters": _parameters(metric),
    }


def is_installed(metric: type[Metric]) -> bool:
    """Whether everything that the metric needs is there."""
    return all(importlib.util.find_spec(module) is not None for module in metric.modules)


def _parameters(metric: type[Metric]) -> list[dict[str, Any]]:
    from corrigenda.core import spec

    kinds = typing.get_type_hints(metric)
    return [
        {
            "name": spec.public_name(field.name),
            "default": field.metadata.get("shown") or spec.text(field.default),
            "choices": list(spec.choices(kinds[field.name])),
            "explanation": field.metadata.get("explanation", ""),
        }
        for field in dataclasses.fields(metric)
    ]


def _print(entry: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    state = "" if entry["extra"] is None else f"  [needs corrigenda[{entry['extra']}]: "
    state += (
        "" if entry["extra"] is None else "installed]" if entry["installed"] else "not installed]"
    )
    console.print(
        Text.assemble((entry["name"], "bold green"), f"  {entry['title']}", (state, "yellow"))
    )
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for parameter in entry["parameters"]:
        choices = f" ({' | '.join(parameter['choices'])})" if parameter["choices"] else ""
        table.add_row(
            Text(parameter["name"], "cyan"),
            Text(parameter["default"]),
            Text(parameter["explanation"] + choices),
        )
    console.print(Padding(table, (0, 0, 0, 4)))
    console.print(Padding(Text(entry["citation"], "dim"), (0, 0, 1, 4)))
