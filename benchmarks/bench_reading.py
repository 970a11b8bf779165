"""Scoring beside reading: `corrigenda score` against CPython that reads and splits the same files.

The peer does nothing but `len(line.split())` for every line. A ratio of 1 means that a score costs
as much as reading the files in plain Python.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from generate import Files, write_files
from measuring import Row, shortest, time_of_process

SENTENCES = 1_000_000
QUICK_SENTENCES = 2_000
METRICS = ("green", "gleu", "m2")
_READ_AND_SPLIT = """\
import sys
words = 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            words += len(line.split())
print(words)
"""


def run(quick: bool) -> list[Row]:
    sentences = QUICK_SENTENCES if quick else SENTENCES
    repeats = 1 if quick else 3
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), sentences, references=1, systems=1)
        return [_row(files, metric, sentences, repeats) for metric in METRICS]


def _row(files: Files, metric: str, sentences: int, repeats: int) -> Row:
    """Ours and the peer in turn, so that both see the same machine."""
    texts = [str(files.source), str(files.references[0]), str(files.hypotheses[0])]
    score = [sys.executable, "-m", "corrigenda", "score", "--source", texts[0], "--refs", texts[1]]
    score += ["--hyps", texts[2], "--metrics", metric]
    read = [sys.executable, "-c", _READ_AND_SPLIT, *texts]
    times = [(time_of_process(score), time_of_process(read)) for _ in range(repeats)]
    memory = max(mebibytes for (_, mebibytes), _ in times)
    return Row(
        f"`corrigenda score … --metrics {metric}`, {sentences:,} sentences, 1 reference",
        shortest([ours for (ours, _), _ in times]),
        shortest([theirs for _, (theirs, _) in times]),
        "CPython reads and splits",
        f"peak memory {memory:.0f} MiB",
    )
