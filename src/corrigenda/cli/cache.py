"""`corrigenda cache`: what is kept on disk to save time, and how to be rid of it."""

from __future__ import annotations

import argparse
import json
import sys

HELP = "show or clear what is kept on disk to save time"
EXAMPLES = """\
examples:
  corrigenda cache info
  corrigenda cache info --format json
  corrigenda cache clear

Kept are ERRANT's annotations, by text, model and versions, and the scores that pretrained models gave to pairs
of sentences, by text, model, revision and layer. CORRIGENDA_CACHE names another folder,
CORRIGENDA_CACHE_MEGABYTES another limit for each of the two (512); score --no-cache does without.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("action", choices=("info", "clear"), help="what to do")
    parser.add_argument(
        "--format", "-f", choices=("text", "json"), default="text", help="(default: text)"
    )


def run(args: argparse.Namespace) -> None:
    """Show, or clear."""
    from corrigenda.annotation import store
    from corrigenda.cache import folder as cache_folder
    from corrigenda.neural import score_store

    found, scores = store.summary(), score_store.summary()
    if args.action == "clear":
        store.clear()
        score_store.clear()
    data = {
        "folder": str(cache_folder.folder()),
        "cleared": args.action == "clear",
        "bytes": found.bytes,
        "limit": cache_folder.limit(),
        "annotations": found.numbers,
        "score_bytes": scores.bytes,
        "scores": scores.numbers,
    }
    if args.format == "json":
        json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
        print()
        return
    number = sum(found.numbers.values())
    number_of_scores = sum(scores.numbers.values())
    if args.action == "clear":
        print(f"cleared {number:,} annotations ({found.bytes / 1e6:.1f} MB) from {data['folder']}")
        if scores.bytes:
            print(f"cleared {number_of_scores:,} scores ({scores.bytes / 1e6:.1f} MB)")
        return
    print(f"folder       {data['folder']}")
    print(f"size         {found.bytes / 1e6:.1f} MB of at most {cache_folder.limit() / 1e6:.0f} MB")
    print(f"annotations  {number:,}")
    for origin, count in found.numbers.items():
        print(f"  {count:>10,}  {origin}")
    if scores.bytes:
        print(f"scores       {number_of_scores:,} ({scores.bytes / 1e6:.1f} MB)")
        for origin, count in scores.numbers.items():
            print(f"  {count:>10,}  {origin}")
