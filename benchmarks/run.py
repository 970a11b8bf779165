"""Runs the benchmarks and writes one table.

    python benchmarks/run.py [--quick] [--only NAME …] [--out FOLDER]

A benchmark is a module `bench_NAME.py` beside this one with one or both of

    run(quick: bool) -> list[Row]        # times, ours and a peer's
    growth(quick: bool) -> list[Series]  # times against sizes; they are also plotted

Each runs in its own process. So a benchmark that fails or is killed does not stop the others.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import asdict
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))
from machine import machine, versions  # noqa: E402
from plots import draw  # noqa: E402
from tables import Outcome, as_json, as_markdown  # noqa: E402

NAMES = sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))


def main() -> int:
    args = _arguments().parse_args()
    if args.one:
        return _run_here(args.one, args.quick, args.out)
    args.out.mkdir(parents=True, exist_ok=True)
    described, outcomes = machine(), []
    for name in args.only:
        print(f"{name} … ", end="", file=sys.stderr, flush=True)
        outcomes.append(_run_apart(name, args.quick))
        print(outcomes[-1].problem or f"{outcomes[-1].seconds:.0f} s", file=sys.stderr, flush=True)
        # Write after each benchmark, so that no later failure can lose its results.
        table = _write(described, outcomes, args.out)
    print(table)
    print(f"Written to {args.out}: results.md, results.json and the plots.", file=sys.stderr)
    return int(any(outcome.problem and not _is_missing(outcome) for outcome in outcomes))


def _arguments() -> argparse.ArgumentParser:
    arguments = argparse.ArgumentParser(description="Measure Corrigenda beside its peers.")
    arguments.add_argument("--quick", action="store_true", help="fewer repeats, smaller texts")
    arguments.add_argument(
        "--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME", help=", ".join(NAMES)
    )
    arguments.add_argument(
        "--out", type=Path, default=Path("build/bench"), help="folder of the results"
    )
    arguments.add_argument("--one", choices=NAMES, help=argparse.SUPPRESS)
    return arguments


def _run_apart(name: str, quick: bool) -> Outcome:
    """Run the benchmark in its own process."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "outcome.json"
        command = [sys.executable, str(FOLDER / "run.py"), "--one", name, "--out", str(written)]
        done = subprocess.run(
            [*command, *["--quick"] * quick],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        seconds = time.perf_counter() - begin
        if written.is_file():
            return Outcome.from_json(
                {**json.loads(written.read_text(encoding="utf-8")), "seconds": seconds}
            )
    last_words = (done.stderr.strip().splitlines() or ["no message"])[-1]
    return Outcome(
        name, problem=f"ended with code {done.returncode}: {last_words}", seconds=seconds
    )


def _run_here(name: str, quick: bool, written: Path) -> int:
    """Run the benchmark in this process; keep what was measured before an error."""
    rows, series, problem = [], [], ""
    try:
        module = importlib.import_module(f"bench_{name}")
        rows = module.run(quick) if hasattr(module, "run") else []
        series = module.growth(quick) if hasattr(module, "growth") else []
    except ModuleNotFoundError as error:
        problem = f"{MISSING} {error}"
    except Exception as error:  # the other benchmarks must go on
        traceback.print_exc()
        problem = f"failed: {type(error).__name__}: {error}"
    written.write_text(json.dumps(asdict(Outcome(name, rows, series, problem))), encoding="utf-8")
    return int(bool(problem))


MISSING = "needs a package that is not installed (pip install '.[bench]'):"


def _is_missing(outcome: Outcome) -> bool:
    return outcome.problem.startswith(MISSING)


def _write(described: dict[str, object], outcomes: list[Outcome], folder: Path) -> str:
    used = versions({row.package for outcome in outcomes for row in outcome.rows})
    plots = draw([series for outcome in outcomes for series in outcome.series], folder)
    table = as_markdown(described, used, outcomes, plots)
    (folder / "results.md").write_text(table, encoding="utf-8")
    data = as_json(described, used, outcomes)
    (folder / "results.json").write_text(
        json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return table


if __name__ == "__main__":
    sys.exit(main())
