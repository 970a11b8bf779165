"""A million sentence pairs in one process of the command line: time and memory by size."""

from __future__ import annotations

import itertools
import sys
import tempfile
from pathlib import Path

from generate import Files, write_files
from measuring import Point, Series, Time, shortest, time_of_process

SIZES = (125_000, 250_000, 500_000, 1_000_000)
QUICK_SIZES = (500, 1_000, 2_000, 4_000)


def growth(quick: bool) -> list[Series]:
    """Each size is the beginning of the largest one."""
    sizes = QUICK_SIZES if quick else SIZES
    with tempfile.TemporaryDirectory() as folder:
        whole = write_files(Path(folder) / "whole", sizes[-1], references=2, systems=1)
        return [
            _series(
                whole,
                Path(folder) / "part",
                sizes,
                "green",
                references=1,
                repeats=1 if quick else 2,
            ),
            _series(whole, Path(folder) / "part", sizes[-2:], "gleu", references=2, repeats=1),
        ]


def _series(
    whole: Files,
    folder: Path,
    sizes: tuple[int, ...],
    metric: str,
    *,
    references: int,
    repeats: int,
) -> Series:
    name = f"`--metrics {metric}`, {references} reference{'s' * (references > 1)}"
    points = []
    for size in sizes:
        time, memory = _measured(
            _beginning(whole, size, folder), metric, references=references, repeats=repeats
        )
        points.append(Point(size, time, memory))
    return Series("`corrigenda score`, one process, generated sentences", name, "sentences", points)


def _beginning(files: Files, size: int, folder: Path) -> Files:
    """Copies with the first `size` lines of each file."""
    folder.mkdir(exist_ok=True)

    def copied(path: Path) -> Path:
        with path.open("rb") as whole, (folder / path.name).open("wb") as part:
            part.writelines(itertools.islice(whole, size))
        return folder / path.name

    return Files(
        copied(files.source),
        tuple(map(copied, files.references)),
        tuple(map(copied, files.hypotheses)),
    )


def _measured(files: Files, metric: str, *, references: int, repeats: int) -> tuple[Time, float]:
    command = [sys.executable, "-m", "corrigenda", "score", "--source", str(files.source), "--refs"]
    command += [
        *map(str, files.references[:references]),
        "--hyps",
        *map(str, files.hypotheses),
        "--metrics",
        metric,
    ]
    runs = [time_of_process(command) for _ in range(repeats)]
    return shortest([measured for measured, _ in runs]), max(mebibytes for _, mebibytes in runs)
