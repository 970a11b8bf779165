"""A million sentence pairs through one process of the command line: time and peak memory as the corpus grows."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from generate import Files, write_files
from measuring import Row, shortest, time_of_process

SIZES = (125_000, 250_000, 500_000, 1_000_000)
QUICK_SIZES = (12_500, 25_000, 50_000, 100_000)
CASES = (("green", 1), ("gleu", 2))
"""Each with its number of references: with one, GLEU has nothing to draw."""


def run(quick: bool) -> list[Row]:
    rows: dict[str, list[Row]] = {metric: [] for metric, _ in CASES}
    for size in QUICK_SIZES if quick else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            files = write_files(Path(folder), size, references=2, systems=1)
            for metric, references in CASES:
                rows[metric].append(_row(files, size, metric, references))
    return [row for metric, _ in CASES for row in rows[metric]]


def _row(files: Files, size: int, metric: str, references: int) -> Row:
    command = [sys.executable, "-m", "corrigenda", "score", "--source", str(files.source), "--refs"]
    command += [
        *map(str, files.references[:references]),
        "--hyps",
        *map(str, files.hypotheses),
        "--metrics",
        metric,
    ]
    runs = [time_of_process(command) for _ in range(2)]
    ours = shortest([measured for measured, _ in runs])
    memory = max(mebibytes for _, mebibytes in runs)
    note = f"{1e6 * ours.clock / size:.1f} µs a sentence; at most {memory:.0f} MiB"
    what = f"{size:,} generated sentences, {references} reference{'s' * (references > 1)}, `--metrics {metric}`"
    return Row(what, ours, note=note)
