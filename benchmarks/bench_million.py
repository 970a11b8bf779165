"""A million sentence pairs through one process of the command line: time and peak memory as the corpus grows."""

from __future__ import annotations

import itertools
import sys
import tempfile
from pathlib import Path

from generate import Files, write_files
from measuring import Row, shortest, time_of_process

SIZES = (125_000, 250_000, 500_000, 1_000_000)
QUICK_SIZES = (12_500, 25_000, 50_000, 100_000)


def run(quick: bool) -> list[Row]:
    sizes = QUICK_SIZES if quick else SIZES
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        whole = write_files(Path(folder) / "whole", sizes[-1], references=2, systems=1)
        for size in sizes:
            files = _beginning(whole, size, Path(folder) / "part")
            rows.append(_row(files, size, "green", references=1, repeats=2))
        rows.append(_row(whole, sizes[-1], "gleu", references=2, repeats=1))
    return rows


def _beginning(files: Files, size: int, folder: Path) -> Files:
    """Copies of the first lines."""
    folder.mkdir(exist_ok=True)

    def copied(path: Path) -> Path:
        with path.open("rb") as whole, (folder / path.name).open("wb") as part:
            part.writelines(itertools.islice(whole, size))
        return folder / path.name

    return Files(copied(files.source), tuple(map(copied, files.references)), tuple(map(copied, files.hypotheses)))


def _row(files: Files, size: int, metric: str, *, references: int, repeats: int) -> Row:
    command = [sys.executable, "-m", "corrigenda", "score", "--source", str(files.source), "--refs"]
    command += [
        *map(str, files.references[:references]),
        "--hyps",
        *map(str, files.hypotheses),
        "--metrics",
        metric,
    ]
    runs = [time_of_process(command) for _ in range(repeats)]
    ours = shortest([measured for measured, _ in runs])
    memory = max(mebibytes for _, mebibytes in runs)
    note = f"{1e6 * ours.processor / size:.0f} µs of processor time a sentence; at most {memory:.0f} MiB"
    what = f"{size:,} generated sentences, {references} reference{'s' * (references > 1)}, `--metrics {metric}`"
    return Row(what, ours, note=note)
