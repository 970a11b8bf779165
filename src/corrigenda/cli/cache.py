"""`corrigenda cache`: what is kept on disk to save time, and how to delete it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from corrigenda.cli import options, render
from corrigenda.cli.display import say

HELP = "show or clear what is kept on disk to save time"
EXAMPLES = """\
examples:
  corrigenda cache info
  corrigenda cache info --format json
  corrigenda cache clear

The cache holds ERRANT's annotations, by text, model and versions, and the scores that pretrained
models gave to pairs of sentences, by text, model, revision and layer. CORRIGENDA_CACHE names
another folder. CORRIGENDA_CACHE_MEGABYTES sets another limit for each of the two (512). With
--no-cache the other commands do not use it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("action", choices=("info", "clear"), metavar="ACTION", help="info or clear")
    options.add_text_format(parser)


@dataclass(frozen=True)
class CacheInfo:
    """What the cache holds, or held before it was cleared; the fields are the keys of the JSON."""

    folder: str
    cleared: bool
    bytes: int
    limit: int
    annotations: Mapping[str, int]
    score_bytes: int
    scores: Mapping[str, int]


def run(args: argparse.Namespace) -> None:
    """Show, or clear."""
    from corrigenda.annotation import store
    from corrigenda.neural import score_store

    info = _info(args.action == "clear")
    if info.cleared:
        store.FILE.clear()
        score_store.FILE.clear()
    if args.format == "json":
        render.print_json(asdict(info))
    else:
        (_print_cleared if info.cleared else _print_info)(info)


def _info(cleared: bool) -> CacheInfo:
    from corrigenda.annotation import store
    from corrigenda.cache import folder as cache_folder
    from corrigenda.neural import score_store

    annotations, scores = store.FILE.summary(), score_store.FILE.summary()
    return CacheInfo(
        folder=str(cache_folder.folder()),
        cleared=cleared,
        bytes=annotations.bytes,
        limit=cache_folder.limit(),
        annotations=annotations.numbers,
        score_bytes=scores.bytes,
        scores=scores.numbers,
    )


def _print_cleared(info: CacheInfo) -> None:
    number = sum(info.annotations.values())
    say(f"cleared {number:,} annotations ({_megabytes(info.bytes)} MB) from {info.folder}")
    if info.score_bytes:
        say(f"cleared {sum(info.scores.values()):,} scores ({_megabytes(info.score_bytes)} MB)")


def _print_info(info: CacheInfo) -> None:
    say(f"folder       {info.folder}")
    say(f"size         {_megabytes(info.bytes)} MB of at most {info.limit / 1e6:.0f} MB")
    say(f"annotations  {sum(info.annotations.values()):,}")
    _print_numbers(info.annotations)
    if info.score_bytes:
        say(f"scores       {sum(info.scores.values()):,} ({_megabytes(info.score_bytes)} MB)")
        _print_numbers(info.scores)


def _print_numbers(numbers: Mapping[str, int]) -> None:
    for origin, count in numbers.items():
        say(f"  {count:>10,}  {origin}")


def _megabytes(number: int) -> str:
    return f"{number / 1e6:.1f}"
