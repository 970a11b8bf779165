"""Presets: metrics and level as those who publish on a data set use them, printed in full."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corrigenda.cli.last_net import tell
from corrigenda.errors import UsageError

if TYPE_CHECKING:
    from corrigenda.cli.options import Group


@dataclass(frozen=True)
class Preset:
    """The options that a preset stands for, and what it expects of the gold."""

    metrics: tuple[str, ...]
    level: str
    gold: str
    needs_m2: bool = False


PRESETS = {
    "conll14": Preset(
        ("m2",), "corpus", "annotated edits: --gold official-2014.combined.m2", needs_m2=True
    ),
    "bea19": Preset(
        ("errant",), "corpus", "edits by ERRANT: the M2 file of the task, or reference texts"
    ),
    "jfleg": Preset(("gleu",), "corpus", "four reference texts: --source and --refs"),
    "multigec25": Preset(
        ("gleu:n=4", "errant:edits=any,merger=all-merge"), "corpus",
        "whole essays, as they are, with all references: --essays X-orig-Y.md",
    ),
    "seeda": Preset(
        ("m2", "errant", "gleu", "green"), "corpus",
        "annotated edits: --gold official-2014.combined.m2", needs_m2=True,
    ),
}  # fmt: skip


def add_arguments(group: Group) -> None:
    """The name of a preset."""
    group.add_argument(
        "--preset",
        choices=tuple(PRESETS),
        help="metrics and level as in publications on a data set; printed in full",
    )


def apply(args: argparse.Namespace) -> None:
    """Set what the preset says, and print it; options that contradict it are refused."""
    if args.preset is None:
        return
    preset = PRESETS[args.preset]
    if args.metrics:
        raise UsageError(
            "--preset does not go with --metrics",
            remedy=f"--preset {args.preset} is --metrics {' '.join(preset.metrics)}.",
        )
    if args.level != preset.level:
        raise UsageError(
            f"--preset {args.preset} and --level {args.level} contradict each other",
            remedy=f"--preset {args.preset} is --metrics {' '.join(preset.metrics)} "
            f"--level {preset.level}: give --metrics and --level instead.",
        )
    if preset.needs_m2 and args.refs:
        raise UsageError(
            f"--preset {args.preset} needs annotated edits, not reference texts",
            remedy=f"Its gold is {preset.gold}.",
        )
    args.metrics, args.level = list(preset.metrics), preset.level
    tell(
        f"note: --preset {args.preset}: --metrics {' '.join(preset.metrics)} "
        f"--level {preset.level}; gold: {preset.gold}"
    )
