"""Runs the benchmarks and prints a table: python benchmarks/run.py [--quick] [--only NAME …].

A benchmark is a module `bench_NAME.py` beside this one with `run(quick: bool) -> list[Row]`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))


def main() -> int:
    arguments = argparse.ArgumentParser(description="Measure Corrigenda beside its peers.")
    arguments.add_argument("--quick", action="store_true", help="fewer repeats, smaller texts")
    arguments.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME", help=", ".join(NAMES))
    args = arguments.parse_args()
    sys.path.insert(0, str(FOLDER))
    from measuring import markdown

    print(f"Python {platform.python_version()}, {_cores()} cores, {platform.machine()}\n", flush=True)
    failed = False
    for name in args.only:
        print(f"### {name}\n")
        try:
            print(markdown(importlib.import_module(f"bench_{name}").run(args.quick)), end="\n\n", flush=True)
        except ModuleNotFoundError as error:
            failed = True
            print(f"not measured: {error}; install the peers: pip install '.[bench]'\n", flush=True)
    return int(failed)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
