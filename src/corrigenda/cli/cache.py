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

Kept are ERRANT's annotations, by text, model and versions. CORRIGENDA_CACHE names another folder,
CORRIGENDA_CACHE_MEGABYTES another limit (512); score --no-cache does without.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("action", choices=("info", "clear"), help="what to do")
    parser.add_argument("--format", "-f", choices=("text", "json"), default="text", help="(default: text)")


def run(args: argparse.Namespace) -> None:
    """Show, or clear."""
    from corrigenda.core import cache_folder
    from corrigenda.errant import store

    found = store.summary()
    if args.action == "clear":
        store.clear()
    data = {
        "folder": str(cache_folder.folder()),
        "cleared": args.action == "clear",
        "bytes": found.bytes,
        "limit": cache_folder.limit(),
        "annotations": found.annotations,
    }
    if args.format == "json":
        json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
        print()
        return
    number = sum(found.annotations.values())
    if args.action == "clear":
        print(f"cleared {number:,} annotations ({found.bytes / 1e6:.1f} MB) from {data['folder']}")
        return
    print(f"folder       {data['folder']}")
    print(f"size         {found.bytes / 1e6:.1f} MB of at most {cache_folder.limit() / 1e6:.0f} MB")
    print(f"annotations  {number:,}")
    for origin, count in found.annotations.items():
        print(f"  {count:>10,}  {origin}")
