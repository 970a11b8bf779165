"""Health beside GREEN: generated sentences in blocks, in process. It must cost at most a tenth."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from corrigenda.core.evaluate import BLOCK_SENTENCES, Block, evaluate_blocks
from corrigenda.corpus import Corpus, Hypotheses
from corrigenda.formats import text
from corrigenda.health import Examination
from corrigenda.metrics import metric
from generate import Files, write_files
from measuring import Row, Time, best_time

SIZES = (100_000, 400_000, 1_000_000)
REPEATS = 3


def run(quick: bool) -> list[Row]:
    return [_row(size) for size in ((2_000,) if quick else SIZES)]


def _row(size: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder) / "health", size, references=1, systems=1)
        green = best_time(lambda: _green(files), REPEATS)
        reading = best_time(lambda: _read(files), REPEATS)
        health = best_time(lambda: _health(files), REPEATS) - reading
    # GREEN is measured as people run it, with reading; health reads nothing of its own.
    share = 100 * health.processor / green.processor
    note = f"{share:.1f} % of GREEN; reading alone {reading.processor:.2f} s"
    return Row(
        f"Health, {size:,} sentences, 1 reference",
        Time(max(health.clock, 0.0), max(health.processor, 0.0)),
        green,
        "GREEN without health",
        note,
    )


def _blocks(files: Files) -> Iterator[Block]:
    paths = [files.source, files.references[0], files.hypotheses[0]]
    for source, reference, hypothesis in text.read_blocks(paths, BLOCK_SENTENCES):
        corpus = Corpus.from_lists(source, [reference], references_by="text")
        yield Block(corpus, [Hypotheses("ours", hypothesis)])


def _green(files: Files, *, health: bool = False) -> None:
    evaluate_blocks(_blocks(files), [metric("green")], keep_statistics=False, health=health)


def _read(files: Files) -> None:
    for block in _blocks(files):
        len(block.corpus)


def _health(files: Files) -> None:
    examination = Examination()
    for block in _blocks(files):
        examination.add(block.corpus, block.systems)
    if examination.findings():
        raise AssertionError("generated sentences have findings")
